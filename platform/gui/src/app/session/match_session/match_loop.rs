//! Plays a match, game after game.

use std::sync::Arc;

use tengen_arbiter::{Game, GameResult};
use tengen_players::{Fault, GameSetup, Player, Reply, Request, Time};
use tengen_rules::{BySeat, Color, Seat};
use tengen_stats::{PlayerOutcome, WinDrawLoss};
use tengen_tournament::{EventConfig, GameEnd, GameParams, GameRunner, Schedule, ScheduledGame};

use super::MatchConfig;
use super::handle::{MatchHandle, MatchRequest};
use crate::app::model::move_list::{MoveList, decision, draw_offer};
use crate::app::model::{MatchInfo, MatchStanding, OpenQuestion, Phase, SeatInfo, Snapshot};
use crate::app::session::EngineOutput;

/// Plays a match on its thread and publishes it to the handle.
pub(super) struct MatchLoop {
    config: MatchConfig,
    names: Vec<String>,
}

/// The players of a match, by engine; they are reused between games.
type MatchPlayers = Vec<Option<Box<dyn Player>>>;

impl MatchLoop {
    pub(super) fn new(config: MatchConfig, names: Vec<String>) -> MatchLoop {
        MatchLoop { config, names }
    }

    /// The match before its first game.
    pub(super) fn first_snapshot(&self) -> Snapshot {
        let schedule = self.schedule(1);
        let first = schedule.get(1).expect("a valid event has a game");
        Snapshot {
            phase: Phase::Starting,
            rule: self.event().rule,
            opening: self.event().opening,
            seats: BySeat::from_fn(|seat| self.seated(&first, seat)),
            series: Some(MatchInfo {
                round: 1,
                game: 1,
                games: schedule.len(),
                standings: self.standings(),
            }),
            ..Snapshot::blank(self.event().size)
        }
    }

    /// Plays until it is told to quit.
    pub(super) fn run(&self, handle: &MatchHandle) {
        for round in 1.. {
            let phase = self.play_match(handle, round);
            handle.publish(|snapshot| {
                snapshot.phase = phase;
                snapshot.asked = None;
            });
            handle.wait_for_request();
            if handle.take_request() == MatchRequest::Quit {
                return;
            }
        }
    }

    /// Plays game after game; every repetition of the match has other seeds.
    fn play_match(&self, handle: &MatchHandle, round: u64) -> Phase {
        let mut players = MatchPlayers::new();
        players.resize_with(self.names.len(), || None);
        handle.publish(|snapshot| {
            if let Some(series) = &mut snapshot.series {
                series.standings = self.standings();
            }
        });
        let schedule = self.schedule(round);
        for scheduled in schedule.iter() {
            let played = self.play_game(handle, round, &scheduled, &mut players);
            if handle.is_halted() {
                // Interrupted players cannot be used again.
                players.iter_mut().for_each(|player| *player = None);
            }
            if played && scheduled.number < schedule.len() {
                handle.wait_between_games(self.config.interval);
            }
            match handle.take_request() {
                MatchRequest::Continue | MatchRequest::Game | MatchRequest::Match => {}
                MatchRequest::Stop | MatchRequest::Quit => return Phase::Stopped,
            }
        }
        Phase::Finished
    }

    /// Plays one game. Returns whether it had a result.
    fn play_game(
        &self,
        handle: &MatchHandle,
        round: u64,
        scheduled: &ScheduledGame,
        players: &mut MatchPlayers,
    ) -> bool {
        let event = self.event();
        let Some(roster) = handle.begin(|snapshot| self.set_up(snapshot, round, scheduled)) else {
            return false;
        };
        let mut game = Game::new(event.game(scheduled)).expect("the event was validated");
        let mut end = GameEnd::default();
        let seats = [scheduled.seats.first, scheduled.seats.second];
        let [first, second] =
            players.get_disjoint_mut(seats).expect("two engines of the event sit at a table");
        let first = first.get_or_insert_with(|| roster.player(seats[0])).as_mut();
        let second = second.get_or_insert_with(|| roster.player(seats[1])).as_mut();
        let number = handle.snapshot().number;
        seats.iter().for_each(|&engine| handle.outputs[engine].begin_game(number));
        let observed = |player, engine: usize| ObservedPlayer {
            player,
            output: &handle.outputs[engine],
            handle,
        };
        let (mut first, mut second) = (observed(first, seats[0]), observed(second, seats[1]));
        let params = GameParams {
            number: Some(scheduled.number),
            opening: event.opening,
            seed: scheduled.seed,
            draw_offers: event.draw_offers,
        };
        let halted = || handle.is_halted();
        let stall = (event.stall.0 > 0).then_some(event.stall.0);
        let table = GameRunner { time: &*handle.time, stall, halted: &halted };
        let mut move_list = MoveList::default();
        let both: BySeat<&mut dyn Player> = BySeat { first: &mut first, second: &mut second };
        let played = table.play_watched(&mut game, params, both, &mut end, |game| {
            handle.publish(|snapshot| show(snapshot, game, &mut move_list));
            handle.wait_while_paused();
            handle.publish(|snapshot| {
                snapshot.phase = Phase::Playing;
                if let Some(asked) = &mut snapshot.asked {
                    asked.since = Some(handle.time.now());
                }
            });
        });
        handle.publish(|snapshot| {
            show(snapshot, &game, &mut move_list);
            snapshot.asked = None;
            match (played, game.result()) {
                (Ok(()), Some(result)) => {
                    snapshot.phase = Phase::Between;
                    snapshot.detail = end.detail.take();
                    if let Some(series) = &mut snapshot.series {
                        count(&mut series.standings, scheduled, result);
                    }
                }
                _ => snapshot.phase = Phase::Stopping,
            }
        });
        played.is_ok()
    }

    /// Resets the snapshot for a game.
    fn set_up(&self, snapshot: &mut Snapshot, round: u64, scheduled: &ScheduledGame) {
        snapshot.phase = Phase::Starting;
        snapshot.number = (round - 1) * self.schedule(round).len() + scheduled.number;
        if let Some(series) = &mut snapshot.series {
            (series.round, series.game) = (round, scheduled.number);
        }
        snapshot.seats = BySeat::from_fn(|seat| self.seated(scheduled, seat));
        snapshot.rows = Arc::default();
        snapshot.offered.clear();
        snapshot.asked = None;
        snapshot.result = None;
        snapshot.detail = None;
    }

    fn seated(&self, scheduled: &ScheduledGame, seat: Seat) -> SeatInfo {
        let engine = scheduled.seats[seat];
        let control = self.event().engines[engine].tc.unwrap_or(self.event().tc);
        SeatInfo {
            accent: engine,
            name: self.names[engine].clone(),
            is_person: false,
            color: if seat == Seat::First { Color::Black } else { Color::White },
            control,
            left: control.main,
        }
    }

    fn standings(&self) -> Vec<MatchStanding> {
        let standing =
            |name: &String| MatchStanding { name: name.clone(), score: WinDrawLoss::default() };
        self.names.iter().map(standing).collect()
    }

    fn schedule(&self, round: u64) -> Schedule {
        let event = self.event();
        Schedule::new(event.engines.len(), event.games, event.seed.wrapping_add(round - 1))
    }

    fn event(&self) -> &EventConfig {
        &self.config.event
    }
}

/// A player whose output is recorded.
struct ObservedPlayer<'a> {
    player: &'a mut dyn Player,
    output: &'a Arc<EngineOutput>,
    handle: &'a MatchHandle,
}

impl Player for ObservedPlayer<'_> {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        let readied = self.player.new_game(game);
        if let Err(fault) = &readied {
            self.output.write(0, &fault.detail, true);
        }
        readied
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        let reply = self.output.ask(self.player, request, 1, time);
        if let Err(fault) = reply.outcome.as_ref().map_err(|fault| &fault.detail)
            && !self.handle.is_halted()
        {
            self.output.write(request.moves.len(), fault, true);
        }
        reply
    }

    fn end_game(&mut self, result: GameResult) {
        self.player.end_game(result);
    }
}

/// Copies the state of a game to a snapshot.
fn show(snapshot: &mut Snapshot, game: &Game, move_list: &mut MoveList) {
    snapshot.rows = move_list.follow(game);
    for seat in Seat::ALL {
        let seated = &mut snapshot.seats[seat];
        seated.color = game.colors()[seat];
        seated.left = game.clock(seat).left();
    }
    snapshot.offered = game.offered().to_vec();
    let number = game.history().len() as u64;
    snapshot.asked =
        game.asked().map(|(seat, ask)| OpenQuestion { number, seat, ask, since: None, used: 0 });
    snapshot.decision = decision(game.history());
    snapshot.decisions = move_list.decisions(game);
    snapshot.draw_offer = draw_offer(game.history());
    snapshot.result = game.result();
}

fn count(standings: &mut [MatchStanding], scheduled: &ScheduledGame, result: GameResult) {
    for seat in Seat::ALL {
        let outcome = match result.winner {
            None => PlayerOutcome::Draw,
            Some(winner) if winner == seat => PlayerOutcome::Win,
            Some(_) => PlayerOutcome::Loss,
        };
        standings[scheduled.seats[seat]].score.add(outcome);
    }
}
