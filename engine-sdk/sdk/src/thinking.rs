//! The time and the other limits of a question, and messages to the host.

mod budget;
mod delays;

use std::ops::RangeInclusive;
use std::time::Duration;

use tengen_abi as abi;
use tengen_rules::{Rule, Size};

use crate::host::HostFunctions;
use crate::search::{Report, Watch};
use crate::wire::{code, score};
use crate::{GameInfo, Limits, SearchInfo};
use budget::TimeBudget;
pub(crate) use delays::Delays;

/// What an engine may spend on the running question, and its line to the host while it thinks.
/// Threads of the engine may share it; they must rest when the question is answered.
///
/// It manages the time. [`Thinking::is_up`] says when to answer, early enough that the answer is
/// with the arbiter before the deadline: it keeps a reserve back, 5 ms or more, and the more the
/// longer the way to the arbiter and back took of late and the longer the engine was seen not to
/// look at its clock. Of a game's clock it also keeps the later moves' share. [`Thinking::goes_on`]
/// says whether another iteration is worth beginning.
///
/// It is a [`Watch`]: a [`Search`](crate::search::Search) may run under it as it is.
///
/// Without a host, as in a test, it is made by [`Thinking::free`] or [`Thinking::until`].
///
/// ```
/// use tengen_sdk::{Limits, Thinking};
/// let thinking = Thinking::free().with_limits(Limits { depth: Some(4), ..Limits::default() });
/// let mut depth = 0;
/// while Some(depth) < thinking.limits().depth && thinking.goes_on() {
///     depth += 1;
/// }
/// assert_eq!(depth, 4);
/// ```
#[derive(Clone, Copy)]
pub struct Thinking<'a> {
    game: &'a GameInfo,
    limits: Limits,
    fifth_moves: Option<(u8, u8)>,
    line: TimeSource<'a>,
    /// What was left as the question came; none when it is untimed.
    start: Option<Duration>,
    budget: Option<TimeBudget>,
}

#[derive(Clone, Copy)]
enum TimeSource<'a> {
    Free,
    Closure(&'a (dyn Fn() -> Option<Duration> + Sync)),
    Host(&'a HostFunctions, &'a Delays),
}

impl TimeSource<'_> {
    /// What is left until the arbiter's deadline; none is untimed.
    fn left(self) -> Option<Duration> {
        match self {
            TimeSource::Free => None,
            TimeSource::Closure(left) => left(),
            TimeSource::Host(host, delays) => match host.left_us() {
                i64::MAX => None,
                us => {
                    delays.look(us);
                    Some(Duration::from_micros(u64::try_from(us).unwrap_or(0)))
                }
            },
        }
    }

    /// The longest delay of the engine of late.
    fn delay(self) -> Duration {
        match self {
            TimeSource::Host(_, delays) => delays.longest(),
            TimeSource::Free | TimeSource::Closure(_) => Duration::ZERO,
        }
    }
}

impl<'a> Thinking<'a> {
    /// No limit, no host, renju on 15×15.
    pub fn free() -> Thinking<'static> {
        static GAME: GameInfo = GameInfo::new(Rule::Renju, Size::STANDARD);
        Thinking::new(&GAME, Limits::default(), TimeSource::Free, None)
    }

    /// No host, and the time left until the deadline as `left` tells it; none is untimed.
    pub fn until(left: &'a (dyn Fn() -> Option<Duration> + Sync)) -> Thinking<'a> {
        let free = Thinking::free();
        Thinking::new(free.game, free.limits, TimeSource::Closure(left), left())
    }

    pub(crate) fn hosted(
        game: &'a GameInfo,
        limits: Limits,
        host: &'a HostFunctions,
        delays: &'a Delays,
    ) -> Thinking<'a> {
        delays.begin();
        // What passes until the engine's own first look is no delay of a search.
        let start = match host.left_us() {
            i64::MAX => None,
            us => Some(Duration::from_micros(u64::try_from(us).unwrap_or(0))),
        };
        Thinking::new(game, limits, TimeSource::Host(host, delays), start)
    }

    fn new(
        game: &'a GameInfo,
        limits: Limits,
        line: TimeSource<'a>,
        start: Option<Duration>,
    ) -> Thinking<'a> {
        let budget = start.map(|start| TimeBudget::new(start, &limits, game));
        Thinking { game, limits, fifth_moves: None, line, start, budget }
    }

    /// The same, with these limits.
    pub fn with_limits(self, limits: Limits) -> Thinking<'a> {
        let Thinking { game, fifth_moves, line, start, .. } = self;
        Thinking { fifth_moves, ..Thinking::new(game, limits, line, start) }
    }

    /// The same, in this game.
    pub fn in_game(self, game: &'a GameInfo) -> Thinking<'a> {
        let Thinking { limits, fifth_moves, line, start, .. } = self;
        Thinking { fifth_moves, ..Thinking::new(game, limits, line, start) }
    }

    /// The same, where Black is to offer so many fifth moves.
    pub fn with_fifth_moves(self, number: RangeInclusive<u8>) -> Thinking<'a> {
        Thinking { fifth_moves: Some(number.into_inner()), ..self }
    }

    /// The same, with the first of so many equal parts of the time that is left: for the first of
    /// several searches that answer one question together.
    pub fn part(self, parts: u32) -> Thinking<'a> {
        let budget = self
            .budget
            .zip(self.line.left())
            .map(|(budget, left)| budget.part(left, budget.due(self.line.delay()), parts));
        Thinking { budget, ..self }
    }

    /// How many fifth moves Black is to offer, as far as the engine has been told: one number once
    /// it is declared or where the procedure fixes it, before that the range it may be declared
    /// from; none where there are none to come.
    pub fn fifth_moves(&self) -> Option<RangeInclusive<u8>> {
        self.fifth_moves.map(|(least, most)| least..=most)
    }

    /// What may be spent, as the question was asked.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The game.
    pub fn game(&self) -> &'a GameInfo {
        self.game
    }

    /// The time left to think, zero when the answer is due; none when there is no limit. Ask about
    /// every thousand nodes: it may read a clock.
    pub fn left(&self) -> Option<Duration> {
        let left = self.line.left()?.saturating_sub(self.due());
        if left.is_zero()
            && let TimeSource::Host(_, delays) = self.line
        {
            delays.tell();
        }
        Some(left)
    }

    /// The time until the arbiter's deadline, as the host tells it (`tengen_left_us`), zero when it
    /// has passed; none when there is no limit. The way of the answer takes from it: an engine
    /// that answers when this is zero has lost.
    pub fn until_deadline(&self) -> Option<Duration> {
        self.line.left()
    }

    /// Whether the engine must answer now: the time to think is up, or the host wants it to stop.
    pub fn is_up(&self) -> bool {
        self.left().is_some_and(|left| left.is_zero())
    }

    /// Whether another iteration of a search is worth beginning: not when it could hardly be
    /// finished, and not when the rest of the game's time is better spent on later moves.
    pub fn goes_on(&self) -> bool {
        match (self.budget, self.line.left()) {
            (Some(budget), Some(left)) => left > self.due() && budget.goes_on(left),
            _ => !self.is_up(),
        }
    }

    /// The time spent on the question, where it has a deadline to measure from.
    pub fn elapsed(&self) -> Option<Duration> {
        Some(self.limits.hard?.saturating_sub(self.line.left()?))
    }

    /// What is to be left until the deadline when the answer is due.
    fn due(&self) -> Duration {
        self.budget.map_or(Duration::ZERO, |budget| budget.due(self.line.delay()))
    }

    /// Writes a line to the log of the game. Goes nowhere without a host.
    pub fn log(&self, text: &str) {
        if let TimeSource::Host(host, _) = self.line {
            host.send(abi::send::LOG, text.as_bytes());
        }
    }

    /// Tells how the search stands. Goes nowhere without a host.
    pub fn info(&self, info: &SearchInfo<'_>) {
        let TimeSource::Host(host, _) = self.line else { return };
        let elapsed = self.elapsed().unwrap_or_default();
        let head = abi::Info {
            multipv: info.multipv,
            depth: info.depth,
            seldepth: info.seldepth,
            score: score(&info.score),
            nodes: info.nodes,
            elapsed_us: u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX),
            hash_permille: info.hash_permille,
            pv_len: u32::try_from(info.pv.len()).unwrap_or(0),
            ..abi::Info::default()
        };
        let mut message = abi::Wire::to_bytes(&head).to_vec();
        for &point in info.pv {
            message.extend_from_slice(&code(point).0.to_le_bytes());
        }
        host.send(abi::send::INFO, &message);
    }
}

impl Watch for Thinking<'_> {
    fn is_up(&mut self) -> bool {
        Thinking::is_up(self)
    }

    fn goes_on(&mut self, _: &Report) -> bool {
        Thinking::goes_on(self)
    }
}
