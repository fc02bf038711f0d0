use std::collections::BTreeMap;
use std::iter::Peekable;
use std::ops::Range;

use crate::ScheduledGame;

type GameNumbers = Peekable<std::iter::Flatten<std::vec::IntoIter<Range<u64>>>>;

/// A game, with the other one of its pair if pairs are replayed as a whole.
#[derive(Clone, Copy)]
pub(super) struct NextGames {
    pub first: ScheduledGame,
    pub twin: Option<ScheduledGame>,
    /// How often they were played before, and spoiled.
    pub replays: u32,
}

impl NextGames {
    pub fn seats(&self) -> [usize; 2] {
        [self.first.seats.first, self.first.seats.second]
    }
}

#[derive(Clone, Copy)]
pub(super) struct PutOffGame {
    pub number: u64,
    /// Its twin, if that is to be played with it.
    pub twin: Option<u64>,
    /// How often they were played before, and spoiled.
    pub replays: u32,
}

/// The games that are not taken, and how many workers play.
pub(super) struct LeftGames {
    /// Games that are not due yet.
    pub numbers: GameNumbers,
    /// Games that were due while an engine could not play, by their two engines.
    put_off: BTreeMap<[usize; 2], BTreeMap<u64, PutOffGame>>,
    pub playing: usize,
    /// Whether one of the waiting workers checks now and then whether it still has to wait.
    pub has_lookout: bool,
}

impl LeftGames {
    pub fn new(unfinished: Vec<Range<u64>>) -> LeftGames {
        let numbers = unfinished.into_iter().flatten().peekable();
        LeftGames { numbers, put_off: BTreeMap::new(), playing: 0, has_lookout: false }
    }

    pub fn put_off(&mut self, games: &NextGames) {
        let (number, twin) = (games.first.number, games.twin.map(|twin| twin.number));
        let game = PutOffGame { number, twin, replays: games.replays };
        self.put_off.entry(pairing(games.seats())).or_default().insert(number, game);
    }

    pub fn has_put_off(&self) -> bool {
        !self.put_off.is_empty()
    }

    /// Drops the games of engines that no longer play each other.
    pub fn forget(&mut self, is_dropped: impl Fn([usize; 2]) -> bool) {
        self.put_off.retain(|pairing, _| !is_dropped(*pairing));
    }

    /// The engines whose games were put off, two by two: the game that was scheduled first first.
    pub fn pairings(&self) -> Vec<[usize; 2]> {
        let first = |games: &BTreeMap<u64, _>| games.keys().next().copied();
        let mut pairings: Vec<_> =
            self.put_off.iter().map(|(pairing, games)| (first(games), *pairing)).collect();
        pairings.sort_unstable();
        pairings.into_iter().map(|(_, pairing)| pairing).collect()
    }

    /// The first game of these two that was put off.
    pub fn take(&mut self, pairing: [usize; 2]) -> Option<PutOffGame> {
        let games = self.put_off.get_mut(&pairing)?;
        let first = games.pop_first().map(|(_, game)| game);
        if games.is_empty() {
            self.put_off.remove(&pairing);
        }
        first
    }
}

/// Two engines, whichever begins.
fn pairing([first, second]: [usize; 2]) -> [usize; 2] {
    [first.min(second), first.max(second)]
}
