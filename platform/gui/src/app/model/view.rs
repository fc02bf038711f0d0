//! How a tab and its board are shown.

use serde::{Deserialize, Serialize};
use tengen_rules::{Point, Size};

use super::{PointSelection, Snapshot};

/// How a tab is shown; it changes no game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct View {
    /// After how many plies the board is shown; none follows the game.
    pub plies: Option<usize>,
    /// The points selected for an answer.
    pub selected: PointSelection,
    /// The keyboard cursor; none when arrow keys step through the moves.
    pub cursor: Option<Point>,
    /// How many stones of an engine's line are shown on the board; none is the default.
    pub walk: Option<usize>,
    /// The pane below the clocks.
    pub pane: Pane,
    /// Whether the person was asked to confirm the resignation.
    pub resigning: bool,
    /// What is typed to be said at a table.
    pub saying: String,
    /// How many lines of what was said at a table are read.
    pub chat_read: usize,
    /// The game that `plies` is of.
    number: u64,
}

/// The panes below the clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pane {
    /// The move list.
    #[default]
    Moves,
    /// The log of the engine with that accent.
    Log(usize),
    /// What was said and what happened.
    Happened,
    /// The settings of a table, and links to it.
    Table,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoardStyle {
    /// Light wood, with shaded stones.
    #[default]
    Kaya,
    /// Dark slate, with shaded stones.
    Slate,
    /// White paper with flat stones, as diagrams are printed.
    Paper,
    /// The user's picture.
    Picture,
}

/// Where coordinates are shown: letters below, numbers at the left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoordinateLabels {
    /// Nowhere.
    Off,
    /// Below and at the left.
    #[default]
    Two,
    /// On all four sides.
    Four,
}

/// Which stones show move numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MoveNumbers {
    /// None.
    Off,
    /// The last ones.
    Last,
    /// All.
    #[default]
    All,
}

impl MoveNumbers {
    /// Whether the stone of that ply shows its number on a board of `plies`, with so many last
    /// ones.
    pub fn shows(self, ply: usize, plies: usize, last: u32) -> bool {
        match self {
            MoveNumbers::Off => false,
            MoveNumbers::Last => ply + last as usize > plies,
            MoveNumbers::All => true,
        }
    }
}

/// Which ply to show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Navigation {
    /// Before the first ply.
    Start,
    /// One ply back.
    Back,
    /// One ply on.
    Forward,
    /// After so many plies.
    After(usize),
    /// The newest one, following the game.
    Newest,
}

/// A step of the keyboard cursor, in points to the right and up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CursorStep {
    pub right: i8,
    pub up: i8,
}

impl View {
    /// How many plies are shown.
    pub fn shown(&self, snapshot: &Snapshot) -> usize {
        let all = snapshot.rows.len();
        if self.number == snapshot.number {
            self.plies.map_or(all, |plies| plies.min(all))
        } else {
            all
        }
    }

    /// Whether the board follows the game.
    pub fn follows_game(&self, snapshot: &Snapshot) -> bool {
        self.plies.is_none() || self.number != snapshot.number
    }

    /// The points selected for the open question.
    pub fn points(&self, snapshot: &Snapshot) -> &[Point] {
        let open = snapshot.asked.is_some_and(|asked| asked.number == self.selected.question);
        if open { &self.selected.points } else { &[] }
    }

    /// Shows another ply. The newest one follows the game.
    pub fn look(&mut self, look: Navigation, snapshot: &Snapshot) {
        let (shown, all) = (self.shown(snapshot), snapshot.rows.len());
        self.plies = match look {
            Navigation::Start => Some(0),
            Navigation::Back => Some(shown.saturating_sub(1)),
            Navigation::Forward if shown + 1 >= all => None,
            Navigation::Forward => Some(shown + 1),
            Navigation::After(plies) => Some(plies.min(all)),
            Navigation::Newest => None,
        };
        if self.plies == Some(all) {
            self.plies = None;
        }
        self.walk = None;
        self.number = snapshot.number;
    }

    /// Moves the cursor on the board.
    pub fn step(&mut self, step: CursorStep, size: Size) {
        if let Some(cursor) = &mut self.cursor {
            let moved = |at: u8, by: i8, side: u8| {
                (i16::from(at) + i16::from(by)).clamp(0, i16::from(side) - 1) as u8
            };
            *cursor = Point::new(
                moved(cursor.x(), step.right, size.width()),
                moved(cursor.y(), step.up, size.height()),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_stays_on_the_board() {
        let size: Size = "20x15".parse().unwrap();
        let mut view = View { cursor: Some(Point::new(19, 0)), ..View::default() };
        view.step(CursorStep { right: 1, up: -1 }, size);
        assert_eq!(view.cursor, Some(Point::new(19, 0)));
        view.step(CursorStep { right: -1, up: 1 }, size);
        assert_eq!(view.cursor, Some(Point::new(18, 1)));
    }
}
