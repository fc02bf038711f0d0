use serde::ser::{Serialize, SerializeSeq, Serializer};
use tengen_arbiter::{Game, Nanos, Termination};
use tengen_record::GameRecord;
use tengen_rules::BySeat;

use crate::figures::black_seat;
use tengen_link::view::millis;

/// A finished game in a list.
///
/// In JSON `[number, first, second, winner, termination, stones, milliseconds, black, flags]`: the
/// winner is a seat, or 2 for none; the termination is its place among [`GameRow::terminations`];
/// `black` is the seat that had Black at the end; the flags are 1 for a game that does not count,
/// and 2 for a spoiled one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GameRow {
    pub number: u64,
    seats: BySeat<usize>,
    winner: u8,
    termination: Termination,
    stones: u32,
    duration: Nanos,
    black: u8,
    flags: u8,
}

impl GameRow {
    pub fn new(record: &GameRecord, seats: BySeat<usize>, game: &Game) -> GameRow {
        let conditions = &record.conditions;
        let spent = record.actions.iter().map(|action| action.spent);
        GameRow {
            number: record.header.game.unwrap_or(0),
            seats,
            winner: record.result.winner.map_or(2, |seat| seat as u8),
            termination: record.result.termination,
            stones: game.position().moves().iter().filter(|mv| mv.point().is_some()).count() as u32,
            duration: spent.fold(0, Nanos::saturating_add),
            black: black_seat(game),
            flags: u8::from(conditions.is_void) + 2 * u8::from(conditions.is_spoiled()),
        }
    }

    pub fn terminations() -> [&'static str; Termination::ALL.len()] {
        Termination::ALL.map(Termination::name)
    }
}

impl Serialize for GameRow {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let place = Termination::ALL.iter().position(|named| *named == self.termination);
        let numbers = [
            self.number,
            self.seats.first as u64,
            self.seats.second as u64,
            u64::from(self.winner),
            place.unwrap_or_default() as u64,
            u64::from(self.stones),
            millis(self.duration),
            u64::from(self.black),
            u64::from(self.flags),
        ];
        let mut row = to.serialize_seq(Some(numbers.len()))?;
        numbers.iter().try_for_each(|number| row.serialize_element(number))?;
        row.end()
    }
}
