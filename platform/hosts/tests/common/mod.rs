//! What the tests of this crate share: engines built on the spot, and a table of one.
#![allow(dead_code)]

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use tengen_arbiter::{Action, Limits, Nanos, TimeControl};
use tengen_hosts::{EngineKind, EngineSpec, HostSettings, player};
use tengen_players::{GameSetup, GameVariant, Player, RealTime, Reply, Request};
use tengen_rules::{Answer, Ask, Move, Point, Procedure, Rule, Seat, Size, Zone};
pub use tengen_testkit::compile_source as compile;

/// Long enough for any engine here that is not stopped on purpose.
pub const PATIENT: Nanos = 20_000_000_000;
/// Soon over, for engines that never answer.
pub const BRIEF: Nanos = 30_000_000;

/// What is told of a process that read or wrote where no memory is, and of one that aborted.
pub const SEGFAULT: &str = if cfg!(windows) { "an access violation" } else { "SIGSEGV" };
pub const ABORT: &str = if cfg!(windows) { "an abort" } else { "SIGABRT" };

/// A folder of engines that goes with the test.
pub struct EngineBuilder {
    dir: tempfile::TempDir,
}

impl EngineBuilder {
    pub fn new() -> EngineBuilder {
        EngineBuilder { dir: tempfile::tempdir().expect("a folder for engines") }
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Settings that use this crate's own host as the child process.
    pub fn settings(&self) -> HostSettings {
        let mut settings = HostSettings::new(env!("CARGO_BIN_EXE_tengen-host"));
        settings.cache = Some(self.path().join("cache"));
        settings
    }

    /// Compiles `bad.c` with that behaviour.
    pub fn bad(&self, behaviour: &str) -> EngineSpec {
        self.native(&[&format!("-DBAD={behaviour}")], behaviour)
    }

    /// Compiles `bad.c` with these definitions.
    pub fn native(&self, defines: &[&str], name: &str) -> EngineSpec {
        let library = self.path().join(format!("{name}{}", std::env::consts::DLL_SUFFIX));
        let flags = [&["-shared", "-fPIC", "-O1", "-Wall"], defines].concat();
        compile("platform/hosts/tests/engines/bad.c", &library, &flags);
        EngineSpec::bare(library, EngineKind::Native)
    }

    /// The living processes that run an engine of the workshop.
    pub fn processes(&self) -> Vec<u32> {
        let mut pids = self.all_processes();
        pids.retain(|pid| {
            let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
            name.trim() != "tengen-init"
        });
        pids
    }

    /// Those that have an engine of the workshop on their command line. What watches over all of
    /// them, or starts them, is none.
    pub fn all_processes(&self) -> Vec<u32> {
        let name = self.path().to_str().expect("a temporary folder has a plain name");
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let is_ours = |pid: &u32| {
            let command = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let command = String::from_utf8_lossy(&command);
            let is_warden = ["--reaper", "--zygote"].iter().any(|word| command.contains(word));
            command.contains(name) && !is_warden
        };
        let pids = processes.filter_map(|process| process.file_name().to_str()?.parse().ok());
        pids.filter(is_ours).collect()
    }

    /// Whether one of them stays.
    pub fn has_processes(&self) -> bool {
        self.all_processes().into_iter().any(|pid| !is_gone(pid))
    }

    /// Lays down a module written as text.
    pub fn wasm(&self, name: &str, text: &str) -> EngineSpec {
        let bytes = wat::parse_str(text).expect("a module in the text format");
        self.file(&format!("{name}.wasm"), &bytes, EngineKind::Wasm)
    }

    /// Lays down any file as an engine.
    pub fn file(&self, name: &str, bytes: &[u8], kind: EngineKind) -> EngineSpec {
        let path = self.path().join(name);
        std::fs::write(&path, bytes).expect("the engine's file is written");
        EngineSpec::bare(path, kind)
    }
}

/// An engine in WebAssembly that plays the centre, with parts of it replaced.
#[derive(Clone, Copy, Default)]
pub struct TestModule<'a> {
    pub imports: &'a str,
    /// Beside the functions.
    pub data: &'a str,
    pub choose: &'a str,
}

impl TestModule<'_> {
    pub fn text(&self) -> String {
        let TestModule { imports, data, choose } = self;
        format!(
            r#"(module
                {imports}
                (memory (export "memory") 1)
                (data (i32.const 1024) "name Watt\nversion 7\n\00")
                {data}
                (func (export "tengen_abi_v1") (result i32) (i32.const 0))
                (func (export "tengen_describe") (result i32) (i32.const 1024))
                (func (export "tengen_create") (param i32) (result i32) (i32.const 16))
                (func (export "tengen_new_game") (param i32 i32) (result i32) (i32.const 0))
                (func (export "tengen_set_position") (param i32 i32 i32) (result i32)
                    (i32.const 0))
                (func (export "tengen_buffer") (param i32) (result i32) (i32.const 4096))
                (func $choose (export "tengen_choose") (param i32 i32 i32) (result i32)
                    (i32.store16 offset=8 (local.get 2) (i32.const 0x0707))
                    {choose} (i32.const 0)))"#
        )
    }

    pub fn lay(&self, shop: &EngineBuilder) -> EngineSpec {
        shop.wasm("watt", &self.text())
    }
}

/// Settings whose engines run as on a machine that lacks these layers of the sandbox.
pub fn without(shop: &EngineBuilder, layers: &[&str]) -> HostSettings {
    let program = shop.path().join(format!("host:{}", layers.join(":")));
    let host = format!("-DHOST=\"{}\"", env!("CARGO_BIN_EXE_tengen-host"));
    compile("platform/hosts/tests/engines/without.c", &program, &[&host]);
    HostSettings { program, ..shop.settings() }
}

/// A game of gomoku's plainest kind.
pub fn setup() -> GameSetup {
    let (rule, size, opening) = (Rule::Freestyle, Size::STANDARD, Procedure::None);
    let setup = GameVariant { rule, size, opening }.setup(Seat::First, TimeControl::default());
    GameSetup { seed: 1, ..setup }
}

/// A player whose first game has begun.
pub fn in_game(spec: &EngineSpec, settings: &HostSettings) -> Box<dyn Player> {
    let mut player = player(spec, settings);
    player.new_game(&setup()).expect("the first game begins");
    player
}

/// Asks for a move after these stones.
pub fn ask(player: &mut dyn Player, moves: &[Move], patience: Option<Nanos>) -> Reply {
    ask_within(player, moves, Limits { hard: patience, ..Limits::default() }, patience)
}

/// Asks for a move under these limits.
pub fn ask_within(
    player: &mut dyn Player,
    moves: &[Move],
    limits: Limits,
    patience: Option<Nanos>,
) -> Reply {
    let ask = Ask::Move { zone: Zone::Anywhere };
    let request = Request { limits, patience, ..Request::new(moves, ask) };
    player.ask(&request, &RealTime::new())
}

/// Interrupts two players that were each asked a question which they never answer.
pub fn interrupt_two_questions(spec: &EngineSpec, settings: &HostSettings) {
    thread::scope(|scope| {
        let (begun, begins) = std::sync::mpsc::channel();
        for _ in 0..2 {
            let begun = begun.clone();
            scope.spawn(move || {
                let mut player = player(spec, settings);
                player.new_game(&setup()).unwrap();
                begun.send(()).unwrap();
                let fault = ask(&mut *player, &[], None).outcome.unwrap_err();
                assert_eq!(fault.detail, "interrupted");
                assert!(player.new_game(&setup()).is_err());
            });
        }
        for () in begins.iter().take(2) {}
        settings.interrupt.raise();
    });
    assert!(settings.interrupt.is_raised());
}

pub fn stone(text: &str) -> Move {
    Move::Stone(text.parse::<Point>().expect("a point"))
}

/// The point of a reply that plays a stone.
pub fn point(reply: &Reply) -> Option<Point> {
    match &reply.outcome {
        Ok(Some(Action::Answer(Answer::Move(Move::Stone(point))))) => Some(*point),
        _ => None,
    }
}

/// Whether that process is gone, or will not run again. What was killed is not always reaped at
/// once where it has no parent any more.
pub fn is_gone(pid: u32) -> bool {
    within(Duration::from_secs(10), || matches!(state(pid), None | Some('Z' | 'X')))
}

/// A field of `/proc/PID/stat`, counted from 3: the first after the name, which is in brackets.
pub fn stat_field(pid: u32, number: usize) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit(')').next()?.split_whitespace().nth(number - 3).map(str::to_owned)
}

/// The state of a process, as a letter: `R` runs, `S` waits, `T` is stopped.
pub fn state(pid: u32) -> Option<char> {
    stat_field(pid, 3)?.chars().next()
}

/// The CPU time of a process in ticks of the kernel's clock.
pub fn ticks(pid: u32) -> u64 {
    // The 14th field is user time, the 15th system time.
    [14, 15].map(|number| stat_field(pid, number).unwrap().parse::<u64>().unwrap()).iter().sum()
}

/// Whether something comes true in that time. What it is asked again and again is the only work.
pub fn within(patience: Duration, mut is_true: impl FnMut() -> bool) -> bool {
    let since = Instant::now();
    while !is_true() {
        if since.elapsed() > patience {
            return false;
        }
        thread::yield_now();
    }
    true
}

/// The number after a word in an account of a failure.
pub fn number_after(word: &str, detail: &str) -> Option<u32> {
    let after = detail.split(word).nth(1)?.trim_start();
    after.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// A brain of `tests/brains/brain.c` in that mode, its program a copy in the workshop.
pub fn quirk(shop: &EngineBuilder, mode: &str) -> EngineSpec {
    let program = shop.path().join("pbrain-quirk");
    if !program.exists() {
        std::fs::copy(compiled_brain("brain"), &program).expect("a copy of the brain");
    }
    command(shop, &format!("cmd:./pbrain-quirk {mode}"))
}

/// A brain of `tests/brains/searcher.c` that computes in so many threads, each for so many
/// milliseconds; without end if that is 0, and not at all if it is less.
pub fn searcher(shop: &EngineBuilder, threads: u32, ms: i32) -> EngineSpec {
    let program = shop.path().join("pbrain-searcher");
    if !program.exists() {
        std::fs::copy(compiled_brain("searcher"), &program).expect("a copy of the brain");
    }
    command(shop, &format!("cmd:./pbrain-searcher {threads} {ms}"))
}

/// A brain of `tests/brains/tail.c`, which works on after its answer in that mode.
pub fn tail(shop: &EngineBuilder, mode: &str) -> EngineSpec {
    let program = shop.path().join("pbrain-tail");
    compile("tests/brains/tail.c", &program, &BRAIN_FLAGS);
    command(shop, &format!("cmd:./pbrain-tail {mode}"))
}

/// A brain of `tests/engines/bad_brain.c` with that behaviour.
pub fn bad_brain(shop: &EngineBuilder, behaviour: &str) -> EngineSpec {
    let program = shop.path().join("pbrain-bad");
    let flags = ["-w", "-O1", "-pthread", &format!("-DBAD={behaviour}")];
    compile("tests/engines/bad_brain.c", &program, &flags);
    command(shop, "cmd:./pbrain-bad")
}

/// A script of `tests/brains` with its arguments, run by Python: `cmd:` a brain, `sau:` the other.
pub fn script(shop: &EngineBuilder, prefix: &str, words: &str) -> EngineSpec {
    let (name, arguments) = words.split_once(' ').unwrap_or((words, ""));
    std::fs::copy(brains().join(name), shop.path().join(name)).expect("a copy of the script");
    command(shop, &format!("{prefix}python3 {name} {arguments}"))
}

/// An engine that a command names, in the workshop.
pub fn command(shop: &EngineBuilder, command: &str) -> EngineSpec {
    let found = tengen_hosts::package::command(command, Some(shop.path()), None);
    found.expect("a command").expect("its program is there")
}

const BRAIN_FLAGS: [&str; 6] = ["-O1", "-Wall", "-Wextra", "-Werror", "-std=c11", "-pthread"];

fn brains() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/brains")
}

/// Compiles a brain of that name where its source is newer.
fn compiled_brain(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let source = brains().join(name).with_extension("c");
    let binary = folder.join(format!("compiled-{name}"));
    let written = |path: &Path| std::fs::metadata(path).and_then(|file| file.modified()).ok();
    if written(&binary) > written(&source) {
        return binary;
    }
    // Tests run in processes of their own, side by side.
    let thread = format!("{:?}", std::thread::current().id()).replace(['(', ')'], "");
    let mine = binary.with_extension(format!("{}-{thread}", std::process::id()));
    compile(&format!("tests/brains/{name}.c"), &mine, &BRAIN_FLAGS);
    std::fs::rename(&mine, &binary).expect("a folder of our own");
    binary
}
