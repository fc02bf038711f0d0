use alloc::string::String;
use alloc::vec::Vec;

use tengen_rules::{
    Ask, BySeat, Color, Ending, FoursLimits, Move, Opening, OpeningError, Point, Position, Seat,
    Zone,
};

use crate::score_windows::ScoreWindows;
use crate::turn::Turn;
use crate::{
    Clock, GameConfig, GameResult, Handled, HistoryEntry, Input, LatePolicy, Limits, Nanos, Order,
    Policies, SearchInfo, Termination,
};

mod act;
mod again;
mod foul;
mod substitute;

#[cfg(test)]
mod tests;

use foul::FoulWatch;

/// Room for the actions of most games, so that a history seldom moves as it grows.
const USUAL_ACTIONS: usize = 48;

/// One game, from the first question of the opening to its result.
///
/// It is moved by inputs that carry the time they were seen, and says by orders what to do next.
/// Its caller gives each order from [`Game::poll_order`] to a player, reports the moment the
/// question was written ([`Input::Asked`]) and the moment the answer was read ([`Input::Act`]), and
/// calls [`Game::handle_timeout`] when [`Game::next_timeout`] has come with no answer.
#[derive(Clone, Debug)]
pub struct Game {
    policies: Policies,
    opening: Opening,
    opened: bool,
    position: Position,
    clocks: BySeat<Clock>,
    turn: Option<Turn>,
    history: Vec<HistoryEntry>,
    /// What getting ready took off each seat's clock.
    ready: BySeat<Nanos>,
    refusal: Option<String>,
    /// Illegal answers of each seat in a row.
    strikes: BySeat<u32>,
    /// The seat that offered a draw, while the offer stands.
    offer: Option<Seat>,
    fouls: FoulWatch,
    windows: ScoreWindows,
    /// The win by fours that ended the game.
    proof: Vec<Point>,
    result: Option<GameResult>,
    end_told: bool,
}

impl Game {
    /// Sets up a game. Its first order is ready; a book that reaches the move limit ends it at
    /// once.
    ///
    /// # Errors
    /// When the opening procedure does not go with the rule or the board, or its book is wrong.
    pub fn new(config: GameConfig) -> Result<Game, OpeningError> {
        let opening = Opening::new(&config.opening, config.rule, config.size)?;
        let clock =
            |seat| Clock::new(config.time[seat], config.margin[seat], config.policies.margin);
        let mut game = Game {
            policies: config.policies,
            opening,
            opened: false,
            position: Position::new(config.rule, config.size),
            clocks: BySeat::from_fn(clock),
            turn: None,
            history: Vec::with_capacity(USUAL_ACTIONS),
            ready: BySeat::default(),
            refusal: None,
            strikes: BySeat::default(),
            offer: None,
            fouls: FoulWatch::default(),
            windows: ScoreWindows::default(),
            proof: Vec::new(),
            result: None,
            end_told: false,
        };
        let ending = game.lay_opening();
        game.go_on(ending);
        Ok(game)
    }

    /// What to do next, or nothing until another input.
    pub fn poll_order(&mut self) -> Option<Order> {
        if self.needs_substitute() {
            self.replace(None);
        }
        if let Some(result) = self.result {
            return (!core::mem::replace(&mut self.end_told, true)).then_some(Order::End(result));
        }
        let turn = self.turn.as_mut().filter(|turn| !turn.told)?;
        turn.tell();
        let (seat, ask, used, retry) = (turn.seat, turn.ask, turn.used(), turn.retry);
        let clock = &self.clocks[seat];
        let remaining = |limit: Nanos| limit.saturating_sub(used);
        let limits = Limits {
            own: clock.plan(used),
            opponent: self.clocks[!seat].plan(0),
            hard: clock.hard().map(remaining),
            nodes: clock.control().nodes,
            depth: clock.control().depth,
            draw_offered: self.offer == Some(!seat),
            retry,
        };
        let patience = clock.deadline().map(|last| remaining(last).saturating_add(1));
        Some(Order::Ask { seat, ask, limits, patience })
    }

    /// Takes in what happened at the table, at the moment it was seen. After the end nothing
    /// changes the result.
    pub fn handle(&mut self, at: Nanos, seat: Seat, input: Input) -> Handled {
        let waits = matches!(input, Input::Substitute(_) | Input::Failed(_));
        if !waits && self.needs_substitute() {
            self.replace(None);
        }
        let Some(turn) = &mut self.turn else {
            return Handled::Ignored;
        };
        let asked = turn.seat == seat;
        match input {
            Input::Substitute(answer) if asked && turn.is_replaceable => self.replace(Some(answer)),
            Input::Ready(span) => return self.get_ready(at, seat, span),
            Input::Asked if asked && turn.started.is_none() => turn.started = Some(at),
            Input::Scored(score) if asked => turn.score = Some(score),
            Input::Corrected(more) if asked => turn.correction = turn.correction.and(more),
            Input::Asked | Input::Scored(_) | Input::Corrected(_) | Input::Substitute(_) => {
                return Handled::Ignored;
            }
            Input::Act(action) => return self.act(at, seat, action),
            Input::Failed(failure) => {
                let late = asked && self.clocks[seat].is_late(turn.charge(at).spent);
                let lost = late && self.policies.late == LatePolicy::Loss;
                self.lose(at, seat, if lost { Termination::Timeout } else { failure.into() });
            }
        }
        Handled::Accepted
    }

    /// Tells that it is `now` and that no answer stamped before is still to come: if the time of
    /// the open question is over, the game is lost, or the arbiter answers. Nothing happens before
    /// [`Game::next_timeout`]; a player that gave up earlier, or had no clock, has stalled
    /// ([`Input::Failed`]).
    pub fn handle_timeout(&mut self, now: Nanos) {
        if let Some(turn) = self.turn.as_ref().filter(|turn| turn.started.is_some()) {
            let (seat, charge) = (turn.seat, turn.charge(now));
            if self.clocks[seat].is_late(charge.spent) {
                self.be_late(now, seat, charge, None);
            }
        }
    }

    /// The first moment at which the running question is too late to answer.
    pub fn next_timeout(&self) -> Option<Nanos> {
        let turn = self.turn.as_ref()?;
        turn.beyond(self.clocks[turn.seat].deadline()?)
    }

    /// Ends the game without a winner; it does not count.
    pub fn abort(&mut self, at: Nanos) {
        self.end(at, GameResult { winner: None, termination: Termination::Aborted });
    }

    /// Ends the game: this seat's time was over by a clock that is not known here, as the record of
    /// a game from elsewhere says. Nothing happens if the seat has a clock here, or the game is
    /// over.
    pub fn lose_on_unknown_clock(&mut self, at: Nanos, seat: Seat) {
        if self.result().is_none() && self.clocks[seat].deadline().is_none() {
            self.lose(at, seat, Termination::Timeout);
        }
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Which colour each seat holds now.
    pub fn colors(&self) -> BySeat<Color> {
        self.opening.colors()
    }

    /// The seat that owes an answer, and to what; none when the game is over.
    pub fn asked(&self) -> Option<(Seat, Ask)> {
        self.turn.as_ref().map(|turn| (turn.seat, turn.ask))
    }

    /// Whether the arbiter is to answer the open question, since the answer of the asked seat was
    /// illegal. It does at the next order or input, unless an [`Input::Substitute`] says what to
    /// play. A person is asked again instead.
    pub fn needs_substitute(&self) -> bool {
        let is_due = |turn: &Turn| turn.is_replaceable && !self.policies.persons[turn.seat];
        self.turn.as_ref().is_some_and(is_due)
    }

    /// The fifth moves on offer, while one is to be picked.
    pub fn offered(&self) -> &[Point] {
        self.opening.offered()
    }

    /// The number of fifth moves declared, under a procedure that lets it be.
    pub fn declared(&self) -> Option<u8> {
        self.opening.declared()
    }

    /// The opening, over or under way.
    pub fn opening(&self) -> &Opening {
        &self.opening
    }

    /// A seat's clock, as it last stopped.
    pub fn clock(&self, seat: Seat) -> &Clock {
        &self.clocks[seat]
    }

    /// What getting ready took off a seat's clock; nothing unless the event counts it.
    pub fn ready(&self, seat: Seat) -> Nanos {
        self.ready[seat]
    }

    /// The seat that offered a draw, while the offer stands.
    pub fn draw_offer(&self) -> Option<Seat> {
        self.offer
    }

    /// Every action so far, refused ones too.
    pub fn history(&self) -> &[HistoryEntry] {
        &self.history
    }

    /// Adds to the newest action what is known of the search behind it; what is not known leaves
    /// what is there. The game goes on as without it.
    pub fn add_search(&mut self, info: Option<SearchInfo>, pv: Vec<Move>, lag: Option<Nanos>) {
        let Some(entry) = self.history.last_mut() else { return };
        entry.info = info.or(entry.info);
        entry.lag = lag.or(entry.lag);
        if !pv.is_empty() {
            entry.pv = pv;
        }
    }

    /// Adds to the newest action what its player said to people before it.
    pub fn add_said(&mut self, lines: Vec<String>) {
        if let Some(entry) = self.history.last_mut() {
            entry.said = lines;
        }
    }

    pub fn result(&self) -> Option<GameResult> {
        self.result
    }

    /// The win by fours that ended the game ([`Termination::Proof`]): the stones of both in turn,
    /// the winner's first; see [`Board::win_by_fours`](tengen_rules::Board::win_by_fours).
    pub fn proof(&self) -> &[Point] {
        &self.proof
    }

    /// Why the last illegal answer or refused claim was one.
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    /// Charges a seat for getting ready, which may have used up all its time.
    fn get_ready(&mut self, at: Nanos, seat: Seat, span: Nanos) -> Handled {
        let clock = &mut self.clocks[seat];
        let has_begun = self.ready[seat] > 0 || self.history.iter().any(|past| past.seat == seat);
        if !self.policies.count_startup || has_begun || clock.left().is_none() {
            return Handled::Ignored;
        }
        let is_late = clock.is_beyond(span) && self.policies.late == LatePolicy::Loss;
        clock.charge(span);
        self.ready[seat] = span;
        if is_late {
            self.lose(at, seat, Termination::Timeout);
            return Handled::Late;
        }
        Handled::Accepted
    }

    pub fn holder(&self, color: Color) -> Seat {
        if self.colors().first == color { Seat::First } else { Seat::Second }
    }

    /// Places the stones on the position that the opening has gained since.
    fn lay_opening(&mut self) -> Option<Ending> {
        let mut ending = None;
        for &point in &self.opening.stones()[self.position.ply()..] {
            ending = self.position.play(point).expect("the opening lays stones on empty points");
        }
        self.opened = self.opening.asked().is_none();
        ending
    }

    /// Asks the next question, or ends the game, after an answer that led to `ending`.
    fn go_on(&mut self, ending: Option<Ending>) {
        if let Some(result) = self.outcome(ending) {
            return self.finish(result);
        }
        let play = (self.holder(self.position.to_move()), Ask::Move { zone: Zone::Anywhere });
        let (seat, ask) = if self.opened { play } else { self.opening.asked().unwrap_or(play) };
        self.turn = Some(Turn::new(seat, ask, false));
    }

    /// The result that an answer leads to, if it ends the game.
    fn outcome(&mut self, ending: Option<Ending>) -> Option<GameResult> {
        let draw = |termination| Some(GameResult { winner: None, termination });
        let end = match ending {
            Some(Ending::Five(color)) => {
                let winner = Some(self.holder(color));
                return Some(GameResult { winner, termination: Termination::Five });
            }
            Some(Ending::BoardFull) => return draw(Termination::BoardFull),
            Some(Ending::Passes) => return draw(Termination::Passes),
            Some(Ending::Foul(_)) | None => self.limit_reached(),
        };
        let end = match ending {
            Some(Ending::Foul(foul)) => {
                let last = end.is_some() || self.position.board().is_full();
                self.judge_foul(foul, last)
            }
            _ => end,
        };
        end.or_else(|| self.prove())
    }

    /// The result by a win by fours of the player to move, if the event looks for one. Only after a
    /// player's action: a start position is always played.
    fn prove(&mut self) -> Option<GameResult> {
        let nodes = self.policies.adjudication.as_ref()?.proof?;
        let color = self.position.to_move();
        let is_open = self.opened && !self.history.is_empty();
        if !is_open || (color == Color::Black && self.fouls.may_be_claimed_later()) {
            return None;
        }
        let stones = self.policies.move_limit.map(|limit| limit as usize);
        let limits = FoursLimits { nodes, stones };
        self.proof = self.position.board().win_by_fours(self.position.rule(), color, limits)?;
        let winner = Some(self.holder(color));
        Some(GameResult { winner, termination: Termination::Proof })
    }

    /// The result by the event's move limit or by the players' scores.
    fn limit_reached(&self) -> Option<GameResult> {
        let stones = self.position.board().count();
        if self.policies.move_limit.is_some_and(|limit| stones >= limit as usize) {
            return Some(GameResult { winner: None, termination: Termination::Adjudication });
        }
        self.windows.result(self.policies.adjudication.as_ref()?, stones)
    }

    fn lose(&mut self, at: Nanos, seat: Seat, termination: Termination) {
        self.end(at, GameResult { winner: Some(!seat), termination });
    }

    /// Ends the game at a moment when a clock may be running.
    fn end(&mut self, at: Nanos, result: GameResult) {
        if let Some(turn) = &self.turn {
            self.clocks[turn.seat].charge(turn.charge(at).spent);
            self.finish(result);
        }
    }

    fn finish(&mut self, result: GameResult) {
        self.turn = None;
        self.result = Some(result);
    }
}
