//! A player that may do anything, drawn from a seed.

mod illegal;
mod stones;

use std::sync::Arc;

use tengen_arbiter::{Action, Correction, CpuStats, Failure, GameResult, Nanos, SearchInfo};
use tengen_players::{Fault, GameSetup, Player, Reply, Request, Time, Timing};
use tengen_rules::{Answer, BySeat, Move, Point, Position, Rule, Seat, Size};

use crate::{Dice, ExchangeLog, LoggedExchange, PlayerEvent, VirtualTime};

/// How an [`Erratic`] player tends to behave. Chances are of a thousand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ErraticConfig {
    /// Its own part of the random choices, beside the game's seed and its seat.
    pub salt: u64,
    /// How likely it is to do something odd at a question.
    pub odd: u64,
    /// How likely it is not to get ready for a game.
    pub unready: u64,
    /// How likely it is to use a good part of its time at a question.
    pub slow: u64,
    /// Whether it tells what its search makes of the position.
    pub scores: bool,
    /// Whether a pass is legal after the opening.
    pub passing: bool,
    /// How likely the machine is to have kept it waiting, and to have slept in a late answer.
    pub strained: u64,
}

/// A player that may do anything a player can do, at random: it is late, silent, illegal in every
/// way, dies, offers and accepts draws, claims, passes and resigns. In between it answers within
/// the rules. The configuration and the game's seed alone decide what it does; everything it sees
/// and does is in the log.
#[derive(Debug)]
pub struct Erratic {
    config: ErraticConfig,
    time: Arc<VirtualTime>,
    log: ExchangeLog,
    dice: Dice,
    seat: Seat,
    rule: Rule,
    position: Position,
    /// The random choices of the machine, which differ each time a game is played: the seed of the
    /// last game, and how often it was played on each seat.
    host: Dice,
    played: (u64, BySeat<u64>),
    timing: Timing,
}

/// What it does at a question, besides answering it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ErraticAction {
    Answer,
    Illegal,
    Pass,
    Resign,
    Claim,
    OfferDraw,
    OfferDrawWithAnswer,
    AcceptDraw,
    Fail(Failure),
    Silence,
}

/// When it does so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ErraticTiming {
    InTime,
    /// At the last moment that is in time.
    JustInTime,
    /// At the first moment that is not, or later.
    Late,
}

impl Erratic {
    const DEEDS: [ErraticAction; 16] = [
        ErraticAction::Answer,
        ErraticAction::Illegal,
        ErraticAction::Illegal,
        ErraticAction::Illegal,
        ErraticAction::Pass,
        ErraticAction::Resign,
        ErraticAction::Claim,
        ErraticAction::OfferDraw,
        ErraticAction::OfferDrawWithAnswer,
        ErraticAction::AcceptDraw,
        ErraticAction::Fail(Failure::Crash),
        ErraticAction::Fail(Failure::Stall),
        ErraticAction::Fail(Failure::ProtocolError),
        ErraticAction::Fail(Failure::ResourceLimit),
        ErraticAction::Fail(Failure::Unasked),
        ErraticAction::Silence,
    ];

    /// A player with this clock and log.
    pub fn new(config: ErraticConfig, time: Arc<VirtualTime>, log: ExchangeLog) -> Erratic {
        Erratic {
            config,
            time,
            log,
            dice: Dice::new(0),
            seat: Seat::First,
            rule: Rule::Freestyle,
            position: Position::new(Rule::Freestyle, Size::STANDARD),
            host: Dice::new(0),
            played: Default::default(),
            timing: Timing::default(),
        }
    }

    /// Plays by that clock from now on, and writes into that log.
    pub fn move_to(&mut self, time: Arc<VirtualTime>, log: ExchangeLog) {
        (self.time, self.log) = (time, log);
    }

    fn draw(&mut self, request: &Request<'_>) -> (ErraticAction, ErraticTiming) {
        if request.limits.draw_offered && self.dice.chance(100) {
            return (ErraticAction::AcceptDraw, ErraticTiming::InTime);
        }
        if self.config.passing && request.moves.last() == Some(&Move::Pass) && self.dice.chance(300)
        {
            return (ErraticAction::Pass, ErraticTiming::InTime);
        }
        if !self.dice.chance(self.config.odd) {
            return (ErraticAction::Answer, ErraticTiming::InTime);
        }
        let when = match self.dice.below(4) {
            0 => ErraticTiming::JustInTime,
            1 => ErraticTiming::Late,
            _ => ErraticTiming::InTime,
        };
        (self.dice.pick(&Erratic::DEEDS), when)
    }

    /// The time it takes: its answer's, or what the host waits before it gives up.
    fn think(
        &mut self,
        request: &Request<'_>,
        action_kind: ErraticAction,
        when: ErraticTiming,
    ) -> Nanos {
        let Some(patience) = request.patience else {
            return self.dice.below(1_000_000_000);
        };
        let last = patience.saturating_sub(1);
        match (action_kind, when) {
            // A host may read its clock a little late, or a little early.
            (ErraticAction::Silence, _) => {
                patience.saturating_add(self.dice.below(9)).saturating_sub(4)
            }
            (_, ErraticTiming::JustInTime) => last,
            (_, ErraticTiming::Late) => {
                patience.saturating_add(self.dice.below(3) * self.dice.below(1000))
            }
            (_, ErraticTiming::InTime) if self.dice.chance(self.config.slow) => {
                self.dice.below(last.saturating_add(1).min(1 << 40))
            }
            (_, ErraticTiming::InTime) if self.dice.chance(300) => 0,
            (_, ErraticTiming::InTime) => self.dice.below((last / 64).min(1 << 30)),
        }
    }

    fn outcome(
        &mut self,
        request: &Request<'_>,
        action_kind: ErraticAction,
    ) -> (Result<Option<Action>, Fault>, Option<bool>) {
        let action = match action_kind {
            ErraticAction::Answer | ErraticAction::OfferDrawWithAnswer => {
                let answer = stones::answer(&self.position, request, &mut self.dice);
                let Some(answer) = answer else { return (Ok(Some(Action::Resign)), None) };
                return (Ok(Some(Action::Answer(answer))), Some(true));
            }
            ErraticAction::Illegal => {
                let answer = illegal::answer(&self.position, request, &mut self.dice);
                return (Ok(Some(Action::Answer(answer))), Some(false));
            }
            ErraticAction::Pass => Action::Answer(Answer::Move(Move::Pass)),
            ErraticAction::Resign => Action::Resign,
            ErraticAction::Claim => Action::Claim,
            ErraticAction::OfferDraw => Action::OfferDraw,
            ErraticAction::AcceptDraw => Action::AcceptDraw,
            ErraticAction::Fail(failure) => return (Err(fault(failure)), None),
            ErraticAction::Silence => return (Ok(None), None),
        };
        (Ok(Some(action)), None)
    }

    fn info(&mut self) -> Option<SearchInfo> {
        let tells = self.config.scores && !self.dice.chance(100);
        tells.then(|| SearchInfo {
            // Mostly agreeing with itself, so that the windows of adjudication fill.
            eval: Some(self.dice.pick(&[0, 0, 0, 1, -1, 400, -400])),
            win_in: self.dice.chance(30).then(|| self.dice.pick(&[3, -3, 0])),
            depth: self.dice.below(4) as u32,
            seldepth: self.dice.below(9) as u32,
            nodes: self.dice.below(1 << 20),
        })
    }

    /// What its host tells of the time: its own part now and then, and where it went if it ran out.
    fn time_of(&mut self, request: &Request<'_>, thought: Nanos, correction: Correction) -> Timing {
        let own = self.host.chance(500).then(|| self.host.below(thought.saturating_add(9)));
        let is_late = request.patience.is_some_and(|patience| thought >= patience);
        let cpu_stats = (is_late && self.host.chance(900)).then(|| {
            let slept = self.host.chance(self.config.strained);
            let suspended = if slept { self.host.below(1 << 42) } else { 0 };
            let waited = correction.given_back;
            CpuStats { cpu: thought, waited, suspended, ..CpuStats::default() }
        });
        Timing { own, cpu_stats, correction }
    }

    /// What its host measures of its clock.
    fn correction(&mut self) -> Correction {
        let span = |dice: &mut Dice, chance| {
            let most = 1 << (10 + dice.below(30));
            if dice.chance(chance) { dice.below(most) } else { 0 }
        };
        let chance = self.config.strained / 2;
        Correction {
            given_back: span(&mut self.host, chance),
            unasked: span(&mut self.host, chance / 8),
        }
    }

    /// Lays on its own board what has been played.
    fn follow(&mut self, moves: &[Move]) {
        while !moves.starts_with(self.position.moves()) {
            self.position.undo();
        }
        for mv in &moves[self.position.ply()..] {
            let _ending = match mv {
                Move::Stone(point) => self.position.play(*point).expect("the table plays by rule"),
                Move::Pass => self.position.pass(),
            };
        }
    }
}

/// A line to go with a search, off the board sooner or later.
fn variation(info: &SearchInfo) -> Vec<Move> {
    let (start, length) = (info.nodes as u8 % 32, info.depth as u8);
    (0..length).map(|step| Move::Stone(Point::new(start + step, start))).collect()
}

impl Player for Erratic {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        self.dice = Dice::new(game.seed ^ self.config.salt.rotate_left(game.seat as u32 * 7 + 3));
        self.timing = Timing::default();
        if self.played.0 != game.seed {
            self.played = (game.seed, BySeat::default());
        }
        let times = &mut self.played.1[game.seat];
        *times += 1;
        self.host = Dice::new(self.dice.clone().roll() ^ times.rotate_left(31));
        self.seat = game.seat;
        self.rule = game.rule;
        self.position = Position::new(game.rule, game.size);
        let span = self.dice.below(5_000_000_000);
        self.time.advance(span);
        let failures = [Failure::Stall, Failure::Crash, Failure::ProtocolError];
        let ready = if self.dice.chance(self.config.unready) {
            Err(fault(self.dice.pick(&failures)))
        } else {
            Ok(())
        };
        let told = ready.as_ref().copied().map_err(|fault| fault.failure);
        self.log.note(PlayerEvent::Readied(game.seat, told, span));
        ready
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        self.follow(request.moves);
        // The time before the question is written is charged to neither seat.
        self.time.advance(self.dice.below(1000));
        let asked_at = time.now();
        let (action_kind, when) = self.draw(request);
        let thought = self.think(request, action_kind, when);
        let info = self.info();
        let pv = info.as_ref().map(variation).unwrap_or_default();
        let (outcome, legal) = self.outcome(request, action_kind);
        let correction = self.correction();
        // It is waited for as much longer as it was kept waiting.
        self.time.advance(thought.saturating_add(correction.given_back));
        self.timing = self.time_of(request, thought, correction);
        let reply = Reply {
            asked_at,
            answered_at: time.now(),
            offers_draw: action_kind == ErraticAction::OfferDrawWithAnswer,
            outcome,
            info,
            pv,
        };
        self.time.advance(self.dice.below(1000));
        self.log.note(PlayerEvent::Asked(Box::new(LoggedExchange {
            seat: self.seat,
            ask: request.ask,
            limits: request.limits,
            patience: request.patience,
            plies: request.moves.len(),
            reply: reply.clone(),
            timing: self.timing,
            legal,
        })));
        reply
    }

    fn timing(&self) -> Timing {
        self.timing
    }

    fn end_game(&mut self, result: GameResult) {
        self.log.note(PlayerEvent::Ended(self.seat, result));
    }
}

fn fault(failure: Failure) -> Fault {
    Fault { failure, detail: format!("a random failure: {failure:?}") }
}
