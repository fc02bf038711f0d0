use alloc::format;
use alloc::string::{String, ToString};

use tengen_rules::{Answer, Ending, Move, Seat};

use super::Game;
use crate::turn::{Charge, Turn};
use crate::{
    Action, GameResult, Handled, HistoryEntry, IllegalPolicy, LatePolicy, Nanos, Termination,
};

/// Why an answer after the opening is refused.
const NO_PASSING: &str = "passing is not allowed";
const NO_DECISION: &str = "a move was asked for, not a decision";

impl Game {
    /// Takes an action of either seat.
    pub(super) fn act(&mut self, at: Nanos, seat: Seat, action: Action) -> Handled {
        let Some(turn) = self.turn.as_ref().filter(|turn| turn.seat == seat) else {
            return self.act_out_of_turn(at, seat, action);
        };
        let charge = turn.charge(at);
        if action == Action::Resign {
            self.end(at, GameResult { winner: Some(!seat), termination: Termination::Resignation });
            self.note(seat, action, charge, true);
            return Handled::Accepted;
        }
        if self.clocks[seat].is_late(charge.spent) {
            self.be_late(at, seat, charge, Some(action));
            return Handled::Late;
        }
        match action {
            Action::Answer(answer) => match self.apply(seat, &answer) {
                Ok(ending) => {
                    self.settle(seat, answer, charge, false, ending);
                    Handled::Accepted
                }
                Err(reason) => self.refuse(at, seat, Action::Answer(answer), charge, reason),
            },
            Action::Claim => match self.claim(seat) {
                Some(result) => self.end_by(at, seat, action, charge, result),
                None => self.decline(at, seat, action, charge, "no foul is there to claim"),
            },
            Action::OfferDraw => self.offer_draw(at, seat, charge),
            Action::AcceptDraw if self.offer == Some(!seat) => {
                let result = GameResult { winner: None, termination: Termination::Agreement };
                self.end_by(at, seat, action, charge, result)
            }
            Action::AcceptDraw => {
                self.refuse(at, seat, action, charge, "no draw is on offer".to_string())
            }
            Action::Resign => unreachable!("resignations were taken before the clock was read"),
        }
    }

    /// A seat that was not asked may resign or take a standing offer of a draw, and no more.
    fn act_out_of_turn(&mut self, at: Nanos, seat: Seat, action: Action) -> Handled {
        if action == Action::AcceptDraw && self.turn.is_some() && self.offer == Some(!seat) {
            let result = GameResult { winner: None, termination: Termination::Agreement };
            return self.end_by(at, seat, action, Charge::default(), result);
        }
        if action != Action::Resign {
            return self.refuse(
                at,
                seat,
                action,
                Charge::default(),
                format!("it was not for the {seat} seat to act"),
            );
        }
        self.lose(at, seat, Termination::Resignation);
        self.note(seat, action, Charge::default(), true);
        Handled::Accepted
    }

    /// Whether an answer to the open question would be legal; nothing changes. A forbidden move is:
    /// it loses by the rules.
    ///
    /// # Errors
    /// Why it would be refused.
    pub fn check(&self, answer: &Answer) -> Result<(), String> {
        let Some((seat, _)) = self.asked() else {
            return Err("the game is over".to_string());
        };
        if !self.opened {
            return self.opening.clone().answer(seat, answer).map_err(|error| error.to_string());
        }
        match *answer {
            Answer::Move(Move::Stone(point)) => {
                self.position.check(point).map_err(|error| error.to_string())
            }
            Answer::Move(Move::Pass) if self.policies.passing => Ok(()),
            Answer::Move(Move::Pass) => Err(NO_PASSING.to_string()),
            _ => Err(NO_DECISION.to_string()),
        }
    }

    /// Applies an answer to the opening or the position; nothing changes if it is illegal.
    fn apply(&mut self, seat: Seat, answer: &Answer) -> Result<Option<Ending>, String> {
        if !self.opened {
            self.opening.answer(seat, answer).map_err(|error| error.to_string())?;
            return Ok(self.lay_opening());
        }
        let ending = match *answer {
            Answer::Move(Move::Stone(point)) => {
                self.position.play(point).map_err(|error| error.to_string())?
            }
            Answer::Move(Move::Pass) if self.policies.passing => self.position.pass(),
            Answer::Move(Move::Pass) => return Err(NO_PASSING.to_string()),
            _ => return Err(NO_DECISION.to_string()),
        };
        self.fouls.pass_over();
        if let Some(rules) = &self.policies.adjudication {
            let score = self.turn.as_ref().and_then(|turn| turn.score);
            self.windows.note(rules, seat, score);
        }
        Ok(ending)
    }

    /// Records an answer that has been applied, and goes on from it.
    fn settle(
        &mut self,
        seat: Seat,
        answer: Answer,
        charge: Charge,
        substituted: bool,
        ending: Option<Ending>,
    ) {
        self.clocks[seat].charge(charge.spent);
        self.clocks[seat].add_increment();
        self.strikes[seat] = 0;
        if self.offer == Some(!seat) {
            self.offer = None;
        }
        let (action, clock) = (Action::Answer(answer), self.clocks[seat].left());
        let entry = HistoryEntry::new(seat, action, charge.spent, clock);
        self.record(HistoryEntry { substituted, correction: charge.correction, ..entry });
        self.go_on(ending);
    }

    /// An action that ends the game.
    fn end_by(
        &mut self,
        at: Nanos,
        seat: Seat,
        action: Action,
        charge: Charge,
        result: GameResult,
    ) -> Handled {
        self.end(at, result);
        self.note(seat, action, charge, true);
        Handled::Accepted
    }

    fn offer_draw(&mut self, at: Nanos, seat: Seat, charge: Charge) -> Handled {
        let Some(turn) = self.turn.as_mut().filter(|_| self.policies.draw_offers) else {
            let reason = "draw offers are not allowed";
            return self.decline(at, seat, Action::OfferDraw, charge, reason);
        };
        if core::mem::replace(&mut turn.offered, true) {
            let reason = "a draw was offered twice in one turn".to_string();
            return self.refuse(at, seat, Action::OfferDraw, charge, reason);
        }
        turn.set_aside(at);
        self.offer = Some(seat);
        self.note(seat, Action::OfferDraw, Charge::default(), true);
        Handled::Accepted
    }

    /// Refuses an action without a penalty, once a turn: otherwise a player that does not stop
    /// could hold the game for ever.
    fn decline(
        &mut self,
        at: Nanos,
        seat: Seat,
        action: Action,
        charge: Charge,
        reason: &str,
    ) -> Handled {
        let Some(turn) = self.turn.as_mut().filter(|turn| !turn.declined) else {
            return self.refuse(at, seat, action, charge, reason.to_string());
        };
        turn.declined = true;
        turn.retry = true;
        turn.set_aside(at);
        self.note(seat, action, Charge::default(), false);
        self.refusal = Some(reason.to_string());
        Handled::Declined
    }

    /// Refuses an illegal action, and lets it cost what the event says.
    fn refuse(
        &mut self,
        at: Nanos,
        seat: Seat,
        action: Action,
        charge: Charge,
        reason: String,
    ) -> Handled {
        self.refusal = Some(reason);
        self.strikes[seat] = self.strikes[seat].saturating_add(1);
        if self.policies.forfeits(seat, self.strikes[seat]) {
            self.lose(at, seat, Termination::IllegalAnswer);
        } else if let Some(turn) = self.turn.as_mut().filter(|turn| turn.seat == seat) {
            *turn = Turn::new(seat, turn.ask, true);
            turn.is_replaceable = self.policies.illegal == IllegalPolicy::Substitute;
            self.clocks[seat].charge(charge.spent);
        }
        self.note(seat, action, charge, false);
        Handled::Illegal
    }

    /// Plays an answer for the seat whose own was illegal: this one if it is legal, otherwise the
    /// arbiter's. Where neither is, which only an opening can lead to, the seat loses.
    pub(super) fn replace(&mut self, answer: Option<Answer>) {
        let Some((seat, _)) = self.asked() else { return };
        let answer = answer.filter(|answer| self.check(answer).is_ok());
        let answer = answer.unwrap_or_else(|| self.substitute());
        match self.apply(seat, &answer) {
            Ok(ending) => self.settle(seat, answer, Charge::default(), true, ending),
            Err(_) => self.lose(0, seat, Termination::IllegalAnswer),
        }
    }

    /// The time of a question is over, with an answer or without.
    pub(super) fn be_late(
        &mut self,
        at: Nanos,
        seat: Seat,
        charge: Charge,
        action: Option<Action>,
    ) {
        if self.policies.late == LatePolicy::Substitute {
            let answer = self.substitute();
            if let Some(turn) = &mut self.turn {
                turn.score = None;
            }
            if let Ok(ending) = self.apply(seat, &answer) {
                return self.settle(seat, answer, charge, true, ending);
            }
        }
        self.lose(at, seat, Termination::Timeout);
        if let Some(action) = action {
            self.note(seat, action, charge, false);
        }
    }

    fn note(&mut self, seat: Seat, action: Action, charge: Charge, legal: bool) {
        let clock = self.clocks[seat].left();
        let entry = HistoryEntry::new(seat, action, charge.spent, clock);
        self.record(HistoryEntry { legal, correction: charge.correction, ..entry });
    }

    fn record(&mut self, mut entry: HistoryEntry) {
        let seat = entry.seat;
        let is_first = || self.history.iter().all(|past| past.seat != seat);
        entry.ready = Some(self.ready[seat]).filter(|ready| *ready > 0 && is_first());
        self.history.push(entry);
    }
}
