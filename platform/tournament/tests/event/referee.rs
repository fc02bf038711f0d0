//! What a referee does: results by hand, void games, games played again, warnings, and each undone.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex};

use rusqlite::Connection;
use tengen_arbiter::{Game, Termination};
use tengen_record::replay;
use tengen_rules::Seat;
use tengen_tournament::{
    Change, ChangeKind, Event, EventConfig, EventError, EventFormat, EventProgress, RefereeNote,
    Ruling, RunOutcome, ScheduledGame, StageConfig, Stop, Watcher,
};

use crate::steering::run_and;
use crate::test_event::{MisbehavingRoster, TestEvent, config, export, finish, run};

const NOTE: RefereeNote<'_> = RefereeNote { by: "Jan", reason: "the cable was out", date: "today" };

fn open(dir: &Path) -> Event {
    Event::open(dir).unwrap()
}

fn rule(dir: &Path, number: u64, ruling: Ruling) -> Event {
    Event::rule(dir, number, ruling, NOTE).unwrap()
}

/// The winner of a game, as it counts.
fn winner(event: &Event, number: u64) -> Option<Seat> {
    event.game(number).unwrap().unwrap().result.winner
}

fn is_whole(event: &Event) {
    assert_eq!(event.recount().unwrap(), *event.tally());
    assert_eq!(Event::repair(event.dir()).unwrap(), None, "nothing is to be repaired");
}

#[test]
fn a_result_by_hand_counts_and_what_was_played_stays_on_record() {
    let (test, event) = TestEvent::finished(config(3, 4, 5));
    let (before, tally) = (export(&event), event.tally().clone());
    let scores = event.summary().standings;
    let played = event.game(3).unwrap().unwrap();
    let other = played.result.winner.map_or(Seat::First, |seat| !seat);
    drop(event);

    let event = rule(&test.dir, 3, Ruling::Result(Some(other)));
    assert_eq!(winner(&event, 3), Some(other));
    assert_ne!(event.summary().standings, scores);
    assert_eq!(event.summary().terminations[&Termination::Ruling], 1);
    assert!(event.incidents().unwrap().groups().is_empty());
    let record = event.game(3).unwrap().unwrap();
    assert_eq!((record.actions.len(), record.played()), (played.actions.len(), played.result));
    assert_eq!(record.detail.as_deref(), Some("Jan: the cable was out"));
    assert_eq!(replay(&record), Ok(record.result));
    let kept = fs::read_to_string(test.dir.join("games.jsonl")).unwrap();
    assert!(kept.contains(r#""ruling":{"change":1,"by":"Jan","date":"today","reason":"the cable"#));
    is_whole(&event);
    let change = &event.changes().unwrap()[0];
    assert_eq!(change.kind, ChangeKind::Ruled(3));
    assert!(change.to_string().starts_with("today, Jan: game 3, e"), "{change}");
    drop(event);

    // Of two rulings the last one counts, and is undone first.
    rule(&test.dir, 3, Ruling::Void);
    let refused = Event::undo(&test.dir, 1, NOTE).err().unwrap().to_string();
    assert!(refused.ends_with("change 1: undo change 2 of its game first"), "{refused}");
    let event = Event::undo(&test.dir, 2, NOTE).unwrap();
    assert_eq!((export(&event), event.tally()), (before, &tally));
    is_whole(&event);
    let refused = Event::undo(&test.dir, 2, NOTE).err().unwrap().to_string();
    assert!(refused.ends_with("change 2: it was undone by change 3"), "{refused}");
}

#[test]
fn a_void_game_counts_for_neither_and_is_no_fault_of_the_machine() {
    let (test, event) = TestEvent::finished(config(2, 6, 5));
    drop(event);
    let event = rule(&test.dir, 2, Ruling::Void);
    let summary = event.summary();
    assert_eq!((summary.games, event.tally().void(), summary.spoiled.void), (5, 1, 0));
    assert!(event.is_finished());
    is_whole(&event);
}

#[test]
fn a_game_is_played_again_by_the_next_run() {
    let (test, event) = TestEvent::finished(config(3, 4, 5));
    let before = export(&event);
    drop(event);
    let event = rule(&test.dir, 5, Ruling::Replay);
    assert_eq!((event.tally().len(), event.is_finished()), (11, false));
    drop(event);
    let event = Event::undo(&test.dir, 1, NOTE).unwrap();
    assert_eq!(export(&event), before, "as if nothing had been");
    drop(event);

    for times in 1..=2 {
        let mut event = rule(&test.dir, 5, Ruling::Replay);
        assert_eq!(run(&mut event, &Stop::new(), &mut |_| {}), RunOutcome::Finished);
        assert_eq!(event.game(5).unwrap().unwrap().conditions.replays, times);
        event.keep_discarded().unwrap();
        let kept = fs::read_to_string(test.dir.join("spoiled.jsonl")).unwrap();
        assert_eq!(kept.lines().count(), times as usize);
        is_whole(&event);
    }
    let refused = Event::undo(&test.dir, 4, NOTE).err().unwrap().to_string();
    assert!(refused.ends_with("change 4: game 5 has been played again since"), "{refused}");
}

#[test]
fn a_running_event_goes_by_it() {
    let games = EventConfig { concurrency: 1, ..config(3, 2000, 5) };
    let (test, mut event) = TestEvent::with(games);
    let act = || {
        rule(&test.dir, 1, Ruling::Void);
        rule(&test.dir, 2, Ruling::Replay);
        rule(&test.dir, 3, Ruling::Result(None));
        Event::warn(&test.dir, 1, NOTE).unwrap();
    };
    let (outcome, seen, _) = run_and(&mut event, act, |_| {});
    assert_eq!((outcome, event.tally().len()), (RunOutcome::Finished, 6000));
    assert_eq!(seen.len(), 4);
    assert_eq!((event.tally().void(), event.game(2).unwrap().unwrap().conditions.replays), (1, 1));
    assert_eq!(event.summary().terminations[&Termination::Ruling], 1);
    is_whole(&event);
    let records = fs::read_to_string(event.keep_records().unwrap()).unwrap();
    assert_eq!(records, export(&event), "they have what was ruled");
    assert!(event.changes().unwrap()[3].text.starts_with("e1 was warned: the cable"));
}

#[test]
fn what_cannot_be_ruled_on_is_said_and_nothing_is_changed() {
    let (test, mut event) = TestEvent::with(config(2, 4000, 5));
    let stop = Stop::new();
    run(&mut event, &stop, &mut |_| stop.request());
    drop(event);
    let said = |number, note| Event::rule(&test.dir, number, Ruling::Void, note).err().unwrap();
    for (problem, number, note) in [
        ("game 4001: the event has games 1 to 4000", 4001, NOTE),
        ("game 4000: it is not finished, so there is nothing to rule on yet", 4000, NOTE),
        ("--reason: give 1 to 400 characters", 1, RefereeNote { reason: " ", ..NOTE }),
        ("--by: give one line of text", 1, RefereeNote { by: "a\nb", ..NOTE }),
    ] {
        let error = said(number, note).to_string();
        assert!(error.ends_with(problem), "{error}");
    }
    let event = Event::extend(&test.dir, 4002, "now").unwrap();
    assert_eq!(event.changes().unwrap().len(), 1);
    for (problem, change) in [("it is no act of a referee", 1), ("the event has 1 changes", 2)] {
        let error = Event::undo(&test.dir, change, NOTE).err().unwrap().to_string();
        assert!(error.ends_with(problem), "{error}");
    }
}

#[test]
fn what_was_drawn_stays_drawn() {
    let own = StageConfig { rounds: Some(4), ..StageConfig::of(EventFormat::Swiss) };
    let (test, event) = TestEvent::finished(EventConfig { own, ..config(6, 1, 3) });
    drop(event);
    let early = Event::rule(&test.dir, 9, Ruling::Void, NOTE).err().unwrap();
    assert!(matches!(early, EventError::Act { .. }));
    assert!(early.to_string().contains("the next round was drawn from its result"), "{early}");
    let event = rule(&test.dir, 10, Ruling::Void);
    is_whole(&event);
    drop(event);
    let mut event = rule(&test.dir, 11, Ruling::Replay);
    assert_eq!(run(&mut event, &Stop::new(), &mut |_| {}), RunOutcome::Finished);
    is_whole(&event);
}

/// A ruling is neither lost with a damaged row nor by a merge.
#[test]
fn a_ruling_outlasts_damage_and_a_merge() {
    let (test, event) = TestEvent::finished(config(2, 4, 5));
    drop(event);
    let ruled = export(&rule(&test.dir, 2, Ruling::Result(None)));
    let other = finish(&test.dir.with_file_name("other"), config(2, 4, 6));
    let out = test.dir.with_file_name("both");
    let both = Event::merge(&test.dir, other.dir(), &out, "now").unwrap();
    let record = both.game(2).unwrap().unwrap();
    assert_eq!(record.result.termination, Termination::Ruling);
    assert_eq!(record.ruling.unwrap().by, "Jan");
    is_whole(&both);

    let connection = Connection::open(test.dir.join("event.db")).unwrap();
    connection.execute_batch("UPDATE games SET plies = 1 WHERE number IN (2, 3)").unwrap();
    drop(connection);
    let repaired = Event::repair(&test.dir).unwrap().unwrap();
    assert_eq!((repaired.kept, repaired.total), (4, 4));
    let event = Event::open(&test.dir).unwrap();
    assert_eq!(export(&event), ruled);
    let undone = Event::undo(&test.dir, 1, NOTE).unwrap();
    assert_eq!(undone.game(2).unwrap().unwrap().ruling, None);
}

/// Acts on running games: ends game 5 after its first move, and pauses game 7 until game 60 is
/// looked at.
struct Bystander<'a> {
    dir: &'a Path,
    seen: Mutex<Vec<ChangeKind>>,
    has_seen: Condvar,
    /// Held by the one that acts: of two at once, one would be refused.
    acts: Mutex<()>,
    /// How often game 5 was looked at.
    looks: AtomicU64,
}

impl Bystander<'_> {
    /// Makes a change, and waits until the run has seen it.
    fn make(&self, kind: ChangeKind, act: impl FnOnce()) {
        let _acts = self.acts.lock().unwrap();
        act();
        let waits = |seen: &mut Vec<ChangeKind>| !seen.contains(&kind);
        drop(self.has_seen.wait_while(self.seen.lock().unwrap(), waits).unwrap());
    }
}

impl Watcher for Bystander<'_> {
    fn look(&self, _: usize, scheduled: &ScheduledGame, game: &Game) {
        let act = |is_paused| drop(Event::pause_game(self.dir, 7, is_paused, NOTE).unwrap());
        let is_new = |kind| !self.seen.lock().unwrap().contains(&kind);
        match scheduled.number {
            5 if game.result().is_none() && self.looks.fetch_add(1, Ordering::SeqCst) == 2 => {
                let ruling = Ruling::Result(Some(Seat::Second));
                self.make(ChangeKind::Ended(5, ruling), || {
                    drop(Event::end_game(self.dir, 5, ruling, NOTE).unwrap());
                });
            }
            7 if is_new(ChangeKind::GamePaused(7)) => {
                self.make(ChangeKind::GamePaused(7), || act(true));
            }
            60 if is_new(ChangeKind::GameContinued(7)) => {
                self.make(ChangeKind::GameContinued(7), || act(false));
            }
            _ => {}
        }
    }

    fn changed(&self, change: &Change) {
        self.seen.lock().unwrap().push(change.kind);
        self.has_seen.notify_all();
    }
}

#[test]
fn a_running_game_is_ended_or_paused_between_two_moves() {
    let (test, mut event) = TestEvent::with(config(3, 100, 5));
    let (roster, stop, mut ended) = (MisbehavingRoster::new(None), Stop::new(), Vec::new());
    let (seen, looks) = (Mutex::default(), AtomicU64::new(0));
    let watcher =
        Bystander { dir: &test.dir, seen, has_seen: Condvar::new(), acts: Mutex::default(), looks };
    let mut observe = |progress: &EventProgress<'_>| {
        ended.extend(progress.games.iter().map(|game| game.number));
    };
    let run = event.run_watched(&roster, &*roster.time, &stop, &mut observe, &watcher);
    assert_eq!((run.unwrap(), event.tally().len()), (RunOutcome::Finished, 300));
    let place = |number| ended.iter().position(|one| *one == number).unwrap();
    assert!(place(7) > place(58), "it waited for a game that began when game 58 was over");

    let record = event.game(5).unwrap().unwrap();
    assert_eq!((record.actions.len(), record.result.winner), (1, Some(Seat::Second)));
    assert_eq!(record.played().termination, Termination::Aborted);
    assert_eq!(record.detail.as_deref(), Some("Jan: the cable was out"));
    assert_eq!(replay(&record), Ok(record.result));
    is_whole(&event);
    let number = record.ruling.unwrap().change;
    let refused = Event::undo(&test.dir, number, NOTE).err().unwrap().to_string();
    assert!(refused.contains("was ended by a referee"), "{refused}");
    let refused = Event::end_game(&test.dir, 5, Ruling::Void, NOTE).err().unwrap().to_string();
    assert!(refused.ends_with("game 5: it is finished"), "{refused}");
}

/// A Swiss of six engines, four rounds of three games, each begun by the referee.
fn by_hand() -> EventConfig {
    let own = StageConfig { rounds: Some(4), ..StageConfig::of(EventFormat::Swiss) };
    EventConfig { own, rounds_by_hand: Some(1), ..config(6, 1, 3) }
}

/// Says when a run waits for the referee, and has the next round begun then.
struct Beginner<'a> {
    dir: &'a Path,
    rounds: AtomicU64,
    stop: &'a Stop,
    /// How many rounds it begins before it stops the run.
    most: u64,
}

impl Watcher for Beginner<'_> {
    fn look(&self, _: usize, _: &ScheduledGame, _: &Game) {}

    fn awaits(&self, is_awaited: bool) {
        if !is_awaited {
            return;
        }
        if self.rounds.fetch_add(1, Ordering::SeqCst) == self.most {
            return self.stop.request();
        }
        let pairings = Event::open(self.dir).unwrap().pairings(None).unwrap();
        assert!(pairings.is_awaited && pairings.tables.len() == 3);
        Event::begin_round(self.dir, RefereeNote { reason: "", ..NOTE }).unwrap();
    }
}

/// Plays until the referee has begun so many rounds, and is to begin another one.
fn begin_rounds(event: &mut Event, most: u64) -> RunOutcome {
    let (roster, stop, dir) = (MisbehavingRoster::new(None), Stop::new(), event.dir().to_owned());
    let beginner = Beginner { dir: &dir, rounds: AtomicU64::new(0), stop: &stop, most };
    event.run_watched(&roster, &*roster.time, &stop, &mut |_| {}, &beginner).unwrap()
}

#[test]
fn a_referee_begins_each_round_after_a_look_at_it() {
    let (test, mut event) = TestEvent::with(by_hand());
    let first = event.pairings(None).unwrap();
    assert_eq!((first.round, first.rounds, first.is_awaited), (1, 1, false));
    assert_eq!(begin_rounds(&mut event, 1), RunOutcome::Stopped);
    assert_eq!((event.tally().len(), event.is_finished()), (6, false));
    drop(event);

    // The round that is over can be ruled on, and what is drawn goes by that.
    let event = open(&test.dir);
    let shown = event.pairings(None).unwrap();
    assert_eq!((shown.round, shown.is_awaited), (3, true));
    let early = Event::rule(&test.dir, 3, Ruling::Void, NOTE).err().unwrap().to_string();
    assert!(early.contains("the next round was drawn"), "{early}");
    for number in 4..=6 {
        let record = event.game(number).unwrap().unwrap();
        let other = record.result.winner.map_or(Seat::First, |seat| !seat);
        rule(&test.dir, number, Ruling::Result(Some(other)));
    }
    let mut event = open(&test.dir);
    assert_ne!(event.pairings(None).unwrap().tables, shown.tables, "other results, other pairs");
    let second = event.pairings(Some(2)).unwrap();
    assert!(second.tables.iter().all(|table| table.finished == 1 && table.games.len() == 1));
    let none = event.pairings(Some(4)).unwrap_err().to_string();
    assert!(none.ends_with("round 4: rounds 1 to 3 are drawn"), "{none}");
    assert_eq!(begin_rounds(&mut event, 9), RunOutcome::Finished);
    assert_eq!(event.tally().len(), 12);
    is_whole(&event);
    let late = Event::begin_round(&test.dir, NOTE).err().unwrap().to_string();
    assert!(late.ends_with("its last round is over"), "{late}");
    drop(event);
    let event = open(&test.dir);
    assert_eq!(event.changes().unwrap().len(), 6);
    assert!(event.changes().unwrap()[0].to_string().ends_with("Jan: the next round was begun"));
}

#[test]
fn rounds_that_are_begun_by_hand_are_played_as_the_others_are() {
    let (_test, mut event) = TestEvent::with(by_hand());
    assert_eq!(begin_rounds(&mut event, 9), RunOutcome::Finished);
    let by_itself = EventConfig { rounds_by_hand: None, ..by_hand() };
    let (_other, other) = TestEvent::finished(by_itself);
    assert_eq!(export(&event), export(&other));
    let refused = Event::begin_round(other.dir(), NOTE).err().unwrap().to_string();
    assert!(refused.contains("its rounds begin by themselves"), "{refused}");
    let round_robin = EventConfig { rounds_by_hand: Some(1), ..config(3, 2, 1) };
    let refused = round_robin.validate().unwrap_err().to_string();
    assert!(refused.starts_with("rounds-by-hand: every game is known"), "{refused}");
}

#[test]
fn pairings_name_tables_games_and_who_sits_out() {
    let (_test, event) = TestEvent::finished(config(5, 2, 5));
    for round in 1..=5 {
        let shown = event.pairings(Some(round)).unwrap();
        assert_eq!((shown.rounds, shown.tables.len(), shown.byes.len()), (5, 2, 1));
        let table = &shown.tables[1];
        assert_eq!((table.table, table.games.len(), table.finished), (2, 2, 2));
        assert_eq!(table.points.iter().sum::<f64>(), 2.0);
    }
    assert_eq!(event.pairings(None).unwrap().round, 5, "the last one, where all are played");
}

/// The columns are those of TRF16, counted from 1 there.
#[test]
fn a_swiss_is_written_for_other_pairing_programs() {
    let own = StageConfig { rounds: Some(4), ..StageConfig::of(EventFormat::Swiss) };
    let swiss = EventConfig { own: own.clone(), place: Some("Brno".to_owned()), ..config(5, 1, 3) };
    let (test, event) = TestEvent::finished(swiss);
    let path = test.dir.join("cup.trf");
    event.export_trf(&path).unwrap();
    let text = fs::read_to_string(path).unwrap();
    assert!(text.starts_with("012 cup\n022 Brno\n062 5\n"), "{text}");
    let players: Vec<&str> = text.lines().filter(|line| line.starts_with("001 ")).collect();
    assert_eq!(players.len(), 5);
    let mut byes = 0;
    for (number, line) in (1..).zip(&players) {
        assert_eq!(line.len(), 89 + 4 * 10);
        assert_eq!(line[4..8].trim(), number.to_string());
        assert_eq!(line[14..47].trim(), format!("e{}", number - 1));
        let (mut points, mut rounds) = (0.0, Vec::new());
        for round in 0..4 {
            let entry = &line[89 + 10 * round..][..10];
            let (other, seat, result) = (entry[2..6].trim(), &entry[7..8], &entry[9..]);
            points += match result {
                "1" | "U" => 1.0,
                "=" => 0.5,
                _ => 0.0,
            };
            if result == "U" {
                byes += 1;
                continue;
            }
            // Its opponent tells the same of the other side.
            let told = &players[other.parse::<usize>().unwrap() - 1][89 + 10 * round..][..10];
            assert_eq!(told[2..6].trim(), number.to_string());
            assert_ne!(&told[7..8], seat);
            rounds.push((result.to_owned(), told[9..].to_owned()));
        }
        let fits = |(one, other): &(String, String)| {
            matches!((&**one, &**other), ("1", "0") | ("0", "1") | ("=", "="))
        };
        assert!(rounds.iter().all(fits), "{rounds:?}");
        assert_eq!(line[80..84].trim().parse::<f64>().unwrap(), points);
    }
    assert_eq!(byes, 4, "one a round");

    let (_other, pairs) = TestEvent::finished(EventConfig { own, ..config(4, 2, 3) });
    let refused = pairs.export_trf(&test.dir.join("no.trf")).unwrap_err().to_string();
    assert!(refused.contains("one game a meeting"), "{refused}");
}
