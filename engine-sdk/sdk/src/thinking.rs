use std::ops::RangeInclusive;
use std::time::Duration;

use tengen_abi as abi;
use tengen_rules::{Rule, Size};

use crate::host::Services;
use crate::wire::{code, score};
use crate::{GameInfo, Limits, SearchInfo};

/// What an engine may spend on the running question, and its line to the host while it thinks.
/// Threads of the engine may share it; they must rest when the question is answered.
///
/// Without a host, as in a test, it is made by [`Thinking::free`] or [`Thinking::until`].
#[derive(Clone, Copy)]
pub struct Thinking<'a> {
    game: &'a GameInfo,
    limits: Limits,
    fifth_moves: Option<(u8, u8)>,
    line: Line<'a>,
}

#[derive(Clone, Copy)]
enum Line<'a> {
    Free,
    Closure(&'a (dyn Fn() -> Option<Duration> + Sync)),
    Host(&'a Services),
}

impl<'a> Thinking<'a> {
    /// No limit, no host, renju on 15×15.
    pub fn free() -> Thinking<'static> {
        static GAME: GameInfo = GameInfo::new(Rule::Renju, Size::STANDARD);
        Thinking { game: &GAME, limits: Limits::default(), fifth_moves: None, line: Line::Free }
    }

    /// No host, and the time left as `left` tells it; none is untimed.
    pub fn until(left: &'a (dyn Fn() -> Option<Duration> + Sync)) -> Thinking<'a> {
        Thinking { line: Line::Closure(left), ..Thinking::free() }
    }

    pub(crate) fn hosted(game: &'a GameInfo, limits: Limits, host: &'a Services) -> Thinking<'a> {
        Thinking { game, limits, fifth_moves: None, line: Line::Host(host) }
    }

    /// The same, with these limits.
    pub fn with_limits(self, limits: Limits) -> Thinking<'a> {
        Thinking { limits, ..self }
    }

    /// The same, in this game.
    pub fn in_game(self, game: &'a GameInfo) -> Thinking<'a> {
        Thinking { game, ..self }
    }

    /// The same, where Black is to offer so many fifth moves.
    pub fn with_fifth_moves(self, number: RangeInclusive<u8>) -> Thinking<'a> {
        Thinking { fifth_moves: Some(number.into_inner()), ..self }
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

    /// The time left for the question, zero when it is up; none when there is no limit. Ask about
    /// every thousand nodes: it may read a clock.
    pub fn left(&self) -> Option<Duration> {
        match self.line {
            Line::Free => None,
            Line::Closure(left) => left(),
            Line::Host(host) => match host.left_us() {
                i64::MAX => None,
                us => Some(Duration::from_micros(u64::try_from(us).unwrap_or(0))),
            },
        }
    }

    /// Whether the engine must answer now: the time is up, or the host wants it to stop.
    pub fn is_up(&self) -> bool {
        self.left().is_some_and(|left| left.is_zero())
    }

    /// The time spent on the question, where it has a deadline to measure from.
    pub fn elapsed(&self) -> Option<Duration> {
        Some(self.limits.hard?.saturating_sub(self.left()?))
    }

    /// Writes a line to the log of the game. Goes nowhere without a host.
    pub fn log(&self, text: &str) {
        if let Line::Host(host) = self.line {
            host.send(abi::send::LOG, text.as_bytes());
        }
    }

    /// Tells how the search stands. Goes nowhere without a host.
    pub fn info(&self, info: &SearchInfo<'_>) {
        let Line::Host(host) = self.line else { return };
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
