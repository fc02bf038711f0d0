//! A second arbiter, written straight from the rules and without regard to speed: whole numbers
//! that cannot overflow, lists searched from the start, nothing stored that can be computed again.
//! It shares with the real one only the rules of the board and of the opening procedures.

mod act;
mod clock;

use tengen_arbiter::{
    Correction, GameConfig, GameResult, HistoryEntry, LatePolicy, Nanos, ResignBy, SearchScore,
    Termination,
};
use tengen_rules::{Ask, BySeat, Color, Ending, Foul, FoursLimits, Opening, Position, Seat, Zone};
use tengen_testkit::{LoggedExchange, PlayerEvent};

use clock::RefereeClock;

/// What a game comes to, by what the players saw and did.
pub(super) struct Referee<'a> {
    config: &'a GameConfig,
    stall: Option<Nanos>,
    /// What the real arbiter noted: its substitutes are looked at, not foreseen.
    noted: &'a [HistoryEntry],
    opening: Opening,
    position: Position,
    clocks: BySeat<RefereeClock>,
    strikes: BySeat<u32>,
    offer: Option<Seat>,
    last_foul: Option<Foul>,
    overline: bool,
    /// The score that came with each move after the opening.
    scores: Vec<(Seat, Option<SearchScore>)>,
    turn: RefereeTurn,
    history: Vec<HistoryEntry>,
    result: Option<GameResult>,
}

/// What has been said at the question that is open.
#[derive(Default)]
struct RefereeTurn {
    used: i128,
    /// What its host measured of it beside its moments, in all.
    correction: Correction,
    /// What it had taken when something was said that is no answer.
    said: Option<i128>,
    offered: bool,
    declined: bool,
    retry: bool,
    score: Option<SearchScore>,
}

impl<'a> Referee<'a> {
    /// Holds the whole game, and gives its result and its history.
    pub fn judge(
        config: &'a GameConfig,
        stall: Option<Nanos>,
        noted: &'a [HistoryEntry],
        events: &[PlayerEvent],
    ) -> (GameResult, Vec<HistoryEntry>) {
        let mut referee = Referee {
            config,
            stall,
            noted,
            opening: Opening::new(&config.opening, config.rule, config.size).unwrap(),
            position: Position::new(config.rule, config.size),
            clocks: BySeat::from_fn(|seat| {
                RefereeClock::new(config.time[seat], config.margin[seat], config.policies.margin)
            }),
            strikes: BySeat::default(),
            offer: None,
            last_foul: None,
            overline: false,
            scores: Vec::new(),
            turn: RefereeTurn::default(),
            history: Vec::new(),
            result: None,
        };
        let ending = referee.lay();
        referee.follow(ending);
        let mut ready = Vec::new();
        let mut reported = Vec::new();
        for event in events {
            match event {
                PlayerEvent::Readied(seat, outcome, span) => {
                    assert_eq!(*seat, Seat::ALL[ready.len()], "the first seat gets ready first");
                    assert_eq!(reported, [], "made ready after the end");
                    match outcome {
                        Ok(()) => {
                            ready.push(*seat);
                            referee.get_ready(*seat, (*span).into());
                        }
                        Err(failure) => {
                            referee.result = referee.result.or(lost(*seat, (*failure).into()));
                        }
                    }
                }
                PlayerEvent::Asked(exchange) => {
                    assert_eq!(ready, Seat::ALL, "asked before both are ready");
                    assert_eq!(reported, [], "asked after it was told of the end");
                    referee.take(exchange);
                }
                PlayerEvent::Ended(seat, result) => {
                    assert_eq!(Some(*result), referee.result, "told another result");
                    let is_due = ready.contains(seat) && !reported.contains(seat);
                    assert!(is_due, "told {seat} wrongly");
                    reported.push(*seat);
                }
            }
        }
        assert_eq!(reported, ready, "those that were ready are told of the end");
        (referee.result.expect("the game goes on"), referee.history)
    }

    fn holder(&self, color: Color) -> Seat {
        let colors = self.opening.colors();
        Seat::ALL.into_iter().find(|&seat| colors[seat] == color).unwrap()
    }

    fn due(&self) -> (Seat, Ask) {
        let play = (self.holder(self.position.to_move()), Ask::Move { zone: Zone::Anywhere });
        self.opening.asked().unwrap_or(play)
    }

    /// Takes the result of a question, which must be the one that is due.
    fn take(&mut self, exchange: &LoggedExchange) {
        let LoggedExchange { seat, limits, reply, .. } = exchange;
        let seat = *seat;
        assert_eq!(self.result, None, "asked after the end");
        assert_eq!((seat, exchange.ask), self.due(), "the question");
        assert_eq!(exchange.plies, self.position.moves().len());
        self.turn.used = self.turn.said.take().unwrap_or(self.turn.used);
        let used = self.turn.used;
        let clock = &self.clocks[seat];
        assert_eq!(limits.own.map(i128::from), clock.own(used));
        assert_eq!(limits.opponent.map(i128::from), self.clocks[!seat].own(0));
        assert_eq!(limits.hard.map(i128::from), clock.hard().map(|hard| rest(hard, used)));
        let control = self.config.time[seat];
        assert_eq!((limits.nodes, limits.depth), (control.nodes, control.depth));
        assert_eq!(limits.draw_offered, self.offer == Some(!seat), "the draw offer");
        assert_eq!(limits.retry, self.turn.retry, "whether it is asked again");
        let patience = clock.longest().map(|longest| rest(longest, used) + 1);
        let patience = patience.or(self.stall.map(i128::from));
        assert_eq!(exchange.patience.map(i128::from), patience);

        let elapsed = i128::from(reply.answered_at) - i128::from(reply.asked_at);
        assert!(elapsed >= 0);
        let Correction { given_back, unasked } = exchange.timing.correction;
        let elapsed = elapsed - i128::from(given_back) + i128::from(unasked);
        let known = &mut self.turn.correction;
        known.given_back += given_back;
        known.unasked += unasked;
        match &reply.outcome {
            Ok(Some(action)) => {
                self.answered(seat, used + elapsed, reply, action, exchange.legal);
            }
            Ok(None) => match self.clocks[seat].longest() {
                Some(longest) => self.be_late(seat, (used + elapsed).max(longest + 1), None),
                None => self.lose(seat, used + elapsed, Termination::Stall),
            },
            Err(fault) => {
                let late = self.clocks[seat].is_late(used + elapsed);
                let timeout = late && self.config.policies.late == LatePolicy::Loss;
                let termination = if timeout { Termination::Timeout } else { fault.failure.into() };
                self.lose(seat, used + elapsed, termination);
            }
        }
    }

    /// Takes what getting ready took off the clock, where the event counts it.
    fn get_ready(&mut self, seat: Seat, span: i128) {
        if self.result.is_some() || !self.config.policies.count_startup {
            return;
        }
        let clock = &mut self.clocks[seat];
        let is_late = clock.longest_of_game().is_some_and(|longest| span > longest);
        clock.charge(span);
        if is_late && self.config.policies.late == LatePolicy::Loss {
            self.result = lost(seat, Termination::Timeout);
        }
    }

    fn lose(&mut self, seat: Seat, spent: i128, termination: Termination) {
        self.clocks[seat].charge(spent);
        self.result = lost(seat, termination);
    }

    /// Lays the stones of the opening that are not on the board yet.
    fn lay(&mut self) -> Option<Ending> {
        let stones = self.opening.stones().to_vec();
        let laid = self.position.moves().len();
        stones[laid..].iter().map(|&point| self.position.play(point).unwrap()).last().flatten()
    }

    /// What follows from an answer that led to this ending.
    fn follow(&mut self, ending: Option<Ending>) {
        self.turn = RefereeTurn::default();
        let draw = |termination| Some(GameResult { winner: None, termination });
        let limit = self.limit();
        self.result = match ending {
            Some(Ending::Five(color)) => {
                assert!(self.has_five(color), "no five is on the board");
                lost(self.holder(!color), Termination::Five)
            }
            Some(Ending::BoardFull) => draw(Termination::BoardFull),
            Some(Ending::Passes) => draw(Termination::Passes),
            Some(Ending::Foul(foul)) => self.foul(foul, limit.is_some()),
            None => limit,
        };
        if self.result.is_none() {
            self.result = self.proof();
        }
    }

    /// The win by fours of the side to move, as the rules find it, once a move was played.
    fn proof(&self) -> Option<GameResult> {
        let nodes = self.config.policies.adjudication?.proof?;
        let color = self.position.to_move();
        let may_claim = self.overline && color == Color::Black;
        if self.history.is_empty() || self.opening.asked().is_some() || may_claim {
            return None;
        }
        let stones = self.config.policies.move_limit.map(|limit| limit as usize);
        let limits = FoursLimits { nodes, stones };
        self.position.board().win_by_fours(self.config.rule, color, limits)?;
        let (winner, termination) = (Some(self.holder(color)), Termination::Proof);
        Some(GameResult { winner, termination })
    }

    /// The event's move limit, and the scores that both players agree on.
    fn limit(&self) -> Option<GameResult> {
        let policies = &self.config.policies;
        let stones = self.position.board().stones().count();
        let ended = |winner| Some(GameResult { winner, termination: Termination::Adjudication });
        if policies.move_limit.is_some_and(|limit| stones >= limit as usize) {
            return ended(None);
        }
        let rules = policies.adjudication.unwrap_or_default();
        if let Some(resign) = rules.resign
            && resign.by == ResignBy::Loser
        {
            for loser in Seat::ALL {
                let own: Vec<_> = self.scores.iter().filter(|(seat, _)| *seat == loser).collect();
                let says_so = |score: &Option<SearchScore>| {
                    score.is_some_and(|score| {
                        value(score) != 0 && value(score) <= -i64::from(resign.score)
                    })
                };
                let moves = resign.moves.max(1) as usize;
                let last = own.len().checked_sub(moves).map(|from| &own[from..]);
                if last.is_some_and(|last| last.iter().all(|(_, score)| says_so(score))) {
                    return ended(Some(!loser));
                }
            }
        } else if let Some(resign) = rules.resign {
            let winner = |&(seat, score): &(Seat, Option<SearchScore>)| {
                let value = value(score?);
                let enough = value != 0 && value.abs() >= i64::from(resign.score);
                enough.then_some(if value > 0 { seat } else { !seat })
            };
            let named: Option<Vec<Seat>> = self.last_scores(resign.moves, winner);
            if let Some(named) = named
                && named.iter().all(|seat| *seat == named[0])
            {
                return ended(Some(named[0]));
            }
        }
        let draw = rules.draw.filter(|draw| stones >= draw.stones as usize)?;
        let even = |&(_, score): &(Seat, Option<SearchScore>)| {
            (value(score?).abs() <= i64::from(draw.score)).then_some(())
        };
        let _even: Vec<()> = self.last_scores(draw.moves, even)?;
        ended(None)
    }

    /// What the filter makes of each of the last scores, so many of either player; none if it makes
    /// nothing of one, or there are not as many.
    fn last_scores<T>(
        &self,
        moves: u32,
        filter: impl Fn(&(Seat, Option<SearchScore>)) -> Option<T>,
    ) -> Option<Vec<T>> {
        let from = self.scores.len().checked_sub(2 * moves.max(1) as usize)?;
        self.scores[from..].iter().map(filter).collect()
    }

    fn has_five(&self, color: Color) -> bool {
        let board = self.position.board();
        let at = |x: i32, y: i32| {
            let (x, y) = (u8::try_from(x).ok()?, u8::try_from(y).ok()?);
            let point = tengen_rules::Point::new(x, y);
            if self.config.size.contains(point) { board.get(point) } else { None }
        };
        let five = |x: i32, y: i32, dx: i32, dy: i32| {
            (0..5).all(|step| at(x + step * dx, y + step * dy) == Some(color))
        };
        let directions = [(1, 0), (0, 1), (1, 1), (1, -1)];
        self.config.size.points().any(|point| {
            let (x, y) = (point.x().into(), point.y().into());
            directions.into_iter().any(|(dx, dy)| five(x, y, dx, dy))
        })
    }
}

fn lost(seat: Seat, termination: Termination) -> Option<GameResult> {
    Some(GameResult { winner: Some(!seat), termination })
}

fn rest(limit: i128, used: i128) -> i128 {
    (limit - used).max(0)
}

/// A proved result is beyond every evaluation; a score without either says nothing, which never
/// comes from the simulated players.
fn value(score: SearchScore) -> i64 {
    match score.win_in {
        Some(plies) if plies > 0 => i64::MAX,
        Some(plies) if plies < 0 => -i64::MAX,
        _ => score.eval.unwrap().into(),
    }
}
