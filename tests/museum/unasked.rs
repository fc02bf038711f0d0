//! Engines that compute in their opponent's time, though they were paused: by each way back from a
//! stop that the kernel has.

use std::fs;
use std::process::Stdio;

use tempfile::TempDir;
use tengen_arbiter::{Cause, Correction, HistoryEntry, Termination};
use tengen_record::GameRecord;
use tengen_rules::Seat;

use crate::common::{self, ProgramRun, assert_whole, records};
use crate::crowd::User;
use crate::remains;
use crate::show::{seat, without};

/// The ways in `tests/engines/wakes.c`. Some come back again and again, some once or now and then,
/// others lead nowhere, or a layer denies them.
const WAYS: &[&str] = &[
    "timers",
    "timers 32",
    "thread-timers",
    "helper",
    "ignored-timers",
    "alarms",
    "group",
    "queue",
    "thread-signal",
    "descriptor",
    "working-helper",
    "leaving",
    "orphan",
    "exit-signals",
    "death-signals",
    "owned-pipe",
    "folder",
    "message",
    "borrowing",
    "debugger",
    "ring",
    NONE,
];
/// The way that is none.
const NONE: &str = "none";
/// The CPU time, in milliseconds, of each answer of the opponent.
const THINKS: u64 = 100;
/// What an engine may use for nothing in such a game, in milliseconds: 100 after its answers, 20
/// while it is paused, and what it takes to stop it.
const FREE: u64 = 150;
/// What it says before each answer, before the CPU time.
const GAINED: &str = "MESSAGE gained ";

/// Plays one game of each engine against one that thinks, and gives them.
fn play(user: User, left_out: &[&str], ways: &[&str]) -> Vec<(String, GameRecord)> {
    let folder = TempDir::new().expect("a folder for the event");
    let at = |name: &str| folder.path().join(name);
    for name in ["tmp", "cache", "wakes", "thinks"] {
        fs::create_dir(at(name)).expect("a new folder");
    }
    let compile = |source: &str, to: &str| {
        common::compile(source, &at(to), &["-O1", "-pthread", "-lrt"]);
        format!("cmd:{}", at(to).display())
    };
    let thinks = compile("tests/brains/searcher.c", "thinks/pbrain-searcher");
    let wakes = compile("tests/engines/wakes.c", "wakes/pbrain-wakes");
    let ids: Vec<_> = ways.iter().map(|way| format!("{wakes} {way}")).collect();
    let cup = format!(
        "tc = \"move=20\"\ngames = 1\nstartup = 60\nconcurrency = 2\nspoiled = \"keep\"\n\
         format = \"gauntlet\"\nchallengers = 1\nopening = \"none\"\nmove-limit = 8\n\
         restart = \"on\"\n\
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
    said.filter_map(|line| line.strip_prefix(GAINED)?.parse().ok()).collect()
}

/// How much CPU time, in milliseconds, it gained for nothing: beyond what it may use after its
/// answers and while it is paused, what it was charged for that, and what the time on its own clock
/// was worth.
fn gained_for_nothing(record: &GameRecord) -> u64 {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let is_told = |entry: &&HistoryEntry| entry.said.iter().any(|line| line.contains(GAINED));
    let paid = record.actions.iter().filter(is_told).map(|entry| {
        let Correction { given_back, unasked } = entry.correction;
        (entry.spent + given_back).saturating_sub(unasked) * cores + unasked
    });
    let gained: u64 = gains(record).iter().sum();
    gained.saturating_sub(FREE + paid.sum::<u64>() / 1_000_000)
}

/// What the opponent had to do.
fn of_opponent(record: &GameRecord) -> impl Iterator<Item = &HistoryEntry> {
    let thinks = |seat: Seat| record.header.seats[seat].id.contains("searcher");
    record.actions.iter().filter(move |entry| thinks(entry.seat))
}

/// Whether the machine kept the opponent waiting, by the game in which no other engine computed:
/// then an engine may not come back often enough.
fn is_busy(games: &[(String, GameRecord)]) -> bool {
    let quiet = &games.iter().find(|(way, _)| way == NONE).expect("it plays one game").1;
    assert_eq!(quiet.result.termination, Termination::Adjudication, "{:?}", quiet.detail);
    let longest = of_opponent(quiet).map(|entry| entry.spent).max();
    let is_busy = longest > Some(2 * THINKS * 1_000_000);
    if is_busy {
        println!("the machine is too busy to tell whether one is caught");
    }
    is_busy
}

/// Whether an engine lost by computing; it loses by nothing else, but by a debugger of its own that
/// keeps it stopped.
fn is_caught(about: &str, record: &GameRecord) -> bool {
    let GameRecord { result, detail, .. } = record;
    let about = format!("{about}: {result:?}, gained {:?} ms: {detail:?}", gains(record));
    println!("{about}");
    let is_halted = record.conditions.forfeit.is_some_and(|it| it.cause == Cause::Halted);
    if result.termination == Termination::Timeout && is_halted {
        return false;
    }
    if result.termination != Termination::Unasked {
        assert_eq!(result.termination, Termination::Adjudication, "{about}");
        return false;
    }
    let winner = &record.header.seats[result.winner.expect("the other wins")];
    assert!(winner.id.contains("searcher"), "{about}");
    let detail = detail.as_deref().unwrap_or_default();
    assert!(detail.contains("of CPU time in") && detail.contains("opponent's time"), "{about}");
    true
}

fn no_engine_computes(user: User, left_out: &[&str], ways: &[&str]) {
    if !user.is_here() {
        return;
    }
    let games = play(user, left_out, ways);
    let is_busy = is_busy(&games);
    let mut caught = 0;
    for (way, record) in &games {
        let is_caught = is_caught(&format!("{user:?}, {way}"), record);
        assert!(!is_caught || way != NONE, "{user:?}: it did nothing");
        let gained = if is_caught { 0 } else { gained_for_nothing(record) };
        assert_eq!(gained, 0, "{user:?}: {way} gained for nothing");
        let is_charged = of_opponent(record).any(|entry| entry.correction.unasked > 0);
        assert!(!is_charged, "{user:?}: {way}'s opponent pays for it");
        caught += u32::from(is_caught);
    }
    assert!(is_busy || caught > 0, "{user:?}: none is caught");
}

#[test]
fn no_engine_computes_while_paused() {
    no_engine_computes(User::Own, &[], WAYS);
}

/// Without control groups the processes are looked at one by one.
#[test]
fn no_engine_computes_while_paused_by_a_plain_user() {
    no_engine_computes(User::Plain, &[], &["timers", "helper", "orphan", NONE]);
}

#[test]
fn ways_that_are_closed_no_more_are_seen() {
    let ways = ["leaving", "death-signals", "owned-pipe", "descriptor", "debugger", NONE];
    no_engine_computes(User::Own, &["seccomp", "pid_ns"], &ways);
}
