//! The debugger that looks at an engine's process: gdb, or one that a person attaches.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tengen_hosts::{EngineKind, EngineSpec};
use tengen_lineup::lock;

use crate::flags::DebugWaitArgs;
use crate::report::{self, tell};

/// How long gdb may take to read the symbols of a program and attach itself.
const PATIENCE: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(20);

/// Whether gdb can be started here.
pub(super) fn is_there() -> bool {
    let version = Command::new("gdb").arg("--version").stdin(Stdio::null()).output();
    version.is_ok_and(|version| version.status.success())
}

/// Lets gdb look at a process until its end, and prints what it was doing when it died.
fn backtraces(process: u32) -> Option<JoinHandle<()>> {
    let started = gdb(process)
        .args(["-batch", "-ex", "continue", "-ex", "backtrace 40", "-ex", "continue"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = started.ok()?;
    let output = child.stdout.take();
    let told = thread::spawn(move || {
        let lines = output.map(BufReader::new).into_iter().flat_map(BufRead::lines);
        let is_told = |line: &String| line.starts_with('#') || line.contains(" received signal ");
        for line in lines.map_while(Result::ok).filter(is_told) {
            let _unread = report::print(&format!("{line}\n"));
        }
        let _reaped = child.wait();
    });
    wait_until_traced(process);
    Some(told)
}

fn gdb(process: u32) -> Command {
    let mut command = Command::new("gdb");
    command.args(["-q", "-nx", "-iex", "set debuginfod enabled off"]);
    command.args(["-iex", "set pagination off", "-iex", "set confirm off"]);
    // Engines are told by their pipes that they are to end.
    command.args(["-ex", "handle SIGPIPE nostop noprint pass"]);
    command.arg("-p").arg(process.to_string());
    command
}

/// Before that the process must not go on.
fn wait_until_traced(process: u32) {
    let begun = Instant::now();
    let is_traced = || {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"));
        // Where nothing tells, it is waited for no longer.
        tracer.is_none_or(|tracer| tracer.trim() != "0")
    };
    while !is_traced() && begun.elapsed() < PATIENCE {
        thread::sleep(POLL);
    }
}

/// Where a debugger comes in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Aim {
    /// Before anything of the engine runs.
    Start,
    /// Before the engine is asked for that ply or a later one.
    Ply(u32),
    /// Before what it is asked when so many actions of the game are done.
    Action(usize),
    /// When it dies.
    Death,
}

/// Where an engine is stopped, and what for.
pub(super) struct Debugger {
    aim: Aim,
    is_gdb: bool,
    wait: DebugWaitArgs,
    engine: EngineSpec,
    state: Mutex<DebuggerState>,
}

#[derive(Default)]
struct DebuggerState {
    process: u32,
    has_stopped: bool,
    gdb: Option<Child>,
    /// Tells what another gdb prints.
    told: Option<JoinHandle<()>>,
}

impl Debugger {
    pub(super) fn new(aim: Aim, is_gdb: bool, wait: DebugWaitArgs, engine: EngineSpec) -> Debugger {
        Debugger { aim, is_gdb, wait, engine, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, DebuggerState> {
        lock(&self.state)
    }

    /// The engine's process is about to start.
    pub(super) fn started(&self, process: u32) {
        self.state().process = process;
        match self.aim {
            Aim::Start => self.stop("is about to be loaded"),
            Aim::Ply(_) | Aim::Action(_) | Aim::Death => {}
        }
    }

    /// The engine is about to be asked for a ply, when so many actions are done.
    pub(super) fn stop_before(&self, ply: usize, done: usize) {
        let is_there = match self.aim {
            Aim::Ply(aim) => ply >= aim as usize,
            Aim::Action(aim) => done >= aim,
            Aim::Start => false,
            // By then it is the engine's program, of which there is less to read.
            Aim::Death => return self.watch(),
        };
        if is_there {
            self.stop(&format!("is asked for ply {ply} next"));
        }
    }

    /// Lets gdb look at it until it dies.
    fn watch(&self) {
        let mut state = self.state();
        if !std::mem::replace(&mut state.has_stopped, true) {
            state.told = backtraces(state.process);
        }
    }

    /// Stops once.
    fn stop(&self, why: &str) {
        let mut state = self.state();
        if std::mem::replace(&mut state.has_stopped, true) {
            return;
        }
        let (process, id) = (state.process, &self.engine.id);
        if !self.is_gdb {
            tell(format_args!(
                "tengen: {id} is process {process}, and {why}: {}",
                self.wait.advice(process)
            ));
            return self.wait.wait();
        }
        let mut gdb = gdb(process);
        if let Some(folder) = self.engine.path.parent() {
            gdb.args(["-ex", &format!("directory {}", folder.display())]);
        }
        if self.engine.kind == EngineKind::Native {
            gdb.args(["-ex", "set breakpoint pending on", "-ex", "tbreak tengen_choose"]);
        }
        tell(format_args!("tengen: {id} is process {process}, and {why}, when you continue it"));
        match gdb.spawn() {
            Ok(child) => {
                state.gdb = Some(child);
                wait_until_traced(process);
            }
            Err(error) => tell(format_args!("tengen: gdb cannot be started: {error}")),
        }
    }

    /// Waits until gdb has ended, which holds the process.
    pub(super) fn wait(&self) {
        let gdb = self.state().gdb.take();
        if let Some(mut gdb) = gdb {
            let _ended = gdb.wait();
        }
    }

    /// The process is gone: waits until all is told of it.
    pub(super) fn finish(&self) {
        let told = self.state().told.take();
        if let Some(told) = told {
            let _panicked = told.join();
        }
    }
}
