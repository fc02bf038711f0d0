//! Requests that the other player has to grant: a draw, taking back, a pause, another game.

use tengen_arbiter::{Action, Failure, Input, Nanos};
use tengen_rules::Seat;

use super::{ClientRefusal, Moment, Occupant, Table, refused};
use crate::play::journal::JournalLine;
use crate::play::table_game::TableGame;
use tengen_link::messages::{TableClaim, TableRequest};

/// How long a player has to be away before the other one, who waits, may end the game.
const CLAIM: Nanos = 60_000_000_000;

impl Table {
    /// A player asks the other one for something.
    pub(super) fn request(
        &mut self,
        seat: Seat,
        what: TableRequest,
        at: Moment,
    ) -> Result<(), ClientRefusal> {
        self.check_request(seat, what)?;
        let is_standing = self.requests.contains(&(!seat, what))
            || what == TableRequest::Draw && self.game_offer() == Some(!seat);
        if is_standing {
            return self.reply(seat, what, true, at);
        }
        if self.declined.contains(&(seat, what, self.question)) {
            return refused("not_now", "that has just been declined");
        }
        let is_engine = self.seats[!seat].as_ref().is_some_and(Occupant::is_engine);
        if is_engine && what == TableRequest::Draw {
            return refused("not_now", "engines do not agree to draws");
        }
        // A person that lets an engine play is asked as well, while here.
        if is_engine && !self.is_here(!seat) {
            return self.grant(seat, what, at);
        }
        if !self.requests.contains(&(seat, what)) {
            self.requests.push((seat, what));
        }
        Ok(())
    }

    /// Whether something can be asked for now.
    fn check_request(&self, seat: Seat, what: TableRequest) -> Result<(), ClientRefusal> {
        let running = self.played.as_ref().filter(|one| one.over.is_none());
        let allowed = match what {
            TableRequest::Undo => self.settings.undo,
            TableRequest::Draw => self.settings.draws,
            TableRequest::Pause => self.settings.pause,
            TableRequest::Again => true,
        };
        if !allowed {
            return refused("not_now", "this table does not allow that");
        }
        match (what, running) {
            (TableRequest::Again, None) if self.played.is_some() && self.seats[!seat].is_some() => {
                Ok(())
            }
            (TableRequest::Again, None) => refused("not_now", "there is no opponent to play with"),
            (TableRequest::Again, Some(_)) => refused("not_now", "a game is under way"),
            (_, None) => refused("not_now", "no game is under way"),
            (TableRequest::Undo, Some(_)) if self.undo_left(seat) == Some(0) => {
                refused("not_now", "no more moves are taken back in this game")
            }
            (TableRequest::Undo, Some(played)) if played.before_last(seat).is_none() => {
                refused("not_now", "you have no move to take back")
            }
            (TableRequest::Pause | TableRequest::Draw, Some(_)) if self.is_paused => {
                refused("not_now", "the game is paused")
            }
            (_, Some(_)) => Ok(()),
        }
    }

    /// A player answers what the other one asked for.
    pub(super) fn reply(
        &mut self,
        seat: Seat,
        what: TableRequest,
        accept: bool,
        at: Moment,
    ) -> Result<(), ClientRefusal> {
        let is_offer = what == TableRequest::Draw && self.game_offer() == Some(!seat);
        if !self.requests.contains(&(!seat, what)) && !is_offer {
            return refused("not_now", "there is no such request");
        }
        self.requests.retain(|one| *one != (!seat, what));
        if accept {
            return self.grant(!seat, what, at);
        }
        self.declined.retain(|(_, _, question)| *question == self.question);
        self.declined.push((!seat, what, self.question));
        Ok(())
    }

    /// Does what a seat asked for.
    fn grant(&mut self, seat: Seat, what: TableRequest, at: Moment) -> Result<(), ClientRefusal> {
        self.requests.retain(|(_, asked)| *asked != what);
        match what {
            TableRequest::Undo => self.take_back(seat, at),
            TableRequest::Draw => {
                self.agree(seat, None, at);
                Ok(())
            }
            TableRequest::Pause => {
                self.pause(at);
                Ok(())
            }
            TableRequest::Again => {
                if self.settings.swap {
                    self.exchange_seats();
                }
                self.begin_game(at)
            }
        }
    }

    fn take_back(&mut self, seat: Seat, at: Moment) -> Result<(), ClientRefusal> {
        let Some(played) = self.played.as_mut() else {
            return refused("not_now", "no game is under way");
        };
        let waiting = played.waiting();
        let Some(keep) = played.before_last(seat).filter(|keep| played.take_back(*keep)) else {
            return refused("not_now", "there is nothing to take back");
        };
        self.undone[seat] += 1;
        let table = JournalLine::Table(Box::new(self.file()));
        self.write_down(&[JournalLine::Back(keep), table]);
        if let Some(engine) =
            waiting.and_then(|seat| self.seats[seat].as_ref()).and_then(|one| one.engine.as_ref())
        {
            engine.stop();
        }
        self.requests.clear();
        self.put_question(at);
        self.show_all(at);
        self.ask_all(at);
        Ok(())
    }

    /// Ends the game as a draw: the seat to move offers it, and the other one accepts, or is away.
    fn agree(&mut self, asked_by: Seat, why: Option<String>, at: Moment) {
        let Some(played) = self.played.as_mut().filter(|one| one.over.is_none()) else { return };
        let shown = played.view.steps.len();
        let offered_by = match played.game.draw_offer() {
            Some(seat) => seat,
            None => {
                let seat = played.waiting().unwrap_or(asked_by);
                played.handle(at.now, seat, Input::Act(Action::OfferDraw));
                seat
            }
        };
        played.explain(why);
        played.handle(at.now, !offered_by, Input::Act(Action::AcceptDraw));
        self.tell_news(shown, at);
    }

    fn pause(&mut self, at: Moment) {
        let Some(played) = self.played.as_mut().filter(|one| one.over.is_none()) else { return };
        let waiting = played.waiting();
        played.suspend(at.now);
        if let Some(engine) =
            waiting.and_then(|seat| self.seats[seat].as_ref()).and_then(|one| one.engine.as_ref())
        {
            engine.stop();
        }
        self.is_paused = true;
        // An answer to what was asked before the pause is void.
        self.question += 1;
        self.save_table();
        self.show_all(at);
    }

    pub(super) fn resume(&mut self, _seat: Seat, at: Moment) -> Result<(), ClientRefusal> {
        let is_running = self.played.as_ref().and_then(TableGame::waiting).is_some();
        if !self.is_paused || !is_running {
            return refused("not_now", "the game is not paused");
        }
        self.is_paused = false;
        self.save_table();
        self.put_question(at);
        self.show_all(at);
        self.ask_all(at);
        Ok(())
    }

    /// From when on the player of a seat may end the game, because the other one is away.
    pub(super) fn claim_from(&self, seat: Seat) -> Option<Moment> {
        let is_running = self.is_playing() && !self.is_paused;
        let is_engine = |seat: Seat| self.seats[seat].as_ref().is_some_and(Occupant::is_engine);
        if !is_running || !self.is_here(seat) || is_engine(seat) || is_engine(!seat) {
            return None;
        }
        let away = self.seats[!seat].as_ref().and_then(|one| one.away_since)?;
        Some(away.later(CLAIM))
    }

    /// A player that waits for one that is away ends the game.
    pub(super) fn claim(
        &mut self,
        seat: Seat,
        what: TableClaim,
        at: Moment,
    ) -> Result<(), ClientRefusal> {
        match self.claim_from(seat) {
            Some(from) if at.now >= from.now => {}
            Some(_) => return refused("not_now", "the other player may still come back"),
            None => return refused("not_now", "no player is away that you wait for"),
        }
        let why = format!("was away for more than {} s", CLAIM / 1_000_000_000);
        match what {
            TableClaim::Draw => {
                let why = format!("the other player {why}, and a draw was claimed");
                self.agree(seat, Some(why), at);
            }
            TableClaim::Win => {
                let Some(played) = self.played.as_mut() else { return Ok(()) };
                let shown = played.view.steps.len();
                let why = format!("{why}, and the win was claimed");
                played.fail(at.now, !seat, Failure::Stall, why);
                self.tell_news(shown, at);
            }
        }
        Ok(())
    }

    /// The players exchange their seats, with all that is theirs.
    fn exchange_seats(&mut self) {
        std::mem::swap(&mut self.seats.first, &mut self.seats.second);
        for member in self.members.values_mut() {
            member.seat = member.seat.map(|seat| !seat);
        }
    }
}
