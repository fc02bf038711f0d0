//! Engines with one fault each, which the check must find and name, and the same without it.

mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, RwLock};
use std::thread;
use std::time::Duration;

use common::{ABORT, EngineBuilder};
use tengen_hosts::{CheckScope, CheckStep, EngineKind, EngineSpec, HostSettings, check, probe};

/// A fault of `tests/engines/faulty`, the check that must fail, and words that must be told.
type Case = (&'static str, &'static str, &'static str);

/// The engines of which the check once passed all but one.
const FIRST: [Case; 13] = [
    ("undo_does_nothing", "taking back", "taken back"),
    ("not_deterministic", "repeated runs", "asked again"),
    ("swaps_sides", "moves under freestyle on 20x15", ""),
    ("needs_120_ms", "100 ms for a move", "too late"),
    ("leaks", "memory and threads over 20 games", "MiB a game"),
    ("wrong_side", "the side to move", "not to move"),
    ("seeks_forbidden", "forbidden points", "forbidden"),
    ("only_15", "moves under freestyle on 20", ""),
    ("exact_sizes", "structs of other sizes", "larger"),
    ("option_aborts", "options", "option Speed = \"9\""),
    ("works_on", "work after an answer", "it worked"),
    ("bad_rule_line", "description", "line 4 of its description, `rule freestyle 15-15`"),
    ("hangs", "the end of the engine", "did not return"),
];

const MORE: [Case; 42] = [
    ("unknown_rule", "description", "`rule gomoku 15..15`"),
    ("empty_range", "description", "empty"),
    ("bad_default", "description", "out of its range"),
    ("nameless", "description", "has no name"),
    ("play_does_nothing", "playing on", ""),
    ("position_appends", "calls in odd orders", "quite another"),
    ("undo_takes_one", "taking back", "taken back"),
    ("undo_keeps_turn", "taking back", "taken back"),
    ("remembers_games", "repeated runs", "another game"),
    ("ignores_nodes", "a limit on nodes", "20000 nodes"),
    ("ignores_depth", "a limit on depth", "depth 9"),
    ("needs_70_ms", "50 ms for a move", "too late"),
    ("uses_all_time", "100 ms for a move", "too late"),
    ("leaks_threads", "memory and threads over 20 games", "threads"),
    ("leaks_slowly", "memory and threads over 20 games", "MiB a game"),
    ("writes_past", "calls in odd orders", "past the end"),
    ("reads_beyond", "structs of other sizes", "smaller"),
    ("refuses_larger", "structs of other sizes", "larger"),
    ("refuses_smaller", "structs of other sizes", "smaller"),
    ("score_of_the_other", "the sign of a score", "loses"),
    ("misses_a_diagonal", "symmetric positions", "images"),
    ("takes_any_value", "options", "cannot have"),
    ("refuses_bound", "options", "option Speed = \"9\""),
    ("takes_unknown_options", "an unknown option", "answered with 0"),
    ("option_crash", "options", "option Speed = \"9\""),
    ("offers_alike", "opening rif", "offer"),
    ("picks_outside", "opening rif", "pick"),
    ("swaps_wrongly", "opening swap", "choose"),
    ("places_anywhere", "opening pro", ""),
    ("dies_on_full", "moves under freestyle on 15", ABORT),
    ("dies_unasked", "calls in odd orders", ABORT),
    ("crashes_later", "", ABORT),
    ("end_game_fails", "the end of a game", "answered with -4"),
    ("destroy_hangs", "the end of the engine", "did not return"),
    ("repeats_itself", "another try", "occupied"),
    ("resigns", "games under freestyle on 15", "resigned"),
    ("accepts_unasked", "games under freestyle on 15", "a draw that was not offered"),
    ("squares_only", "moves under freestyle on 20x15", "-1"),
    ("no_caro", "moves under caro on 15", "-1"),
    ("keeps_size", "moves under freestyle on 10", ""),
    ("keeps_rule", "forbidden points", "forbidden"),
    ("refuses_empty", "the next game", "-2"),
];

/// Engines whose threads are counted. Only Linux tells of those that had to wait for a CPU; on
/// other systems they can be counted only while nothing else wants the CPUs.
const OVERWORKING: [Case; 2] =
    [("more_threads", "threads", MORE_THREADS), ("more_threads_if_free", "threads", MORE_THREADS)];

const MORE_THREADS: &str = if cfg!(target_os = "linux") {
    "4 threads worked; 1 allowed"
} else {
    " threads worked; 1 allowed"
};

/// Engines whose fault a quick check does not look for.
const SLOW: [Case; 3] = [
    ("refuses_undo_0", "calls in odd orders", "nothing taken back"),
    ("same_time_always", "a game on 1.5 s", "lost on time"),
    ("same_time_always", "a game in byo-yomi", "lost on time"),
];

/// The library that Cargo built beside this test.
fn library() -> PathBuf {
    let test = std::env::current_exe().expect("this test is a file");
    let (begin, end) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let name = format!("{begin}faulty{end}");
    let place =
        test.ancestors().skip(1).map(|folder| folder.join(&name)).find(|path| path.exists());
    place.expect("Cargo builds the libraries of dev-dependencies")
}

/// The library under a name that says which fault it has.
fn faulty(shop: &EngineBuilder, fault: &str) -> EngineSpec {
    let path = shop.path().join(format!("libfaulty-{fault}{}", std::env::consts::DLL_SUFFIX));
    copy(&library(), &path);
    EngineSpec::bare(path, EngineKind::Native)
}

/// The same bytes, twice on the disk only where they must be.
fn copy(from: &Path, to: &Path) {
    if !to.exists() && std::fs::hard_link(from, to).is_err() {
        std::fs::copy(from, to).expect("a copy of the library");
    }
}

fn settings(shop: &EngineBuilder) -> HostSettings {
    HostSettings { startup: Duration::from_secs(4), ..shop.settings() }
}

const QUICK: CheckScope = CheckScope { rule: None, size: None, quick: true };

/// What leaves CPUs to others, and what needs them for itself.
static CPUS: RwLock<()> = RwLock::new(());

/// Checks them side by side, and tells what was not found.
fn find(cases: &[Case], scope: CheckScope) {
    let shop = EngineBuilder::new();
    let (next, wrong) = (Mutex::new(cases.iter()), Mutex::new(BTreeMap::new()));
    thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| {
                loop {
                    let case = next.lock().unwrap().next();
                    let Some(&(fault, name, words)) = case else { return };
                    let steps = check(&faulty(&shop, fault), &settings(&shop), scope);
                    if !is_found(&steps, name, words) {
                        let failed: Vec<_> = steps.into_iter().filter(|one| !one.is_ok()).collect();
                        wrong.lock().unwrap().insert(fault, (name, failed));
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "not found: {wrong:#?}");
}

/// Whether a check of that name failed with these words and says what to do; of a fault that may
/// strike anywhere, any check.
fn is_found(steps: &[CheckStep], name: &str, words: &str) -> bool {
    steps.iter().filter(|step| !step.is_ok()).any(|step| {
        (name.is_empty() || step.name == name)
            && step.detail.contains(words)
            && step.advice.is_some()
    })
}

#[test]
fn the_first_thirteen_wrong_engines_fail() {
    let _shared = CPUS.read();
    find(&FIRST, QUICK);
}

#[test]
fn further_wrong_engines_fail() {
    let _shared = CPUS.read();
    find(&MORE, QUICK);
}

#[test]
fn more_threads_than_allowed_are_found() {
    let _alone = CPUS.write();
    for case in OVERWORKING {
        find(&[case], QUICK);
    }
}

#[test]
fn what_takes_longer_is_found_by_the_whole_check() {
    let _shared = CPUS.read();
    find(&SLOW, CheckScope::default());
}

#[test]
fn the_same_engine_without_a_fault_passes() {
    let _shared = CPUS.read();
    let shop = EngineBuilder::new();
    for scope in [QUICK, CheckScope::default()] {
        let steps = check(&faulty(&shop, "sound"), &settings(&shop), scope);
        let failed: Vec<_> = steps.iter().filter(|step| !step.is_ok()).collect();
        assert!(failed.is_empty(), "{failed:#?}");
        assert!(steps.len() > 30, "{steps:#?}");
    }
}

#[test]
fn an_engine_is_checked_with_the_options_that_it_will_have() {
    let _shared = CPUS.read();
    let shop = EngineBuilder::new();
    let mut spec = faulty(&shop, "option_aborts");
    spec.set_option("Speed", "9");
    let steps = check(&spec, &settings(&shop), QUICK);
    let last = steps.last().expect("it is loaded");
    assert!(last.name == "load" && !last.is_ok() && last.detail.contains(ABORT), "{last:?}");
    let mut spec = faulty(&shop, "sound");
    spec.set_option("Speed", "7");
    let steps = check(&spec, &settings(&shop), QUICK);
    let options = steps.iter().find(|step| step.name == "options").expect("they are checked");
    assert!(options.is_ok() && options.detail.contains("Speed=7"), "{options:?}");
}

#[test]
fn a_malformed_description_is_refused_with_its_line() {
    let _shared = CPUS.read();
    let shop = EngineBuilder::new();
    let error = probe(&faulty(&shop, "bad_rule_line"), &settings(&shop)).unwrap_err().to_string();
    assert!(error.contains("line 4 of its description, `rule freestyle 15-15`"), "{error}");
}

#[test]
fn the_first_hang_is_the_last_check() {
    let _shared = CPUS.read();
    let shop = EngineBuilder::new();
    let steps = check(&faulty(&shop, "hangs"), &settings(&shop), CheckScope::default());
    let failed = steps.iter().filter(|step| !step.is_ok()).count();
    let last = steps.last().expect("there are steps");
    assert!(failed == 1 && last.name == "everything else", "{steps:#?}");
    assert!(!shop.has_processes());
}

/// An engine in WebAssembly that answers with the first empty point, with these functions for
/// those that a fault may be in.
fn module(new_game: &str, undo: &str, choose: &str, buffer: &str) -> String {
    format!(
        r#"(module
        (memory (export "memory") 4)
        (global $width (mut i32) (i32.const 15))
        (global $height (mut i32) (i32.const 15))
        (global $plies (mut i32) (i32.const 0))
        (data (i32.const 16) "name Module\0arule freestyle 10..20\0a\00")
        (func (export "tengen_abi_v1") (result i32) i32.const 1)
        (func (export "tengen_describe") (result i32) i32.const 16)
        (func (export "tengen_create") (param i32) (result i32) i32.const 8)
        (func $clear
          (memory.fill (i32.const 4096) (i32.const 0) (i32.const 1024))
          (global.set $plies (i32.const 0)))
        (func $at (param $move i32) (result i32)
          (i32.add (i32.const 4096)
            (i32.add (i32.and (local.get $move) (i32.const 255))
              (i32.mul (i32.shr_u (local.get $move) (i32.const 8)) (i32.const 32)))))
        (func $play (export "tengen_play") (param $e i32) (param $move i32) (result i32)
          (if (i32.lt_u (local.get $move) (i32.const 0xFFFE))
            (then (i32.store8 (call $at (local.get $move)) (i32.const 1))))
          (i32.store16 (i32.add (i32.const 8192) (i32.mul (global.get $plies) (i32.const 2)))
            (local.get $move))
          (global.set $plies (i32.add (global.get $plies) (i32.const 1)))
          i32.const 0)
        (func (export "tengen_new_game") (param $e i32) (param $game i32) (result i32)
          {new_game}
          (global.set $width (i32.load16_u offset=4 (local.get $game)))
          (global.set $height (i32.load16_u offset=6 (local.get $game)))
          (call $clear)
          i32.const 0)
        (func (export "tengen_set_position") (param $e i32) (param $moves i32) (param $count i32)
            (result i32)
          (local $i i32)
          (call $clear)
          (block $done (loop $next
            (br_if $done (i32.ge_u (local.get $i) (local.get $count)))
            (drop (call $play (local.get $e)
              (i32.load16_u (i32.add (local.get $moves) (i32.mul (local.get $i) (i32.const 2))))))
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br $next)))
          i32.const 0)
        (func (export "tengen_undo") (param $e i32) (param $count i32) (result i32)
          (local $move i32)
          {undo}
          (block $done (loop $next
            (br_if $done (i32.eqz (local.get $count)))
            (global.set $plies (i32.sub (global.get $plies) (i32.const 1)))
            (local.set $move (i32.load16_u
              (i32.add (i32.const 8192) (i32.mul (global.get $plies) (i32.const 2)))))
            (i32.store8 (call $at (local.get $move)) (i32.const 0))
            (local.set $count (i32.sub (local.get $count) (i32.const 1)))
            (br $next)))
          i32.const 0)
        (func (export "tengen_choose") (param $e i32) (param $limits i32) (param $reply i32)
            (result i32)
          (local $x i32) (local $y i32) (local $move i32)
          {choose}
          (block $found (loop $next
            (local.set $move (i32.or (local.get $x) (i32.shl (local.get $y) (i32.const 8))))
            (br_if $found (i32.eqz (i32.load8_u (call $at (local.get $move)))))
            (local.set $x (i32.add (local.get $x) (i32.const 1)))
            (if (i32.ge_u (local.get $x) (global.get $width))
              (then (local.set $x (i32.const 0))
                (local.set $y (i32.add (local.get $y) (i32.const 1)))))
            (br_if $next (i32.lt_u (local.get $y) (global.get $height)))))
          (i32.store16 offset=8 (local.get $reply) (local.get $move))
          i32.const 0)
        (func (export "tengen_buffer") (param $bytes i32) (result i32) {buffer}))"#
    )
}

#[test]
fn wrong_modules_fail_and_a_sound_one_passes() {
    let _shared = CPUS.read();
    let shop = EngineBuilder::new();
    let checked = |name: &str, text: String| {
        let steps = check(&shop.wasm(name, &text), &settings(&shop), QUICK);
        assert!(steps.len() > 5, "{name}: {steps:#?}");
        steps
    };
    let room = "i32.const 65536";
    let sound = checked("sound", module("", "", "", room));
    assert!(sound.iter().all(CheckStep::is_ok), "{sound:#?}");
    let grows = "(drop (memory.grow (i32.const 32)))
        (memory.fill (i32.mul (i32.sub (memory.size) (i32.const 32)) (i32.const 65536))
          (i32.const 1) (i32.const 2097152))";
    let past = "(i64.store offset=48 (local.get $reply) (i64.const 0))
        (i64.store offset=80 (local.get $reply) (i64.const 0))";
    let turned = "(global.set $height (i32.load16_u offset=4 (local.get $game)))
        (global.set $width (i32.load16_u offset=6 (local.get $game)))
        (call $clear) (return (i32.const 0))";
    let exact = "(if (i32.ne (i32.load (local.get $game)) (i32.const 88))
        (then (return (i32.const -2))))";
    for (name, text, step, words) in [
        ("leaks", module(grows, "", "", room), "memory and threads over 20 games", "MiB a game"),
        ("undo", module("", "(return (i32.const 0))", "", room), "taking back", ""),
        ("traps", module("", "", "unreachable", room), "calls in odd orders", "unreachable"),
        ("past", module("", "", past, room), "calls in odd orders", "past the end"),
        ("turned", module(turned, "", "", room), "moves under freestyle on 20x15", ""),
        ("exact", module(exact, "", "", room), "structs of other sizes", "larger"),
        ("roomless", module("", "", "", "i32.const 0"), "calls in odd orders", "no room"),
        ("outside", module("", "", "", "i32.const 0x7FFF0000"), "calls in odd orders", "outside"),
    ] {
        let steps = checked(name, text);
        let failed: Vec<_> = steps.iter().filter(|step| !step.is_ok()).collect();
        assert!(is_found(&steps, step, words), "{name}: {failed:#?}");
    }
}

#[cfg(unix)]
#[test]
fn a_text_engine_that_is_always_too_late_is_not_asked_for_more() {
    let _shared = CPUS.read();
    let shop = EngineBuilder::new();
    let spec = common::script(&shop, "cmd:", "wrong.py thinks_long");
    let steps = check(&spec, &shop.settings(), QUICK);
    assert!(is_found(&steps, "time for a move", "though it had 1000 ms"), "{steps:#?}");
    let last = steps.last().expect("there are steps");
    assert_eq!(
        (last.name.as_str(), last.verdict),
        ("everything else", tengen_hosts::CheckVerdict::NotChecked)
    );
    assert!(last.detail.contains("long after their time"), "{steps:#?}");
}

/// The moves after BEGIN and BOARD follow moves of the engine's own: where it chooses those by
/// chance, each check sees another number of late ones.
#[cfg(unix)]
#[test]
fn however_many_later_moves_of_a_text_engine_are_late_it_is_asked_the_same() {
    let _shared = CPUS.read();
    let shop = EngineBuilder::new();
    let verdicts = |mode: &str| {
        let spec = common::script(&shop, "cmd:", &format!("wrong.py {mode}"));
        let steps = check(&spec, &shop.settings(), QUICK);
        assert!(is_found(&steps, "time for a move", "though it had 1000 ms"), "{steps:#?}");
        steps.into_iter().map(|step| (step.name, step.verdict)).collect::<Vec<_>>()
    };
    let once = verdicts("thinks_long_at_begin");
    assert_eq!(verdicts("thinks_long_after_begin"), once);
    let failed = once.iter().filter(|(_, verdict)| *verdict == tengen_hosts::CheckVerdict::Failed);
    assert_eq!(failed.count(), 1, "{once:?}");
}

#[cfg(unix)]
#[test]
fn a_text_engine_that_is_now_and_then_too_late_has_one_verdict_for_it() {
    let _shared = CPUS.read();
    let shop = EngineBuilder::new();
    let mode = "wrong.py thinks_about_as_long_as_a_game_forgives";
    let steps = check(&common::script(&shop, "cmd:", mode), &shop.settings(), QUICK);
    let failed: Vec<_> = steps.iter().filter(|step| !step.is_ok()).collect();
    assert_eq!(failed.len(), 1, "{steps:#?}");
    assert!(is_found(&steps, "time for a move", "though it had 1000 ms"), "{steps:#?}");
}

#[cfg(unix)]
#[test]
fn wrong_text_engines_fail_and_a_sound_one_passes() {
    let _shared = CPUS.read();
    let shop = EngineBuilder::new();
    let settings = HostSettings { startup: Duration::from_secs(8), ..shop.settings() };
    let checked = |mode: &str| {
        let spec = common::script(&shop, "cmd:", &format!("wrong.py {mode}"));
        check(&spec, &settings, QUICK)
    };
    let sound = checked("sound");
    assert!(sound.iter().all(CheckStep::is_ok), "{sound:#?}");
    let told = |step: &CheckStep| step.name == "a game in byo-yomi" && step.detail.contains("of 7");
    assert!(sound.iter().any(told), "{sound:#?}");
    for (mode, step, words) in [
        ("outside", "BEGIN", "not on the board"),
        ("outside_late", "games under freestyle on 15", "not on the board"),
        ("deaf_to_board", "BOARD again", "occupied"),
        ("deaf_to_turn", "games under freestyle on 15", "occupied"),
        ("wrong_side", "the side to move", "not to move"),
        ("hangs", "TURN", ""),
        ("works_on", "work after an answer", "it worked"),
        ("leaks", "memory over 10 games", "MiB a game"),
        ("never_ends", "END", "within a second"),
    ] {
        let steps = checked(mode);
        let failed: Vec<_> = steps.iter().filter(|step| !step.is_ok()).collect();
        assert!(is_found(&steps, step, words), "{mode}: {failed:#?}");
    }
    // No fault where it gets a new process for each game, which is said.
    let again = |steps: &[CheckStep]| {
        steps.iter().find(|step| step.name == "START again").map(|step| step.detail.clone())
    };
    assert!(again(&sound).expect("it is asked").contains("empty board"), "{sound:#?}");
    // One that plays something else each time is seen to clear its board as well.
    let steps = checked("varies_sound");
    assert!(again(&steps).expect("it is asked").contains("empty board"), "{steps:#?}");
    for mode in ["forgets_start", "varies_forgets_start"] {
        let steps = checked(mode);
        assert!(again(&steps).expect("it is asked").contains("a new process"), "{steps:#?}");
        assert!(steps.iter().all(CheckStep::is_ok), "{steps:#?}");
    }
}
