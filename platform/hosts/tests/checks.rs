//! The conformance check, on engines that pass and on engines that do not.
#![cfg(unix)]

mod common;

use std::time::Duration;

use common::Workshop;
use tengen_hosts::{CheckStep, EngineSpec, HostSettings, check};

fn failed(steps: &[CheckStep]) -> Vec<&str> {
    steps.iter().filter(|step| !step.ok).map(|step| step.name.as_str()).collect()
}

#[test]
fn the_builtin_engine_passes() {
    let shop = Workshop::new();
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
    let shop = Workshop::new();
    let settings = shop.settings();
    let steps = check(&shop.bad("GOOD"), &settings);
    assert_eq!(failed(&steps), Vec::<&str>::new(), "{steps:#?}");

    let steps = check(&shop.bad("LIE"), &settings);
    assert!(failed(&steps).contains(&"moves under freestyle on 15"), "{steps:#?}");

    let steps = check(&shop.bad("CRASH"), &settings);
    let step = steps.iter().find(|step| step.name == "a draw offer").expect("it is asked");
    assert!(!step.ok && step.detail.contains("SIGSEGV"), "{step:?}");

    let steps = check(&shop.native(&["-DBAD=GOOD", "-DNO_CHOOSE"], "nochoose"), &settings);
    assert_eq!(failed(&steps), ["file"]);
    assert!(steps[0].detail.contains("tengen_choose"), "{steps:?}");
}

#[test]
fn a_function_that_never_returns_is_named() {
    let shop = Workshop::new();
    let settings = HostSettings { startup: Duration::from_secs(1), ..shop.settings() };
    for (function, name) in [("undo", "taking back"), ("destroy", "the end of the engine")] {
        let looping = format!("-DLOOP_IN=\"{function}\"");
        let spec = shop.native(&["-DBAD=GOOD", "-DWITH_ALL", &looping], function);
        let steps = check(&spec, &settings);
        let step = steps.iter().find(|step| step.name == name).expect("it is asked");
        assert!(!step.ok && step.detail.contains("within 1s"), "{function}: {steps:#?}");
        assert!(!shop.has_processes(), "{function}: its process is left");
    }
}
