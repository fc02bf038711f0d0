//! Checksums of rows and counts.

use tengen_arbiter::CpuStats;
use tengen_record::{Conditions, RecordWorker};
use tengen_rules::Seat;

use super::{StoredGame, row};
use crate::Tally;
use crate::tally::{Counts, GameKey, PairKey, RepeatKey, VoidKey};

/// A checksum of 64 bits, for damage that the database does not notice.
///
/// Each step is a bijection of the state and of the eight bytes it takes, so that no damage within
/// eight bytes can go unseen; of any other, one in 2⁶⁴ does.
pub(crate) struct Checksum(u64);

impl Checksum {
    /// 2⁶⁴ divided by the golden ratio. It is odd, so that multiplying by it loses nothing.
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

    pub fn new() -> Checksum {
        Checksum(Checksum::ODD)
    }

    pub fn number(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(Checksum::ODD);
    }

    /// Takes bytes and their number, so that two in a row cannot be told for two others.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.number(u64::from_le_bytes(word.try_into().expect("a chunk has eight bytes")));
        }
        let mut last = [0; 8];
        last[..words.remainder().len()].copy_from_slice(words.remainder());
        self.number(u64::from_le_bytes(last));
    }

    pub fn finish(self) -> u64 {
        self.0 ^ self.0 >> 29
    }
}

pub(crate) fn of_text(text: &str) -> u64 {
    let mut sum = Checksum::new();
    sum.bytes(text.as_bytes());
    sum.finish()
}

impl StoredGame {
    /// The checksum of everything in the game's row.
    pub fn sum(&self) -> u64 {
        let mut sum = Checksum::new();
        sum.number(self.number);
        sum.number(self.seats.first as u64);
        sum.number(self.seats.second as u64);
        sum.number(winner(self.result.winner));
        sum.bytes(self.result.termination.name().as_bytes());
        sum.number(self.plies.into());
        sum.number(self.duration);
        sum.bytes(&self.packed);
        sum.number(self.line);
        sum.number(self.detail.is_some().into());
        sum.bytes(self.detail.as_deref().unwrap_or_default().as_bytes());
        if let Some(RecordWorker { name, machine, scale }) = &self.worker {
            sum.bytes(name.as_bytes());
            sum.bytes(machine.as_bytes());
            sum.number(scale.factor().to_bits());
        }
        if let Some(ruling) = &self.ruling {
            sum.bytes(row::ruling_text(ruling).as_bytes());
        }
        if self.conditions != Conditions::default() {
            let Conditions { forfeit, replays, stopped, is_void, began } = self.conditions;
            sum.number(replays.into());
            sum.number(forfeit.map_or(0, |forfeit| forfeit.cause as u64 + 1));
            let CpuStats { cpu, waited, suspended, .. } =
                forfeit.map(|forfeit| forfeit.cpu_stats).unwrap_or_default();
            [cpu, waited, suspended].into_iter().for_each(|nanos| sum.number(nanos));
            sum.number(stopped);
            sum.number(is_void.into());
            sum.number(began.map_or(0, |began| began.saturating_add(1)));
        }
        sum.finish()
    }
}

impl Tally {
    /// The checksum of the counts. That of two tallies together is the sum of theirs, so that a
    /// commit need not look at what it does not change.
    pub fn sum(&self) -> u64 {
        let Counts { games, pairs, repeats, voids } = self.counts();
        let games = games.iter().map(|(key, &count)| weight_of_game(key).wrapping_mul(count));
        let pairs = pairs.iter().map(|(key, &count)| weight_of_pair(key).wrapping_mul(count));
        let repeats = repeats.iter().map(|(key, &n)| weight_of_repeat(key).wrapping_mul(n));
        let voids = voids.iter().map(|(key, &count)| weight_of_void(key).wrapping_mul(count));
        let lags = self.lags().classes();
        let lags = lags.map(|(class, count)| weight_of_lag(class).wrapping_mul(count));
        games.chain(pairs).chain(repeats).chain(voids).chain(lags).fold(0, u64::wrapping_add)
    }
}

/// Odd, so that no wrong count weighs the same.
fn weight_of_game(key: &GameKey) -> u64 {
    let mut sum = Checksum::new();
    sum.number(key.first.into());
    sum.number(key.second.into());
    sum.number(winner(key.winner));
    sum.bytes(key.termination.name().as_bytes());
    sum.finish() | 1
}

fn weight_of_pair(key: &PairKey) -> u64 {
    let mut sum = Checksum::new();
    sum.number(key.one.into());
    sum.number(key.other.into());
    sum.bytes(&[key.earlier, key.later]);
    sum.finish() | 1
}

fn weight_of_repeat(key: &RepeatKey) -> u64 {
    let mut sum = Checksum::new();
    sum.number(key.one.into());
    sum.number(key.other.into());
    sum.bytes(&[key.earlier, key.later.unwrap_or(u8::MAX)]);
    sum.bytes(b"repeat");
    sum.finish() | 1
}

fn weight_of_void(key: &VoidKey) -> u64 {
    let mut sum = Checksum::new();
    sum.number(key.first.into());
    sum.number(key.second.into());
    sum.bytes(b"void");
    sum.finish() | 1
}

fn weight_of_lag(class: usize) -> u64 {
    let mut sum = Checksum::new();
    sum.number(class as u64);
    sum.bytes(b"lag");
    sum.finish() | 1
}

fn winner(winner: Option<Seat>) -> u64 {
    winner.map_or(0, |seat| seat as u64 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_arbiter::{Cause, ForfeitCause, GameResult, Termination};
    use tengen_rules::BySeat;

    fn game() -> StoredGame {
        StoredGame {
            number: 7,
            seats: BySeat { first: 0, second: 1 },
            result: GameResult { winner: None, termination: Termination::Five },
            plies: 9,
            duration: 5,
            packed: (0..99).collect(),
            line: 8,
            is_again: false,
            detail: None,
            conditions: Conditions::default(),
            worker: None,
            ruling: None,
        }
    }

    #[test]
    fn every_bit_of_a_game_counts() {
        let sum = game().sum();
        for byte in 0..99 {
            for bit in 0..8 {
                let mut other = game();
                other.packed[byte] ^= 1 << bit;
                assert_ne!(other.sum(), sum, "bit {bit} of byte {byte}");
            }
        }
        let mut longer = game();
        longer.packed.push(0);
        let detailed = StoredGame { detail: Some(String::new()), ..game() };
        let swapped = StoredGame { seats: BySeat { first: 1, second: 0 }, ..game() };
        let mut replayed = game();
        replayed.conditions.replays = 1;
        let mut forfeited = game();
        let cpu_stats = CpuStats::default();
        forfeited.conditions.forfeit = Some(ForfeitCause { cause: Cause::Suspend, cpu_stats });
        let [mut stopped, mut void, mut dated] = [game(), game(), game()];
        stopped.conditions.stopped = 1;
        void.conditions.is_void = true;
        dated.conditions.began = Some(0);
        for other in [longer, detailed, swapped, replayed, forfeited, stopped, void, dated] {
            assert_ne!(other.sum(), sum);
        }
    }

    /// A store that has been written by this program must be read by the next one.
    #[test]
    fn sums_do_not_change() {
        assert_eq!(of_text(""), 15_985_387_837_149_779_486);
        assert_eq!(of_text("tengen"), 10_929_325_046_747_718_789);
        assert_eq!(game().sum(), 15_461_989_187_656_409_613);
    }

    #[test]
    fn the_sum_of_tallies_is_the_sum_of_their_sums() {
        let seats = BySeat { first: 2, second: 3 };
        let five = |winner| GameResult { winner, termination: Termination::Five };
        let (mut one, mut other) = (Tally::default(), Tally::default());
        one.add_game(seats, five(Some(Seat::First)));
        other.add_game(seats, five(Some(Seat::First)));
        other.add_game(seats, five(None));
        other.add_pair(seats, Some(Seat::First), None);
        other.repeat_pair(seats, Some(Seat::First), None);
        other.repeat_single(seats, None);
        other.add_void(seats);
        other.add_lags([3, 900, 80_000]);
        one.add_lags([4, 901]);
        let sums = one.sum().wrapping_add(other.sum());
        one += &other;
        assert_eq!(one.sum(), sums);
        one.add_game(seats, five(None));
        assert_ne!(one.sum(), sums);
    }
}
