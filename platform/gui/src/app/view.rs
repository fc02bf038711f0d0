use crate::app::{Command, Snapshot};

/// What the spectator looks at; it is the window's own and changes no match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct View {
    /// After how many plies the board is looked at; none follows the game.
    pub plies: Option<usize>,
    /// Which stones are numbered.
    pub numbers: Numbers,
    /// The match and the game that `plies` is of.
    game: (u64, u64),
}

/// Which stones show the number of their ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Numbers {
    /// None.
    Off,
    /// The last five.
    Last,
    /// All.
    #[default]
    All,
}

impl Numbers {
    /// Every choice.
    pub const ALL: [Numbers; 3] = [Numbers::Off, Numbers::Last, Numbers::All];

    /// Whether the stone of that ply shows its number on a board of `plies`.
    pub fn shows(self, ply: usize, plies: usize) -> bool {
        match self {
            Numbers::Off => false,
            Numbers::Last => ply + 5 > plies,
            Numbers::All => true,
        }
    }

    /// What it is called in the window.
    pub fn name(self) -> &'static str {
        match self {
            Numbers::Off => "off",
            Numbers::Last => "last 5",
            Numbers::All => "all",
        }
    }
}

/// Where in the game shown to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// Before the first ply.
    Start,
    /// One ply back.
    Back,
    /// One ply on.
    Forward,
    /// After so many plies.
    After(usize),
    /// At its newest ply, and on from there as the game goes.
    Live,
}

/// What a widget asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Intent {
    /// Something of the match.
    Send(Command),
    /// Another ply.
    Look(Look),
    /// Other numbers on the stones.
    Number(Numbers),
}

impl View {
    /// How many plies the board shows.
    pub fn shown(&self, snapshot: &Snapshot) -> usize {
        let all = snapshot.rows.len();
        if self.game == (snapshot.round, snapshot.game) {
            self.plies.map_or(all, |plies| plies.min(all))
        } else {
            all
        }
    }

    /// Whether the board follows the game.
    pub fn is_live(&self, snapshot: &Snapshot) -> bool {
        self.plies.is_none() || self.game != (snapshot.round, snapshot.game)
    }

    /// Looks elsewhere. Looking at the newest ply of a game that is over is to follow it.
    pub fn look(&mut self, look: Look, snapshot: &Snapshot) {
        let (shown, all) = (self.shown(snapshot), snapshot.rows.len());
        self.plies = match look {
            Look::Start => Some(0),
            Look::Back => Some(shown.saturating_sub(1)),
            Look::Forward if shown + 1 >= all => None,
            Look::Forward => Some(shown + 1),
            Look::After(plies) => Some(plies.min(all)),
            Look::Live => None,
        };
        if self.plies == Some(all) && snapshot.result.is_some() {
            self.plies = None;
        }
        self.game = (snapshot.round, snapshot.game);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_five_stones_are_numbered() {
        let shown: Vec<usize> = (1..=12).filter(|&ply| Numbers::Last.shows(ply, 12)).collect();
        assert_eq!(shown, [8, 9, 10, 11, 12]);
        assert!((1..=3).all(|ply| Numbers::Last.shows(ply, 3)));
    }
}
