//! Events on machines that are busy, stopped, asleep or out of memory. Some engines notice that,
//! and go silent, sleep, spin or compute unasked when they are losing. Each event is played twice:
//! as it is, and with an honest engine in the liar's place, on the same machine.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use tengen_arbiter::{Action, Correction, CpuStats, Failure, Nanos, Termination};
use tengen_players::{Fault, GameSetup, Player, Reply, Request, Time, Timing};
use tengen_rules::{Answer, Move, Point, Procedure, Seat};
use tengen_testkit::Dice;

use super::{Coverage, simulate};
use crate::event::GameQueue;
use crate::store::StoredGame;
use crate::{EngineEntry, EventConfig, Roster, SpoiledOption, Stop};

/// The liar of an event, and its opponent.
const LIAR: usize = 0;
/// As in the host: no question is waited for longer than this multiple of its time.
const MOST: u64 = 64;
const SECOND: Nanos = 1_000_000_000;

#[test]
fn no_liar_gains_a_point() {
    let coverage = Coverage::default();
    simulate("no_liar_gains_a_point", 0..100_000, |seed| {
        let mut dice = Dice::new(seed);
        let lie = dice.pick(&Lie::ALL);
        let config = config(&mut dice);
        let lied = play(&config, lie, seed);
        let honest = play(&config, Lie::None, seed);
        assert!(points(&lied) <= points(&honest), "{lie:?} gains: {lied:#?} {honest:#?}");
        for (lied, honest) in lied.iter().zip(&honest) {
            let replays = |game: &StoredGame| game.conditions.replays;
            assert!(replays(lied) <= replays(honest), "{lie:?} is given a second chance");
            for (lie, game) in [(lie, lied), (Lie::None, honest)] {
                let loser = game.result.winner.map(|winner| game.seats[!winner]);
                let is_innocent = lie == Lie::None || loser != Some(LIAR);
                let is_late = game.result.termination == Termination::Timeout;
                assert!(!(is_innocent && is_late), "an innocent engine pays: {game:?}");
            }
            if lied.result != honest.result {
                coverage.note(format!("{lie:?} lost otherwise"));
            }
            coverage.note(lied.result.termination);
            coverage.note(format!("played again {} times", honest.conditions.replays));
            if honest.conditions.is_void {
                coverage.note("void");
            }
        }
    });
    coverage.assert_all(&[
        "five",
        "timeout",
        "crash",
        "played again 1 times",
        "void",
        "Waited lost otherwise",
        "Stopped lost otherwise",
        "Sleeper lost otherwise",
        "Spinner lost otherwise",
        "Late lost otherwise",
        "Burner lost otherwise",
    ]);
}

/// What an engine does where it sees that it loses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lie {
    /// It plays on.
    None,
    /// It is silent where the machine kept it waiting in this question.
    Waited,
    /// The same where the machine, or the arbiter, stood still in it.
    Stopped,
    Sleeper,
    /// It computes without end, beside whatever else the machine does.
    Spinner,
    /// It answers, a little later than what it was kept waiting excuses.
    Late,
    /// It computes while its opponent thinks, in every game.
    Burner,
}

impl Lie {
    const ALL: [Lie; 6] =
        [Lie::Waited, Lie::Stopped, Lie::Sleeper, Lie::Spinner, Lie::Late, Lie::Burner];
}

fn config(dice: &mut Dice) -> EventConfig {
    let tc = dice.pick(&["move=1", "5+0.1", "20+0", "2+0,move=1"]);
    EventConfig {
        size: "9".parse().unwrap(),
        opening: Procedure::None,
        tc: tc.parse().unwrap(),
        games: 2,
        concurrency: 1,
        seed: dice.roll() >> 1,
        spoiled: dice.pick(&[SpoiledOption::Replay, SpoiledOption::Replay, SpoiledOption::Keep]),
        engines: ["a", "b"].map(EngineEntry::new).to_vec(),
        ..EventConfig::default()
    }
}

/// The games of an event in which the first engine lies so.
fn play(config: &EventConfig, lie: Lie, seed: u64) -> Vec<StoredGame> {
    let (stop, machine) = (Stop::new(), Arc::new(Machine::new(seed)));
    let roster = LiarRoster { lie, machine: Arc::clone(&machine) };
    let schedule = config.schedule();
    let all = std::iter::once(1..schedule.len() + 1).collect();
    let queue = GameQueue::new(config, schedule, all, &roster, &stop);
    let mut worker = queue.worker(&*machine);
    std::iter::from_fn(|| worker.play()).flat_map(|batch| batch.games).collect()
}

/// What the liar made of them, in half points.
fn points(games: &[StoredGame]) -> u32 {
    let of = |game: &StoredGame| match game.result.winner {
        _ if game.conditions.is_void => 0,
        None => 1,
        Some(winner) if game.seats[winner] == LIAR => 2,
        Some(_) => 0,
    };
    games.iter().map(of).sum()
}

/// The machine that an event runs on, and its clock. What it does follows from the game, the try
/// and the ply alone, never from what an engine does.
#[derive(Debug)]
struct Machine {
    seed: u64,
    now: AtomicU64,
    stopped: AtomicU64,
    slept: AtomicU64,
    /// What the engines computed unasked since their answers.
    unasked: Mutex<[Nanos; 2]>,
}

/// What it does to a question.
#[derive(Clone, Copy, Debug, Default)]
struct Weather {
    /// For how long it keeps the engine waiting for each second that it would run.
    load: u64,
    stopped: Nanos,
    slept: Nanos,
    is_short: bool,
}

impl Machine {
    fn new(seed: u64) -> Machine {
        let zero = || AtomicU64::new(0);
        Machine { seed, now: zero(), stopped: zero(), slept: zero(), unasked: Mutex::default() }
    }

    fn weather(&self, game: u64, tries: u64, ply: usize) -> Weather {
        let mut dice =
            Dice::new(self.seed ^ game.rotate_left(17) ^ tries << 40 ^ (ply as u64) << 50);
        let mut span = |chance| if dice.chance(chance) { dice.below(3 * SECOND) } else { 0 };
        let (stopped, slept) = (span(40), span(30));
        let load = dice.pick(&[0, 0, 1, 4, 15]);
        Weather { load, stopped, slept, is_short: dice.chance(10) }
    }

    fn pass(&self, span: Nanos) {
        self.now.fetch_add(span, Ordering::Relaxed);
    }
}

impl Time for Machine {
    fn now(&self) -> Nanos {
        self.now.load(Ordering::Relaxed)
    }

    fn stopped(&self) -> Nanos {
        self.stopped.load(Ordering::Relaxed)
    }

    fn slept(&self) -> Nanos {
        self.slept.load(Ordering::Relaxed)
    }
}

struct LiarRoster {
    lie: Lie,
    machine: Arc<Machine>,
}

impl Roster for LiarRoster {
    fn player(&self, engine: usize) -> Box<dyn Player> {
        let lie = if engine == LIAR { self.lie } else { Lie::None };
        let machine = Arc::clone(&self.machine);
        Box::new(LiarPlayer {
            engine,
            lie,
            machine,
            seat: Seat::First,
            game: 0,
            tries: 0,
            timing: Timing::default(),
        })
    }
}

struct LiarPlayer {
    engine: usize,
    lie: Lie,
    machine: Arc<Machine>,
    seat: Seat,
    game: u64,
    /// How often the game was begun.
    tries: u64,
    timing: Timing,
}

enum QuestionEnd {
    /// With the move, after so much of its own time.
    Answer(Nanos),
    /// It never answers, and sleeps or computes.
    Silence { sleeps: bool },
}

impl LiarPlayer {
    /// The winner of the game, this time: it is drawn anew each time that it is played.
    fn winner(&self) -> Seat {
        let mut dice = Dice::new(self.machine.seed ^ self.game << 8 ^ self.tries << 20);
        if dice.chance(500) { Seat::First } else { Seat::Second }
    }

    /// What it does with a question that it may take `allowed` for.
    fn end(&self, weather: Weather, ply: usize, allowed: Nanos) -> QuestionEnd {
        let loses = self.winner() != self.seat && ply >= 4;
        let honest = QuestionEnd::Answer(allowed / 8);
        match self.lie {
            _ if !loses => honest,
            Lie::Waited if weather.load > 0 => QuestionEnd::Silence { sleeps: true },
            Lie::Stopped if weather.stopped > 0 || weather.slept > 0 => {
                QuestionEnd::Silence { sleeps: true }
            }
            Lie::Sleeper => QuestionEnd::Silence { sleeps: true },
            Lie::Spinner => QuestionEnd::Silence { sleeps: false },
            Lie::Late => QuestionEnd::Answer(allowed + 1),
            _ => honest,
        }
    }

    /// Its stones: five in a row for the winner, and no two that touch for the other.
    fn stone(&self, own: usize) -> Point {
        let own = own as u8;
        let row = if self.seat == Seat::First { 1 } else { 4 };
        if self.winner() == self.seat { Point::new(own, row) } else { Point::new(2 * own, row + 2) }
    }

    /// What the opponent, asked at this moment, is kept waiting by.
    fn burn(&self, allowed: Nanos) -> Nanos {
        let mut unasked = self.machine.unasked.lock().unwrap();
        let burnt = std::mem::take(&mut unasked[self.engine]);
        if self.lie == Lie::Burner {
            // More than it has, where it loses.
            let is_winner = self.winner() == self.seat;
            unasked[self.engine] = if is_winner { allowed / 4 } else { allowed };
        }
        burnt
    }
}

impl Player for LiarPlayer {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        let number = game.number.unwrap();
        self.tries = if number == self.game { self.tries + 1 } else { 0 };
        (self.game, self.seat, self.timing) = (number, game.seat, Timing::default());
        self.machine.unasked.lock().unwrap()[self.engine] = 0;
        Ok(())
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        let (asked_at, ply) = (time.now(), request.moves.len());
        let weather = self.machine.weather(self.game, self.tries, ply);
        let allowed = request.patience.expect("a clock runs") - 1;
        // An engine that computes unasked keeps the other one waiting, which the host sees.
        let others = self.machine.unasked.lock().unwrap()[1 - self.engine];
        let unasked = self.burn(allowed);
        let (own, is_silent) = match self.end(weather, ply, allowed) {
            QuestionEnd::Answer(own) => (own, false),
            QuestionEnd::Silence { sleeps: true } => (0, true),
            QuestionEnd::Silence { sleeps: false } => (allowed + 1, true),
        };
        let waited = own.saturating_mul(weather.load) + others + weather.stopped;
        // It is waited for until its own time is over, or for the most that the host waits.
        let bound = allowed.saturating_mul(MOST).max(SECOND);
        let span = if is_silent { (allowed + waited + 1).min(bound) } else { own + waited };
        self.machine.pass(span);
        self.machine.stopped.fetch_add(weather.stopped, Ordering::Relaxed);
        self.machine.slept.fetch_add(weather.slept, Ordering::Relaxed);
        let correction = Correction { unasked, ..Correction::of_wait(waited) };
        let is_late = correction.charge(span) > allowed;
        let cpu_stats = CpuStats {
            cpu: own,
            waited,
            suspended: weather.slept,
            short: weather.is_short,
            ..CpuStats::default()
        };
        let cpu_stats = (is_late || weather.is_short).then_some(cpu_stats);
        self.timing = Timing { own: Some(own), cpu_stats, correction };
        let stone = Action::Answer(Answer::Move(Move::Stone(self.stone(ply / 2))));
        let outcome = match is_silent {
            // The kernel kills it, whatever it does.
            _ if weather.is_short => {
                Err(Fault { failure: Failure::Crash, detail: "killed".to_owned() })
            }
            true => Ok(None),
            false => Ok(Some(stone)),
        };
        let answered_at = time.now();
        Reply::new(asked_at, answered_at, outcome)
    }

    fn timing(&self) -> Timing {
        self.timing
    }
}
