//! Engines that think until they are told to answer, in whole games on a virtual clock.

mod host;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use host::{HostedEngine, game};
use tengen_abi::{Exports, Game, Limits, status};
use tengen_rules::{Procedure, Rule};
use tengen_sdk::{Choice, Description, Engine, OptionError, OptionSpec, Position, Thinking};

/// Thinks as long as it may, in one of four ways.
#[derive(Default)]
struct BusyEngine {
    mode: String,
}

impl Engine for BusyEngine {
    fn choose(&mut self, position: &Position, thinking: &Thinking<'_>) -> Choice {
        match self.mode.as_str() {
            "deadline" => while thinking.until_deadline().is_some_and(|left| !left.is_zero()) {},
            "iterations" => while thinking.goes_on() {},
            "parts" => (1..=4).rev().for_each(|parts| {
                let part = thinking.part(parts);
                while !part.is_up() {}
            }),
            _ => while !thinking.is_up() {},
        }
        let size = position.size();
        size.points().find(|&point| position.check(point).is_ok()).expect("an empty point").into()
    }

    fn describe() -> Description {
        let modes = ["up", "deadline", "iterations", "parts"];
        Description {
            options: vec![OptionSpec::choice("Mode", "up", &modes)],
            ..Description::default()
        }
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        assert_eq!(name, "Mode");
        self.mode = value.into();
        Ok(())
    }
}

const SPINNER: Exports = tengen_sdk::exports!(BusyEngine);

/// Milliseconds for the game, after each move, and for any one move.
type Control = (Option<i64>, i64, Option<i64>);
const CONTROLS: [Control; 4] =
    [(Some(2000), 100, None), (None, 0, Some(50)), (Some(300), 20, None), (Some(60_000), 0, None)];

/// A machine with a clock that advances whenever the engine looks at it.
#[derive(Debug)]
struct TestMachine {
    now_us: AtomicI64,
    deadline_us: AtomicI64,
    random: AtomicU64,
    /// Whether others run on it, too.
    is_busy: bool,
}

impl TestMachine {
    fn new(is_busy: bool) -> Arc<TestMachine> {
        let random = AtomicU64::new(20_261_122);
        let (now_us, deadline_us) = (AtomicI64::new(0), AtomicI64::new(0));
        Arc::new(TestMachine { now_us, deadline_us, random, is_busy })
    }

    /// Some number below `end`.
    fn random(&self, end: u64) -> i64 {
        let next = self.random.load(Ordering::Relaxed).wrapping_mul(0x5851_f42d_4c95_7f2d) + 1;
        self.random.store(next, Ordering::Relaxed);
        (next >> 33).checked_rem(end).expect("an end above zero").cast_signed()
    }

    /// A thread works for so long, and now and then another is let on before.
    fn work(&self, us: i64) {
        let others = match self.random(40) {
            0 if self.is_busy => 1000 + self.random(3000),
            _ => 0,
        };
        self.now_us.fetch_add(us + others, Ordering::Relaxed);
    }

    fn left_us(&self) -> i64 {
        self.work(150);
        self.deadline_us.load(Ordering::Relaxed) - self.now_us.load(Ordering::Relaxed)
    }
}

/// The least that was left on the clock when an answer had been read, in a game that fills the
/// board.
fn least_left_us(mode: &str, (main, increment, per_move): Control, is_busy: bool) -> i64 {
    let mut hosted = HostedEngine::new(SPINNER);
    let machine = TestMachine::new(is_busy);
    let clock = Arc::clone(&machine);
    hosted.test_host.clock = Some(Box::new(move || clock.left_us()));
    assert_eq!(hosted.set_option("Mode", mode), status::OK);
    let us = |ms: Option<i64>| ms.map_or(-1, |ms| ms * 1000);
    let (main_us, increment_us, move_us) = (us(main), increment * 1000, us(per_move));
    let told = Game { main_us, increment_us, move_us, ..game(Rule::Renju, Procedure::None) };
    assert_eq!(hosted.new_game(&told), status::OK);
    let (mut own_us, mut lag_us, mut least) = (main_us, 0, i64::MAX);
    for _ in 0..113 {
        let hard_us = if own_us < 0 { move_us } else { own_us };
        let asked_at = machine.now_us.load(Ordering::Relaxed);
        machine.work(80);
        let begun = machine.now_us.load(Ordering::Relaxed);
        machine.deadline_us.store(begun + hard_us, Ordering::Relaxed);
        let limits = Limits { own_us, hard_us, lag_us, ..Limits::default() };
        hosted.choose_within(&limits).expect("a move");
        machine.work(50);
        let ended = machine.now_us.load(Ordering::Relaxed);
        machine.work(80);
        let answered_at = machine.now_us.load(Ordering::Relaxed);
        let spent = answered_at - asked_at;
        least = least.min(hard_us - spent);
        lag_us = (spent - (ended - begun)).max(lag_us / 4 * 3);
        if own_us >= 0 {
            own_us += increment_us - spent;
        }
        if least < 0 {
            break;
        }
    }
    least
}

#[test]
fn an_engine_that_answers_when_the_time_is_up_is_never_late() {
    for mode in ["up", "iterations", "parts"] {
        for control in CONTROLS {
            for is_busy in [false, true] {
                let least = least_left_us(mode, control, is_busy);
                assert!(least > 0, "{mode} at {control:?}, busy {is_busy}: late by {least} us");
            }
        }
    }
}

/// What a game of byo-yomi that fills the board took: the longest and the shortest answer in
/// microseconds after the game's time was used up.
fn answers_in_byo_yomi(mode: &str, periods: u32, is_busy: bool, is_advised: bool) -> (i64, i64) {
    const MAIN_US: i64 = 2_000_000;
    const PERIOD_US: i64 = 1_000_000;
    let mut hosted = HostedEngine::new(SPINNER);
    let machine = TestMachine::new(is_busy);
    let clock = Arc::clone(&machine);
    hosted.test_host.clock = Some(Box::new(move || clock.left_us()));
    assert_eq!(hosted.set_option("Mode", mode), status::OK);
    let (main_us, period_us) = (MAIN_US, PERIOD_US);
    let told = Game { main_us, period_us, periods, ..game(Rule::Renju, Procedure::None) };
    assert_eq!(hosted.new_game(&told), status::OK);
    let (mut left_us, mut longest, mut shortest) = (MAIN_US, 0, i64::MAX);
    for _ in 0..113 {
        let (own_us, hard_us) = (left_us + PERIOD_US, left_us + PERIOD_US * i64::from(periods));
        let asked_at = machine.now_us.load(Ordering::Relaxed);
        machine.work(80);
        let begun = machine.now_us.load(Ordering::Relaxed);
        machine.deadline_us.store(begun + hard_us, Ordering::Relaxed);
        let soft_us =
            if is_advised { (left_us / 25 + PERIOD_US / 10 * 9).min(own_us / 10 * 9) } else { -1 };
        let limits = Limits { own_us, hard_us, soft_us, ..Limits::default() };
        hosted.choose_within(&limits).expect("a move");
        machine.work(130);
        let spent = machine.now_us.load(Ordering::Relaxed) - asked_at;
        assert!(spent <= own_us, "{mode}, {periods} periods: {spent} us of {own_us} use one up");
        if left_us == 0 {
            (longest, shortest) = (longest.max(spent), shortest.min(spent));
        }
        left_us = (left_us - spent).max(0);
    }
    (longest, shortest)
}

#[test]
fn an_engine_in_byo_yomi_uses_nearly_a_period_and_never_one_up() {
    for mode in ["up", "iterations", "parts"] {
        for (periods, is_busy) in [(1, false), (3, false), (1, true), (3, true)] {
            for is_advised in [false, true] {
                let (longest, shortest) = answers_in_byo_yomi(mode, periods, is_busy, is_advised);
                // No new iteration is begun after a bit more than half of a period.
                let least = if mode == "iterations" { 500_000 } else { 900_000 };
                let found = format!("{mode}, {periods} periods: {shortest} to {longest} us");
                assert!(least < shortest && longest < 1_000_000, "{found}");
            }
        }
    }
}

#[test]
fn an_engine_that_waits_for_the_deadline_is_late() {
    for control in CONTROLS {
        assert!(least_left_us("deadline", control, false) < 0, "{control:?}");
    }
}

#[test]
fn the_time_of_a_move_is_used() {
    let least = least_left_us("up", (None, 0, Some(50)), false);
    assert!(least < 6000, "{least} us of 50 ms are left");
}

#[test]
fn a_host_that_wants_the_answer_gets_it() {
    let mut hosted = HostedEngine::playing(SPINNER);
    let looks = AtomicI64::new(0);
    // Untimed, until the host is in a hurry.
    hosted.test_host.clock =
        Some(Box::new(
            move || {
                if looks.fetch_add(1, Ordering::Relaxed) < 100 { i64::MAX } else { 0 }
            },
        ));
    assert!(hosted.choose().is_ok());
}
