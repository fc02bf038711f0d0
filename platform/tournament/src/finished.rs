use tengen_arbiter::GameResult;
use tengen_record::Conditions;
use tengen_rules::BySeat;

/// A game that has ended, with its result on the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FinishedGame {
    /// Its number in the schedule, counted from 1.
    pub number: u64,
    /// The event's engines by seat.
    pub seats: BySeat<usize>,
    pub result: GameResult,
    /// The stones on the board at the end.
    pub plies: u32,
    /// What the host had to do with it.
    pub conditions: Conditions,
}
