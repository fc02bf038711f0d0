//! A position that is set up by hand, stone by stone, and becomes a game when it can be one.

mod order;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tengen_record::formats::ScoreSheet;
use tengen_rules::{Color, Foul, Point, Position, Rule, Size};

use super::{Diagram, GameForm, Stone};

/// A position that is being set up. What the rules say of it is known after every change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionEditor {
    rule: Rule,
    size: Size,
    stones: BTreeMap<Point, Color>,
    /// What a click lays.
    pub brush: Brush,
    to_move: Color,
    /// Counts the changes.
    revision: u64,
    /// Which revision is saved, or was there at first.
    saved: u64,
    /// The file that it is saved in, if it is.
    path: Option<PathBuf>,
    game: Result<Vec<Point>, EditorProblem>,
}

/// What a click on the board does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Brush {
    /// Lays black and white in turn, as a game does.
    #[default]
    InTurn,
    /// Lays black stones.
    Black,
    /// Lays white stones.
    White,
    /// Takes stones away.
    Nothing,
}

impl Brush {
    /// Every one, in the order offered.
    pub const ALL: [Brush; 4] = [Brush::InTurn, Brush::Black, Brush::White, Brush::Nothing];
}

/// What may be done with a position that is being set up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EditorCommand {
    /// Begin with the position shown, or with an empty board.
    Open,
    /// Click on a point.
    Click(Point),
    /// Have clicks do something else.
    Brush(Brush),
    /// The other side is to move.
    ToMove(Color),
    /// Take every stone away.
    Clear,
    /// Another rule.
    Rule(Rule),
    /// Another board; stones beyond it go.
    Size(Size),
}

/// Why no game can stand so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EditorProblem {
    /// For that side to move the stones are too many or too few: these are Black's and White's.
    Turn(Color, usize, usize),
    /// The game would be over by the stone there, whatever was laid last.
    Over(Point),
    /// No order was found in which that stone is not forbidden to Black, or wins; there may be one.
    Unsure(Point, Option<Foul>),
    /// However they are laid, Black would play a forbidden move there.
    Forbidden(Point, Foul),
    /// No point is free.
    Full,
}

impl PositionEditor {
    /// A board with these stones, laid in turn.
    pub fn new(rule: Rule, size: Size, stones: &[Point]) -> PositionEditor {
        let to_move = Color::of_ply(stones.len());
        let stones = stones.iter().enumerate().map(|(ply, &at)| (at, Color::of_ply(ply)));
        PositionEditor::of_stones(rule, size, stones, to_move)
    }

    /// A board with these stones; those beyond it are not there.
    pub(super) fn of_stones(
        rule: Rule,
        size: Size,
        stones: impl IntoIterator<Item = (Point, Color)>,
        to_move: Color,
    ) -> PositionEditor {
        let stones = stones.into_iter().filter(|(point, _)| size.contains(*point)).collect();
        let brush = Brush::default();
        let game = Ok(Vec::new());
        let (revision, saved, path) = (0, 0, None);
        let mut draft =
            PositionEditor { rule, size, stones, brush, to_move, revision, saved, path, game };
        draft.check();
        draft
    }

    /// What wins.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Who is to move.
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// The stone that lies there.
    pub fn stone(&self, point: Point) -> Option<Color> {
        self.stones.get(&point).copied()
    }

    /// Every stone.
    pub fn stones(&self) -> impl Iterator<Item = (Point, Color)> + '_ {
        self.stones.iter().map(|(&point, &color)| (point, color))
    }

    /// Which state of it this is: another one has another number.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Whether something was changed that no file holds.
    pub fn is_unsaved(&self) -> bool {
        self.revision != self.saved
    }

    /// The file that it is saved in, if it is.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Notes that a file holds that revision.
    pub(super) fn note_saved(&mut self, path: &Path, revision: u64) {
        self.path = Some(path.to_owned());
        self.saved = revision;
    }

    /// Notes that no file holds it as it is.
    pub(super) fn mark_unsaved(&mut self) {
        self.revision += 1;
    }

    /// The stones as a game that stands so has laid them.
    ///
    /// # Errors
    /// Why no game can stand so.
    pub fn game(&self) -> Result<&[Point], EditorProblem> {
        self.game.as_deref().map_err(|problem| *problem)
    }

    /// The game that goes on from here, with the rest as `like` has it; none while none can.
    pub fn setup(&self, like: &GameForm) -> Option<GameForm> {
        let (width, height) = (self.size.width(), self.size.height());
        let setup = GameForm { rule: self.rule, width, height, ..like.clone() };
        self.game().ok().map(|points| setup.with_book(points.to_vec()))
    }

    /// It as it is written down: stones that are set up, in an order in which a game may have laid
    /// them; none while no game can stand so.
    pub(super) fn sheet(&self) -> Option<ScoreSheet> {
        let mut sheet = ScoreSheet::new(self.size);
        sheet.rule = Some(self.rule);
        for (ply, &point) in self.game().ok()?.iter().enumerate() {
            sheet.set_up[Color::of_ply(ply)].push(point);
        }
        Some(sheet)
    }

    /// It as a board shows it. Its stones have no numbers: who laid which when is not known.
    pub fn diagram(&self) -> Diagram {
        let stone = |(&point, &color): (&Point, &Color)| Stone { point, color, ply: 0 };
        let forbidden = match self.game() {
            Ok(points) if self.rule == Rule::Renju && self.to_move == Color::Black => {
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

    pub(super) fn apply(&mut self, command: EditorCommand) {
        // The brush is no part of the position.
        self.revision += u64::from(!matches!(command, EditorCommand::Brush(_)));
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

    /// Lays or takes a stone. A stone of the colour that would be laid is taken.
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

    /// Lets the one side be to move that can be, if there is one.
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

    /// An order in which a game may have laid the stones.
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

    fn draft(rule: Rule, black: &str, white: &str, to_move: Color) -> PositionEditor {
        let mut draft = PositionEditor::new(rule, Size::STANDARD, &[]);
        for (brush, points) in [(Brush::Black, black), (Brush::White, white)] {
            draft.apply(EditorCommand::Brush(brush));
            for point in points.split_whitespace() {
                draft.apply(EditorCommand::Click(point.parse().unwrap()));
            }
        }
        draft.apply(EditorCommand::ToMove(to_move));
        draft
    }

    fn at(text: &str) -> Point {
        text.parse().unwrap()
    }

    #[test]
    fn stones_are_laid_in_turn_in_one_colour_and_taken() {
        let mut draft = PositionEditor::new(Rule::Freestyle, Size::STANDARD, &[]);
        for point in ["h8", "i9", "h8"] {
            draft.apply(EditorCommand::Click(at(point)));
        }
        assert_eq!((draft.stone(at("h8")), draft.stone(at("i9"))), (None, Some(Color::White)));
        assert!(draft.game().is_err(), "White alone has a stone");
        draft.apply(EditorCommand::Brush(Brush::Black));
        draft.apply(EditorCommand::Click(at("i9")));
        assert_eq!(draft.stone(at("i9")), Some(Color::Black), "another colour takes its place");
        assert_eq!((draft.to_move(), draft.game().unwrap()), (Color::White, &[at("i9")][..]));
        draft.apply(EditorCommand::Size("5".parse().unwrap()));
        assert_eq!((draft.stone(at("i9")), draft.game().unwrap().len()), (None, 0));
    }

    #[test]
    fn whoever_is_to_move_needs_the_stones_for_it() {
        let count = |draft: &PositionEditor| draft.game().map(<[Point]>::len);
        let even = draft(Rule::Freestyle, "h8 h9", "a1 a2", Color::Black);
        assert_eq!(count(&even), Ok(4));
        let late = draft(Rule::Freestyle, "h8 h9", "a1 a2", Color::White);
        assert_eq!(count(&late), Err(EditorProblem::Turn(Color::White, 2, 2)));
        let odd = draft(Rule::Freestyle, "h8 h9", "a1", Color::White);
        assert_eq!(count(&odd), Ok(3));
    }

    #[test]
    fn a_five_is_the_end_and_a_longer_row_is_not_where_only_five_wins() {
        let (five, white) = ("d8 e8 f8 g8 h8", "a1 c1 e1 g1 i1");
        let over = draft(Rule::Freestyle, five, white, Color::Black);
        assert!(matches!(over.game(), Err(EditorProblem::Over(_))));
        let (six, white) = ("d8 e8 f8 g8 h8 i8", "a1 c1 e1 g1 i1 k1");
        assert!(matches!(
            draft(Rule::Freestyle, six, white, Color::Black).game(),
            Err(EditorProblem::Over(_))
        ));
        // Laid as two and three with the gap closed last, six is no win here.
        let standard = draft(Rule::Standard, six, white, Color::Black);
        assert_eq!(standard.game().map(<[Point]>::len), Ok(12));
    }

    #[test]
    fn what_black_may_never_have_played_is_said() {
        // A double three with its four arms there already, whose middle can come no earlier.
        let cross = "g8 i8 h7 h9 h8";
        let fine = draft(Rule::Renju, cross, "a1 c1 e1 g1 i1", Color::Black);
        // The middle laid before the arms is allowed: an order is found.
        assert_eq!(fine.game().map(<[Point]>::len), Ok(10));
        let overline = "d8 e8 f8 g8 h8 i8";
        let foul = draft(Rule::Renju, overline, "a1 c1 e1 g1 i1 k1", Color::Black);
        assert!(matches!(foul.game(), Err(EditorProblem::Forbidden(_, Foul::Overline))));
    }

    #[test]
    fn a_position_becomes_the_game_that_it_shows() {
        let draft = draft(Rule::Renju, "h8 j10", "i9", Color::White);
        let setup = draft.setup(&GameForm::default()).unwrap();
        assert!(setup.check().is_ok());
        let position = replay(setup.rule, draft.size(), &setup.book);
        for (point, color) in [("h8", Color::Black), ("j10", Color::Black), ("i9", Color::White)] {
            assert_eq!(position.board().get(at(point)), Some(color));
            assert!(
                draft.diagram().stones.iter().any(|s| (s.point, s.color) == (at(point), color))
            );
        }
        assert_eq!(position.to_move(), Color::White);
    }
}
