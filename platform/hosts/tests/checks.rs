//! The conformance check, on engines that pass and on engines that do not.

mod common;

use std::time::Duration;

use common::{EngineBuilder, TestModule};
use tengen_hosts::{CheckScope, CheckStep, EngineSpec, HostSettings};
use tengen_rules::{Rule, Size};

/// Checks an engine on all that it plays, as quickly as may be.
fn check(spec: &EngineSpec, settings: &HostSettings) -> Vec<CheckStep> {
    tengen_hosts::check(spec, settings, CheckScope { quick: true, ..CheckScope::default() })
}

fn failed(steps: &[CheckStep]) -> Vec<&str> {
    steps.iter().filter(|step| !step.is_ok()).map(|step| step.name.as_str()).collect()
}

#[test]
fn the_builtin_engine_passes() {
    let shop = EngineBuilder::new();
    let spec = EngineSpec::builtin("alphabeta").expect("alphabeta is built in");
    let steps = check(&spec, &shop.settings());
    assert_eq!(failed(&steps), Vec::<&str>::new(), "{steps:#?}");
    let has = |name: &str| steps.iter().any(|step| step.name == name);
    for name in ["opening swap2", "opening contest", "moves under renju on 15", "taking back"] {
        assert!(has(name), "{name}: {steps:#?}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let shop = EngineBuilder::new();
    let settings = shop.settings();
    let steps = check(&shop.bad("GOOD"), &settings);
    assert_eq!(failed(&steps), Vec::<&str>::new(), "{steps:#?}");

    let steps = check(&shop.bad("LIE"), &settings);
    assert!(failed(&steps).contains(&"moves under freestyle on 15"), "{steps:#?}");

    let steps = check(&shop.bad("CRASH"), &settings);
    let step = steps.iter().find(|step| step.name == "a draw offer").expect("it is asked");
    assert!(!step.is_ok() && step.detail.contains(common::SEGFAULT), "{step:?}");

    let steps = check(&shop.native(&["-DBAD=GOOD", "-DNO_CHOOSE"], "nochoose"), &settings);
    assert_eq!(failed(&steps), ["file"]);
    assert!(steps[0].detail.contains("tengen_choose"), "{steps:?}");
}

#[test]
fn a_function_that_never_returns_is_named() {
    let shop = EngineBuilder::new();
    let settings = HostSettings { startup: Duration::from_secs(1), ..shop.settings() };
    for (function, name) in [("undo", "calls in odd orders"), ("destroy", "the end of the engine")]
    {
        let looping = format!("-DLOOP_IN=\"{function}\"");
        let spec = shop.native(&["-DBAD=GOOD", "-DWITH_ALL", &looping], function);
        let steps = check(&spec, &settings);
        let step = steps.iter().find(|step| step.name == name).expect("it is asked");
        assert!(!step.is_ok() && step.detail.contains("within 1s"), "{function}: {steps:#?}");
        assert!(!shop.has_processes(), "{function}: its process is left");
    }
}

#[test]
fn an_answer_after_its_deadline_fails() {
    let shop = EngineBuilder::new();
    let time = |defines: &[&str], name: &str| {
        let defines = [&["-DBAD=SPENDS_TIME"], defines].concat();
        let steps = check(&shop.native(&defines, name), &shop.settings());
        steps.into_iter().find(|step| step.name == "100 ms for a move").expect("it is asked")
    };
    for (reserve, name) in [("-DRESERVE_US=0", "raw"), ("-DRESERVE_US=-1500", "late")] {
        let step = time(&[reserve], name);
        assert!(!step.is_ok() && step.detail.contains("too late"), "{name}: {step:?}");
    }
    let step = time(&[], "documented");
    assert!(step.is_ok(), "what tengen.h says to keep back is enough: {step:?}");
}

#[test]
fn an_engine_is_checked_on_the_board_and_under_the_rule_asked_for() {
    let shop = EngineBuilder::new();
    let spec = EngineSpec::builtin("alphabeta").expect("alphabeta is built in");
    let (size, rule) = (Size::new(20, 15).ok(), Some(Rule::Renju));
    let steps =
        tengen_hosts::check(&spec, &shop.settings(), CheckScope { rule, size, quick: true });
    assert_eq!(failed(&steps), Vec::<&str>::new(), "{steps:#?}");
    let moves = steps.iter().filter(|step| step.name.starts_with("moves under"));
    let moves: Vec<_> = moves.map(|step| step.name.as_str()).collect();
    assert_eq!(moves, ["moves under renju on 20x15"]);
    // It can be loaded, and plays on one board alone.
    let narrow = TestModule::default().text().replace("version 7", "rule renju 15..15");
    let narrow = shop.wasm("narrow", &narrow);
    let steps =
        tengen_hosts::check(&narrow, &shop.settings(), CheckScope { rule, size, quick: true });
    assert_eq!(failed(&steps), ["board"], "{steps:#?}");
    assert!(steps.iter().any(|step| step.detail.contains("renju on 15 to 15")), "{steps:#?}");
}
