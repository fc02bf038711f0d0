//! A board with the moves that led to it, and how a move ends a game.

use alloc::vec::Vec;
use core::fmt;

use crate::point::OffBoardText;
use crate::{Board, Color, ForbiddenMap, Foul, Move, Point, Rule, Setup, SetupError, Size};

/// How a move ended the game.
///
/// ```
/// use tengen_rules::{Color, Ending, Position, Rule, Size};
/// let mut position = Position::new(Rule::Freestyle, Size::STANDARD);
/// let mut ending = None;
/// for point in ["h8", "a1", "i8", "a2", "j8", "a3", "k8", "a4", "l8"] {
///     ending = position.play(point.parse().unwrap()).unwrap();
/// }
/// assert_eq!(ending, Some(Ending::Five(Color::Black)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// A row that wins for this colour.
    Five(Color),
    /// Black's forbidden move (renju): White wins.
    Foul(Foul),
    /// No empty point left: a draw.
    BoardFull,
    /// Two passes in a row: a draw.
    Passes,
}

/// A point where no stone may be laid.
///
/// ```
/// use tengen_rules::{IllegalMove, Position, Rule, Size};
/// let mut position = Position::new(Rule::Freestyle, Size::STANDARD);
/// let point = "h8".parse().unwrap();
/// position.play(point).unwrap();
/// assert_eq!(position.play(point), Err(IllegalMove::Occupied(point)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IllegalMove {
    /// The point is not on the board.
    OffBoard(Point),
    /// The point has a stone.
    Occupied(Point),
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalMove::OffBoard(point) => OffBoardText(*point).fmt(f),
            IllegalMove::Occupied(point) => write!(f, "{point} is occupied"),
        }
    }
}

impl core::error::Error for IllegalMove {}

/// A board that can be played on, with the moves that led there.
///
/// Colours alternate from Black, passes included. Play may go on after an [`Ending`]: whether the
/// game is over is the caller's to decide, for a foul that is not claimed ends nothing.
///
/// ```
/// use tengen_rules::{Ending, Color, Point, Position, Rule, Size};
/// let mut position = Position::new(Rule::Freestyle, Size::STANDARD);
/// for x in 0..4 {
///     assert_eq!(position.play(Point::new(x, 0)), Ok(None));
///     assert_eq!(position.play(Point::new(x, 14)), Ok(None));
/// }
/// assert_eq!(position.play(Point::new(4, 0)), Ok(Some(Ending::Five(Color::Black))));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    rule: Rule,
    board: Board,
    /// How many stones were set up before the moves.
    set_up: usize,
    moves: Vec<Move>,
}

impl Position {
    /// The start of a game on an empty board.
    pub const fn new(rule: Rule, size: Size) -> Position {
        Position { rule, board: Board::new(size), set_up: 0, moves: Vec::new() }
    }

    /// What wins, and what is forbidden.
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// The board's size.
    pub const fn size(&self) -> Size {
        self.board.size()
    }

    /// The stones.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The colour to move.
    pub fn to_move(&self) -> Color {
        Color::of_ply(self.ply())
    }

    /// The moves since the set-up, passes included.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How many plies there were: the stones set up and the moves since.
    pub fn ply(&self) -> usize {
        self.set_up + self.moves.len()
    }

    /// The last move, if there was one since the set-up.
    pub fn last(&self) -> Option<Move> {
        self.moves.last().copied()
    }

    /// Whether a stone may be laid on the point. Forbidden points may be played: doing so loses.
    ///
    /// # Errors
    /// When the point is off the board or occupied.
    pub fn check(&self, point: Point) -> Result<(), IllegalMove> {
        if !self.size().contains(point) {
            return Err(IllegalMove::OffBoard(point));
        }
        if !self.board.is_empty(point) {
            return Err(IllegalMove::Occupied(point));
        }
        Ok(())
    }

    /// Lays a stone of the colour to move, and tells how that ends the game, if it does.
    ///
    /// # Errors
    /// When the point is off the board or occupied; nothing has changed then.
    pub fn play(&mut self, point: Point) -> Result<Option<Ending>, IllegalMove> {
        self.check(point)?;
        let color = self.to_move();
        let ending = if self.board.wins(self.rule, point, color) {
            Some(Ending::Five(color))
        } else {
            self.foul_at(point).map(Ending::Foul)
        };
        self.board.place(point, color);
        self.moves.push(Move::Stone(point));
        Ok(ending.or_else(|| self.board.is_full().then_some(Ending::BoardFull)))
    }

    /// Lets the turn go over; the second pass in a row ends the game.
    pub fn pass(&mut self) -> Option<Ending> {
        let second = self.last() == Some(Move::Pass);
        self.moves.push(Move::Pass);
        second.then_some(Ending::Passes)
    }

    /// Takes the last move back, if there is one since the set-up.
    pub fn undo(&mut self) -> Option<Move> {
        let last = self.moves.pop()?;
        if let Move::Stone(point) = last {
            self.board.remove(point);
        }
        Some(last)
    }

    /// Why the point is forbidden to the colour to move; under renju, to Black alone.
    pub fn foul_at(&self, point: Point) -> Option<Foul> {
        self.board.foul_of(self.rule, point, self.to_move())
    }

    /// Every point that is forbidden to the colour to move.
    pub fn forbidden(&self) -> ForbiddenMap {
        let has_fouls = self.rule.has_fouls(self.to_move());
        if has_fouls { self.board.forbidden() } else { ForbiddenMap::EMPTY }
    }

    /// The foul that the last stone was; play goes on after it where it must be claimed.
    pub fn last_foul(&self) -> Option<Foul> {
        let point = self.last()?.point()?;
        if !self.rule.has_fouls(!self.to_move()) {
            return None;
        }
        let mut before = self.board.clone();
        before.remove(point);
        before.foul(point)
    }
}

impl TryFrom<Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Position, SetupError> {
        let Setup { rule, size, black, white, moves } = setup;
        let (blacks, whites) = (black.len(), white.len());
        let mut position = Position::new(rule, size);
        let black = black.into_iter().map(|point| (point, Color::Black));
        let white = white.into_iter().map(|point| (point, Color::White));
        for (point, color) in black.chain(white) {
            position.check(point).map_err(SetupError::Stone)?;
            position.board.place(point, color);
        }
        if blacks != whites && blacks != whites + 1 {
            return Err(SetupError::Uneven { black: blacks, white: whites });
        }
        position.set_up = blacks + whites;
        for (index, mv) in moves.into_iter().enumerate() {
            match mv {
                Move::Stone(point) => {
                    position.play(point).map_err(|illegal| SetupError::Move { index, illegal })?;
                }
                Move::Pass => {
                    position.pass();
                }
            }
        }
        Ok(position)
    }
}
