//! What a brain was sent by INFO.

use alloc::string::String;
use alloc::vec::Vec;

use tengen_arbiter::{Limits, Nanos, TimeControl};

use crate::{GameTerms, Info, UNLIMITED, rule_mask};

/// What was sent to a brain by INFO, so that only what has changed is sent again.
#[derive(Clone, Debug, Default)]
pub(super) struct SentInfo {
    /// The values of Gomocup's keys, by their place in [`SentInfo::terms`].
    terms: Vec<i64>,
    folder: Option<String>,
    /// The values of Yixin's keys, which not every brain knows: they are sent only where something
    /// asks for them, and taken back by a value below 0.
    increment: Option<i64>,
    nodes: Option<i64>,
    depth: Option<i64>,
    threads: Option<i64>,
    hash: Option<i64>,
    /// Keys of the brain's own.
    options: Vec<(String, String)>,
}

impl SentInfo {
    /// Forgets what is sent again for each game: a brain may forget it with START.
    pub(super) fn new_game(&mut self) {
        self.terms.clear();
        self.folder = None;
        self.options.clear();
    }

    /// Sends what is true of the whole game. Gives how many keys were sent that a brain need not
    /// know.
    pub(super) fn terms(&mut self, terms: &GameTerms, mut send: impl FnMut(Info<'_>)) -> u32 {
        let time = &terms.time;
        let infos = [
            Info::MaxMemory(terms.max_memory.map_or(0, at_most_i64)),
            Info::TimeoutMatch(time.main.map_or(0, millis)),
            Info::TimeoutTurn(turn(time)),
            Info::GameType(terms.game_type as i64),
            Info::Rule(rule_mask::of(terms.rule)),
        ];
        let values = infos.iter().map(|info| match info {
            Info::MaxMemory(value)
            | Info::TimeoutMatch(value)
            | Info::TimeoutTurn(value)
            | Info::GameType(value)
            | Info::Rule(value) => *value,
            _ => 0,
        });
        let values: Vec<i64> = values.collect();
        for (index, info) in infos.into_iter().enumerate() {
            if self.terms.get(index) != values.get(index) {
                send(info);
            }
        }
        self.terms = values;
        if let Some(folder) = &terms.folder
            && self.folder.as_ref() != Some(folder)
        {
            send(Info::Folder(folder.as_str().into()));
            self.folder = Some(folder.clone());
        }
        let extensions = self.extensions(terms, &mut send);
        extensions + self.options(&terms.options, &mut send)
    }

    /// Yixin's keys.
    fn extensions(&mut self, terms: &GameTerms, send: &mut impl FnMut(Info<'_>)) -> u32 {
        let time = &terms.time;
        let increment = (time.increment > 0).then(|| millis(time.increment));
        send_if_changed(&mut self.increment, increment, Some(0), Info::TimeIncrement, send)
            + send_if_changed(
                &mut self.threads,
                terms.threads.map(i64::from),
                None,
                Info::ThreadNum,
                send,
            )
            + send_if_changed(
                &mut self.hash,
                terms.hash_kib.map(at_most_i64),
                None,
                Info::HashSize,
                send,
            )
    }

    /// The brain's own keys, of which it may know none.
    fn options(&mut self, options: &[(String, String)], send: &mut impl FnMut(Info<'_>)) -> u32 {
        if self.options == options {
            return 0;
        }
        for (key, value) in options {
            let (key, value) = (key.as_str().into(), value.as_str().into());
            send(Info::Other { key, value });
        }
        self.options = options.to_vec();
        options.len() as u32
    }

    /// Sends what is true of one question. Gives how many keys of Yixin's were sent.
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
