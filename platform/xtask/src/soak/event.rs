//! One long event, watched while it runs.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tengen_random::Random;

use super::usage::{TABLES, UsageSample, UsageSamples, children};
use crate::process;

/// How often the program is looked at.
const LOOK: Duration = Duration::from_millis(10);
/// A process is killed after so many looks at most.
const KILL_EVERY: usize = 6;
/// How often progress is printed.
const TELL: Duration = Duration::from_secs(10);
/// How long a process that nobody needs any more may take to go.
const GONE: Duration = Duration::from_secs(10);

/// What becomes of the engines' processes between games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ProcessReuse {
    Kept,
    Restarted,
}

impl ProcessReuse {
    pub(crate) fn name(self) -> &'static str {
        match self {
            ProcessReuse::Kept => "kept",
            ProcessReuse::Restarted => "restarted",
        }
    }
}

/// An event in a folder of its own, with copies of the engines, so that their processes are known
/// by their command lines.
pub(crate) struct SoakEvent {
    folder: PathBuf,
    engines: Vec<PathBuf>,
    style: ProcessReuse,
    games: u32,
}

/// How it went.
pub(crate) struct SoakRun {
    pub looks: UsageSamples,
    pub kills: u64,
    pub games: u64,
    pub crashes: u64,
    wanted: u32,
    records: u64,
    left_processes: usize,
    left_files: u64,
}

impl SoakRun {
    /// What is wrong beside growth.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let wanted = u64::from(self.wanted);
        let mut told = Vec::new();
        let mut insist =
            |holds: bool, otherwise: String| told.extend((!holds).then_some(otherwise));
        insist(self.games == wanted, format!("{} of {wanted} games counted", self.games));
        insist(self.records == wanted, format!("{} of {wanted} games recorded", self.records));
        insist(self.kills > 0 && self.crashes > 0, "no engine was killed in a game".to_owned());
        insist(self.left_processes == 0, format!("{} processes left", self.left_processes));
        insist(self.left_files == 0, format!("{} temporary files left", self.left_files));
        told
    }
}

impl SoakEvent {
    pub(crate) fn prepare(
        folder: &Path,
        from: &Path,
        style: ProcessReuse,
        games: u32,
    ) -> Result<SoakEvent> {
        let place = || folder.display().to_string();
        fs::create_dir_all(folder.join("tmp")).with_context(place)?;
        let mut engines = Vec::new();
        for name in ["libinstant.so", "instant.wasm"] {
            let engine = from.join(name);
            if engine.exists() {
                engines.push(folder.join(name));
                fs::copy(engine, folder.join(name)).with_context(place)?;
            }
        }
        ensure!(!engines.is_empty(), "no engine was built in {}", from.display());
        // One plays itself where the other cannot be built.
        let last = engines[engines.len() - 1].clone();
        engines.resize(2, last);
        Ok(SoakEvent { folder: folder.to_owned(), engines, style, games })
    }

    /// Plays it to its end, and kills its engines at moments that a seed decides.
    pub(crate) fn play(&self, program: &Path) -> Result<SoakRun> {
        let temporary = self.folder.join("tmp");
        let mut command = self.command(program, &temporary);
        let mut child = command.spawn().with_context(|| process::words(&command))?;
        let watched = self.watch(&child, &temporary);
        if watched.is_err() {
            // It must not outlive this. Nothing more can be done where that fails.
            let _ = child.kill();
        }
        let output = child.wait_with_output()?;
        let (looks, kills) = watched?;
        ensure!(output.status.success(), "`{}` failed", process::words(&command));
        let summary: Value = serde_json::from_slice(&output.stdout)?;
        let records = fs::read_to_string(self.folder.join("event/games.jsonl"))?;
        Ok(SoakRun {
            looks,
            kills,
            games: summary["games"].as_u64().unwrap_or(0),
            crashes: summary["terminations"]["crash"].as_u64().unwrap_or(0),
            wanted: self.games,
            records: records.lines().count() as u64,
            left_processes: self.left_processes(),
            left_files: fs::read_dir(&temporary)?.count() as u64,
        })
    }

    fn command(&self, program: &Path, temporary: &Path) -> Command {
        let mut command = Command::new(program);
        command.arg("match").args(&self.engines).args(["--tc", "60+1", "--json"]);
        command.arg("--games").arg(self.games.to_string());
        command.arg("--concurrency").arg(TABLES.to_string());
        // A folder an engine, which must go with it.
        command.args(["--folder-limit", "1MiB"]);
        if self.style == ProcessReuse::Restarted {
            command.arg("--restart");
        }
        command.arg("--out").arg(self.folder.join("event")).env("TMPDIR", temporary);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        command
    }

    /// Whether its engines were found fit to play.
    fn has_begun(&self) -> bool {
        self.folder.join("event/event.toml").exists()
    }

    fn watch(&self, program: &Child, temporary: &Path) -> Result<(UsageSamples, u64)> {
        let mut killer = Killer::start()?;
        let (mut looks, mut random, mut told) =
            (UsageSamples::default(), Random::new(2026), Instant::now());
        let mut until_kill = 1_i64;
        while let Some(look) = UsageSample::at(program.id(), temporary) {
            looks.0.push(look);
            // Whoever dies while it is asked for its name is refused, and rightly so.
            until_kill -= i64::from(self.has_begun());
            if until_kill == 0 {
                until_kill = 1 + random.below(KILL_EVERY) as i64;
                // At a moment that no look has chosen.
                thread::sleep(Duration::from_micros(random.below(3_000) as u64));
                killer.kill_one_of(&children(program.id()), &mut random)?;
            }
            if told.elapsed() > TELL {
                told = Instant::now();
                println!("   {}: {} killed so far; {look:?}", self.style.name(), killer.kills);
            }
            thread::sleep(LOOK);
        }
        Ok((looks, killer.kills))
    }

    /// The processes of its engines that are there after a while.
    fn left_processes(&self) -> usize {
        let folder = self.folder.to_string_lossy().into_owned();
        let is_ours = |entry: fs::DirEntry| {
            let command = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&command).contains(&folder)
        };
        let since = Instant::now();
        loop {
            let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
            let left = entries
                .filter(|entry| entry.path().join("exe").exists())
                .filter_map(|entry| is_ours(entry).then_some(()));
            let left = left.count();
            if left == 0 || since.elapsed() > GONE {
                return left;
            }
            thread::sleep(LOOK);
        }
    }
}

/// A shell that kills any process it is told, without another one being started for it.
struct Killer {
    shell: Child,
    orders: Option<ChildStdin>,
    kills: u64,
}

impl Killer {
    fn start() -> Result<Killer> {
        let mut command = Command::new("sh");
        command.args(["-c", "while read pid; do kill -9 $pid; done"]);
        command.stdin(Stdio::piped()).stderr(Stdio::null());
        let mut shell = command.spawn().with_context(|| process::words(&command))?;
        let orders = shell.stdin.take();
        Ok(Killer { shell, orders, kills: 0 })
    }

    fn kill_one_of(&mut self, processes: &[u32], random: &mut Random) -> Result<()> {
        if let (Some(orders), [_, ..]) = (&mut self.orders, processes) {
            let pid = processes[random.below(processes.len())];
            writeln!(orders, "{pid}").context("the shell that kills has gone")?;
            self.kills += 1;
        }
        Ok(())
    }
}

impl Drop for Killer {
    fn drop(&mut self) {
        // It ends with its orders.
        self.orders = None;
        let _ = self.shell.wait();
    }
}
