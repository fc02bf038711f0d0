//! What a player's rounds so far say of its next one.

/// What a player's past says of its next round.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Past {
    pub halves: u32,
    pub byes: u32,
    /// The rounds in which it sat first once more (1) or second (−1); even meetings are none.
    pub seats: Vec<i8>,
    /// The difference between the seats first and second.
    pub difference: i32,
    /// How it floated in the last round and in the one before: down where it met somebody with
    /// fewer points or nobody, up where somebody with more.
    pub floats: [Option<Float>; 2],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Float {
    Down,
    Up,
}

/// Which seat a player is to have next, and how strongly: C.04.3 A.6.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) enum Strength {
    #[default]
    None,
    Mild,
    Strong,
    Absolute,
}

impl Past {
    /// The seat it is to have (1 is first), and how strongly.
    pub(super) fn preference(&self) -> (i8, Strength) {
        let Some(&last) = self.seats.last() else { return (0, Strength::None) };
        let twice = self.seats.len() > 1 && self.seats[self.seats.len() - 2] == last;
        match self.difference {
            2.. => (-1, Strength::Absolute),
            ..=-2 => (1, Strength::Absolute),
            _ if twice => (-last, Strength::Absolute),
            1 => (-1, Strength::Strong),
            -1 => (1, Strength::Strong),
            _ => (-last, Strength::Mild),
        }
    }
}
