/// Nanoseconds: a span, or a moment counted from an origin the caller chooses.
pub type Nanos = u64;

/// How much a player may think, as the event sets it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TimeControl {
    /// The whole game's time; none is unlimited.
    pub main: Option<Nanos>,
    /// Added after each answer.
    pub increment: Nanos,
    /// The cap on any one answer.
    pub per_move: Option<Nanos>,
    /// The most nodes a search may visit.
    pub nodes: Option<u64>,
    /// The deepest a search may look, in plies.
    pub depth: Option<u32>,
}

/// What a player may use for one answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The player's own clock as the question is asked; none is untimed.
    pub own: Option<Nanos>,
    /// The opponent's clock.
    pub opponent: Option<Nanos>,
    /// The time after which the answer is late, margin not counted; none is untimed.
    pub hard: Option<Nanos>,
    /// The most nodes.
    pub nodes: Option<u64>,
    /// The greatest depth.
    pub depth: Option<u32>,
    /// Whether a draw offer of the opponent stands.
    pub draw_offered: bool,
    /// Whether the last answer was illegal and this is another try.
    pub retry: bool,
}

/// A text that is no time control.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseTimeControlError;
