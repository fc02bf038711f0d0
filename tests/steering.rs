//! Events that are changed and followed from another terminal while they run.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use common::{ProgramRun, games, library, repository, rust_library, tengen, wait_for};
use serde_json::Value;
use tempfile::TempDir;
use tengen_random::Random;

/// Starts an event of two engines that goes on until it is stopped.
fn start(event: &Path, more: &[&str]) -> Child {
    let mut command = tengen(["tournament", "run", "--engines", "greedy", "minimal-c"]);
    command.args(["--size", "9", "--opening", "none", "--tc", "nodes=10", "--spoiled", "keep"]);
    command.args(["--games", "2000000", "--concurrency", "2", "--out"]).arg(event).args(more);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// What the report of an event says that is there.
fn report(event: &Path) -> Value {
    common::report(event).expect("it is there")
}

fn steer(words: &[&str], event: &Path, more: &[&str]) -> ProgramRun {
    let mut command = tengen(["tournament"]);
    command.args(words).arg(event).args(more);
    ProgramRun::of(&mut command)
}

fn done(run: ProgramRun) -> String {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stderr
}

fn kinds(summary: &Value) -> Vec<String> {
    let changes = summary["changes"].as_array().cloned().unwrap_or_default();
    let kind = |change: &Value| match &change["kind"] {
        Value::String(kind) => kind.clone(),
        other => other.as_object().unwrap().keys().next().unwrap().clone(),
    };
    changes.iter().map(kind).collect()
}

#[test]
fn a_running_event_is_changed_and_stopped_from_another_terminal() {
    let folder = TempDir::new().unwrap();
    let event = folder.path().join("cup");
    let mut child = start(&event, &[]);
    wait_for(&mut child, &event, |summary| games(summary) > 0);
    let said = done(steer(&["add"], &event, &["builtin:alphabeta"]));
    assert!(said.contains("change 1") && said.contains("process"), "{said}");
    done(steer(&["pause"], &event, &[]));
    let paused = loop {
        // Games that had begun come to their ends.
        let (one, other) = (report(&event), report(&event));
        if games(&one) == games(&other) {
            break games(&other);
        }
    };
    // It is played already.
    steer(&["resume"], &event, &[]).refused(1, &["cup"]);
    done(steer(&["continue"], &event, &[]));
    wait_for(&mut child, &event, |summary| games(summary) > paused);
    let said = done(steer(&["remove"], &event, &["minimal-c", "--reason", "too weak"]));
    assert!(said.contains("too weak"), "{said}");
    // Greedy has no opponent left but the newcomer, whose games are behind those that were dropped.
    let joined = |summary: &Value| {
        let standings = summary["standings"].as_array().unwrap();
        standings.iter().any(|line| {
            let games = ["wins", "draws", "losses"].map(|key| line[key].as_u64().unwrap());
            line["engine"] == "builtin:alphabeta" && games.iter().sum::<u64>() > 0
        })
    };
    wait_for(&mut child, &event, joined);
    done(steer(&["stop"], &event, &[]));
    let run = ProgramRun::from(child.wait_with_output().unwrap());
    assert_eq!(run.code, Some(130), "{}", run.stderr);
    let summary = report(&event);
    assert_eq!(kinds(&summary), ["added", "paused", "continued", "removed", "stopped"]);
    assert_eq!(summary["removed"][0]["engine"], "minimal-c");
    steer(&["pause"], &event, &[]).refused(1, &["no tengen is playing"]);
    let text = ProgramRun::of(tengen(["tournament", "report"]).arg(&event)).stdout;
    assert!(
        text.contains("Changes of the event") && text.contains("minimal-c was removed"),
        "{text}"
    );
}

/// Whichever process is killed, the steering or the playing one: a change is there or is not.
#[test]
fn kill_9_leaves_no_change_half_done() {
    let folder = TempDir::new().unwrap();
    let event = folder.path().join("cup");
    let mut child = start(&event, &[]);
    wait_for(&mut child, &event, |summary| games(summary) > 0);
    let mut random = Random::new(7);
    let mut wanted = 2_000_000;
    for round in 0..30 {
        wanted += 2;
        let mut command = tengen(["tournament", "extend", "--games", &wanted.to_string()]);
        let mut steering = command.arg(&event).stderr(Stdio::null()).spawn().unwrap();
        // Nothing is waited for: the moment is random.
        thread::sleep(Duration::from_micros(random.below(90_000) as u64));
        steering.kill().unwrap();
        steering.wait().unwrap();
        if round % 10 == 9 {
            child.kill().unwrap();
            child.wait().unwrap();
            let changes = report(&event)["changes"].as_array().cloned().unwrap_or_default();
            let numbers: Vec<_> = changes.iter().map(|change| change["number"].as_u64()).collect();
            assert_eq!(numbers, (1..=numbers.len() as u64).map(Some).collect::<Vec<_>>());
            let file = fs::read_to_string(event.join("event.toml")).unwrap();
            let games = changes.last().map_or("2000000".to_owned(), |change| {
                change["text"].as_str().unwrap().rsplit(' ').next().unwrap().to_owned()
            });
            assert!(file.contains(&format!("\ngames = {games}\n")), "{games} in:\n{file}");
            let mut command = tengen(["tournament", "resume", "--concurrency", "2"]);
            command.arg(&event).stdout(Stdio::null()).stderr(Stdio::piped());
            child = command.spawn().unwrap();
            let before = common::games(&report(&event));
            wait_for(&mut child, &event, |summary| common::games(summary) > before);
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn an_engine_that_is_dropped_into_a_watched_folder_joins() {
    let folder = TempDir::new().unwrap();
    let (event, engines) = (folder.path().join("cup"), folder.path().join("engines"));
    fs::create_dir(&engines).unwrap();
    let drop_in = |library: fn(&Path, &str) -> PathBuf, stem: &str| {
        let from = library(&repository("engines"), stem);
        fs::copy(from, library(&engines, stem)).unwrap();
    };
    drop_in(rust_library, "greedy");
    drop_in(library, "minimal-c");
    let mut command = tengen(["tournament", "run", "--games", "2", "--opening", "none", "--watch"]);
    command.arg(&engines).args(["--tc", "nodes=10", "--concurrency", "1", "--out"]).arg(&event);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(&mut child, &event, |summary| games(summary) == 2);
    drop_in(rust_library, "alphabeta");
    let summary = wait_for(&mut child, &event, |summary| games(summary) == 6);
    assert_eq!(summary["standings"].as_array().unwrap().len(), 3);
    assert_eq!(kinds(&summary), ["added"]);
    done(steer(&["stop"], &event, &[]));
    let run = ProgramRun::from(child.wait_with_output().unwrap());
    assert!(run.stderr.contains("alphabeta joined, with 4 games"), "{}", run.stderr);
    assert_eq!(run.code, Some(0), "every game was played: {}", run.stderr);
}

#[test]
fn what_happens_is_told_as_json_lines() {
    let folder = TempDir::new().unwrap();
    let (event, events) = (folder.path().join("cup"), folder.path().join("events.jsonl"));
    let mut command = tengen(["match", "greedy", "minimal-c", "--games", "4", "--tc", "20+1"]);
    command.args(["--concurrency", "1", "--quiet", "--events"]).arg(&events);
    let run = ProgramRun::of(command.arg("--out").arg(&event));
    assert!(!run.stderr.contains("games"), "nothing is shown while it runs: {}", run.stderr);
    run.done();
    let text = fs::read_to_string(&events).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |kind: &str| lines.iter().filter(|line| line["event"] == kind).collect::<Vec<_>>();
    assert_eq!((&lines[0]["event"], &lines[0]["total"]), (&"begun".into(), &4.into()));
    assert_eq!(lines[lines.len() - 1]["event"], "finished");
    assert_eq!((of("game_begun").len(), of("game_ended").len()), (4, 4));
    let stones: u64 = of("game_ended").iter().map(|line| line["stones"].as_u64().unwrap()).sum();
    let book: usize =
        of("game_begun").iter().map(|line| line["stones"].as_array().unwrap().len()).sum();
    assert_eq!(of("move").len() as u64 + book as u64, stones);
    for told in of("move") {
        assert!(
            told["clock"].is_u64() && told["ns"].is_u64() && told["seat"].is_string(),
            "{told}"
        );
    }
    assert!(!of("standings").is_empty());

    let both = ["match", "greedy", "minimal-c", "--events", "-", "--json"];
    ProgramRun::of(&mut tengen(both)).refused(2, &["--json", "--events"]);
}

#[cfg(unix)]
#[test]
fn a_log_is_kept_of_games_that_a_fault_lost() {
    let folder = TempDir::new().unwrap();
    let event = folder.path().join("cup");
    let python = folder.path().join("panics.sh");
    fs::write(&python, PANICKING).unwrap();
    let mut command = tengen(["match", "greedy", "--games", "2", "--size", "15", "--tc", "20+1"]);
    command.arg("--engine").arg(format!("cmd=cmd:sh {}", python.display())).arg("name=panics");
    command.args(["--opening", "none", "--concurrency", "1", "--out"]).arg(&event);
    let run = ProgramRun::of(&mut command);
    assert!(run.code.is_some_and(|code| code == 0 || code == 3), "{}", run.stderr);
    let log = ProgramRun::of(tengen(["tournament", "log"]).arg(&event).arg("1"));
    assert_eq!(log.code, Some(0), "{}", log.stderr);
    let place = log.stdout.find("thread 'main' panicked at src/lib.rs:7:5:").unwrap();
    let lines = log.stdout.find("seconds, engine;").unwrap();
    assert!(place < lines, "the panic stands first:\n{}", log.stdout);
    for words in ["greedy won, by crash", "no such move: z99", "panics > TURN", "greedy > "] {
        assert!(log.stdout.contains(words), "no `{words}` in:\n{}", log.stdout);
    }
    ProgramRun::of(tengen(["tournament", "log"]).arg(&event).arg("3")).refused(2, &["1 to 2"]);

    let all = folder.path().join("all");
    let mut command = tengen(["match", "greedy", "minimal-c", "--games", "2", "--log", "all"]);
    ProgramRun::of(command.args(["--tc", "20+1", "--out"]).arg(&all)).done();
    let log = ProgramRun::of(tengen(["tournament", "log"]).arg(&all).arg("2"));
    assert!(
        log.stdout.contains("minimal-c > ") && log.stdout.contains("greedy < "),
        "{}",
        log.stdout
    );
    let none = folder.path().join("none");
    let mut command = tengen(["match", "greedy", "minimal-c", "--games", "2", "--tc", "20+1"]);
    ProgramRun::of(command.arg("--out").arg(&none)).done();
    ProgramRun::of(tengen(["tournament", "log"]).arg(&none).arg("1")).refused(1, &["--log all"]);
}

/// A Gomocup engine that panics at its first question, as one in Rust does with a backtrace.
#[cfg(unix)]
const PANICKING: &str = r#"while read -r line; do
case "$line" in
START*|RESTART*) echo OK ;;
ABOUT*) echo 'name="panics", version="1"' ;;
BEGIN*|TURN*|DONE*)
  echo "thread 'main' panicked at src/lib.rs:7:5:" >&2
  echo "no such move: z99" >&2
  echo "stack backtrace:" >&2
  i=0; while [ $i -lt 40 ]; do echo "  $i: frame" >&2; i=$((i+1)); done
  exit 101 ;;
END*) exit 0 ;;
esac
done
"#;

/// What an event's folder says of it, in its files and by its report.
fn contents(event: &Path) -> (Vec<String>, Value) {
    let text = |name| fs::read_to_string(event.join(name)).unwrap();
    (["event.toml", "games.jsonl"].map(text).into(), report(event))
}

/// What cannot be done to an event is refused by its key, and nothing is changed by it.
#[test]
fn changes_that_cannot_be_are_refused() {
    let folder = TempDir::new().unwrap();
    let cup = folder.path().join("cup");
    let mut command = tengen(["tournament", "run", "--engines", "greedy", "minimal-c"]);
    command.args(["builtin:alphabeta", "--size", "9", "--opening", "none", "--games", "2"]);
    ProgramRun::of(command.args(["--tc", "nodes=5", "--quiet", "--out"]).arg(&cup)).done();
    let before = contents(&cup);
    for (words, more, code, told) in [
        (&["remove"][..], &["nobody"][..], 2, &["nobody: not in this event", "greedy"][..]),
        (&["add"], &["no-such-engine"], 2, &["no-such-engine"]),
        (&["extend", "--games", "2"], &[], 2, &["games", "play 2 already"]),
        (&["stop"], &[], 1, &["cup"]),
    ] {
        steer(words, &cup, more).refused(code, told);
    }
    // An engine that has games to play is not taken out of the file.
    let file = cup.join("event.toml");
    let text = fs::read_to_string(&file).unwrap();
    let place = text.rfind("[[engines]]").unwrap();
    fs::write(&file, &text[..place]).unwrap();
    for command in ["report", "resume"] {
        let run = steer(&[command], &cup, &[]);
        run.refused(1, &["event.toml", "engines has changed", "tengen tournament add"]);
    }
    fs::write(&file, &text).unwrap();
    assert_eq!(before, contents(&cup));
}
