//! The workers of an event, each of which plays one game after another.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use tengen_arbiter::{Game, HistoryEntry, Nanos};
use tengen_players::{Player, Time};
use tengen_record::{Conditions, pack};
use tengen_rules::BySeat;

use super::left_games::NextGames;
use super::player_pool::SeatedPlayers;
use super::queue::GameQueue;
use super::records::line_of;
use super::{Roster, Watcher};
use crate::game_runner::{GameEnd, GameParams, GameRunner, Halted, substitute_answer};
use crate::store::{GameBatch, StoredGame};
use crate::{EventConfig, ScheduledGame, SpoiledOption, Stop};

/// Plays one game after another. When it is dropped, the players that wait for a game are ended.
pub(crate) struct Worker<'a> {
    queue: &'a GameQueue<'a>,
    /// Its number, counted from 0.
    pub number: usize,
    time: &'a dyn Time,
    /// What answers in place of illegal answers, once that was needed.
    substitute: RefCell<Option<Option<Box<dyn Player>>>>,
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        self.queue.players.end();
    }
}

impl<'a> Worker<'a> {
    pub(super) fn new(queue: &'a GameQueue<'a>, time: &'a dyn Time) -> Worker<'a> {
        Worker { queue, number: 0, time, substitute: RefCell::default() }
    }

    /// Plays the next game that is not taken, or the next pair, to its end. None when there is
    /// no more, or when the queue is halted: the worker is to be dropped then.
    pub fn play(&mut self) -> Option<GameBatch> {
        loop {
            if self.queue.is_halted() {
                return None;
            }
            let taken = self.queue.next()?;
            let batch = self.play_games(taken.games).ok()?;
            // All may have been put off.
            if !batch.games.is_empty() || !batch.discarded.is_empty() {
                return Some(batch);
            }
        }
    }

    /// Plays a game or a pair, again and again while the host spoils it. What cannot be begun any
    /// more is put off.
    pub(super) fn play_games(&self, games: NextGames) -> Result<GameBatch, Halted> {
        let GameQueue { players, roster, .. } = self.queue;
        let mut seated = Some(players.seat(*roster, games.seats(), self.number));
        let batch = self.play_with(&mut seated, games)?;
        if let Some(seated) = seated {
            seated.give_back();
        }
        Ok(batch)
    }

    /// The same with these players, which are let go where an engine went away.
    fn play_with(
        &self,
        seated: &mut Option<SeatedPlayers<'_>>,
        games: NextGames,
    ) -> Result<GameBatch, Halted> {
        let NextGames { first, twin, .. } = games;
        let keeps = self.queue.config.spoiled == SpoiledOption::Keep;
        let mut discarded = Vec::new();
        for replays in games.replays.. {
            let is_last = keeps || replays >= SpoiledOption::REPLAYS;
            let mut games = Vec::with_capacity(1 + usize::from(twin.is_some()));
            let mut lags = Vec::with_capacity(games.capacity());
            let mut is_spoiled = false;
            for scheduled in [Some(&first), twin.as_ref()].into_iter().flatten() {
                self.queue.wait_for_turn();
                let began = self.time.date();
                let played = match seated {
                    Some(seated) => self.play_game(seated, scheduled)?,
                    None => None,
                };
                let Some((game, end)) = played else {
                    *seated = None;
                    // The first game of a pair counts, though an engine went away after it, unless
                    // it would be void: a pair is void as a whole.
                    let is_void = is_spoiled && !keeps;
                    if games.is_empty() || is_void {
                        let replays = replays + u32::from(is_void);
                        self.queue.put_off(&NextGames { first, twin, replays });
                        discarded.append(&mut games);
                        return Ok(GameBatch { games, lags: Vec::new(), discarded });
                    }
                    self.queue.put_off(&NextGames { first: *scheduled, twin: None, replays });
                    break;
                };
                lags.push(game.history().iter().filter_map(|entry| entry.lag).collect());
                let mut game = stored(self.queue.config, scheduled, &game, end);
                if let Some((ruling, about)) = self.queue.take_ended(scheduled.number) {
                    game = game.ruled(ruling, about);
                }
                (game.conditions.replays, game.conditions.began) = (replays, began);
                is_spoiled |= game.conditions.is_spoiled();
                games.push(game);
                // What it is worth is not known without the other game.
                if is_spoiled && !is_last {
                    break;
                }
            }
            if !is_spoiled || is_last {
                let is_void = is_spoiled && !keeps;
                games.iter_mut().for_each(|game| game.conditions.is_void = is_void);
                return Ok(GameBatch { games, lags, discarded });
            }
            log::info!("game {}: spoiled by the host; played again", named(&first, &twin));
            discarded.append(&mut games);
        }
        unreachable!("the last time is the last")
    }

    /// Plays a game. None where an engine went away before its start.
    fn play_game(
        &self,
        seated: &mut SeatedPlayers<'_>,
        scheduled: &ScheduledGame,
    ) -> Result<Option<(Game, GameEnd)>, Halted> {
        let GameQueue { config, roster, watcher, .. } = self.queue;
        let number = self.number;
        let mut game = Game::new(config.game(scheduled)).expect("the event was validated");
        let seats = [scheduled.seats.first, scheduled.seats.second];
        let [first, second] = seats.map(|seat| &config.engines[seat].id);
        log::info!("game {} begins: {first} – {second}", scheduled.number);
        // The wait for engines elsewhere may be long, and the game may be put off.
        if seats.iter().all(|&seat| config.engines[seat].remote().is_none()) {
            watcher.look(number, scheduled, &game);
        }
        let [first, second] = seated.of(seats);
        let params = GameParams {
            number: Some(scheduled.number),
            opening: config.opening,
            seed: scheduled.seed,
            draw_offers: config.draw_offers,
        };
        let (has_begun, is_put_off) = (Cell::new(false), Cell::new(false));
        let was_missed = || {
            let was_missed = |seat: &usize| roster.was_missed(*seat, scheduled.number);
            is_put_off.set(!has_begun.get() && seats.iter().any(was_missed));
            is_put_off.get()
        };
        let is_ended = || has_begun.get() && self.queue.is_ended(scheduled.number);
        let halted = || self.queue.is_halted() || was_missed() || is_ended();
        let substitute = |game: &Game, seat| {
            let mut player = self.substitute.borrow_mut();
            let player = player.get_or_insert_with(|| roster.substitute()).as_deref_mut()?;
            substitute_answer(player, game, seat, params, self.time)
        };
        let listener = watcher.listener(number);
        let runner = GameRunner {
            time: self.time,
            stall: config.stall(),
            halted: &halted,
            substitute: Some(&substitute),
            listener: listener.as_ref(),
        };
        let both: BySeat<&mut dyn Player> = BySeat { first, second };
        let mut end = GameEnd::default();
        let played = runner.play_watched(&mut game, params, both, &mut end, |game| {
            has_begun.set(true);
            watcher.look(number, scheduled, game);
            self.queue.wait_for_game(scheduled.number);
        });
        if is_put_off.get() {
            return Ok(None);
        }
        if played.is_err() && !self.queue.is_halted() && is_ended() {
            game.abort(self.time.now());
            let result = game.result().expect("it was just ended");
            seated.of(seats).into_iter().for_each(|player| player.end_game(result));
        } else {
            played?;
        }
        watcher.over(number, scheduled, &game, &end);
        Ok(Some((game, end)))
    }
}

/// Plays the games of these numbers on this thread, one after another, as an event does, but saves
/// none: only the watcher gets them. Returns when they are played or `stop` is requested.
///
/// The event must be valid.
pub fn play_unsaved(
    config: &EventConfig,
    numbers: Range<u64>,
    roster: &dyn Roster,
    stop: &Stop,
    time: &dyn Time,
    watcher: &dyn Watcher,
) {
    let queue = GameQueue::new(config, config.schedule(), vec![numbers], roster, stop);
    // Nothing ends a test that is only watched.
    let queue = queue.of_all().watched_by(watcher);
    let mut worker = queue.worker(time);
    while worker.play().is_some() {}
}

fn named(first: &ScheduledGame, twin: &Option<ScheduledGame>) -> String {
    let twin = twin.map(|twin| format!(" and {}", twin.number)).unwrap_or_default();
    format!("{}{twin}", first.number)
}

/// How long all answers took together, whichever clock was charged.
fn whole_time(game: &Game) -> Nanos {
    let spans = game.history().iter().map(HistoryEntry::span);
    spans.fold(0, Nanos::saturating_add)
}

fn stored(
    config: &EventConfig,
    scheduled: &ScheduledGame,
    game: &Game,
    end: GameEnd,
) -> StoredGame {
    let result = game.result().expect("the game was played to its end");
    if let (Some(winner), Some(detail)) = (result.winner, &end.detail) {
        let engine = scheduled.seats[!winner];
        let termination = result.termination;
        log::debug!("game {}: engine {engine} lost by {termination}: {detail}", scheduled.number);
    }
    StoredGame {
        number: scheduled.number,
        seats: scheduled.seats,
        result,
        plies: u32::try_from(game.position().board().count()).expect("a board has few points"),
        duration: whole_time(game),
        packed: pack(game.history()),
        line: line_of(config, scheduled, game.history(), result.winner),
        is_again: false,
        detail: end.detail,
        conditions: Conditions {
            forfeit: end.cause,
            stopped: end.stopped,
            ..Conditions::default()
        },
        worker: None,
        ruling: None,
    }
}
