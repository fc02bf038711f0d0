//! A client that listens to an engine hears it while it thinks.

mod common;

use std::fmt::Write;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use common::{EngineBuilder, PATIENT, TestModule, in_game};
use tengen_abi::{Info, MoveCode, Score, Wire, have};
use tengen_arbiter::SearchInfo;
use tengen_hosts::{EngineSpec, HostSettings, Interrupt, WasmIsolation};
use tengen_players::{Listener, RealTime, Reply, Request, SearchProgress, Subscription};
use tengen_rules::{Ask, Zone};

/// Keeps what it hears, and stops the engine when it hears of a second line.
#[derive(Default, Debug)]
struct CollectingListener {
    progress: Mutex<Vec<SearchProgress>>,
    text: Mutex<String>,
    changed: Condvar,
    interrupt: Interrupt,
}

impl CollectingListener {
    fn waits_for(&self, words: &str) -> bool {
        let text = self.text.lock().unwrap();
        let missing = |text: &mut String| !text.contains(words);
        let patience = Duration::from_nanos(PATIENT);
        !self.changed.wait_timeout_while(text, patience, missing).unwrap().1.timed_out()
    }
}

impl Listener for CollectingListener {
    fn progress(&self, progress: SearchProgress) {
        let is_second = progress.line == 2;
        self.progress.lock().unwrap().push(progress);
        if is_second {
            self.interrupt.raise();
        }
    }

    fn message(&self, text: &str) {
        writeln!(self.text.lock().unwrap(), "{text}").unwrap();
        self.changed.notify_all();
    }
}

/// Asks an engine that never answers, until it was heard.
fn listen(spec: &EngineSpec, settings: HostSettings) -> (Arc<CollectingListener>, Reply) {
    let ear = Arc::new(CollectingListener {
        interrupt: settings.interrupt.clone(),
        ..CollectingListener::default()
    });
    let listener: Arc<dyn Listener> = ear.clone();
    let mut player = in_game(spec, &settings);
    let watch = Some(Subscription { listener: &listener, lines: 2 });
    let question = Request::new(&[], Ask::Move { zone: Zone::Anywhere });
    let request = Request { patience: Some(PATIENT), watch, ..question };
    let reply = player.ask(&request, &RealTime::new());
    (ear, reply)
}

fn expect(ear: &CollectingListener, reply: &Reply) {
    // Interrupted: it was heard before its time was up.
    assert_eq!(reply.outcome.as_ref().unwrap_err().detail, "interrupted");
    let info = SearchInfo { eval: Some(35), depth: 5, nodes: 1234, ..SearchInfo::default() };
    assert_eq!(reply.info, Some(info), "the second line is not what is answered");
    assert_eq!(reply.pv, [common::stone("h8"), common::stone("h9")], "nor is its line");
    let progress = ear.progress.lock().unwrap();
    let [latest, second] = progress.as_slice() else { panic!("{progress:?}") };
    let pv = vec![common::stone("h8"), common::stone("h9")];
    assert_eq!(*latest, SearchProgress { line: 1, info, elapsed: 7000, pv });
    assert_eq!(*second, SearchProgress { line: 2, info, elapsed: 7000, pv: Vec::new() });
}

#[test]
fn a_native_engine_is_heard_while_it_thinks() {
    let shop = EngineBuilder::new();
    let (ear, reply) = listen(&shop.bad("TALKS"), shop.settings());
    expect(&ear, &reply);
    // What C prints on Windows ends in CR and LF.
    let end = if cfg!(windows) { "\r\n" } else { "\n" };
    assert!(ear.waits_for("thinking\n") && ear.waits_for(&format!("a word aside{end}")));
    assert_eq!(ear.text.lock().unwrap().matches("aside").count(), 1);
}

#[test]
fn a_module_is_heard_wherever_it_runs() {
    let score = Score { eval: 35, have: have::EVAL, ..Score::default() };
    let (depth, nodes, elapsed_us) = (5, 1234, 7);
    let info = Info { depth, nodes, elapsed_us, score, ..Info::default() };
    let hex = |info: Info| {
        let mut text = String::new();
        let pv = [MoveCode::xy(7, 7), MoveCode::xy(7, 8)].map(|code| code.0.to_le_bytes());
        for byte in info.to_bytes().iter().chain(pv.as_flattened()) {
            write!(text, "\\{byte:02x}").unwrap();
        }
        text
    };
    let latest = hex(Info { multipv: 1, pv_len: 2, ..info });
    let second = hex(Info { multipv: 2, ..info });
    let data = format!(
        r#"(data (i32.const 2048) "{latest}") (data (i32.const 3072) "{second}")
            (data (i32.const 5120) "thinking")"#
    );
    let module = TestModule {
        imports: r#"(import "tengen" "send" (func $send (param i32 i32 i32 i32) (result i32)))"#,
        data: &data,
        choose: "(drop (call $send (i32.const 0) (i32.const 1) (i32.const 5120) (i32.const 8)))
            (drop (call $send (i32.const 0) (i32.const 2) (i32.const 2048) (i32.const 60)))
            (drop (call $send (i32.const 0) (i32.const 2) (i32.const 3072) (i32.const 60)))
            (loop (br 0))",
    };
    for isolation in [WasmIsolation::Child, WasmIsolation::InProcess] {
        let shop = EngineBuilder::new();
        let settings = HostSettings { isolation, ..shop.settings() };
        let (ear, reply) = listen(&module.lay(&shop), settings);
        expect(&ear, &reply);
        assert!(ear.waits_for("thinking\n"), "{isolation:?}");
    }
}
