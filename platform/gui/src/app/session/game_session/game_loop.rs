//! Plays a game, and handles requests between questions.

use std::cell::RefCell;
use std::sync::Arc;

use tengen_arbiter::{Action, Game, GameConfig, Input, Termination};
use tengen_lineup::{EngineProvider, SUBSTITUTE};
use tengen_players::{EngineInstance, GameVariant, Player};
use tengen_record::{GameRecord, Header};
use tengen_rules::{BySeat, Color, Seat};
use tengen_tournament::{GameEnd, GameParams, GameRunner, SubstituteFn, substitute_answer};

use super::GameContext;
use super::handle::{GameHandle, GameRequest};
use super::recording::{note_players, player_header, save};
use super::seat_player::SeatPlayer;
use crate::app::model::move_list::{MoveList, display_name, is_answer};
use crate::app::model::{
    GameForm, GameFormProblem, HappeningKind, OpenQuestion, Phase, SeatInfo, Snapshot,
};
use crate::app::session::show::show;
use crate::app::storage::archive::GameFile;

/// Plays a game on its thread and publishes it to the handle.
pub(super) struct GameLoop {
    setup: GameForm,
    variant: GameVariant,
    config: GameConfig,
    game: Game,
    move_list: MoveList,
    file: Option<GameFile>,
    /// The record's header, with all players so far.
    header: Header,
    provider: Arc<dyn EngineProvider>,
    resumed: bool,
    /// The engine that answers in place of illegal answers, once that was needed.
    substitute: Option<EngineInstance>,
}

impl GameLoop {
    pub(super) fn new(
        setup: GameForm,
        saved: Option<GameRecord>,
        file: Option<GameFile>,
        context: &GameContext,
    ) -> Result<GameLoop, GameFormProblem> {
        let variant = setup.variant().ok_or(GameFormProblem::Size)?;
        let resumed = saved.is_some();
        let (header, history) = match saved {
            Some(GameRecord { header, actions, .. }) => (header, actions),
            None => (GameLoop::new_header(&setup, context)?, Vec::new()),
        };
        let config = header.config();
        let provider = Arc::clone(&context.provider);
        let mut game =
            Game::replay_leniently(&config, &history).map_err(GameFormProblem::Opening)?;
        for seat in Seat::ALL {
            game.set_person(seat, setup.seats[seat].is_person());
        }
        let move_list = MoveList::default();
        let mut runner = GameLoop {
            substitute: None,
            setup,
            variant,
            config,
            game,
            move_list,
            file,
            header,
            provider,
            resumed,
        };
        runner.move_list = runner.read();
        Ok(runner)
    }

    /// The record's header of a game that begins.
    fn new_header(setup: &GameForm, context: &GameContext) -> Result<Header, GameFormProblem> {
        let config = setup.check()?;
        let player_header =
            |seat: Seat| player_header(&setup.seats[seat], &context.persons[seat], &config, seat);
        Ok(Header {
            event: None,
            round: None,
            game: None,
            rule: config.rule,
            size: config.size,
            opening: config.opening.clone(),
            seats: BySeat::from_fn(player_header),
            policies: config.policies,
            seed: 0,
            handovers: Vec::new(),
            undo_left: setup.undo,
        })
    }

    /// The game before its next question; a saved one is paused.
    pub(super) fn snapshot(&self) -> Snapshot {
        let config = &self.config;
        let mut snapshot = Snapshot {
            phase: if self.resumed { Phase::Paused } else { Phase::Starting },
            rule: config.rule,
            opening: config.opening.procedure,
            passing: config.policies.passing,
            undo_left: self.header.undo_left,
            seats: BySeat::from_fn(|seat| SeatInfo {
                accent: usize::from(seat == Seat::Second),
                name: self.header.last_player(seat).name.clone(),
                is_person: self.setup.seats[seat].is_person(),
                color: Color::Black,
                control: config.time[seat],
                clock: None,
                used: 0,
            }),
            ..Snapshot::blank(config.size)
        };
        show_game(&mut snapshot, &self.game, &mut self.read(), &self.header);
        snapshot
    }

    /// The moves of the game so far, rebuilt from its history.
    fn read(&self) -> MoveList {
        let mut move_list = MoveList::default();
        let history = self.game.history();
        for end in 0..=history.len() {
            if end == 0 || is_answer(&history[end - 1]) {
                let Ok(game) = Game::replay_leniently(&self.config, &history[..end]) else { break };
                move_list.follow(&game);
            }
        }
        move_list
    }

    /// Plays until it is told to quit.
    pub(super) fn run(mut self, handle: &Arc<GameHandle>) {
        let begins = if self.resumed { "goes on" } else { "begins" };
        let [first, second] = Seat::ALL.map(|seat| self.header.names(seat));
        log::info!("a game of {first} and {second} {begins} in the window");
        let mut players = BySeat::from_fn(|seat| {
            let (provider, handle) = (Arc::clone(&self.provider), Arc::clone(handle));
            SeatPlayer::new(seat, self.variant, self.setup.budget(), provider, handle)
        });
        for seat in Seat::ALL {
            self.update_seat(handle, &mut players[seat]);
        }
        save(handle, &mut self.file, &self.game, &self.header, None);
        if !self.resumed
            && let Err(start_failure) =
                players.first.load_assigned().and_then(|()| players.second.load_assigned())
        {
            handle.publish(|snapshot| {
                snapshot.phase = Phase::Stopped;
                snapshot.start_failure = Some(start_failure);
            });
            while handle.next_request(true) != Some(GameRequest::Quit) {}
            return;
        }
        loop {
            let over = self.game.result().is_some()
                || (self.can_resume(handle, &mut players) && self.play(handle, &mut players));
            if over {
                self.finish(handle);
            }
            while let Some(request) = handle.next_request(self.game.result().is_some()) {
                if request == GameRequest::Quit {
                    return;
                }
                self.handle_request(handle, &mut players, request);
            }
            for seat in Seat::ALL {
                self.update_seat(handle, &mut players[seat]);
            }
        }
    }

    /// Whether the engines of a saved game are there once it goes on. If not, it is paused again
    /// and says why: another player may take the seat.
    fn can_resume(&mut self, handle: &GameHandle, players: &mut BySeat<SeatPlayer>) -> bool {
        if !self.resumed || handle.interrupt_if_needed() {
            return true;
        }
        for seat in Seat::ALL {
            if let Err((id, reason)) = players[seat].load_assigned() {
                handle.pause(format!("{id}: {reason}"));
                return false;
            }
        }
        self.resumed = false;
        true
    }

    /// Plays on from the open question. Returns whether the game came to an end.
    fn play(&mut self, handle: &Arc<GameHandle>, players: &mut BySeat<SeatPlayer>) -> bool {
        let opening = self.variant.opening;
        let params = GameParams { number: None, opening, seed: 0, draw_offers: true };
        let halted = || handle.is_halted();
        let mut end = GameEnd::default();
        let BySeat { first, second } = players.as_mut();
        let players: BySeat<&mut dyn Player> = BySeat { first, second };
        let GameLoop { game, move_list, file, header, substitute, provider, variant, .. } = self;
        let substitute = RefCell::new(substitute);
        let answer = |game: &Game, seat| {
            let mut engine = substitute.borrow_mut();
            if engine.is_none() {
                **engine = provider.start(SUBSTITUTE, variant).ok();
            }
            let engine = engine.as_mut()?;
            if !handle.start_work(&engine.interrupt) {
                return None;
            }
            let answer = substitute_answer(&mut *engine.player, game, seat, params, &*handle.time);
            handle.end_work().then_some(answer)?
        };
        let substitute: Option<&SubstituteFn<'_>> = Some(&answer);
        let runner = GameRunner {
            time: &*handle.time,
            stall: None,
            halted: &halted,
            substitute,
            listener: None,
        };
        let played = runner.play_watched(game, params, players, &mut end, |game| {
            note_players(handle, game, header);
            handle.publish(|snapshot| show_game(snapshot, game, move_list, header));
            save(handle, file, game, header, None);
        });
        if played.is_err() {
            self.suspend_question(handle);
            return false;
        }
        let detail = end.detail;
        handle.publish(|snapshot| snapshot.detail = detail);
        true
    }

    /// Stops the clock of an interrupted question.
    fn suspend_question(&mut self, handle: &GameHandle) {
        let asked = handle.snapshot().asked;
        if let Some(OpenQuestion { seat, since: Some(since), .. }) = asked {
            self.game.handle(since, seat, Input::Asked);
        }
        // A question that was not yet put is ordered again, too.
        self.game.suspend(handle.time.now());
        handle.publish(|snapshot| {
            if let Some(asked) = &mut snapshot.asked
                && let Some(since) = asked.since.take()
            {
                asked.used += handle.time.now().saturating_sub(since);
            }
        });
    }

    fn handle_request(
        &mut self,
        handle: &GameHandle,
        players: &mut BySeat<SeatPlayer>,
        request: GameRequest,
    ) {
        let now = handle.time.now();
        match request {
            GameRequest::Resign(seat) => {
                let resign = Input::Act(Action::Resign);
                self.game.handle(now, seat, resign);
            }
            GameRequest::Stop => self.game.abort(now),
            GameRequest::Reopen => self.take_back(handle, self.game.history().len()),
            GameRequest::TakeBack => self.take_back(handle, self.before_last_person(handle)),
            GameRequest::TakeBackTo(plies) => {
                let history = self.move_list.history_of(plies);
                self.take_back(handle, history);
            }
            GameRequest::Quit => {}
        }
        if let Some(result) = self.game.result() {
            for seat in Seat::ALL {
                players[seat].end_game(result);
            }
            self.finish(handle);
        }
    }

    /// The length of the history before the last answer of a person at this window.
    fn before_last_person(&self, handle: &GameHandle) -> usize {
        let history = self.game.history();
        let specs = handle.specs();
        let persons = Seat::ALL.into_iter().any(|seat| specs[seat].is_person());
        let theirs = |seat: Seat| !persons || specs[seat].is_person();
        let last = history.iter().rposition(|entry| is_answer(entry) && theirs(entry.seat));
        // An offer before the answer belongs to it.
        let mut keep = last.unwrap_or(history.len());
        while keep > 0 && !is_answer(&history[keep - 1]) && last.is_some() {
            keep -= 1;
        }
        keep
    }

    fn take_back(&mut self, handle: &GameHandle, keep: usize) {
        let history = self.game.history().to_vec();
        let is_idle = keep >= history.len() && self.game.result().is_none();
        if is_idle || self.header.undo_left == Some(0) {
            return;
        }
        // The game reached this state before with the same settings, so it can again.
        let Ok(game) = Game::replay_leniently(&self.config, &history[..keep]) else { return };
        if game.result().is_some() {
            return;
        }
        self.game = game;
        self.move_list.cut(keep);
        let GameLoop { game, move_list, file, header, .. } = self;
        header.undo_left = header.undo_left.map(|left| left.saturating_sub(1));
        note_players(handle, game, header);
        handle.publish(|snapshot| {
            snapshot.undo_left = header.undo_left;
            snapshot.phase = Phase::Starting;
            (snapshot.detail, snapshot.refusal) = (None, None);
            show_game(snapshot, game, move_list, header);
        });
        save(handle, file, game, header, None);
    }

    /// Tells the arbiter, the record and the window the player of a seat.
    fn update_seat(&mut self, handle: &GameHandle, player: &mut SeatPlayer) {
        let seat = player.seat;
        let spec = handle.specs()[seat].clone();
        let is_person = spec.is_person();
        self.game.set_person(seat, is_person);
        self.header.policies.persons[seat] |= is_person;
        let person = handle.person(seat);
        handle.name_person(seat, self.header.last_player_mut(seat));
        let mut player_header = player_header(&spec, &person, &self.config, seat);
        handle.fill_header(seat, &mut player_header);
        self.header.set_player(self.game.history(), seat, player_header);
        let is_other = player.known != spec;
        player.known = spec;
        let name = self.header.last_player(seat).name.clone();
        handle.publish(|snapshot| {
            if is_other {
                let plies = snapshot.rows.len();
                snapshot.happenings.note(plies, Some(seat), &name, HappeningKind::TookSeat);
            }
            let seated = &mut snapshot.seats[seat];
            (seated.name, seated.is_person) = (name, is_person);
        });
        handle.update_engine_names();
    }

    /// Publishes the end, and saves the finished game.
    fn finish(&mut self, handle: &GameHandle) {
        let GameLoop { game, move_list, file, header, .. } = self;
        let detail = handle.snapshot().detail.clone();
        note_players(handle, game, header);
        save(handle, file, game, header, detail);
        if let Some(result) = game.result() {
            log::info!("a game of the window is over: {}", result.termination.words());
        }
        let aborted =
            game.result().is_some_and(|result| result.termination == Termination::Aborted);
        handle.publish(|snapshot| {
            show_game(snapshot, game, move_list, header);
            snapshot.phase = if aborted { Phase::Stopped } else { Phase::Finished };
        });
    }
}

/// Copies the state of a game to its snapshot, with who played and what happened.
fn show_game(snapshot: &mut Snapshot, game: &Game, move_list: &mut MoveList, header: &Header) {
    show(snapshot, game, move_list);
    snapshot.handovers = move_list.handovers(header);
    let name = |index, seat| display_name(header.player_of(index, seat));
    snapshot.happenings.follow(game.history(), snapshot.rows.len(), name);
}
