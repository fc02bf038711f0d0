//! The INFO values that a brain was sent.

use tengen_arbiter::{Limits, Nanos, TimeControl};

use crate::gomocup::rule_mask;
use crate::{GameTerms, Info, UNLIMITED};

/// What was sent to a brain by INFO of Yixin's keys, which not every brain knows: they are sent
/// only where something asks for them, again only where they have changed, and taken back by a
/// value below 0. All others are sent once in each game: a brain may forget them with START.
#[derive(Clone, Debug, Default)]
pub(super) struct SentInfo {
    increment: Option<i64>,
    nodes: Option<i64>,
    depth: Option<i64>,
    threads: Option<i64>,
}

impl SentInfo {
    /// Sends what is true of the whole game. Gives how many keys were sent that a brain need not
    /// know.
    pub(super) fn terms(&mut self, terms: &GameTerms, mut send: impl FnMut(Info<'_>)) -> u32 {
        let time = &terms.time;
        send(Info::MaxMemory(terms.max_memory.map_or(0, at_most_i64)));
        send(Info::TimeoutMatch(time.main.map_or(0, millis)));
        send(Info::TimeoutTurn(turn(time)));
        send(Info::GameType(terms.game_type as i64));
        send(Info::Rule(rule_mask::of(terms.rule)));
        if let Some(folder) = &terms.folder {
            send(Info::Folder(folder.as_str().into()));
        }
        let increment = (time.increment > 0).then(|| millis(time.increment));
        let threads = terms.threads.map(i64::from);
        let extensions =
            send_if_changed(
                &mut self.increment,
                increment,
                Some(0),
                Info::TimeIncrement,
                &mut send,
            ) + send_if_changed(&mut self.threads, threads, None, Info::ThreadNum, &mut send);
        // The brain's own keys, of which it may know none.
        for (key, value) in &terms.options {
            send(Info::Other { key: key.as_str().into(), value: value.as_str().into() });
        }
        extensions + terms.options.len() as u32
    }

    /// Sends what is true of one question. The protocol knows no byo-yomi and no sessions: the time
    /// left is what uses up no period, or lasts until the session is over, so that a brain is
    /// promised no time that it does not have. Gives how many keys of Yixin's were sent.
    pub(super) fn limits(&mut self, limits: &Limits, mut send: impl FnMut(Info<'_>)) -> u32 {
        let depth = limits.depth.map(i64::from);
        let nodes = limits.nodes.map(at_most_i64);
        let extensions =
            send_if_changed(&mut self.depth, depth, Some(-1), Info::MaxDepth, &mut send)
                + send_if_changed(&mut self.nodes, nodes, Some(-1), Info::MaxNode, &mut send);
        send(Info::TimeLeft(limits.own.map_or(UNLIMITED, millis)));
        extensions
    }
}

/// Sends a value of Yixin's if it has changed; `none` is the value for "no limit any more", if
/// there is one.
fn send_if_changed<'a>(
    sent: &mut Option<i64>,
    value: Option<i64>,
    none: Option<i64>,
    info: fn(i64) -> Info<'a>,
    send: &mut impl FnMut(Info<'a>),
) -> u32 {
    let value = match (value, *sent) {
        (Some(value), _) => value,
        (None, Some(_)) if none.is_some() => none.unwrap_or_default(),
        (None, _) => return 0,
    };
    if *sent == Some(value) {
        return 0;
    }
    *sent = Some(value);
    send(info(value));
    1
}

/// The time for one move. Without a cap it is the time of the game, and without a clock unlimited:
/// 0 would hurry the brain.
fn turn(time: &TimeControl) -> i64 {
    time.per_move.or(time.main).map_or(UNLIMITED, |span| millis(span).max(1))
}

/// Whole milliseconds, rounded down: a brain must not be promised more than it has.
fn millis(span: Nanos) -> i64 {
    i64::try_from(span / 1_000_000).map_or(UNLIMITED, |millis| millis.min(UNLIMITED))
}

fn at_most_i64(value: u64) -> i64 {
    value.try_into().unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use tengen_arbiter::ClockFace;
    use tengen_rules::{Rule, Size};

    use super::*;

    const SECOND: Nanos = 1_000_000_000;

    #[test]
    fn a_brain_in_byo_yomi_is_promised_no_more_than_a_period() {
        let time: TimeControl = "600,byo=3x30".parse().unwrap();
        let terms = GameTerms { time, ..GameTerms::new(Rule::Freestyle, Size::STANDARD) };
        let mut begun = Vec::new();
        SentInfo::default().terms(&terms, |info| {
            begun.extend(matches!(info, Info::TimeoutMatch(_)).then(|| alloc::format!("{info:?}")));
        });
        assert_eq!(begun, ["TimeoutMatch(600000)"]);
        let clock = ClockFace::of(&time).unwrap();
        for (used, left) in [(0, 630_000), (590, 40_000), (600, 30_000), (640, 20_000)] {
            let own = Some(clock.after(used * SECOND).plan());
            let mut told = None;
            let limits = Limits { own, ..Limits::default() };
            SentInfo::default().limits(&limits, |info| told = Some(info == Info::TimeLeft(left)));
            assert_eq!(told, Some(true), "after {used} s");
        }
    }
}
