use tengen_rules::Seat;

use crate::{Action, Nanos};

/// One action of a game, as its record keeps it. Feeding the entries of a game to a new one, each
/// at its time, leads to the same position, clocks and result, unless a failure, a silent timeout
/// or an abort ended it: those are no actions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HistoryEntry {
    /// Who acted.
    pub seat: Seat,
    /// What was done; in place of a late answer the substitute, where the event plays one.
    pub action: Action,
    /// What it took. A draw offer or a refused claim counts nothing, since its time is in the
    /// answer that it came before; so does an action out of turn.
    pub spent: Nanos,
    /// The seat's clock after it, the increment included; none is unlimited.
    pub clock: Option<Nanos>,
    /// Whether it was allowed and in time.
    pub legal: bool,
    /// Whether the arbiter answered for a seat that was late.
    pub substituted: bool,
}
