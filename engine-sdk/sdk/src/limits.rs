use std::time::Duration;

use tengen_abi as abi;

use crate::game::micros;

/// What an engine may spend on one question. The default is no limit at all.
///
/// ```
/// use tengen_sdk::{Limits, Thinking};
/// let limits = Limits { nodes: Some(10_000), ..Limits::default() };
/// assert_eq!(Thinking::free().with_limits(limits).limits().nodes, Some(10_000));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The engine's own clock as the question is asked, with one period where there is
    /// [byo-yomi](crate::GameInfo::period): an answer within it uses up no period.
    pub own: Option<Duration>,
    /// The opponent's clock, with one period likewise.
    pub opponent: Option<Duration>,
    /// Advice: how long to think.
    pub soft: Option<Duration>,
    /// The arbiter's deadline; an answer that is read after it loses.
    /// [`Thinking::is_up`](crate::Thinking::is_up) comes before it.
    pub hard: Option<Duration>,
    /// How long the way to the engine and back has taken of late, at its longest.
    pub lag: Duration,
    /// The most nodes.
    pub nodes: Option<u64>,
    /// The greatest depth, in plies.
    pub depth: Option<u32>,
    /// Variations wanted, at least 1.
    pub multipv: u32,
    /// Think until told to stop.
    pub infinite: bool,
    /// A draw offer of the opponent stands.
    pub draw_offered: bool,
    /// The last answer was illegal; this is another try.
    pub retry: bool,
}

impl Limits {
    pub(crate) fn from_abi(limits: &abi::Limits) -> Limits {
        let flag = |bit: u32| limits.flags & bit != 0;
        Limits {
            own: micros(limits.own_us),
            opponent: micros(limits.opponent_us),
            soft: micros(limits.soft_us),
            hard: micros(limits.hard_us),
            lag: micros(limits.lag_us).unwrap_or_default(),
            nodes: Some(limits.nodes).filter(|&nodes| nodes > 0),
            depth: Some(limits.depth).filter(|&depth| depth > 0),
            multipv: limits.multipv.max(1),
            infinite: flag(abi::limit::INFINITE),
            draw_offered: flag(abi::limit::DRAW_OFFERED),
            retry: flag(abi::limit::RETRY),
        }
    }
}
