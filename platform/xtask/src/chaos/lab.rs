//! The processes of an event that workers play: server, coordinator and workers.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::nats;
use crate::process::{ChildGuard, wait_for};

/// The clock. A pair takes about as long as a worker needs to start, so that many are killed within
/// one.
const CLOCK: &str = "nodes=100";
/// How long a server may take to read what it has on the disk.
const READY: Duration = Duration::from_secs(60);
/// How long a worker may take to end when it is asked to.
const END: Duration = Duration::from_secs(30);
/// One that was started so shortly before the server is killed may end, since it reaches none.
const YOUNG: Duration = Duration::from_secs(5);
/// The exit codes of an event that was finished; the second where games were spoiled, as those of
/// a worker that was frozen are.
const FINISHED: [Option<i32>; 2] = [Some(0), Some(3)];

/// Where things are.
pub(super) struct LabPlaces {
    pub program: PathBuf,
    nats: PathBuf,
    pub folder: PathBuf,
    port: u16,
    /// Where the server tells of itself.
    monitor: u16,
}

impl LabPlaces {
    pub fn new(program: PathBuf, nats: PathBuf, folder: PathBuf) -> Result<LabPlaces> {
        let free = || Ok::<_, anyhow::Error>(TcpListener::bind("127.0.0.1:0")?);
        let (one, other) = (free()?, free()?);
        let (port, monitor) = (one.local_addr()?.port(), other.local_addr()?.port());
        for name in ["store", "tmp", "data"] {
            fs::create_dir_all(folder.join(name))?;
        }
        let config = nats::configuration(&folder.join("store"), port);
        let config = format!("{config}http: 127.0.0.1:{monitor}\n");
        fs::write(folder.join("server.conf"), config)?;
        Ok(LabPlaces { program, nats, folder, port, monitor })
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub fn event(&self) -> PathBuf {
        self.folder.join("event")
    }

    /// A log that goes on where it ended.
    fn log(&self, name: &str) -> Result<File> {
        let path = self.folder.join(format!("{name}.log"));
        Ok(File::options().append(true).create(true).open(path)?)
    }

    /// The end of a log.
    fn said(&self, name: &str) -> String {
        let said = fs::read_to_string(self.folder.join(format!("{name}.log"))).unwrap_or_default();
        let lines: Vec<&str> = said.lines().collect();
        lines[lines.len().saturating_sub(8)..].join("\n")
    }

    pub fn tengen(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.env("XDG_DATA_HOME", self.folder.join("data"));
        command.env("TMPDIR", self.folder.join("tmp"));
        command
    }

    fn start_server(&self) -> Result<ChildGuard> {
        let mut command = Command::new(&self.nats);
        command.arg("--config").arg(self.folder.join("server.conf"));
        let mut server = ChildGuard::start(command.stderr(self.log("server")?))?;
        let ready = wait_for(READY, || {
            let ended = server.0.try_wait()?;
            ensure!(ended.is_none(), "the server does not start:\n{}", self.said("server"));
            Ok(self.ask("/healthz").ok().filter(|health| health["status"] == "ok"))
        })?;
        ready.with_context(|| format!("the server is not ready after {READY:?}"))?;
        Ok(server)
    }

    /// What the server tells of itself.
    pub fn ask(&self, path: &str) -> Result<Value> {
        let mut line = TcpStream::connect(("127.0.0.1", self.monitor))?;
        line.set_read_timeout(Some(READY))?;
        write!(line, "GET {path} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")?;
        let mut answer = String::new();
        line.read_to_string(&mut answer)?;
        let (_, body) = answer.split_once("\r\n\r\n").context("the server answers no HTTP")?;
        Ok(serde_json::from_str(body)?)
    }

    fn start_worker(&self, name: &str) -> Result<ChildGuard> {
        let mut command = self.tengen();
        command.args(["worker", "--nats", &self.url(), "--name", name, "--concurrency", "1"]);
        // Workers of one machine would choose the same CPU.
        command.args(["--cpus", "none", "--no-require-sandbox", "--cache"]);
        command.arg(self.folder.join(name));
        ChildGuard::start(command.stdout(Stdio::null()).stderr(self.log(name)?))
    }

    /// Starts what runs the event, or goes on with it, and follows how many games it has saved.
    fn start_coordinator(&self, words: &[&str], saved: &Arc<AtomicU64>) -> Result<ChildGuard> {
        let mut command = self.tengen();
        command.args(words).args(["--workers", &self.url(), "--events", "-"]);
        command.stdout(Stdio::piped()).stderr(self.log("coordinator")?);
        let mut coordinator = ChildGuard::start(&mut command)?;
        let told = coordinator.0.stdout.take().context("it was given a pipe")?;
        let saved = Arc::clone(saved);
        thread::spawn(move || follow(told, &saved));
        Ok(coordinator)
    }
}

/// Notes how many games are saved, as the stream of what happens in an event tells it.
fn follow(told: ChildStdout, saved: &AtomicU64) {
    let mut games = 0;
    for line in BufReader::new(told).lines().map_while(Result::ok) {
        // The last line of one that was killed may lack its end.
        let line: Value = serde_json::from_str(&line).unwrap_or_default();
        let is_more = line["event"] == "game_ended";
        games = line["finished"].as_u64().unwrap_or(games + u64::from(is_more));
        saved.fetch_max(games, Ordering::Relaxed);
    }
}

/// A worker or the coordinator.
struct Participant {
    process: ChildGuard,
    begun: Instant,
    /// Whether the server was killed before it can have been at work.
    may_fail: bool,
}

impl Participant {
    fn new(process: ChildGuard) -> Participant {
        Participant { process, begun: Instant::now(), may_fail: false }
    }
}

struct LabWorker {
    name: String,
    participant: Participant,
    is_frozen: bool,
    /// When it goes on; none where that is at the end.
    thaws: Option<Instant>,
}

/// Everything that takes part. What is left of it ends when this is dropped.
pub(super) struct Lab {
    pub places: LabPlaces,
    coordinator: Participant,
    workers: Vec<LabWorker>,
    server: ChildGuard,
    /// How many games the event has.
    saved: Arc<AtomicU64>,
    /// The processes that were started by those that were ended.
    orphans: Vec<LabProcess>,
    /// How many ended since they found no server, and were started again.
    pub started_again: usize,
}

impl Lab {
    pub fn open(places: LabPlaces, workers: usize, games: u64, seed: u64) -> Result<Lab> {
        let server = places.start_server()?;
        let worker = |number| {
            let name = format!("w{number}");
            let participant = Participant::new(places.start_worker(&name)?);
            Ok(LabWorker { name, participant, is_frozen: false, thaws: None })
        };
        let workers = (1..=workers).map(worker).collect::<Result<_>>()?;
        let saved = Arc::new(AtomicU64::new(0));
        let (games, seed, out) = (games.to_string(), seed.to_string(), places.event());
        let out = out.to_str().context("the path of the event is UTF-8")?;
        let engine = "builtin:alphabeta";
        let words = ["match", engine, engine, "--tc", CLOCK, "--games", &games, "--seed", &seed];
        let words = [&words[..], &["--out", out]].concat();
        let coordinator = Participant::new(places.start_coordinator(&words, &saved)?);
        let orphans = Vec::new();
        Ok(Lab { places, coordinator, workers, server, saved, orphans, started_again: 0 })
    }

    /// How many games the event has saved.
    pub fn saved(&self) -> u64 {
        self.saved.load(Ordering::Relaxed)
    }

    /// Whether the event is finished. Nothing else may have ended by itself.
    pub fn is_over(&mut self) -> Result<bool> {
        for LabWorker { name, participant, .. } in &mut self.workers {
            let Some(status) = participant.process.0.try_wait()? else { continue };
            let said = self.places.said(name);
            ensure!(participant.may_fail, "worker {name} ended by itself ({status}):\n{said}");
            *participant = Participant::new(self.places.start_worker(name)?);
            self.started_again += 1;
        }
        if let Some(status) = self.server.0.try_wait()? {
            bail!("the server ended by itself ({status}):\n{}", self.places.said("server"));
        }
        let Some(status) = self.coordinator.process.0.try_wait()? else { return Ok(false) };
        let is_finished = FINISHED.contains(&status.code());
        if !is_finished {
            let said = self.places.said("coordinator");
            ensure!(self.coordinator.may_fail, "the coordinator failed ({status}):\n{said}");
            self.resume()?;
            self.started_again += 1;
        }
        Ok(is_finished)
    }

    /// The workers that are not frozen, by their places.
    pub fn awake(&self) -> Vec<usize> {
        let is_awake = |place: &usize| !self.workers[*place].is_frozen;
        (0..self.workers.len()).filter(is_awake).collect()
    }

    /// Kills a worker and starts another one in its place.
    pub fn kill_worker(&mut self, place: usize) -> Result<()> {
        let LabWorker { name, participant, .. } = &mut self.workers[place];
        kill(&mut participant.process, &mut self.orphans)?;
        *participant = Participant::new(self.places.start_worker(name)?);
        Ok(())
    }

    /// Kills the server and starts it again with what it has on the disk.
    pub fn kill_server(&mut self, pause: Duration) -> Result<()> {
        let workers = self.workers.iter_mut().map(|worker| &mut worker.participant);
        for participant in workers.chain([&mut self.coordinator]) {
            participant.may_fail |= participant.begun.elapsed() < YOUNG;
        }
        kill(&mut self.server, &mut self.orphans)?;
        thread::sleep(pause);
        self.server = self.places.start_server()?;
        Ok(())
    }

    /// Kills the coordinator and goes on with the event.
    pub fn kill_coordinator(&mut self, pause: Duration) -> Result<()> {
        kill(&mut self.coordinator.process, &mut self.orphans)?;
        thread::sleep(pause);
        self.resume()
    }

    fn resume(&mut self) -> Result<()> {
        let event = self.places.event();
        let event = event.to_str().context("the path of the event is UTF-8")?;
        let words = ["tournament", "resume", event];
        let resumed = self.places.start_coordinator(&words, &self.saved)?;
        self.coordinator = Participant::new(resumed);
        Ok(())
    }

    /// Freezes a worker until that time; until it is thawed where there is none.
    pub fn freeze(&mut self, place: usize, thaws: Option<Instant>) -> Result<()> {
        let worker = &mut self.workers[place];
        signal(&worker.participant.process, "STOP")?;
        (worker.is_frozen, worker.thaws) = (true, thaws);
        Ok(())
    }

    /// Has the workers go on whose time has come.
    pub fn thaw_due(&mut self) -> Result<()> {
        let now = Instant::now();
        self.thaw(|worker| worker.thaws.is_some_and(|thaws| thaws <= now))
    }

    pub fn thaw_all(&mut self) -> Result<()> {
        self.thaw(|_| true)
    }

    fn thaw(&mut self, is_due: impl Fn(&LabWorker) -> bool) -> Result<()> {
        let frozen = self.workers.iter_mut().filter(|worker| worker.is_frozen && is_due(worker));
        for worker in frozen {
            signal(&worker.participant.process, "CONT")?;
            (worker.is_frozen, worker.thaws) = (false, None);
        }
        Ok(())
    }

    /// Has the workers end as Ctrl-C does. Gives the processes that are left.
    pub fn end_workers(&mut self) -> Result<Vec<String>> {
        for LabWorker { participant, .. } in &self.workers {
            self.orphans.extend(descendants(participant.process.0.id())?);
            signal(&participant.process, "INT")?;
        }
        let mut left = Vec::new();
        for LabWorker { name, participant, .. } in &mut self.workers {
            if wait_for(END, || Ok(participant.process.0.try_wait()?))?.is_none() {
                left.push(format!("worker {name} does not end"));
            }
        }
        wait_for(END, || {
            let all = processes()?;
            let is_there = |orphan: &LabProcess| all.iter().any(|process| process.is(orphan));
            self.orphans.retain(is_there);
            Ok(self.orphans.is_empty().then_some(()))
        })?;
        left.extend(self.orphans.iter().map(|LabProcess { id, name, .. }| format!("{id} {name}")));
        Ok(left)
    }
}

/// Kills a process, and notes those that it had started.
fn kill(process: &mut ChildGuard, orphans: &mut Vec<LabProcess>) -> Result<()> {
    orphans.extend(descendants(process.0.id())?);
    process.0.kill()?;
    process.0.wait()?;
    Ok(())
}

fn signal(process: &ChildGuard, name: &str) -> Result<()> {
    let mut kill = Command::new("kill");
    let status = kill.arg(format!("-{name}")).arg(process.0.id().to_string()).status()?;
    ensure!(status.success(), "{kill:?} failed ({status})");
    Ok(())
}

/// A process of this machine.
struct LabProcess {
    id: u32,
    parent: u32,
    name: String,
    /// In ticks since the machine's start: another process may get the same number later.
    began: u64,
}

impl LabProcess {
    /// Reads a file `stat`, as `proc_pid_stat(5)` describes it. None of a process that has ended
    /// and is only not waited for yet.
    fn read(stat: &str) -> Option<LabProcess> {
        // A name may have any signs, brackets too.
        let (head, tail) = stat.rsplit_once(')')?;
        let (id, name) = head.split_once('(')?;
        let fields: Vec<&str> = tail.split_whitespace().collect();
        let [state, parent, began] = [0, 1, 19].map(|place| fields.get(place).copied());
        let is_alive = !matches!(state?, "Z" | "X");
        is_alive.then_some(LabProcess {
            id: id.trim().parse().ok()?,
            parent: parent?.parse().ok()?,
            name: name.to_owned(),
            began: began?.parse().ok()?,
        })
    }

    fn is(&self, other: &LabProcess) -> bool {
        (self.id, self.began) == (other.id, other.began)
    }
}

fn processes() -> Result<Vec<LabProcess>> {
    let folders = fs::read_dir("/proc")?.flatten();
    // One may end while it is looked at.
    let stats = folders.filter_map(|folder| fs::read_to_string(folder.path().join("stat")).ok());
    Ok(stats.filter_map(|stat| LabProcess::read(&stat)).collect())
}

/// The processes that a process has started, and those that these have.
fn descendants(process: u32) -> Result<Vec<LabProcess>> {
    let (mut all, mut family, mut known) = (processes()?, Vec::new(), vec![process]);
    while let Some(parent) = known.pop() {
        let (children, others) = all.into_iter().partition(|it: &LabProcess| it.parent == parent);
        all = others;
        known.extend(children.iter().map(|child| child.id));
        family.extend::<Vec<_>>(children);
    }
    Ok(family)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_read_whatever_its_name_is() {
        let stat =
            |state: &str| format!("17 (a) (b) {state} 5 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 99 3");
        let process = LabProcess::read(&stat("S")).unwrap();
        assert_eq!((process.id, process.parent, process.began), (17, 5, 99));
        assert!(LabProcess::read(&stat("Z")).is_none());
        assert!(LabProcess::read("").is_none());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_child_is_a_descendant_until_it_is_killed() {
        let mut child = ChildGuard::start(Command::new("sleep").arg("60")).unwrap();
        let mut orphans = descendants(std::process::id()).unwrap();
        assert!(orphans.iter().any(|process| process.id == child.0.id()));
        kill(&mut child, &mut orphans).unwrap();
        let family = descendants(std::process::id()).unwrap();
        assert!(family.iter().all(|process| process.id != child.0.id()));
    }
}
