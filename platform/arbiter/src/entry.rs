use alloc::string::String;
use alloc::vec::Vec;

use tengen_rules::{Move, Seat};

use crate::{Action, Correction, Nanos, SearchInfo};

/// One action of a game, with all that is known of it: what the arbiter decided and measured, and
/// what the player said. Feeding the entries of a game to a new one, each at its time, leads to
/// the same position, clocks and result, unless a failure, a silent timeout or an abort ended it:
/// those are no actions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HistoryEntry {
    pub seat: Seat,
    /// What was done; in place of a late answer the substitute, where the event plays one. That
    /// of an illegal answer follows the entry of that answer.
    pub action: Action,
    /// What its seat was charged for it. A draw offer or a refused claim counts nothing, since its
    /// time is in the answer that it came before; so does an action out of turn.
    pub spent: Nanos,
    /// What was given back or charged beside the time that it took: `spent` is that time with this.
    pub correction: Correction,
    /// The seat's clock after it, the increment included; none is unlimited.
    pub clock: Option<Nanos>,
    /// Whether it was allowed and in time.
    pub legal: bool,
    /// Whether the arbiter answered for the seat, which was late or whose answer was illegal.
    pub substituted: bool,
    /// What getting ready took off the seat's clock before its first action, where that counts.
    pub ready: Option<Nanos>,
    /// What the player said of the search behind it.
    pub info: Option<SearchInfo>,
    /// The principal variation of that search, as the player told it. Where there is one there is
    /// an `info`.
    pub pv: Vec<Move>,
    /// The part of `spent` that the way to the player and back took: the arbiter's time less the
    /// player's own reading.
    pub lag: Option<Nanos>,
    /// What the player said to people before it, one line each, as far as its host kept it.
    pub said: Vec<String>,
}

impl HistoryEntry {
    /// A legal action of which no more is known.
    pub const fn new(
        seat: Seat,
        action: Action,
        spent: Nanos,
        clock: Option<Nanos>,
    ) -> HistoryEntry {
        HistoryEntry {
            seat,
            action,
            spent,
            correction: Correction { given_back: 0, unasked: 0 },
            clock,
            legal: true,
            substituted: false,
            ready: None,
            info: None,
            pv: Vec::new(),
            lag: None,
            said: Vec::new(),
        }
    }

    /// How long it took, however much of that was charged.
    pub fn span(&self) -> Nanos {
        self.correction.span(self.spent)
    }

    /// Whether the arbiter judged both alike; other details may differ.
    pub fn is_judged_as(&self, other: &HistoryEntry) -> bool {
        let judged = |entry: &HistoryEntry| {
            let HistoryEntry { seat, spent, correction, clock, legal, substituted, .. } = *entry;
            (seat, spent, correction, clock, legal, substituted)
        };
        judged(self) == judged(other) && self.action == other.action
    }

    /// The entry with what the arbiter decided and measured alone.
    pub fn judged(&self) -> HistoryEntry {
        HistoryEntry {
            correction: self.correction,
            legal: self.legal,
            substituted: self.substituted,
            ..HistoryEntry::new(self.seat, self.action.clone(), self.spent, self.clock)
        }
    }
}
