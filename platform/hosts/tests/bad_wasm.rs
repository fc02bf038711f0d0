//! WASM engines that misbehave, in a child and in this process: the same failures either way.

mod common;

use std::thread;

use common::{
    BRIEF, EngineBuilder, PATIENT, TestModule, ask, ask_within, in_game, interrupt_two_questions,
    point, setup,
};
use tengen_arbiter::{Failure, Limits};
use tengen_hosts::{EngineSpec, HostSettings, WasmIsolation, player, probe};
use tengen_players::{Fault, Reply};

const ISOLATIONS: [WasmIsolation; 2] = [WasmIsolation::Child, WasmIsolation::InProcess];

fn settings(shop: &EngineBuilder, isolation: WasmIsolation) -> HostSettings {
    HostSettings { isolation, ..shop.settings() }
}

/// One question, with another game begun after it.
fn one_question(module: TestModule<'_>, isolation: WasmIsolation, patience: u64) -> Reply {
    let shop = EngineBuilder::new();
    let mut player = in_game(&module.lay(&shop), &settings(&shop, isolation));
    let reply = ask(&mut *player, &[], Some(patience));
    player.new_game(&setup()).expect("the next game begins");
    reply
}

fn fault(module: TestModule<'_>, isolation: WasmIsolation) -> Fault {
    one_question(module, isolation, PATIENT).outcome.expect_err("it fails its question")
}

fn never_ready(spec: &EngineSpec, settings: HostSettings) -> Fault {
    player(spec, &settings).new_game(&setup()).expect_err("it is never ready")
}

#[test]
fn an_engine_that_polls_its_clock_answers_when_it_is_up() {
    let imports = r#"(import "tengen" "left_us" (func $left_us (param i32) (result i64)))"#;
    let choose = "(loop (br_if 0 (i64.gt_s (call $left_us (i32.const 0)) (i64.const 0))))";
    for isolation in ISOLATIONS {
        let shop = EngineBuilder::new();
        let module = TestModule { imports, choose, ..TestModule::default() };
        let mut player = in_game(&module.lay(&shop), &settings(&shop, isolation));
        let limits = Limits { hard: Some(BRIEF), ..Limits::default() };
        let reply = ask_within(&mut *player, &[], limits, Some(PATIENT));
        assert!(point(&reply).is_some(), "{isolation:?}: {reply:?}");
        assert!(reply.answered_at - reply.asked_at >= BRIEF / 10 * 9);
    }
}

#[test]
fn traps_are_crashes_that_say_which() {
    let traps = [
        ("(unreachable)", "unreachable"),
        ("(drop (i32.load (i32.const 0x7FFFFFFF)))", "out of bounds"),
        ("(drop (i32.div_u (i32.const 1) (i32.const 0)))", "divide by zero"),
        ("(drop (call $choose (local.get 0) (local.get 1) (local.get 2)))", "stack"),
    ];
    for (choose, why) in traps {
        for isolation in ISOLATIONS {
            let fault = fault(TestModule { choose, ..TestModule::default() }, isolation);
            assert_eq!(fault.failure, Failure::Crash, "{isolation:?}: {}", fault.detail);
            assert!(fault.detail.contains(why), "{isolation:?}: {}", fault.detail);
        }
    }
}

#[test]
fn memory_beyond_the_ceiling_is_refused() {
    let grow = "(if (i32.eq (memory.grow (i32.const 4096)) (i32.const -1)) (then (unreachable)))";
    let module = TestModule { choose: grow, ..TestModule::default() };
    for isolation in ISOLATIONS {
        let shop = EngineBuilder::new();
        let mut spec = module.lay(&shop);
        let mut roomy = in_game(&spec, &settings(&shop, isolation));
        assert!(point(&ask(&mut *roomy, &[], Some(PATIENT))).is_some());
        spec.memory_mib = Some(64);
        let mut tight = in_game(&spec, &settings(&shop, isolation));
        let fault = ask(&mut *tight, &[], Some(PATIENT)).outcome.unwrap_err();
        assert_eq!(fault.failure, Failure::ResourceLimit, "{isolation:?}: {}", fault.detail);
        tight.new_game(&setup()).unwrap();
    }
}

#[test]
fn a_service_of_a_later_host_says_that_it_is_not_there() {
    let imports = r#"
        (import "tengen" "later" (func $later (param i32) (result i32)))
        (import "tengen" "much_later" (func $much_later (result i64 f64)))"#;
    let choose = "
        (if (i32.ne (call $later (i32.const 0)) (i32.const -1)) (then (unreachable)))
        (call $much_later)
        (if (f64.ne (f64.const -1)) (then (unreachable)))
        (if (i64.ne (i64.const -1)) (then (unreachable)))";
    for isolation in ISOLATIONS {
        let reply = one_question(
            TestModule { imports, choose, ..TestModule::default() },
            isolation,
            PATIENT,
        );
        assert!(point(&reply).is_some(), "{isolation:?}: {reply:?}");
    }
}

#[test]
fn the_little_of_wasi_is_there_and_the_rest_is_not() {
    let imports = r#"
        (import "wasi_snapshot_preview1" "fd_write"
            (func $fd_write (param i32 i32 i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "clock_time_get"
            (func $clock (param i32 i64 i32) (result i32)))
        (import "wasi_snapshot_preview1" "fd_close" (func $fd_close (param i32) (result i32)))
        (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))"#;
    let choose = r#"
        (i32.store (i32.const 2048) (i32.const 1029))
        (i32.store (i32.const 2052) (i32.const 4))
        (if (call $fd_write (i32.const 2) (i32.const 2048) (i32.const 1) (i32.const 2056))
            (then (unreachable)))
        (if (i32.ne (i32.load (i32.const 2056)) (i32.const 4)) (then (unreachable)))
        (if (call $random (i32.const 2064) (i32.const 16)) (then (unreachable)))
        (if (i64.eqz (i64.load (i32.const 2064))) (then (unreachable)))
        (if (call $clock (i32.const 1) (i64.const 1) (i32.const 2080)) (then (unreachable)))
        (if (i64.eqz (i64.load (i32.const 2080))) (then (unreachable)))
        (if (i32.ne (call $fd_close (i32.const 1)) (i32.const 52)) (then (unreachable)))
        (if (i32.ne (call $random (i32.const -4) (i32.const 16)) (i32.const 21))
            (then (unreachable)))
        (call $exit (i32.const 9))"#;
    for isolation in ISOLATIONS {
        let fault = fault(TestModule { imports, choose, ..TestModule::default() }, isolation);
        assert_eq!(fault.failure, Failure::Crash);
        assert!(fault.detail.contains("exit(9)"), "{isolation:?}: {}", fault.detail);
        assert!(fault.detail.contains("Watt"), "{isolation:?}: {}", fault.detail);
    }
}

#[test]
fn modules_that_may_not_run_are_refused_by_name() {
    let shop = EngineBuilder::new();
    let text = TestModule::default().text();
    // Code is looked at when it is compiled.
    let mistyped = TestModule { choose: "(i64.const 1)", ..TestModule::default() };
    let refusals = [
        (shop.wasm("mistyped", &mistyped.text()), "no module that runs here"),
        (shop.wasm("nochoose", &text.replace("tengen_choose", "chosen")), "tengen_choose"),
        (shop.wasm("nomemory", &text.replace("(export \"memory\") 1", "1")), "memory"),
    ];
    for (spec, why) in &refusals {
        let error = probe(spec, &shop.settings()).unwrap_err().to_string();
        assert!(error.contains(why) && error.contains(&spec.id), "{error}");
        for isolation in ISOLATIONS {
            let fault = never_ready(spec, settings(&shop, isolation));
            assert_eq!(fault.failure, Failure::ProtocolError, "{isolation:?}: {}", fault.detail);
        }
    }
}

#[test]
fn an_interrupt_ends_every_question() {
    let shop = EngineBuilder::new();
    let spec = TestModule { choose: "(loop (br 0))", ..TestModule::default() }.lay(&shop);
    interrupt_two_questions(&spec, &settings(&shop, WasmIsolation::InProcess));
}

#[test]
fn one_engines_deadline_does_not_touch_another() {
    let shop = EngineBuilder::new();
    let settings = settings(&shop, WasmIsolation::InProcess);
    // Counts to a number that takes far longer than the other's deadline.
    let count = "(local $i i64) (loop
        (local.set $i (i64.add (local.get $i) (i64.const 1)))
        (br_if 0 (i64.lt_u (local.get $i) (i64.const 200000000))))";
    let text =
        TestModule::default().text().replace("(i32.store16", &format!("{count} (i32.store16"));
    let slow = shop.wasm("slow", &text);
    let stuck = TestModule { choose: "(loop (br 0))", ..TestModule::default() }.lay(&shop);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut player = in_game(&slow, &settings);
            assert!(point(&ask(&mut *player, &[], Some(PATIENT))).is_some());
        });
        let mut player = player(&stuck, &settings);
        for _ in 0..3 {
            player.new_game(&setup()).unwrap();
            assert_eq!(ask(&mut *player, &[], Some(BRIEF)).outcome, Ok(None));
        }
    });
}
