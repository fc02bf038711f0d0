//! Engines that compute in their opponent's time, though they were paused: by each way back from a
//! stop that the kernel has.

use std::fs;
use std::process::{Command, Stdio};

use tempfile::TempDir;
use tengen_arbiter::Termination;
use tengen_record::GameRecord;
use tengen_rules::Seat;

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
/// The way that is none.
const NONE: &str = "none";
/// The CPU time, in milliseconds, of each answer of the opponent.
const THINKS: u64 = 100;
/// What an engine uses of its opponent's time at most that is not caught, in milliseconds, once it
/// is known to work on after its answers.
const MOST: u64 = 25;

/// Plays one game of each engine against one that thinks, and gives them.
fn play(user: User, left_out: &[&str], ways: &[&str]) -> Vec<(String, GameRecord)> {
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
         format = \"gauntlet\"\nchallengers = 1\nopening = \"none\"\nmove-limit = 8\n\
         engines = [{:?}, {}]\n",
        format!("{thinks} 1 {THINKS}"),
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
        ((*way).to_owned(), records.remove(place.expect("it plays one game")))
    });
    games.collect()
}

/// What the engine said that it had gained by each turn of its opponent, in milliseconds.
fn gains(record: &GameRecord) -> Vec<u64> {
    let said = record.actions.iter().flat_map(|action| &action.said);
    said.filter_map(|line| line.strip_prefix("MESSAGE gained ")?.parse().ok()).collect()
}

/// Whether the machine kept the opponent waiting, by the game in which nobody else computed: then an
/// engine may not come back, and what it uses before its answer is read counts as gained.
fn is_busy(games: &[(String, GameRecord)]) -> bool {
    let quiet = &games.iter().find(|(way, _)| way == NONE).expect("it plays one game").1;
    assert_eq!(quiet.result.termination, Termination::Adjudication, "{:?}", quiet.detail);
    let thinks = |seat: Seat| quiet.header.seats[seat].id.contains("searcher");
    let theirs = quiet.actions.iter().filter(|action| thinks(action.seat));
    let is_busy = theirs.map(|action| action.spent).max() > Some(2 * THINKS * 1_000_000);
    if is_busy {
        println!("skipped: the machine is too busy to tell what is gained");
    }
    is_busy
}

/// Asserts that an engine lost by computing or did not compute, where that can be told. Gives
/// whether it lost.
fn judge(about: &str, record: &GameRecord, is_busy: bool) -> bool {
    let GameRecord { result, detail, .. } = record;
    let gains = gains(record);
    let about = format!("{about}: {result:?}, gained {gains:?} ms: {detail:?}");
    println!("{about}");
    if result.termination == Termination::Unasked {
        let winner = &record.header.seats[result.winner.expect("the other wins")];
        assert!(winner.id.contains("searcher"), "{about}");
        let detail = detail.as_deref().unwrap_or_default();
        assert!(detail.contains("of CPU time in") && detail.contains("opponent's time"), "{about}");
        return true;
    }
    assert!(is_busy || gains.iter().skip(1).all(|&gained| gained <= MOST), "{about}");
    false
}

fn nobody_computes_while_paused(user: User, left_out: &[&str], ways: &[&str]) {
    if !user.is_here() {
        return;
    }
    let games = play(user, left_out, ways);
    let is_busy = is_busy(&games);
    for (way, record) in &games {
        let is_lost = judge(&format!("{user:?}, {way}"), record, is_busy);
        let is_open = OPEN.contains(&way.split(' ').next().unwrap_or_default());
        assert!(is_lost || is_busy || !is_open, "{user:?}: {way} is not caught");
    }
}

fn all() -> Vec<&'static str> {
    OPEN.iter().chain(CLOSED).copied().chain([NONE]).collect()
}

#[test]
fn nobody_computes_while_paused_by_root() {
    nobody_computes_while_paused(User::Own, &[], &all());
}

#[test]
fn nobody_computes_while_paused_by_a_plain_user() {
    nobody_computes_while_paused(User::Plain, &[], &all());
}

#[test]
fn nobody_computes_while_paused_where_nothing_is_denied() {
    nobody_computes_while_paused(User::Own, &["seccomp", "pid_ns"], &all());
}

#[test]
fn many_threads_beside_an_opponent_are_caught() {
    nobody_computes_while_paused(User::Own, &[], &["timers 32", "helper 32", NONE]);
}
