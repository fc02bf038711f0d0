//! A queue of tests that one worker plays, through a real server.
#![cfg(all(target_os = "linux", feature = "serve", feature = "workers"))]

mod common;

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::nats::{NatsServer, WorkerProcess};
use common::running::RunningProgram;
use common::{ProgramRun, assert_whole, repository, tengen};
use serde_json::Value;
use tempfile::TempDir;

/// Longer than anything here takes on a busy machine.
const LONG: Duration = Duration::from_secs(240);

/// A queue in a folder of its own.
struct Queue {
    folder: TempDir,
}

impl Queue {
    fn new() -> Queue {
        Queue { folder: TempDir::new().unwrap() }
    }

    fn dir(&self) -> PathBuf {
        self.folder.path().join("queue")
    }

    /// A command of `tengen test` for it.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = tengen(["test"]);
        command.args(arguments).arg("--queue").arg(self.dir());
        command
    }

    /// Adds a test, which plays with the engines that the repository builds.
    fn add(&self, nodes: &str, arguments: &[&str]) -> ProgramRun {
        let mut command = self.command(&["add"]);
        command.args(arguments).arg("--dir").arg(repository("engines"));
        ProgramRun::of(command.args(["--tc", nodes, "--concurrency", "1"]))
    }

    fn run(&self, url: &str) -> Command {
        self.command(&["run", "--workers", url, "--no-require-sandbox"])
    }

    fn list(&self, more: &[&str]) -> Vec<Value> {
        let told = ProgramRun::of(self.command(&["list", "--json"]).args(more)).done();
        let mut told: Value = serde_json::from_str(&told).unwrap();
        serde_json::from_value(told["tests"].take()).unwrap()
    }

    /// Waits until the list is so.
    fn wait(&self, is_so: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let begun = Instant::now();
        loop {
            let tests = self.list(&[]);
            if is_so(&tests) {
                return tests;
            }
            assert!(begun.elapsed() < LONG, "it does not come: {tests:#?}");
        }
    }
}

fn games(test: &Value) -> u64 {
    test["games"].as_u64().unwrap()
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut git = Command::new("git");
    git.arg("-C").arg(folder).args(["-c", "user.name=t", "-c", "user.email=t@example.org"]);
    let output = git.args(arguments).output().expect("git is installed");
    assert!(output.status.success(), "git {arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// A repository with a small engine in C and two commits: one builds, one does not.
fn engine_repository(folder: &Path) -> [String; 2] {
    let place = |name: &str| folder.join(name);
    fs::create_dir(folder).unwrap();
    fs::copy(repository("examples/minimal-c/minimal.c"), place("minimal.c")).unwrap();
    fs::copy(repository("engine-sdk/include/tengen.h"), place("tengen.h")).unwrap();
    fs::write(
        place("Makefile"),
        "tiny.so: minimal.c\n\techo building $@\n\t\
         cc -std=c99 -O1 -shared -fPIC -fvisibility=hidden -I. -o $@ minimal.c\n",
    )
    .unwrap();
    git(folder, &["init", "--quiet"]);
    let commit = |message: &str| {
        git(folder, &["add", "."]);
        git(folder, &["commit", "--quiet", "-m", message]);
        git(folder, &["rev-parse", "HEAD"])
    };
    let good = commit("An engine");
    fs::write(place("minimal.c"), "this is no C;\n").unwrap();
    [good, commit("Break it")]
}

/// What the server answers to a request for a path.
fn fetched(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn two_tests_share_the_games_by_their_priorities_and_outlive_their_run() {
    const ENGINE: &str = "builtin:alphabeta";
    const GAMES: u64 = 150;
    // Each of the two may have two pairs that are played and not counted at either look: what is
    // saved is told a moment later, and the two are looked at one after the other.
    const TOLERANCE: u64 = 8;

    let (server, queue) = (NatsServer::start(), Queue::new());
    let _worker = WorkerProcess::start(&server.url(), "one", &queue.folder.path().join("cache"));
    // Both are the same engine, and the two hypotheses so close that neither test ends here.
    let test = |name, priority| {
        let asked = ["--name", name, "--priority", priority, "--sprt", "elo0=0,elo1=0.5"];
        queue.add("nodes=300", &[&[ENGINE; 2][..], &asked].concat()).done();
    };
    test("twice", "2");
    test("once", "1");
    let mut run = queue.run(&server.url());
    let mut run = RunningProgram::start(run.args(["--serve", "127.0.0.1:0"]));
    let told = run.told("the tests are at http://");
    let address = told.split('/').next().unwrap().to_owned();
    let first = queue.wait(|tests| tests.iter().all(|test| games(test) >= 8));
    let sum = |tests: &[Value]| tests.iter().map(games).sum::<u64>();
    let last = queue.wait(|tests| sum(tests) >= sum(&first) + GAMES);
    let [twice, once] = [0, 1].map(|place| games(&last[place]) - games(&first[place]));
    let share = (twice + once) * 2 / 3;
    assert!(twice.abs_diff(share) <= TOLERANCE, "{twice} and {once} games");
    assert_eq!((&last[0]["state"], &last[1]["state"]), (&"running".into(), &"running".into()));
    assert!(last[0]["sprt"]["llr"].is_number(), "{:#}", last[0]);

    let listed = fetched(&address, "/api/events");
    let body = listed.split_once("\r\n\r\n").unwrap().1;
    for word in ["\"title\":\"1 twice\"", "\"title\":\"2 once\"", "\"llr\":", "\"live\":true"] {
        assert!(body.contains(word), "no {word} in {body}");
    }

    // A second run is refused while one plays the queue, and one that was killed goes on.
    ProgramRun::of(&mut queue.run(&server.url())).refused(1, &["another `tengen test run`"]);
    run.kill();
    let killed = queue.wait(|tests| tests.iter().all(|test| test["state"] == "waiting"));
    let _run = RunningProgram::start(&mut queue.run(&server.url()));
    queue.wait(|tests| tests.iter().zip(&killed).all(|(now, then)| games(now) > games(then)));
    ProgramRun::of(&mut queue.command(&["stop", "1"])).done();
    let stopped = queue.list(&[]);
    assert_eq!(stopped[0]["state"], "stopped");
    queue.wait(|tests| games(&tests[1]) >= games(&stopped[1]) + 10);
    assert_eq!(games(&queue.list(&[])[0]), games(&stopped[0]), "a stopped test plays no more");
    ProgramRun::of(&mut queue.command(&["continue", "1"])).done();
    queue.wait(|tests| games(&tests[0]) > games(&stopped[0]));
}

#[test]
fn an_engine_from_a_commit_is_built_played_and_found_by_it() {
    let (server, queue) = (NatsServer::start(), Queue::new());
    let _worker = WorkerProcess::start(&server.url(), "one", &queue.folder.path().join("cache"));
    let source = queue.folder.path().join("mine");
    let [good, bad] = engine_repository(&source);
    let named = |commit: &str| format!("git:{}@{commit}", source.display());
    // The run takes a test that is added while it goes on.
    let mut run = RunningProgram::start(&mut queue.run(&server.url()));
    let build = ["--build", "make", "--file", "tiny.so", "--games", "4"];
    let add =
        |engine: &str| queue.add("nodes=30", &[&[engine, "greedy"][..], &build].concat()).done();
    add(&named(&good[..10]));
    add(&named("HEAD"));
    let tests =
        queue.wait(|tests| tests[0]["state"] == "finished" && tests[1]["state"] == "failed");
    run.told("is over: 4 games");
    assert_eq!((games(&tests[0]), &tests[0]["engine"]["commit"]), (4, &good.as_str().into()));
    assert_eq!(tests[1]["engine"]["commit"], bad.as_str());
    assert_whole(&queue.dir().join("1/event"), 4);
    let log = fs::read_to_string(queue.dir().join("1/engine.log")).unwrap();
    assert!(log.contains("building tiny.so"), "{log}");
    let reason = tests[1]["reason"].as_str().unwrap();
    assert!(reason.contains("`make`") && reason.contains("minimal.c"), "{reason}");

    let found = queue.list(&["--commit", &good[..8]]);
    assert_eq!((found.len(), &found[0]["number"]), (1, &1.into()));
    let shown = ProgramRun::of(&mut queue.command(&["show", &good[..8]])).done();
    for word in [good.as_str(), "Build: make", "State: finished", "mine-", "SPRT of"] {
        assert!(shown.contains(word), "no `{word}` in:\n{shown}");
    }
    let mut shown = queue.command(&["show", "2", "--json"]);
    let shown: Value = serde_json::from_str(&ProgramRun::of(&mut shown).done()).unwrap();
    assert_eq!((&shown["state"], &shown["report"]), (&"failed".into(), &Value::Null));
    assert!(
        Command::new("kill")
            .args(["-INT", &run.child.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
    let (code, said) = run.end();
    assert_eq!(code, Some(130), "{said}");
}

#[test]
fn what_cannot_be_queued_is_said_with_what_to_do() {
    let queue = Queue::new();
    let source = queue.folder.path().join("mine");
    engine_repository(&source);
    let named = |revision: &str| format!("git:{}@{revision}", source.display());
    let file = ["greedy", "--file", "tiny.so"];
    for (arguments, words) in [
        (&[&*named("none"), file[0], file[1], file[2]][..], &["no such commit", "its hash"][..]),
        (&["git:/nowhere@x", file[0], file[1], file[2]], &["/nowhere", "check the address"]),
        (&[&*named("HEAD"), "greedy"], &["--file PATH"]),
        (&["git:nothing", "greedy"], &["git:URL@COMMIT"]),
        (&["greedy", "greedy", "--build", "make"], &["--build", "git:URL@COMMIT"]),
        (&["greedy", "greedy", "--out", "x"], &["--out", "queue"]),
        (&["greedy", "absent"], &["absent"]),
        (&["greedy", "cmd:sh -c true"], &["cannot be sent"]),
    ] {
        queue.add("nodes=30", arguments).refused(2, words);
    }
    assert!(queue.list(&[]).is_empty(), "nothing of them is left");
    for command in ["show", "stop", "continue"] {
        let mut command = queue.command(&[command, "7"]);
        ProgramRun::of(&mut command).refused(2, &["7: no test has that number", "test list"]);
    }
    // A server that is not there ends the run, and the test waits for the next.
    queue.add("nodes=30", &["greedy", "greedy"]).done();
    let mut run = queue.run("nats://127.0.0.1:1");
    ProgramRun::of(run.stdin(Stdio::null())).refused(1, &["nats://127.0.0.1:1"]);
    assert_eq!(queue.list(&[])[0]["state"], "waiting");
}
