//! Questions, answers, and the clock.

use tengen_arbiter::{
    Action, Failure, HistoryEntry, Input, Nanos, Order, SearchObject, Termination, TimeControl,
};
use tengen_players::{EngineNews, EngineQuestion, GameSetup, Reply, Timing};
use tengen_record::{GameRecord, Header, PlayerHeader};
use tengen_rules::{BySeat, Seat};

use super::{ClientRefusal, MOST_CHAT, Moment, Occupant, Table, refused};
use crate::play::journal::JournalLine;
use crate::play::table_game::TableGame;
use crate::play::written;
use tengen_link::messages::{Act, AskMessage, ClientKind, ServerMessage, TableRequest};
use tengen_link::plain;
use tengen_link::view::{ResultView, nanos};

/// The ways there and back that may be given back at the beginning of a game, and at most, in the
/// unit of what is given back with each answer on average: a line that is slow for a moment needs
/// more, and a player that only seems to be far away gains no more.
const LAG_AT_FIRST: Nanos = 3;
const LAG_AT_MOST: Nanos = 7;

impl Table {
    /// Begins a game between the two that sit here.
    pub(super) fn begin_game(&mut self, at: Moment) -> Result<(), ClientRefusal> {
        let config = &self.checked.config;
        let mut policies = config.policies;
        for seat in Seat::ALL {
            policies.persons[seat] =
                self.seats[seat].as_ref().is_some_and(super::Occupant::is_person);
        }
        let player = |seat: Seat| PlayerHeader {
            id: PlayerHeader::PERSON.to_owned(),
            name: String::new(),
            version: None,
            hash: None,
            options: Default::default(),
            time: config.time[seat],
            margin: config.margin[seat],
            layers: Vec::new(),
            opening_by_arbiter: false,
            opening_engine: None,
        };
        let header = Header {
            event: None,
            round: None,
            game: Some(self.games + 1),
            rule: config.rule,
            size: config.size,
            opening: config.opening.clone(),
            seats: BySeat::from_fn(player),
            policies,
            seed: 0,
            handovers: Vec::new(),
            undo_left: None,
        };
        let played = match TableGame::begin(self.games + 1, at.date, header) {
            Ok(played) => played,
            Err(error) => return refused("settings", error.to_string()),
        };
        self.write_record();
        self.games += 1;
        log::info!("table {}: game {} begins: {}", self.id, self.games, self.players());
        self.played = Some(played);
        (self.is_paused, self.held_until, self.ready) = (false, None, None);
        self.lag_left = BySeat::from_fn(|_: Seat| LAG_AT_FIRST * self.most_lag());
        self.undone = BySeat::default();
        self.requests.clear();
        self.declined.clear();
        for seat in Seat::ALL {
            self.seat_changed(seat);
        }
        self.write_whole();
        self.put_question(at);
        self.show_all(at);
        self.ask_all(at);
        self.wake(at);
        Ok(())
    }

    /// How much of the way there and back is given back to a person with each answer, on average.
    fn most_lag(&self) -> Nanos {
        (self.settings.lag * 1e9) as Nanos
    }

    /// Puts the open question, and starts the clock.
    pub(super) fn put_question(&mut self, at: Moment) {
        if self.is_paused || self.held_until.is_some() {
            return;
        }
        let (games, most_lag) = (self.games, self.most_lag());
        let Some(played) = self.played.as_mut().filter(|one| one.over.is_none()) else { return };
        // An engine that was given back is asked once it is there.
        let waits = |seat| {
            self.seats[seat].as_ref().is_some_and(|one| one.is_engine() && one.engine.is_none())
        };
        if played.waiting().is_some_and(waits) {
            return;
        }
        let Some(Order::Ask { seat, ask, limits, patience }) = played.game.poll_order() else {
            return;
        };
        self.question += 1;
        self.was_frozen = false;
        played.asked_at = Some(at.now);
        let Some(occupant) = &self.seats[seat] else { return };
        let Some(engine) = &occupant.engine else {
            played.game.handle(at.now, seat, Input::Asked);
            let lag = occupant.lag.filter(|_| occupant.is_person()).map_or(0, nanos);
            let given = lag.min(self.lag_left[seat]);
            if given > 0 {
                played.give_back(at.now, seat, given);
            }
            let rest = self.lag_left[seat] - given + most_lag;
            self.lag_left[seat] = rest.min(LAG_AT_MOST * most_lag);
            return;
        };
        let game = &played.game;
        let time: TimeControl = game.clock(seat).control();
        let setup = GameSetup {
            number: None,
            rule: game.position().rule(),
            size: game.position().size(),
            opening: self.checked.variant.opening.number(),
            alike: game.opening().alike(),
            seat,
            time,
            seed: at.date,
            reproducible: false,
            draw_offers: self.settings.draws,
        };
        engine.ask(EngineQuestion {
            number: self.question,
            game: games,
            setup,
            moves: game.position().moves().to_vec(),
            ask,
            offered: game.offered().to_vec(),
            fifth_moves: game.opening().fifth_moves(),
            limits,
            patience,
        });
    }

    /// Tells the engines on other machines that sit on the seat that is asked what is asked.
    pub(super) fn ask_all(&self, at: Moment) {
        let Some(seat) = self.played.as_ref().and_then(TableGame::waiting) else { return };
        for connection in self.members_at(seat) {
            self.ask_again(seat, connection, at);
        }
    }

    /// Tells one of them.
    pub(super) fn ask_again(&self, seat: Seat, connection: u64, at: Moment) {
        let Some(played) = &self.played else { return };
        let is_open = played.asked_at.is_some() && played.waiting() == Some(seat);
        let is_its_own = self.seats[seat].as_ref().is_some_and(|one| !one.is_engine());
        let Some(member) = self.members.get(&connection) else { return };
        if !is_open || !is_its_own || member.kind != ClientKind::Engine {
            return;
        }
        let Some((_, ask)) = played.game.asked() else { return };
        let clock = played.game.clock(seat);
        let used = played.used(at.now);
        let rest = |span: Nanos| span.saturating_sub(used);
        let limits = tengen_arbiter::Limits {
            own: clock.plan(used),
            opponent: played.game.clock(!seat).plan(0),
            hard: clock.hard().map(rest),
            nodes: clock.control().nodes,
            depth: clock.control().depth,
            draw_offered: played.game.draw_offer() == Some(!seat),
            retry: false,
        };
        let game = &played.game;
        let question = EngineQuestion {
            number: self.question,
            game: self.games,
            setup: self.checked.variant.setup(seat, clock.control()),
            moves: game.position().moves().to_vec(),
            ask,
            offered: game.offered().to_vec(),
            fifth_moves: game.opening().fifth_moves(),
            limits,
            patience: clock.deadline().map(rest),
        };
        let ask = ServerMessage::Ask(Box::new(AskMessage::new(&self.id, &question)));
        member.outbox.push(Some(&self.id), written(None, ask));
    }

    /// A player at a client did something.
    pub(super) fn act(&mut self, seat: Seat, act: Act, at: Moment) -> Result<(), ClientRefusal> {
        let Act { question, action, draw, took, info, said } = act;
        let is_of_table = matches!(action, Action::Answer(_) | Action::Resign);
        if !is_of_table || draw || took.is_some() || !said.is_empty() {
            let problem = "act: at a table it may have an answer or `resign`, and `info`";
            return refused("message", problem);
        }
        if question.is_none() && action != Action::Resign {
            return refused("message", "act: `question` is missing: expected its number");
        }
        let Some(played) = self.played.as_mut().filter(|one| one.over.is_none()) else {
            return refused("not_now", "no game is under way");
        };
        let shown = played.view.steps.len();
        if action == Action::Resign {
            played.handle(at.now, seat, Input::Act(Action::Resign));
            self.tell_news(shown, at);
            return Ok(());
        }
        if self.is_paused || played.asked_at.is_none() {
            return refused("not_now", "the game is paused");
        }
        if played.waiting() != Some(seat) {
            return refused("not_now", "it is the other player's turn");
        }
        if question != Some(self.question) {
            return refused("not_now", "this question is not open any more");
        }
        let occupant = self.seats[seat].as_ref();
        if occupant.is_some_and(Occupant::is_engine) {
            return refused("not_now", "an engine plays on this seat");
        }
        let is_person = occupant.is_some_and(super::Occupant::is_person);
        let is_late = played.game.next_timeout().is_some_and(|last| at.now >= last);
        if is_person
            && !is_late
            && let Action::Answer(answer) = &action
            && let Some(reason) = played.refusal(answer)
        {
            return refused("illegal", reason);
        }
        let asked_at = played.asked_at.unwrap_or(at.now);
        let (info, pv) = info.map(SearchObject::parts).unzip();
        let (pv, outcome) = (pv.unwrap_or_default(), Ok(Some(action)));
        let reply = Reply { asked_at, answered_at: at.now, offers_draw: false, outcome, info, pv };
        played.take(seat, reply, Timing::default(), Vec::new());
        // An answer instead of a reply to a draw declines it.
        self.requests.retain(|one| *one != (!seat, TableRequest::Draw));
        self.tell_news(shown, at);
        Ok(())
    }

    /// An engine of the server has something to say.
    pub fn hear_engine(&mut self, number: u64, news: EngineNews, at: Moment) {
        let sits = |seat: &Seat| {
            let engine = self.seats[*seat].as_ref().and_then(|one| one.engine.as_ref());
            engine.is_some_and(|engine| engine.number == number)
        };
        let Some(seat) = Seat::ALL.into_iter().find(sits) else { return };
        match news {
            EngineNews::Started(identity) => {
                if let Some(engine) = self.seats[seat].as_mut().and_then(|one| one.engine.as_mut())
                {
                    engine.name.clone_from(&identity.name);
                    engine.identity = Some(identity);
                }
                self.seat_changed(seat);
            }
            EngineNews::Failed { reason, .. } => {
                if self.seats[seat].as_ref().is_some_and(|one| one.is_house) {
                    return self.house_failed(seat, &reason, at);
                }
                // The seat is the player's again, and so is the time that it took.
                if let Some(occupant) = &mut self.seats[seat] {
                    occupant.engine = None;
                }
                self.seat_changed(seat);
                self.save_table();
                let is_asked = self.played.as_ref().and_then(TableGame::waiting) == Some(seat);
                if is_asked && let Some(played) = &mut self.played {
                    played.suspend(at.now);
                    self.put_question(at);
                }
                self.show_all(at);
                self.ask_all(at);
                self.tell_seat(seat, "engine", &format!("the engine cannot play: {reason}"));
            }
            // It gets ready with its first question.
            EngineNews::Ready { .. } | EngineNews::Unready { .. } => {}
            EngineNews::Answered { question, reply, timing, said, .. } => {
                if question != self.question {
                    return;
                }
                let Some(played) = self.played.as_mut().filter(|one| one.over.is_none()) else {
                    return;
                };
                let shown = played.view.steps.len();
                // It was not answered while the server stood still, which is not its time.
                if self.was_frozen && matches!(reply.outcome, Ok(None)) {
                    played.game.handle(reply.asked_at, seat, Input::Asked);
                    played.suspend(at.now);
                    return self.put_question(at);
                }
                played.take(seat, *reply, timing, said);
                self.requests.retain(|one| *one != (!seat, TableRequest::Draw));
                self.tell_news(shown, at);
            }
        }
        self.tell_state(at);
    }

    /// The engine behind which no player is cannot play: it loses the game.
    fn house_failed(&mut self, seat: Seat, reason: &str, at: Moment) {
        if let Some(occupant) = &mut self.seats[seat] {
            // It is asked for again when a player comes back to go on.
            let engine = occupant.engine.take();
            occupant.resting = engine.map(|engine| engine.id.clone());
        }
        if let Some(played) = self.played.as_mut().filter(|one| one.over.is_none()) {
            let shown = played.view.steps.len();
            played.fail(at.now, seat, Failure::Crash, plain(reason, MOST_CHAT));
            self.tell_news(shown, at);
        }
        self.tell_state(at);
    }

    /// Does what is due by now.
    pub fn tick(&mut self, at: Moment) {
        self.rest(at);
        self.clear_unready(at);
        if self.held_until.is_some_and(|until| at.now >= until) {
            self.held_until = None;
            self.put_question(at);
            self.show_all(at);
            self.ask_all(at);
        }
        self.play_on(at);
        self.tell_state(at);
    }

    /// Ends the game, or the question, if its time is over.
    fn play_on(&mut self, at: Moment) {
        let gone = Seat::ALL
            .into_iter()
            .find(|&seat| self.absence_over(seat).is_some_and(|due| at.now >= due));
        let absence = self.settings.absence.unwrap_or_default();
        let Some(played) = self.played.as_mut().filter(|one| one.over.is_none()) else { return };
        let shown = played.view.steps.len();
        if played.asked_at.is_some()
            && played.game.next_timeout().is_some_and(|last| at.now >= last)
        {
            played.handle_timeout(at.now);
        }
        if let Some(seat) = gone.filter(|_| played.over.is_none()) {
            let why = format!("was away for more than {absence} s");
            played.fail(at.now, seat, Failure::Stall, why);
        }
        if played.over.is_some() || played.view.steps.len() > shown {
            self.tell_news(shown, at);
        }
    }

    /// When something is due next.
    pub fn deadline(&self) -> Option<Nanos> {
        let ready = self.ready.map(|(_, until)| until);
        let due = [self.game_deadline(), self.viewers_deadline(), self.resting_deadline(), ready];
        due.into_iter().flatten().min()
    }

    fn game_deadline(&self) -> Option<Nanos> {
        let played = self.played.as_ref().filter(|one| one.over.is_none())?;
        let timeout = played.asked_at.and_then(|_| played.game.next_timeout());
        let [first, second] = Seat::ALL.map(|seat| self.absence_over(seat));
        let due = [timeout, self.held_until, first, second];
        due.into_iter().flatten().min()
    }

    /// When a seat loses because its player is away. Not while the other one is away, too: then it
    /// may well be the server that cannot be reached.
    fn absence_over(&self, seat: Seat) -> Option<Nanos> {
        let absence = self.settings.absence.filter(|_| !self.is_paused)?;
        let since = |seat: Seat| {
            let one = self.seats[seat].as_ref().filter(|one| !one.is_engine())?;
            one.away_since.map(|since| since.now)
        };
        let own = since(seat).filter(|_| since(!seat).is_none())?;
        Some(own.saturating_add(Nanos::from(absence) * 1_000_000_000))
    }

    /// Writes the steps after the first so many to the file, tells members of them, and goes on.
    pub(super) fn tell_news(&mut self, shown: usize, at: Moment) {
        let Some(played) = &self.played else { return };
        let history = played.game.history();
        let new = &history[shown.min(history.len())..];
        let act = |entry: &HistoryEntry| JournalLine::Act(Box::new(entry.clone()));
        let mut lines: Vec<_> = new.iter().map(act).collect();
        let over = played.over.clone();
        if let Some(over) = &over {
            self.count(over);
            let file = JournalLine::Table(Box::new(self.file()));
            lines.extend([JournalLine::Over(over.clone()), file]);
        }
        self.write_down(&lines);
        self.put_question(at);
        let Some(played) = &self.played else { return };
        for place in shown..played.view.steps.len() {
            self.send_all(&self.step_message(played, place, at));
        }
        match over {
            Some(over) => self.tell_end(&over, at),
            None => self.ask_all(at),
        }
    }

    /// Notes what the end of a game means to the table.
    pub(super) fn count(&mut self, over: &ResultView) {
        self.requests.clear();
        self.is_paused = false;
        if over.result.termination == Termination::Aborted {
            return;
        }
        for seat in Seat::ALL {
            let Some(occupant) = &mut self.seats[seat] else { continue };
            occupant.score += match over.result.winner {
                Some(winner) if winner == seat => 1.0,
                Some(_) => 0.0,
                None => 0.5,
            };
        }
    }

    /// The names of both, the first seat first.
    fn players(&self) -> String {
        let name = |seat: Seat| self.seats[seat].as_ref().map_or("?", Occupant::shown_name);
        format!("{} – {}", name(Seat::First), name(Seat::Second))
    }

    fn tell_end(&mut self, over: &ResultView, at: Moment) {
        let winner = over.result.winner.and_then(|seat| self.seats[seat].as_ref());
        let outcome = match winner {
            Some(winner) => format!("{} wins", winner.shown_name()),
            None => "no winner".to_owned(),
        };
        let how = over.result.termination.words();
        log::info!("table {}: game {} is over: {outcome}, {how}", self.id, self.games);
        if let Some(played) = &self.played
            && let Some(text) = self.over_message(played, at.now)
        {
            self.send_all(&text);
        }
        for seat in Seat::ALL {
            if let Some(engine) = self.seats[seat].as_ref().and_then(|one| one.engine.as_ref()) {
                engine.stop();
                engine.end_game(over.result);
            }
        }
        self.keep_record();
    }

    pub(super) fn keep_record(&self) {
        let Some(played) = self.played.as_ref().filter(|one| one.over.is_some()) else { return };
        if !played.game.history().is_empty() {
            self.context.games.keep(&self.id, played.number, played.record());
        }
    }

    /// Makes sure that the record of a finished game is in its file, before this table's file
    /// forgets the game. Whether it is.
    pub(super) fn write_record(&self) -> bool {
        let finished = self.played.as_ref().filter(|one| one.over.is_some());
        finished.is_none_or(|played| self.context.games.write(&self.id, played.number))
    }

    /// The record of the game that is here.
    pub fn record(&self) -> Option<(u64, GameRecord)> {
        self.played.as_ref().map(|played| (played.number, played.record()))
    }

    /// Tells those on a seat why something did not work.
    pub(super) fn tell_seat(&self, seat: Seat, code: &'static str, message: &str) {
        for connection in self.members_at(seat) {
            if let Some(member) = self.members.get(&connection) {
                let error = crate::play::error_message(code, message, None, Some(&self.id));
                member.outbox.push(Some(&self.id), error);
            }
        }
    }
}
