use tengen_arbiter::{
    Action, FoulPolicy, GameResult, HistoryEntry, IllegalPolicy, LatePolicy, Termination,
};
use tengen_players::Reply;
use tengen_rules::{Answer, Ask, Color, Ending, Foul, Move, Point, Seat, Zone};

use super::{Referee, RefereeTurn, lost};

impl Referee<'_> {
    /// A player said something, after so long in all.
    pub(super) fn answered(
        &mut self,
        seat: Seat,
        spent: i128,
        reply: &Reply,
        action: &Action,
        legal: Option<bool>,
    ) {
        let with_offer = reply.offers_draw && matches!(action, Action::Answer(_));
        if with_offer && !self.offer_draw(seat, spent) {
            return;
        }
        if let Some(info) = reply.info {
            self.turn.score = Some(info.score());
        }
        if *action == Action::Resign {
            // A player that gives up has lost, in time or not.
            self.lose(seat, spent, Termination::Resignation);
            return self.note(seat, action, spent, true);
        }
        if self.clocks[seat].is_late(spent) {
            return self.be_late(seat, spent, Some(action));
        }
        match action {
            Action::Answer(answer) => {
                let applied = self.apply(seat, answer);
                if let Some(legal) = legal {
                    assert_eq!(applied.is_some(), legal, "{answer:?} of {:?}", self.due());
                }
                match applied {
                    Some(ending) => self.settle(seat, answer, spent, false, ending),
                    None => self.refuse(seat, action, spent),
                }
            }
            Action::Claim => match self.claimable().filter(|_| self.holder(Color::White) == seat) {
                Some(foul) => {
                    self.lose(!seat, 0, foul.into());
                    self.clocks[seat].charge(spent);
                    self.note(seat, action, spent, true);
                }
                None => drop(self.decline(seat, action, spent)),
            },
            Action::OfferDraw => drop(self.offer_draw(seat, spent)),
            Action::AcceptDraw if self.offer == Some(!seat) => {
                self.clocks[seat].charge(spent);
                let termination = Termination::Agreement;
                self.result = Some(GameResult { winner: None, termination });
                self.note(seat, action, spent, true);
            }
            Action::AcceptDraw => self.refuse(seat, action, spent),
            Action::Resign => unreachable!(),
        }
    }

    /// Whether what else the player said is still heard.
    fn offer_draw(&mut self, seat: Seat, spent: i128) -> bool {
        let offer = Action::OfferDraw;
        if self.clocks[seat].is_late(spent) {
            self.be_late(seat, spent, Some(&offer));
            return false;
        }
        if !self.config.policies.draw_offers {
            return self.decline(seat, &offer, spent);
        }
        if self.turn.offered {
            self.refuse(seat, &offer, spent);
            return false;
        }
        self.turn.offered = true;
        self.turn.said = Some(spent);
        self.offer = Some(seat);
        self.note_free(seat, &offer, true);
        true
    }

    /// Refuses something for nothing, the first time. Tells whether it was for nothing.
    fn decline(&mut self, seat: Seat, action: &Action, spent: i128) -> bool {
        if self.turn.declined {
            self.refuse(seat, action, spent);
            return false;
        }
        self.turn.declined = true;
        self.turn.retry = true;
        self.turn.said = Some(spent);
        self.note_free(seat, action, false);
        true
    }

    fn refuse(&mut self, seat: Seat, action: &Action, spent: i128) {
        self.strikes[seat] += 1;
        self.clocks[seat].charge(spent);
        let retries = match self.config.policies.illegal {
            IllegalPolicy::Forfeit => 0,
            IllegalPolicy::Retries(retries) => retries,
            IllegalPolicy::Substitute => {
                self.note(seat, action, spent, false);
                return self.replace(seat);
            }
        };
        if self.strikes[seat] > retries {
            self.result = lost(seat, Termination::IllegalAnswer);
        }
        self.note(seat, action, spent, false);
        self.turn = RefereeTurn { retry: true, ..RefereeTurn::default() };
    }

    /// After an illegal answer that loses no game, the arbiter answers in no time.
    fn replace(&mut self, seat: Seat) {
        self.turn = RefereeTurn::default();
        match self.substitute() {
            Some((answer, ending)) => self.settle(seat, &answer, 0, true, ending),
            None => self.result = lost(seat, Termination::IllegalAnswer),
        }
    }

    /// The arbiter's own answer to the open question, as it was noted, and what it led to; none
    /// where there was none to an opening question.
    fn substitute(&mut self) -> Option<(Answer, Option<Ending>)> {
        let Some(HistoryEntry { action: Action::Answer(answer), substituted: true, .. }) =
            self.noted.get(self.history.len())
        else {
            assert_ne!(self.due().1, Ask::Move { zone: Zone::Anywhere }, "substitute");
            return None;
        };
        self.assert_quiet(answer);
        let (seat, _) = self.due();
        let ending = self.apply(seat, answer).expect("a substitute is legal");
        Some((answer.clone(), ending))
    }

    pub(super) fn be_late(&mut self, seat: Seat, spent: i128, action: Option<&Action>) {
        assert!(self.clocks[seat].is_late(spent));
        self.turn.score = None;
        if self.config.policies.late == LatePolicy::Substitute
            && let Some((answer, ending)) = self.substitute()
        {
            return self.settle(seat, &answer, spent, true, ending);
        }
        self.lose(seat, spent, Termination::Timeout);
        if let Some(action) = action {
            self.note(seat, action, spent, false);
        }
    }

    /// In play, the arbiter answers for a seat with a point than which no other is nearer to the
    /// centre and allowed.
    fn assert_quiet(&self, answer: &Answer) {
        if self.opening.asked().is_some() {
            return;
        }
        let Answer::Move(Move::Stone(stone)) = answer else { panic!("{answer:?}") };
        let center = self.config.size.center();
        let distance =
            |point: Point| point.x().abs_diff(center.x()).max(point.y().abs_diff(center.y()));
        let free = |point: &Point| {
            self.position.check(*point).is_ok() && self.position.foul_at(*point).is_none()
        };
        let nearest = self.config.size.points().filter(free).map(distance).min();
        assert!(nearest.is_none_or(|nearest| distance(*stone) == nearest), "{stone}");
    }

    /// Does what the answer says; none when it is illegal.
    fn apply(&mut self, seat: Seat, answer: &Answer) -> Option<Option<Ending>> {
        if self.opening.asked().is_some() {
            self.opening.answer(seat, answer).ok()?;
            return Some(self.lay());
        }
        let ending = match answer {
            Answer::Move(Move::Stone(point)) => self.position.play(*point).ok()?,
            Answer::Move(Move::Pass) if self.config.policies.passing => self.position.pass(),
            _ => return None,
        };
        self.last_foul = None;
        self.scores.push((seat, self.turn.score));
        Some(ending)
    }

    fn settle(
        &mut self,
        seat: Seat,
        answer: &Answer,
        spent: i128,
        substituted: bool,
        ending: Option<Ending>,
    ) {
        self.clocks[seat].charge(spent);
        self.clocks[seat].add_increment();
        self.strikes[seat] = 0;
        // An offer that was not accepted is gone.
        self.offer = self.offer.filter(|offerer| *offerer == seat);
        self.note(seat, &Action::Answer(answer.clone()), spent, true);
        self.history.last_mut().expect("it was just noted").substituted = substituted;
        self.follow(ending);
    }

    pub(super) fn foul(&mut self, foul: Foul, limit: bool) -> Option<GameResult> {
        let last = limit || self.config.size.points().all(|p| self.position.check(p).is_err());
        if self.config.policies.foul == FoulPolicy::Automatic || last {
            return lost(self.holder(Color::Black), foul.into());
        }
        self.last_foul = Some(foul);
        self.overline |= foul == Foul::Overline;
        None
    }

    fn claimable(&self) -> Option<Foul> {
        self.last_foul.or(self.overline.then_some(Foul::Overline))
    }

    /// Notes what counts nothing.
    fn note_free(&mut self, seat: Seat, action: &Action, legal: bool) {
        let clock = self.clocks[seat].left.map(|left| left.try_into().unwrap());
        let entry = HistoryEntry::new(seat, action.clone(), 0, clock);
        self.history.push(HistoryEntry { legal, ..entry });
    }

    fn note(&mut self, seat: Seat, action: &Action, spent: i128, legal: bool) {
        let clock = self.clocks[seat].left.map(|left| left.try_into().unwrap());
        let spent = spent.try_into().unwrap();
        let entry = HistoryEntry::new(seat, action.clone(), spent, clock);
        self.history.push(HistoryEntry { legal, correction: self.turn.correction, ..entry });
    }
}
