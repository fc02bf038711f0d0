//! A game as it is written down on paper.

use tengen_arbiter::{Termination, TimeControl};
use tengen_rules::{ByColor, Color, Ending, IllegalMove, Move, Point, Position, Procedure, Rule};
use tengen_rules::{Setup, SetupError, Size};
use thiserror::Error;

use super::{Node, NodeId, Tree};

/// A game as it is written down on paper: the players, the stones in the order laid, with remarks
/// and variations, and the winner.
///
/// That is what SGF and PSQ hold, and less than a [`GameRecord`](crate::GameRecord): colours in
/// place of seats, and neither the questions of an opening, nor answers that were refused, nor the
/// policies, the seed and the engines' versions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScoreSheet {
    pub size: Size,
    pub rule: Option<Rule>,
    /// The opening procedure, if there was one and it is known.
    pub opening: Option<Procedure>,
    /// The player of each colour at the end; empty where it is not known.
    pub players: ByColor<String>,
    pub outcome: Option<SheetOutcome>,
    /// Each player's time, if it is known.
    pub time: Option<TimeControl>,
    /// The event it was played in; empty if that is not known.
    pub event: String,
    /// When it was played, as in `2026-11-22`; empty if that is not known.
    pub date: String,
    /// The round of the event; empty if it is not known.
    pub round: String,
    /// What the game is called; empty if it has no name.
    pub name: String,
    /// The stones that are there before the first move.
    pub set_up: ByColor<Vec<Point>>,
    /// What was played, and what might have been.
    pub tree: Tree,
    /// What else was written to the game, kept as it was.
    pub properties: Vec<Property>,
}

/// How a game ended, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SheetOutcome {
    /// None is a draw, or a game that does not count.
    pub winner: Option<Color>,
    pub termination: Option<Termination>,
}

impl SheetOutcome {
    /// Whether the game counts: one that its event stopped does not.
    pub fn counts(&self) -> bool {
        self.termination != Some(Termination::Aborted)
    }
}

/// A remark on a game or a move for which there is no field: an SGF property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Its name: capital letters.
    pub name: String,
    /// Its values, one at least, as SGF writes them, with escapes.
    pub values: Vec<String>,
}

/// Why a [`ScoreSheet`] is not that of a game under its own rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum SheetError {
    /// The stones set up make no position.
    #[error("{0}")]
    SetUp(SetupError),
    /// A stone where none may be laid.
    #[error("move {ply}: {illegal}")]
    Illegal {
        /// The move, counted from 1 with the stones set up before it.
        ply: usize,
        node: NodeId,
        /// What is wrong with it.
        illegal: IllegalMove,
    },
    /// A move by the colour that is not to move.
    #[error("move {ply}: it is by {played}, but {} is to move", !*played)]
    Turn {
        ply: usize,
        node: NodeId,
        /// The colour that moved.
        played: Color,
    },
    #[error("move {ply}: the game was over before it")]
    AfterEnd { ply: usize, node: NodeId },
}

impl SheetError {
    /// The node it is about; none when it is about the stones set up.
    pub fn node(&self) -> Option<NodeId> {
        match *self {
            SheetError::SetUp(_) => None,
            SheetError::Illegal { node, .. }
            | SheetError::Turn { node, .. }
            | SheetError::AfterEnd { node, .. } => Some(node),
        }
    }
}

impl ScoreSheet {
    /// The first value of a property of the game, such as `PC`, the place; none where it has none.
    pub fn property(&self, name: &str) -> Option<&str> {
        let found = self.properties.iter().find(|property| property.name == name)?;
        found.values.first().map(String::as_str)
    }

    pub fn new(size: Size) -> ScoreSheet {
        ScoreSheet {
            size,
            rule: None,
            opening: None,
            players: ByColor::default(),
            outcome: None,
            time: None,
            event: String::new(),
            date: String::new(),
            round: String::new(),
            name: String::new(),
            set_up: ByColor::default(),
            tree: Tree::new(),
            properties: Vec::new(),
        }
    }

    /// A sheet of stones in the order laid, colours alternating from Black.
    ///
    /// # Errors
    /// At the first stone that cannot be laid.
    pub fn from_stones(stones: &[Point], size: Size) -> Result<ScoreSheet, SheetError> {
        let mut sheet = ScoreSheet::new(size);
        sheet.append(stones.iter().map(|&point| Move::Stone(point)));
        sheet.check().map(|_| sheet)
    }

    /// Adds moves to the end of the main line, colours alternating.
    pub fn append(&mut self, moves: impl Iterator<Item = Move>) {
        let mut last = self.tree.main_line().last().unwrap_or(self.tree.root());
        let ply = self.moves().count() + self.set_up.black.len() + self.set_up.white.len();
        for (ply, mv) in (ply..).zip(moves) {
            let played = Some((Color::of_ply(ply), mv));
            last = self.tree.add(last, Node { played, ..Node::default() });
        }
    }

    /// The moves of the main line.
    pub fn moves(&self) -> impl Iterator<Item = (Color, Move)> + '_ {
        self.tree.main_line().filter_map(|id| self.tree.node(id).played)
    }

    /// The position before the first move.
    ///
    /// # Errors
    /// When the stones set up make none.
    pub fn start(&self) -> Result<Position, SheetError> {
        let mut setup = Setup::new(self.rule.unwrap_or(Rule::Freestyle), self.size);
        setup.black.clone_from(&self.set_up.black);
        setup.white.clone_from(&self.set_up.white);
        Position::try_from(setup).map_err(SheetError::SetUp)
    }

    /// Plays every line of it. Returns how the last move of the main line ended the game, as far
    /// as the board shows it. Where the rule is not known, nothing ends a game. A foul ends none
    /// before its last move: it may not have been claimed.
    ///
    /// # Errors
    /// At the first move that cannot have been played.
    pub fn check(&self) -> Result<Option<Ending>, SheetError> {
        let mut position = self.start()?;
        let last = self.tree.main_line().last();
        let (mut path, mut shown) = (Path::default(), None);
        for id in self.tree.preorder() {
            path.leave_to(self.tree.parent(id), &mut position);
            let played = self.tree.node(id).played;
            let ending = match played {
                None => path.ending(),
                Some((color, mv)) => self.play(&mut position, path.ending(), id, color, mv)?,
            };
            path.nodes.push((id, played.is_some(), ending));
            if last == Some(id) {
                shown = ending;
            }
        }
        Ok(shown)
    }

    /// Notes the result that the board shows, where none is told. Where the rule is not known, it
    /// is the one on which freestyle, standard and renju agree.
    ///
    /// # Errors
    /// At the first move that cannot have been played.
    pub fn settle(&mut self) -> Result<(), SheetError> {
        let mut shown = self.check()?;
        if self.outcome.is_some() {
            return Ok(());
        }
        if self.rule.is_none() && self.moves().next().is_some() {
            let mut under = self.clone();
            let endings = [Rule::Freestyle, Rule::Standard, Rule::Renju].map(|rule| {
                under.rule = Some(rule);
                under.check().ok().flatten()
            });
            shown = endings[0].filter(|ending| endings == [Some(*ending); 3]);
        }
        self.outcome = shown.map(|ending| {
            let winner = match ending {
                Ending::Five(color) => Some(color),
                Ending::Foul(_) => Some(Color::White),
                Ending::BoardFull | Ending::Passes => None,
            };
            SheetOutcome { winner, termination: None }
        });
        Ok(())
    }

    fn play(
        &self,
        position: &mut Position,
        before: Option<Ending>,
        node: NodeId,
        color: Color,
        mv: Move,
    ) -> Result<Option<Ending>, SheetError> {
        let ply = position.ply() + 1;
        if before.is_some_and(|ending| !matches!(ending, Ending::Foul(_))) {
            return Err(SheetError::AfterEnd { ply, node });
        }
        if color != position.to_move() {
            return Err(SheetError::Turn { ply, node, played: color });
        }
        let ending =
            match mv {
                Move::Pass => position.pass(),
                Move::Stone(point) => position
                    .play(point)
                    .map_err(|illegal| SheetError::Illegal { ply, node, illegal })?,
            };
        Ok(ending.filter(|ending| self.rule.is_some() || *ending == Ending::BoardFull))
    }
}

/// The nodes from the root to where a tree is being played: whether something was played there, and
/// how it ended the game.
#[derive(Default)]
struct Path {
    nodes: Vec<(NodeId, bool, Option<Ending>)>,
}

impl Path {
    /// How the last node left the game.
    fn ending(&self) -> Option<Ending> {
        self.nodes.last().and_then(|(_, _, ending)| *ending)
    }

    /// Removes what comes after that node.
    fn leave_to(&mut self, node: Option<NodeId>, position: &mut Position) {
        while let Some(&(last, moved, _)) = self.nodes.last()
            && Some(last) != node
        {
            if moved {
                position.undo();
            }
            self.nodes.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::Notation;

    fn sheet(stones: &str, rule: Rule) -> ScoreSheet {
        let stones = Notation::Pos.read(stones, Size::STANDARD).unwrap();
        let sheet = ScoreSheet::from_stones(&stones, Size::STANDARD).unwrap();
        ScoreSheet { rule: Some(rule), ..sheet }
    }

    const FIVE: &str = "a1 a15 b1 b15 c1 c15 d1 d15 e1";

    #[test]
    fn the_board_shows_how_a_game_ended() {
        assert_eq!(sheet("h8 h9", Rule::Renju).check(), Ok(None));
        assert_eq!(sheet(FIVE, Rule::Renju).check(), Ok(Some(Ending::Five(Color::Black))));
        let unknown = ScoreSheet { rule: None, ..sheet(FIVE, Rule::Renju) };
        assert_eq!(unknown.check(), Ok(None));
    }

    #[test]
    fn an_illegal_line_is_told_with_its_ply() {
        let wrong = |text| {
            let stones = Notation::Pos.read(text, Size::STANDARD).unwrap();
            ScoreSheet::from_stones(&stones, Size::STANDARD).unwrap_err().to_string()
        };
        assert_eq!(wrong("h8 h9 h8"), "move 3: h8 is occupied");
        assert_eq!(wrong("h8 p1"), "move 2: p1 is not on the board");
        let mut late = sheet(FIVE, Rule::Standard);
        late.append([Move::Stone(Point::new(9, 9))].into_iter());
        assert_eq!(late.check().unwrap_err().to_string(), "move 10: the game was over before it");
    }

    #[test]
    fn every_variation_is_played_from_its_own_position() {
        let mut sheet = sheet("h8 h9 i9 i10", Rule::Renju);
        let second = sheet.tree.main_line().nth(1).unwrap();
        let third = sheet.tree.add(second, Node::stone(Point::new(0, 0), Color::Black));
        assert_eq!(sheet.check(), Ok(None));
        let remark = sheet.tree.add(third, Node::default());
        sheet.tree.add(remark, Node::stone(Point::new(8, 8), Color::White));
        assert_eq!(sheet.check(), Ok(None), "i9 is free there");
        let occupied = sheet.tree.add(remark, Node::stone(Point::new(7, 8), Color::White));
        let error = sheet.check().unwrap_err();
        assert_eq!(
            (error.to_string().as_str(), error.node()),
            ("move 4: h9 is occupied", Some(occupied))
        );
        sheet.tree.node_mut(occupied).played = Some((Color::Black, Move::Pass));
        assert_eq!(
            sheet.check().unwrap_err().to_string(),
            "move 4: it is by black, but white is to move"
        );
    }

    #[test]
    fn a_foul_may_be_played_on_from() {
        let mut sheet = sheet("g8 a1 i8 c1 h7 e1 h9 g1 h8", Rule::Renju);
        assert!(matches!(sheet.check(), Ok(Some(Ending::Foul(_)))));
        sheet.append([Move::Stone(Point::new(9, 9))].into_iter());
        assert_eq!(sheet.check(), Ok(None));
    }

    #[test]
    fn stones_set_up_decide_the_colour_to_move() {
        let mut sheet = ScoreSheet::new(Size::STANDARD);
        sheet.set_up.black = vec![Point::new(7, 7)];
        sheet.append([Move::Stone(Point::new(7, 8))].into_iter());
        assert_eq!(sheet.moves().next().unwrap().0, Color::White);
        assert_eq!(sheet.check(), Ok(None));
        sheet.set_up.black.push(Point::new(7, 7));
        let twice = SheetError::SetUp(SetupError::Stone(IllegalMove::Occupied(Point::new(7, 7))));
        assert_eq!(sheet.check(), Err(twice));
    }
}
