//! A game at a table: the arbiter's state, and what is shown of it.

use tengen_arbiter::{
    Action, ClockFace, Correction, Failure, Game, GameConfig, GameResult, HistoryEntry, Input,
    Nanos, Termination,
};
use tengen_players::{Reply, Timing};
use tengen_record::{Conditions, GameRecord, GameReplay, Header};
use tengen_rules::{Answer, BySeat, OpeningError, Seat};
use tengen_tournament::{GameEnd, take_reply};

use super::journal::RestoredGame;
use tengen_link::view::GameView;
use tengen_link::view::{ResultView, black};

pub(super) struct TableGame {
    pub number: u64,
    /// When it began, in milliseconds since 1970.
    pub began: u64,
    pub header: Header,
    pub config: GameConfig,
    pub game: Game,
    pub view: GameView,
    pub over: Option<ResultView>,
    /// Since when an answer is waited for; none while no clock runs.
    pub asked_at: Option<Nanos>,
    /// What the open question took before the clock was stopped.
    set_aside: Nanos,
    end: GameEnd,
}

pub(super) const SEATS: BySeat<usize> = BySeat { first: 0, second: 1 };

impl TableGame {
    pub fn begin(number: u64, began: u64, header: Header) -> Result<TableGame, OpeningError> {
        let config = header.config();
        let game = Game::new(config.clone())?;
        let view = GameView::new(&header, SEATS, &game);
        let (over, asked_at, set_aside, end) = (None, None, 0, GameEnd::default());
        Ok(TableGame { number, began, header, config, game, view, over, asked_at, set_aside, end })
    }

    /// The game of a table's file, as it was when that was last written.
    pub fn restore(restored: RestoredGame) -> Result<TableGame, OpeningError> {
        let RestoredGame { number, began, header, history, over } = restored;
        let mut played = TableGame::begin(number, began, header)?;
        played.game = Game::replay_leniently(&played.config, &history)?;
        let mut lenient = played.config.clone();
        lenient.policies.persons = BySeat { first: true, second: true };
        let mut replay = GameReplay::new(lenient)?;
        for entry in played.game.history() {
            played.view.act(&mut replay, entry);
        }
        if over.is_some() {
            played.finish(over);
        } else {
            played.note_end();
        }
        Ok(played)
    }

    /// The seat that owes an answer.
    pub fn waiting(&self) -> Option<Seat> {
        self.game.asked().map(|(seat, _)| seat).filter(|_| self.over.is_none())
    }

    /// What the open question took so far.
    pub fn used(&self, now: Nanos) -> Nanos {
        match self.asked_at {
            Some(at) => self.game.used().saturating_add(now.saturating_sub(at)),
            None => self.game.used().max(self.set_aside),
        }
    }

    /// What a seat's clock shows now.
    pub fn clock(&self, seat: Seat, now: Nanos) -> Option<ClockFace> {
        let used = if self.waiting() == Some(seat) { self.used(now) } else { 0 };
        self.game.clock(seat).face(used)
    }

    /// Takes an answer to the open question, or what came in its place.
    pub fn take(&mut self, seat: Seat, reply: Reply, timing: Timing, said: Vec<String>) {
        let before = self.seen();
        take_reply(&mut self.game, seat, reply, timing, &mut self.end);
        if !said.is_empty() && self.game.history().len() > before.0 {
            self.game.add_said(said);
        }
        self.follow(before);
    }

    /// Tells the arbiter something that is no answer.
    pub fn handle(&mut self, at: Nanos, seat: Seat, input: Input) {
        let before = self.seen();
        self.game.handle(at, seat, input);
        self.follow(before);
    }

    /// The time of the open question may be over.
    pub fn handle_timeout(&mut self, now: Nanos) {
        let before = self.seen();
        self.game.handle_timeout(now);
        self.follow(before);
    }

    /// A seat loses without an action.
    pub fn fail(&mut self, now: Nanos, seat: Seat, failure: Failure, detail: String) {
        self.end.detail = Some(detail);
        self.handle(now, seat, Input::Failed(failure));
    }

    /// What is said of the end that follows.
    pub fn explain(&mut self, detail: Option<String>) {
        self.end.detail = detail;
    }

    /// Ends it without a winner.
    pub fn abort(&mut self, now: Nanos, detail: &str) {
        self.end.detail = Some(detail.to_owned());
        let before = self.seen();
        self.game.abort(now);
        self.follow(before);
    }

    /// Gives a part of the open question's time back to its seat: it was not its player's. The way
    /// there and back is given back before it has passed.
    pub fn give_back(&mut self, now: Nanos, seat: Seat, span: Nanos) {
        let before = self.game.used();
        let correction = Correction { given_back: span, unasked: 0 };
        self.game.handle(now, seat, Input::Corrected(correction));
        let of_before = before.saturating_sub(self.game.used());
        let later = span.saturating_sub(of_before);
        self.asked_at = self.asked_at.map(|at| at.saturating_add(later));
    }

    /// Stops the clock. What the question took so far stays charged.
    pub fn suspend(&mut self, now: Nanos) {
        self.set_aside = self.used(now);
        if let (Some(at), Some((seat, _))) = (self.asked_at.take(), self.game.asked()) {
            self.game.handle(at, seat, Input::Asked);
        }
        self.game.suspend(now);
    }

    /// The length of the history before the last answer of a seat; none where it gave none.
    pub fn before_last(&self, seat: Seat) -> Option<usize> {
        let history = self.game.history();
        let is_answer =
            |entry: &HistoryEntry| entry.legal && matches!(entry.action, Action::Answer(_));
        let mut keep = history.iter().rposition(|entry| is_answer(entry) && entry.seat == seat)?;
        // An offer before the answer belongs to it.
        while keep > 0 && !is_answer(&history[keep - 1]) {
            keep -= 1;
        }
        Some(keep)
    }

    /// Takes everything back after so many actions. The clocks stand as they did then.
    pub fn take_back(&mut self, keep: usize) -> bool {
        let history = self.game.history();
        let persons = self.config.policies.persons;
        let replayed = Game::replay_leniently(&self.config, &history[..keep.min(history.len())]);
        let Ok(mut game) = replayed else { return false };
        if game.result().is_some() || self.over.is_some() {
            return false;
        }
        for seat in Seat::ALL {
            game.set_person(seat, persons[seat]);
        }
        (self.game, self.asked_at, self.set_aside) = (game, None, 0);
        self.view.take_back(keep, &self.game);
        true
    }

    /// A seat is a person's now, or an engine's.
    pub fn set_person(&mut self, seat: Seat, is_person: bool) {
        self.game.set_person(seat, is_person);
        self.config.policies.persons[seat] = is_person;
        self.header.policies.persons[seat] |= is_person;
    }

    /// Why a person's answer would be refused, if it would.
    pub fn refusal(&self, answer: &Answer) -> Option<String> {
        self.game.check(answer).err()
    }

    /// The record as far as it goes.
    pub fn record(&self) -> GameRecord {
        let open = GameResult { winner: None, termination: Termination::Aborted };
        let (result, detail) = match &self.over {
            Some(over) => (over.result, over.detail.clone()),
            None => (open, Some("the game was not over yet".to_owned())),
        };
        let began = Some(self.began / 1000);
        GameRecord {
            header: self.header.clone(),
            actions: self.game.history().to_vec(),
            result,
            detail,
            conditions: Conditions { began, ..Conditions::default() },
            worker: None,
            ruling: None,
        }
    }

    /// How many entries there are, and which seat has Black.
    fn seen(&self) -> (usize, Seat) {
        (self.game.history().len(), black(&self.game))
    }

    /// Shows what is new. Only the last entry can have changed which seat has Black.
    fn follow(&mut self, (entries, had_black): (usize, Seat)) {
        if let [before @ .., last] = &self.game.history()[entries..] {
            for entry in before {
                self.view.follow(entry, &self.game, black(&self.game));
            }
            self.view.follow(last, &self.game, had_black);
            (self.asked_at, self.set_aside) = (None, 0);
        }
        self.note_end();
    }

    /// Notes that the game is over, if it is.
    fn note_end(&mut self) {
        if self.over.is_some() {
            return;
        }
        let Some(result) = self.game.result() else { return };
        let refusal =
            self.game.refusal().filter(|_| result.termination == Termination::IllegalAnswer);
        let detail = refusal.map(str::to_owned).or(self.end.detail.take());
        self.finish(Some(ResultView { detail, ..result.into() }));
    }

    fn finish(&mut self, over: Option<ResultView>) {
        let Some(over) = over else { return };
        let began = Some(self.began / 1000);
        let conditions = Conditions { began, ..Conditions::default() };
        self.view.end(&self.game, over.result, over.detail.as_deref(), &conditions);
        self.asked_at = None;
        self.over = Some(over);
    }
}
