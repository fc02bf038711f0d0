//! The position editor: a position is set up stone by stone, and becomes a game if it can be
//! reached.

mod order;

use std::collections::BTreeMap;

use tengen_record::formats::ScoreSheet;
use tengen_rules::{Color, Foul, Point, Position, Rule, Size};

use super::{Diagram, GameForm, SavedState, Stone};

/// A position that is being edited. It is checked against the rules after every change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionEditor {
    rule: Rule,
    size: Size,
    stones: BTreeMap<Point, Color>,
    /// What a click places.
    pub brush: Brush,
    to_move: Color,
    /// Which changes are saved.
    pub saved: SavedState,
    game: Result<Vec<Point>, EditorProblem>,
}

/// What a click on the board does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Brush {
    /// Places black and white stones in turn.
    #[default]
    InTurn,
    /// Places black stones.
    Black,
    /// Places white stones.
    White,
    /// Removes stones.
    Nothing,
}

impl Brush {
    /// Every brush, in the order of the buttons.
    pub const ALL: [Brush; 4] = [Brush::InTurn, Brush::Black, Brush::White, Brush::Nothing];
}

/// A command of the position editor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EditorCommand {
    /// Open the editor with the position shown, or with an empty board.
    Open,
    Click(Point),
    /// Choose a brush.
    Brush(Brush),
    /// Set the side to move.
    ToMove(Color),
    /// Remove all stones.
    Clear,
    /// Set the rule.
    Rule(Rule),
    /// Set the board size; stones outside are removed.
    Size(Size),
}

/// Why a position cannot be reached in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EditorProblem {
    /// The numbers of black and white stones do not fit the side to move.
    Turn(Color, usize, usize),
    /// The game would be over by the stone there, in any order.
    Over(Point),
    /// No order was found in which that stone is not forbidden to Black, or wins; there may be one.
    Unsure(Point, Option<Foul>),
    /// In any order, Black would play a forbidden move there.
    Forbidden(Point, Foul),
    /// No point is free.
    Full,
}

impl PositionEditor {
    /// A board with these stones, played in turn.
    pub fn new(rule: Rule, size: Size, stones: &[Point]) -> PositionEditor {
        let to_move = Color::of_ply(stones.len());
        let stones = stones.iter().enumerate().map(|(ply, &at)| (at, Color::of_ply(ply)));
        PositionEditor::of_stones(rule, size, stones, to_move)
    }

    /// A board with these stones; those outside are dropped.
    pub(in crate::app) fn of_stones(
        rule: Rule,
        size: Size,
        stones: impl IntoIterator<Item = (Point, Color)>,
        to_move: Color,
    ) -> PositionEditor {
        let stones = stones.into_iter().filter(|(point, _)| size.contains(*point)).collect();
        let brush = Brush::default();
        let game = Ok(Vec::new());
        let saved = SavedState::default();
        let mut editor = PositionEditor { rule, size, stones, brush, to_move, saved, game };
        editor.check();
        editor
    }

    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The board size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The side to move.
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    pub fn stone(&self, point: Point) -> Option<Color> {
        self.stones.get(&point).copied()
    }

    pub fn stones(&self) -> impl Iterator<Item = (Point, Color)> + '_ {
        self.stones.iter().map(|(&point, &color)| (point, color))
    }

    /// The moves of a game that reaches the position.
    ///
    /// # Errors
    /// Why it cannot be reached.
    pub fn game(&self) -> Result<&[Point], EditorProblem> {
        self.game.as_deref().map_err(|problem| *problem)
    }

    /// A new game from here, otherwise with the settings of `like`; none if the position cannot be
    /// reached.
    pub fn setup(&self, like: &GameForm) -> Option<GameForm> {
        let (width, height) = (self.size.width(), self.size.height());
        let setup = GameForm { rule: self.rule, width, height, ..like.clone() };
        self.game().ok().map(|points| setup.with_book(points.to_vec()))
    }

    /// The position as a sheet with stones set up, in the order of a game; none if it cannot be
    /// reached.
    pub(in crate::app) fn sheet(&self) -> Option<ScoreSheet> {
        let mut sheet = ScoreSheet::new(self.size);
        sheet.rule = Some(self.rule);
        for (ply, &point) in self.game().ok()?.iter().enumerate() {
            sheet.set_up[Color::of_ply(ply)].push(point);
        }
        Some(sheet)
    }

    /// The position as a board shows it. Its stones have no numbers, for their order is not known.
    pub fn diagram(&self) -> Diagram {
        let stone = |(&point, &color): (&Point, &Color)| Stone { point, color, ply: 0 };
        let forbidden = match self.game() {
            Ok(points) if self.rule.has_fouls(self.to_move) => {
                replay(self.rule, self.size, points).board().forbidden().iter().collect()
            }
            _ => Vec::new(),
        };
        Diagram {
            size: self.size,
            stones: self.stones.iter().map(stone).collect(),
            row: Vec::new(),
            forbidden,
            offered: Vec::new(),
        }
    }

    pub(in crate::app) fn apply(&mut self, command: EditorCommand) {
        // The brush is not part of the position.
        if !matches!(command, EditorCommand::Brush(_)) {
            self.saved.change();
        }
        match command {
            EditorCommand::Open => {}
            EditorCommand::Click(point) => self.click(point),
            EditorCommand::Brush(brush) => self.brush = brush,
            EditorCommand::ToMove(color) => self.to_move = color,
            EditorCommand::Clear => {
                self.stones.clear();
                self.to_move = Color::Black;
            }
            EditorCommand::Rule(rule) => self.rule = rule,
            EditorCommand::Size(size) => {
                self.size = size;
                self.stones.retain(|point, _| size.contains(*point));
                self.update_turn();
            }
        }
        self.check();
    }

    /// Places or removes a stone. A stone of the same colour is removed.
    fn click(&mut self, point: Point) {
        let known = self.stone(point);
        let wanted = match self.brush {
            Brush::InTurn if known.is_none() => {
                let color = self.to_move;
                self.to_move = !color;
                Some(color)
            }
            Brush::Black => Some(Color::Black),
            Brush::White => Some(Color::White),
            Brush::InTurn | Brush::Nothing => None,
        };
        match wanted.filter(|_| known != wanted && self.size.contains(point)) {
            Some(color) => drop(self.stones.insert(point, color)),
            None => drop(self.stones.remove(&point)),
        }
        self.update_turn();
    }

    /// Sets the side to move that fits the stones, if one does.
    fn update_turn(&mut self) {
        let (black, white) = self.counts();
        if black == white {
            self.to_move = Color::Black;
        } else if black == white + 1 {
            self.to_move = Color::White;
        }
    }

    fn counts(&self) -> (usize, usize) {
        let black = self.stones.values().filter(|color| **color == Color::Black).count();
        (black, self.stones.len() - black)
    }

    fn check(&mut self) {
        self.game = self.in_turn();
    }

    /// An order in which a game may have placed the stones.
    fn in_turn(&self) -> Result<Vec<Point>, EditorProblem> {
        let (black, white) = self.counts();
        if black != white + usize::from(self.to_move == Color::White) {
            return Err(EditorProblem::Turn(self.to_move, black, white));
        }
        if self.stones.len() == self.size.points().count() {
            return Err(EditorProblem::Full);
        }
        order::order(self.rule, self.size, &self.stones().collect::<Vec<_>>())
    }
}

fn replay(rule: Rule, size: Size, points: &[Point]) -> Position {
    let mut position = Position::new(rule, size);
    for &point in points {
        position.play(point).expect("the order was found by laying them");
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    fn editor(rule: Rule, black: &str, white: &str, to_move: Color) -> PositionEditor {
        let mut editor = PositionEditor::new(rule, Size::STANDARD, &[]);
        for (brush, points) in [(Brush::Black, black), (Brush::White, white)] {
            editor.apply(EditorCommand::Brush(brush));
            for point in points.split_whitespace() {
                editor.apply(EditorCommand::Click(point.parse().unwrap()));
            }
        }
        editor.apply(EditorCommand::ToMove(to_move));
        editor
    }

    fn at(text: &str) -> Point {
        text.parse().unwrap()
    }

    #[test]
    fn stones_are_laid_in_turn_in_one_colour_and_taken() {
        let mut editor = PositionEditor::new(Rule::Freestyle, Size::STANDARD, &[]);
        for point in ["h8", "i9", "h8"] {
            editor.apply(EditorCommand::Click(at(point)));
        }
        assert_eq!((editor.stone(at("h8")), editor.stone(at("i9"))), (None, Some(Color::White)));
        assert!(editor.game().is_err(), "White alone has a stone");
        editor.apply(EditorCommand::Brush(Brush::Black));
        editor.apply(EditorCommand::Click(at("i9")));
        assert_eq!(editor.stone(at("i9")), Some(Color::Black), "another colour takes its place");
        assert_eq!((editor.to_move(), editor.game().unwrap()), (Color::White, &[at("i9")][..]));
        editor.apply(EditorCommand::Size("5".parse().unwrap()));
        assert_eq!((editor.stone(at("i9")), editor.game().unwrap().len()), (None, 0));
    }

    #[test]
    fn the_side_to_move_needs_the_stones_for_it() {
        let count = |editor: &PositionEditor| editor.game().map(<[Point]>::len);
        let even = editor(Rule::Freestyle, "h8 h9", "a1 a2", Color::Black);
        assert_eq!(count(&even), Ok(4));
        let late = editor(Rule::Freestyle, "h8 h9", "a1 a2", Color::White);
        assert_eq!(count(&late), Err(EditorProblem::Turn(Color::White, 2, 2)));
        let odd = editor(Rule::Freestyle, "h8 h9", "a1", Color::White);
        assert_eq!(count(&odd), Ok(3));
    }

    #[test]
    fn a_five_is_the_end_and_a_longer_row_is_not_where_only_five_wins() {
        let (five, white) = ("d8 e8 f8 g8 h8", "a1 c1 e1 g1 i1");
        let over = editor(Rule::Freestyle, five, white, Color::Black);
        assert!(matches!(over.game(), Err(EditorProblem::Over(_))));
        let (six, white) = ("d8 e8 f8 g8 h8 i8", "a1 c1 e1 g1 i1 k1");
        assert!(matches!(
            editor(Rule::Freestyle, six, white, Color::Black).game(),
            Err(EditorProblem::Over(_))
        ));
        // Laid as two and three with the gap closed last, six is no win here.
        let standard = editor(Rule::Standard, six, white, Color::Black);
        assert_eq!(standard.game().map(<[Point]>::len), Ok(12));
    }

    #[test]
    fn what_black_may_never_have_played_is_said() {
        // A double three with its four arms there already, whose middle can come no earlier.
        let cross = "g8 i8 h7 h9 h8";
        let fine = editor(Rule::Renju, cross, "a1 c1 e1 g1 i1", Color::Black);
        // The middle laid before the arms is allowed: an order is found.
        assert_eq!(fine.game().map(<[Point]>::len), Ok(10));
        let overline = "d8 e8 f8 g8 h8 i8";
        let foul = editor(Rule::Renju, overline, "a1 c1 e1 g1 i1 k1", Color::Black);
        assert!(matches!(foul.game(), Err(EditorProblem::Forbidden(_, Foul::Overline))));
    }
}
