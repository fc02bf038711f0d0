//! Engines that compute in their opponent's time, though they were paused: by each way back from a
//! stop that the kernel has.

use std::fs;
use std::process::{Command, Stdio};

use tempfile::TempDir;
use tengen_arbiter::Termination;
use tengen_record::GameRecord;

use crate::common::{ProgramRun, assert_whole, records, repository};
use crate::crowd::User;
use crate::remains;
use crate::show::{seat, without};

/// The ways in `tests/engines/wakes.c` by which an engine behind all layers comes back.
const OPEN: &[&str] = &[
    "timers",
    "thread-timers",
    "ignored-timers",
    "helper",
    "group",
    "queue",
    "thread-signal",
    "working-helper",
    "orphan",
    "exit-signals",
    "borrowing",
];
/// Those that a layer denies, or that lead nowhere.
const CLOSED: &[&str] = &[
    "alarms",
    "descriptor",
    "leaving",
    "death-signals",
    "owned-pipe",
    "folder",
    "message",
    "debugger",
    "ring",
];
/// What an engine uses of its opponent's time at most that is not caught, in milliseconds, once it
/// is known to work on after its answers.
const MOST: u64 = 25;

/// Plays one game of each engine against one that thinks, and gives them.
fn play(user: User, left_out: &[&str], ways: &[String]) -> Vec<(String, GameRecord)> {
    let folder = TempDir::new().expect("a folder for the event");
    let at = |name: &str| folder.path().join(name);
    for name in ["tmp", "cache", "wakes", "thinks"] {
        fs::create_dir(at(name)).expect("a new folder");
    }
    let compile = |source: &str, to: &str| {
        let mut cc = Command::new("cc");
        cc.args(["-O1", "-pthread", "-o"]).arg(at(to)).arg(repository(source)).arg("-lrt");
        assert!(cc.status().expect("a C compiler named cc").success());
        format!("cmd:{}", at(to).display())
    };
    let thinks = compile("tests/brains/searcher.c", "thinks/pbrain-searcher");
    let wakes = compile("tests/engines/wakes.c", "wakes/pbrain-wakes");
    let ids: Vec<_> = ways.iter().map(|way| format!("{wakes} {way}")).collect();
    let cup = format!(
        "tc = \"move=60\"\ngames = 1\nstartup = 60\nconcurrency = 2\nspoiled = \"keep\"\n\
         format = \"gauntlet\"\nchallengers = 1\nopening = \"none\"\nmove-limit = 12\n\
         engines = [{:?}, {}]\n",
        format!("{thinks} 1 150"),
        ids.iter().map(|id| format!("{id:?}")).collect::<Vec<_>>().join(", "),
    );
    fs::write(at("cup.toml"), cup).expect("a new file");
    let mut command = without(folder.path(), left_out);
    command.args(["tournament", "run"]).arg(at("cup.toml")).arg("--out").arg(at("event"));
    command.env("TMPDIR", at("tmp")).env("XDG_CACHE_HOME", at("cache")).stdin(Stdio::null());
    user.takes(folder.path(), &mut command);
    ProgramRun::of(&mut command).done();
    remains::assert_none(folder.path());
    assert_whole(&at("event"), ids.len() as u64);
    let mut records = records(&at("event"));
    let games = ids.iter().zip(ways).map(|(id, way)| {
        let place = records.iter().position(|record| seat(record, id).is_some());
        (way.clone(), records.remove(place.expect("it plays one game")))
    });
    games.collect()
}

/// What the engine said that it had gained by each turn of its opponent, in milliseconds.
fn gains(record: &GameRecord) -> Vec<u64> {
    let said = record.actions.iter().flat_map(|action| &action.said);
    said.filter_map(|line| line.strip_prefix("MESSAGE gained ")?.parse().ok()).collect()
}

/// Asserts that it lost by computing, or that it did not compute. Gives whether it lost.
fn judge(user: User, way: &str, record: &GameRecord) -> bool {
    let GameRecord { result, detail, .. } = record;
    let gains = gains(record);
    let about = format!("{user:?}, {way}: {result:?}, gained {gains:?} ms: {detail:?}");
    println!("{about}");
    if result.termination == Termination::Unasked {
        let winner = &record.header.seats[result.winner.expect("the other wins")];
        assert!(winner.id.contains("searcher"), "{about}");
        let detail = detail.as_deref().unwrap_or_default();
        assert!(detail.contains("of CPU time in") && detail.contains("opponent's time"), "{about}");
        return true;
    }
    assert!(gains.iter().skip(1).all(|&gained| gained <= MOST), "{about}");
    false
}

fn all() -> Vec<String> {
    OPEN.iter().chain(CLOSED).map(|way| (*way).to_owned()).collect()
}

fn nobody_computes_while_paused(user: User) {
    if !user.is_here() {
        return;
    }
    for (way, record) in play(user, &[], &all()) {
        let is_lost = judge(user, &way, &record);
        assert!(is_lost || !OPEN.contains(&&*way), "{user:?}: {way} is not caught");
    }
}

#[test]
fn nobody_computes_while_paused_by_root() {
    nobody_computes_while_paused(User::Own);
}

#[test]
fn nobody_computes_while_paused_by_a_plain_user() {
    nobody_computes_while_paused(User::Plain);
}

#[test]
fn nobody_computes_while_paused_where_nothing_is_denied() {
    for (way, record) in play(User::Own, &["seccomp", "pid_ns"], &all()) {
        judge(User::Own, &way, &record);
    }
}

#[test]
fn many_threads_beside_an_opponent_are_caught_at_once() {
    for (way, record) in play(User::Own, &[], &["timers 32".to_owned(), "helper 32".to_owned()]) {
        assert!(judge(User::Own, &way, &record), "{way}: {:?}", record.result);
    }
}
