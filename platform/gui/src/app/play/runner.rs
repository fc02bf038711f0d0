use std::sync::Arc;

use tengen_arbiter::{Action, Game, GameConfig, HistoryEntry, Input, Termination};
use tengen_players::Player;
use tengen_record::Header;
use tengen_rules::{BySeat, Color, Seat};
use tengen_tournament::{GameEnd, GameParams, GameRunner};

use super::Room;
use super::chair::Chair;
use super::desk::{Desk, Wish};
use super::keeping::{keep, sitter};
use super::showing::{replay, show};
use crate::app::archive::Sheet;
use crate::app::ledger::{Ledger, is_answer};
use crate::app::{Asked, Phase, Seated, Setup, SetupProblem, Shelf, Snapshot, Terms};

/// Plays a game on the thread it is run on, and shows it on the desk.
pub(super) struct Runner {
    setup: Setup,
    terms: Terms,
    config: GameConfig,
    game: Game,
    ledger: Ledger,
    sheet: Option<Sheet>,
    /// Who sat where at any time, as the record names them.
    header: Header,
    shelf: Arc<dyn Shelf>,
    person: String,
    resumed: bool,
}

impl Runner {
    pub(super) fn new(
        setup: Setup,
        kept: Option<Vec<HistoryEntry>>,
        sheet: Option<Sheet>,
        room: &Room,
    ) -> Result<Runner, SetupProblem> {
        let config = setup.check()?;
        let terms = setup.terms().ok_or(SetupProblem::Size)?;
        let resumed = kept.is_some();
        let history = kept.unwrap_or_default();
        let sitter = |seat: Seat| sitter(&setup.seats[seat], &room.person, &config, seat);
        let header = Header {
            event: None,
            round: None,
            game: None,
            rule: config.rule,
            size: config.size,
            opening: config.opening.clone(),
            seats: BySeat::from_fn(sitter),
            policies: config.policies,
            seed: 0,
        };
        let shelf = Arc::clone(&room.shelf);
        let person = room.person.clone();
        let game = replay(&config, &history).map_err(SetupProblem::Opening)?;
        let ledger = Ledger::default();
        let mut runner =
            Runner { setup, terms, config, game, ledger, sheet, header, shelf, person, resumed };
        runner.ledger = runner.read();
        Ok(runner)
    }

    /// The game before its next question; one that was kept rests.
    pub(super) fn snapshot(&self) -> Snapshot {
        let config = &self.config;
        let mut snapshot = Snapshot {
            phase: if self.resumed { Phase::Paused } else { Phase::Starting },
            rule: config.rule,
            opening: config.opening.procedure,
            seats: BySeat::from_fn(|seat| Seated {
                accent: usize::from(seat == Seat::Second),
                name: self.header.seats[seat].name.clone(),
                is_person: self.setup.seats[seat].is_person(),
                color: Color::Black,
                control: config.time[seat],
                left: None,
            }),
            ..Snapshot::blank(config.size)
        };
        show(&mut snapshot, &self.game, &mut self.read());
        snapshot
    }

    /// The plies of the game so far, read from its history as if it were played again.
    fn read(&self) -> Ledger {
        let mut ledger = Ledger::default();
        let history = self.game.history();
        for end in 0..=history.len() {
            if end == 0 || is_answer(&history[end - 1]) {
                let Ok(game) = replay(&self.config, &history[..end]) else { break };
                ledger.follow(&game);
            }
        }
        ledger
    }

    /// Plays until it is told to leave.
    pub(super) fn run(mut self, desk: &Arc<Desk>) {
        let mut chairs = BySeat::from_fn(|seat| {
            let (shelf, desk) = (Arc::clone(&self.shelf), Arc::clone(desk));
            Chair::new(seat, self.terms, self.setup.budget(), shelf, desk)
        });
        if !self.resumed
            && let Err(unhired) = chairs.first.fetch().and_then(|()| chairs.second.fetch())
        {
            desk.publish(|snapshot| {
                snapshot.phase = Phase::Stopped;
                snapshot.unhired = Some(unhired);
            });
            while desk.next_wish(true) != Some(Wish::Quit) {}
            return;
        }
        loop {
            let over = self.game.result().is_some() || self.play(desk, &mut chairs);
            if over {
                self.finish(desk);
            }
            while let Some(wish) = desk.next_wish(self.game.result().is_some()) {
                if wish == Wish::Quit {
                    return;
                }
                self.fulfil(desk, &mut chairs, wish);
            }
            for seat in Seat::ALL {
                self.reseat(desk, &mut chairs[seat]);
            }
        }
    }

    /// Plays on from the open question; whether it came to an end.
    fn play(&mut self, desk: &Arc<Desk>, chairs: &mut BySeat<Chair>) -> bool {
        let opening = self.terms.opening;
        let params = GameParams { number: None, opening, seed: 0, draw_offers: true };
        let halted = || desk.is_halted();
        let table = GameRunner { time: &*desk.time, stall: None, halted: &halted };
        let mut end = GameEnd::default();
        let BySeat { first, second } = chairs.as_mut();
        let players: BySeat<&mut dyn Player> = BySeat { first, second };
        let Runner { game, ledger, sheet, header, .. } = self;
        let played = table.play_watched(game, params, players, &mut end, |game| {
            desk.publish(|snapshot| show(snapshot, game, ledger));
            keep(desk, sheet, game, header, None);
        });
        if played.is_err() {
            self.set_aside(desk);
            return false;
        }
        let detail = end.detail;
        desk.publish(|snapshot| snapshot.detail = detail);
        true
    }

    /// Stops the clock of the question that the table stood up from.
    fn set_aside(&mut self, desk: &Desk) {
        let asked = desk.snapshot().asked;
        if let Some(Asked { seat, since: Some(since), .. }) = asked {
            self.game.handle(since, seat, Input::Asked);
        }
        // Also a question that was never put is to be ordered anew.
        self.game.suspend(desk.time.now());
        desk.publish(|snapshot| {
            if let Some(asked) = &mut snapshot.asked
                && let Some(since) = asked.since.take()
            {
                asked.used += desk.time.now().saturating_sub(since);
            }
        });
    }

    /// Does with the game what was wished.
    fn fulfil(&mut self, desk: &Desk, chairs: &mut BySeat<Chair>, wish: Wish) {
        let now = desk.time.now();
        match wish {
            Wish::Resign(seat) => {
                let resign = Input::Act(Action::Resign);
                self.game.handle(now, seat, resign);
            }
            Wish::Stop => self.game.abort(now),
            Wish::TakeBack => self.take_back(desk, self.before_last_person(desk)),
            Wish::TakeBackTo(plies) => {
                let history = self.ledger.history_of(plies);
                self.take_back(desk, history);
            }
            Wish::Quit => {}
        }
        if let Some(result) = self.game.result() {
            for seat in Seat::ALL {
                chairs[seat].end_game(result);
            }
            self.finish(desk);
        }
    }

    /// How much of the history there was before the last answer of somebody at this window.
    fn before_last_person(&self, desk: &Desk) -> usize {
        let history = self.game.history();
        let occupants = desk.occupants();
        let persons = Seat::ALL.into_iter().any(|seat| occupants[seat].is_person());
        let theirs = |seat: Seat| !persons || occupants[seat].is_person();
        let last = history.iter().rposition(|entry| is_answer(entry) && theirs(entry.seat));
        // An offer that went before the answer belongs to it.
        let mut kept = last.unwrap_or(history.len());
        while kept > 0 && !is_answer(&history[kept - 1]) && last.is_some() {
            kept -= 1;
        }
        kept
    }

    fn take_back(&mut self, desk: &Desk, kept: usize) {
        let history = self.game.history().to_vec();
        if kept >= history.len() && self.game.result().is_none() {
            return;
        }
        // A game of the same settings that stood there once stands there again.
        let Ok(game) = replay(&self.config, &history[..kept]) else { return };
        if game.result().is_some() {
            return;
        }
        self.game = game;
        self.ledger.cut(kept);
        let Runner { game, ledger, .. } = self;
        desk.publish(|snapshot| {
            snapshot.phase = Phase::Starting;
            (snapshot.detail, snapshot.refusal) = (None, None);
            show(snapshot, game, ledger);
        });
        keep(desk, &mut self.sheet, &self.game, &self.header, None);
    }

    /// Lets the arbiter, the record and the window know who sits on a chair.
    fn reseat(&mut self, desk: &Desk, chair: &mut Chair) {
        let seat = chair.seat;
        let occupant = desk.occupants()[seat].clone();
        chair.is_person = occupant.is_person();
        self.game.set_person(seat, chair.is_person);
        self.header.policies.persons[seat] |= chair.is_person;
        self.header.seats[seat] = sitter(&occupant, &self.person, &self.config, seat);
        desk.introduce(seat, &mut self.header.seats[seat]);
        let name = self.header.seats[seat].name.clone();
        desk.publish(|snapshot| {
            let seated = &mut snapshot.seats[seat];
            (seated.name, seated.is_person) = (name, chair.is_person);
        });
        desk.name_engines();
    }

    /// Shows the end, and keeps the game as one that is over.
    fn finish(&mut self, desk: &Desk) {
        let Runner { game, ledger, sheet, header, .. } = self;
        let detail = desk.snapshot().detail.clone();
        keep(desk, sheet, game, header, detail);
        let aborted =
            game.result().is_some_and(|result| result.termination == Termination::Aborted);
        desk.publish(|snapshot| {
            show(snapshot, game, ledger);
            snapshot.phase = if aborted { Phase::Stopped } else { Phase::Finished };
        });
    }
}
