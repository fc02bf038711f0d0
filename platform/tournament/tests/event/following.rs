//! Running events as followers see them.

use std::sync::Mutex;

use tengen_arbiter::Game;
use tengen_tournament::{
    Change, ChangeKind, EngineEntry, Event, EventConfig, EventFollower, EventFormat, EventProgress,
    GameEnd, RunOutcome, ScheduledGame, StageConfig, Stop, TableCursor, Watcher, WatcherPair,
};

use crate::test_event::{MisbehavingRoster, TestEvent, config, run};

/// A reader of one table, on the thread that plays there, which looks at some moments only.
struct SlowReader<'a> {
    follower: &'a EventFollower,
    is_due: fn(&Game) -> bool,
    seen: Mutex<(TableCursor, Vec<ToldGame>)>,
}

/// The number of a game, how many of its actions were told, and whether its end was.
type ToldGame = (u64, usize, bool);

impl Watcher for SlowReader<'_> {
    fn look(&self, table: usize, scheduled: &ScheduledGame, game: &Game) {
        if !(self.is_due)(game) {
            return;
        }
        let (cursor, told) = &mut *self.seen.lock().unwrap();
        while let Some(news) = self.follower.news(table, cursor) {
            let number = news.game.scheduled.number;
            // Without any action it may be told again, when its engines are ready.
            if news.is_begun {
                told.pop_if(|known| (known.0, known.1) == (number, 0));
            }
            match told.last_mut().filter(|_| !news.is_begun) {
                Some(known) => {
                    assert_eq!(known.0, number, "what is new belongs to the game that it knew");
                    *known = (number, known.1 + news.actions.len(), news.game.end.is_some());
                }
                None => told.push((number, news.actions.len(), news.game.end.is_some())),
            }
            if number == scheduled.number {
                assert_eq!(told.last().unwrap().1, game.history().len());
                assert_eq!(news.game.moves, game.position().moves());
            }
        }
    }

    fn over(&self, _: usize, _: &ScheduledGame, _: &Game, _: &GameEnd) {}
}

/// What a reader is told that comes at such moments: the games, their actions, their ends.
fn told(is_due: fn(&Game) -> bool) -> (Vec<ToldGame>, Event, TestEvent) {
    let test = TestEvent::new();
    let mut event =
        Event::create(&test.dir, EventConfig { concurrency: 1, ..config(2, 6, 5) }).unwrap();
    let follower = EventFollower::new(&event);
    let reader = SlowReader { follower: &follower, is_due, seen: Default::default() };
    let watcher = WatcherPair(&follower, &reader);
    let roster = MisbehavingRoster::new(None);
    let mut observe = |progress: &EventProgress<'_>| {
        follower.take_in(progress);
    };
    let (time, stop) = (&*roster.time, Stop::new());
    let outcome = event.run_watched(&roster, time, &stop, &mut observe, &watcher);
    assert_eq!(outcome.unwrap(), RunOutcome::Finished);
    assert_eq!(follower.summary(), event.summary());
    let (mut cursor, mut told) = reader.seen.into_inner().unwrap();
    while let Some(news) = follower.news(0, &mut cursor) {
        let last = told.last_mut().unwrap();
        *last = (last.0, last.1 + news.actions.len(), news.game.end.is_some());
    }
    (told, event, test)
}

#[test]
fn a_reader_is_told_every_action_and_the_end_of_each_game_that_it_saw() {
    for is_due in [|_: &Game| true, |game: &Game| game.history().len() % 5 == 4] {
        let (told, event, _test) = told(is_due);
        assert!(told.iter().map(|game| game.0).eq(1..=6));
        for (number, actions, is_over) in told {
            let record = event.game(number).unwrap().unwrap();
            assert!(is_over && actions == record.actions.len(), "game {number}");
        }
    }
}

#[test]
fn an_order_from_elsewhere_and_an_engine_that_joins_are_seen() {
    let test = TestEvent::new();
    let event = Event::create(&test.dir, config(2, 2, 5)).unwrap();
    let follower = EventFollower::new(&event);
    let heard = |kind| {
        let (date, text) = ("today".to_owned(), String::new());
        follower.changed(&Change {
            number: 1,
            date,
            kind,
            text,
            run: None,
            by: None,
            reason: None,
        });
        let event = follower.event();
        (event.is_paused, event.is_stopping, event.labels.len(), event.total)
    };
    assert_eq!(heard(ChangeKind::Paused), (true, false, 2, 2));
    assert_eq!(heard(ChangeKind::Continued), (false, false, 2, 2));
    drop(event.add(&[EngineEntry::new("x")], "today").unwrap());
    assert_eq!(heard(ChangeKind::Added), (false, false, 3, 6));
    assert_eq!(heard(ChangeKind::Stopped), (false, true, 3, 6));
}

#[test]
fn stages_are_followed_as_they_are_drawn() {
    let knockout = EventConfig { own: StageConfig::of(EventFormat::Knockout), ..config(4, 2, 5) };
    let (_test, mut event) = TestEvent::with(knockout);
    let follower = EventFollower::new(&event);
    run(&mut event, &Stop::new(), &mut |progress| {
        follower.take_in(progress);
    });
    let bracket = &follower.event().standings.stages[0].bracket;
    assert_eq!(bracket.len(), 3);
    assert!(bracket.iter().all(|line| line.engines.iter().all(Option::is_some)));
}
