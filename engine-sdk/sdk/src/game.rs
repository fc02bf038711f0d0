//! What an engine is told before a game.

use std::time::Duration;

use tengen_abi as abi;
use tengen_rules::{Alike, Procedure, Rule, Size};

/// What an engine is told before a game.
///
/// ```
/// use tengen_sdk::{GameInfo, Rule, Size};
/// let game = GameInfo { threads: 4, ..GameInfo::new(Rule::Renju, Size::STANDARD) };
/// assert!(game.main.is_none() && !game.ponder);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameInfo {
    /// What wins.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// The opening procedure; none when it is newer than this SDK.
    pub opening: Option<Procedure>,
    /// When two offered fifth moves count as the same.
    pub alike: Alike,
    /// Same seed, one thread, a node limit: same play.
    pub seed: u64,
    /// The most threads, at least 1.
    pub threads: u32,
    /// The most memory in MiB, code and stacks included; none is unlimited.
    pub memory_mib: Option<u32>,
    /// The whole game's time.
    pub main: Option<Duration>,
    /// Added after each answer.
    pub increment: Duration,
    /// After so many answers the game's time is added again; none adds it only once.
    pub session: Option<u32>,
    /// A period of byo-yomi, which follows the game's time. An answer that takes no longer leaves
    /// the period whole. [`Limits::own`](crate::Limits::own) has one period in it.
    pub period: Option<Duration>,
    /// How many periods there are at the start; a longer answer uses up those that it overran.
    pub periods: u32,
    /// The cap on any one move.
    pub per_move: Option<Duration>,
    /// The most nodes for a move.
    pub nodes: Option<u64>,
    /// The greatest depth, in plies.
    pub depth: Option<u32>,
    /// Whether the engine may be asked to ponder.
    pub ponder: bool,
    /// Whether the same seed and limits must give the same play.
    pub reproducible: bool,
    /// Whether positions are analysed, with no game behind them.
    pub analysis: bool,
    /// Whether draw offers are allowed.
    pub draw_offers: bool,
}

impl GameInfo {
    /// A game without limits, on an empty board.
    pub const fn new(rule: Rule, size: Size) -> GameInfo {
        GameInfo {
            rule,
            size,
            opening: Some(Procedure::None),
            alike: Alike::Shape,
            seed: 0,
            threads: 1,
            memory_mib: None,
            main: None,
            increment: Duration::ZERO,
            session: None,
            period: None,
            periods: 0,
            per_move: None,
            nodes: None,
            depth: None,
            ponder: false,
            reproducible: false,
            analysis: false,
            draw_offers: false,
        }
    }

    /// The game as the host tells it, or the status to refuse it with.
    pub(crate) fn from_abi(game: &abi::Game) -> Result<GameInfo, i32> {
        let side = |side: u16| u8::try_from(side).map_err(|_| abi::status::ARGUMENT);
        let size =
            Size::new(side(game.width)?, side(game.height)?).map_err(|_| abi::status::ARGUMENT)?;
        let rule = Rule::from_number(game.rule).ok_or(abi::status::UNSUPPORTED)?;
        if !matches!(game.win_length, 0 | 5) {
            return Err(abi::status::UNSUPPORTED);
        }
        let flag = |bit: u32| game.flags & bit != 0;
        Ok(GameInfo {
            opening: Procedure::from_number(game.opening),
            alike: if flag(abi::game::ALIKE_BOARD) { Alike::Board } else { Alike::Shape },
            seed: game.seed,
            threads: game.threads.max(1),
            memory_mib: Some(game.memory_mib).filter(|&mib| mib > 0),
            main: micros(game.main_us),
            increment: micros(game.increment_us).unwrap_or_default(),
            session: Some(game.period_moves).filter(|&moves| moves > 0),
            period: micros(game.period_us).filter(|_| game.periods > 0),
            periods: game.periods,
            per_move: micros(game.move_us),
            nodes: Some(game.node_limit).filter(|&nodes| nodes > 0),
            depth: Some(game.depth_limit).filter(|&depth| depth > 0),
            ponder: flag(abi::game::PONDER),
            reproducible: flag(abi::game::REPRODUCIBLE),
            analysis: flag(abi::game::ANALYSIS),
            draw_offers: flag(abi::game::DRAW_OFFERS),
            ..GameInfo::new(rule, size)
        })
    }
}

/// A span of the ABI: microseconds, negative for none.
pub(crate) fn micros(us: i64) -> Option<Duration> {
    u64::try_from(us).ok().map(Duration::from_micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many names of the header begin like this.
    fn in_header(prefix: &str) -> usize {
        include_str!("../../include/tengen.h").matches(prefix).count()
    }

    #[test]
    fn rules_have_the_numbers_of_the_abi() {
        for rule in Rule::ALL {
            let number = match rule {
                Rule::Freestyle => abi::rule::FREESTYLE,
                Rule::Standard => abi::rule::STANDARD,
                Rule::Renju => abi::rule::RENJU,
                Rule::Caro => abi::rule::CARO,
            };
            assert_eq!(rule.number(), number, "{rule}");
        }
        assert_eq!(in_header("TENGEN_RULE_"), Rule::ALL.len());
    }

    #[test]
    fn procedures_have_the_numbers_of_the_abi() {
        for procedure in Procedure::ALL {
            let number = match procedure {
                Procedure::None => abi::opening::NONE,
                Procedure::Book => abi::opening::BOOK,
                Procedure::Pro => abi::opening::PRO,
                Procedure::LongPro => abi::opening::LONG_PRO,
                Procedure::Swap => abi::opening::SWAP,
                Procedure::Swap2 => abi::opening::SWAP2,
                Procedure::Rif => abi::opening::RIF,
                Procedure::Contest => abi::opening::CONTEST,
                Procedure::Yamaguchi => abi::opening::YAMAGUCHI,
                Procedure::Soosorv8 => abi::opening::SOOSORV8,
                Procedure::Taraguchi10 => abi::opening::TARAGUCHI10,
            };
            assert_eq!(procedure.number(), number, "{procedure}");
        }
        assert_eq!(in_header("TENGEN_OPENING_"), Procedure::ALL.len());
    }
}
