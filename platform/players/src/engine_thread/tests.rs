use super::*;
use crate::{GameVariant, Player, RealTime};
use std::sync::mpsc;
use std::thread;
use tengen_arbiter::{Action, Termination, TimeControl};
use tengen_rules::{Procedure, Rule, Seat, Size, Zone};

/// What an engine does with a question.
#[derive(Clone, Copy)]
enum Habit {
    /// Thinks until it is interrupted.
    Thinks,
    Resigns,
    /// Is late with its first answer.
    IsLate,
}

struct Thinker {
    habit: Habit,
    interrupted: Receiver<()>,
    begun: Sender<&'static str>,
}

impl Player for Thinker {
    fn new_game(&mut self, _game: &GameSetup) -> Result<(), Fault> {
        self.begun.send("game").unwrap();
        Ok(())
    }

    fn ask(&mut self, _request: &Request<'_>, time: &dyn Time) -> Reply {
        let asked_at = time.now();
        self.begun.send("ask").unwrap();
        let mut outcome = Ok(Some(Action::Resign));
        match self.habit {
            Habit::Thinks => self.interrupted.recv().unwrap(),
            Habit::Resigns => {}
            Habit::IsLate => (outcome, self.habit) = (Ok(None), Habit::Resigns),
        }
        let answered_at = time.now();
        Reply::new(asked_at, answered_at, outcome)
    }

    fn end_game(&mut self, _result: GameResult) {
        self.begun.send("end").unwrap();
    }
}

/// The first engine that it starts has that habit; further ones answer at once.
struct TestDriver {
    time: RealTime,
    habit: Habit,
    begun: Sender<&'static str>,
    news: Sender<String>,
}

impl EngineDriver for TestDriver {
    fn start(&mut self) -> Result<EngineInstance, String> {
        let (interrupt, interrupted) = mpsc::channel();
        let habit = std::mem::replace(&mut self.habit, Habit::Resigns);
        Ok(EngineInstance {
            name: "thinker".to_owned(),
            version: None,
            hash: None,
            layers: Vec::new(),
            opening_by_arbiter: false,
            player: Box::new(Thinker { habit, interrupted, begun: self.begun.clone() }),
            interrupt: Arc::new(move || interrupt.send(()).unwrap()),
        })
    }

    fn ask(
        &mut self,
        engine: &mut EngineInstance,
        question: &EngineQuestion,
        asked_at: Nanos,
    ) -> Reply {
        let late = self.time.now().saturating_sub(asked_at);
        engine.player.ask(&question.request(late), &self.time)
    }

    fn tell(&mut self, news: EngineNews) {
        let told = match news {
            EngineNews::Started(_) => "started".to_owned(),
            EngineNews::Ready { game } => format!("ready {game}"),
            EngineNews::Unready { game, .. } => format!("unready {game}"),
            EngineNews::Failed { question, .. } => format!("failed {question}"),
            EngineNews::Answered { question, reply, .. } => match reply.outcome {
                Ok(None) => format!("late {question}"),
                _ => format!("answered {question}"),
            },
        };
        self.news.send(told).unwrap();
    }

    fn time(&self) -> &dyn Time {
        &self.time
    }
}

fn setup() -> GameSetup {
    let variant =
        GameVariant { rule: Rule::Freestyle, size: Size::STANDARD, opening: Procedure::None };
    variant.setup(Seat::First, TimeControl::default())
}

fn question(number: u64) -> EngineQuestion {
    EngineQuestion {
        number,
        game: 1,
        setup: setup(),
        moves: Vec::new(),
        ask: Ask::Move { zone: Zone::Anywhere },
        offered: Vec::new(),
        fifth_moves: None,
        limits: Limits::default(),
        patience: None,
    }
}

/// An engine of that habit, what it is heard to begin, what is told of it, and its thread.
fn engine(
    habit: Habit,
) -> (EngineHandle, Receiver<&'static str>, Receiver<String>, thread::JoinHandle<()>) {
    let ((begun, begins), (sender, news)) = (mpsc::channel(), mpsc::channel());
    let driver = TestDriver { time: RealTime::new(), habit, begun, news: sender };
    let (engine, work) = EngineThread::new(driver);
    (engine, begins, news, thread::spawn(|| work.run()))
}

fn next<T>(of: &Receiver<T>, count: usize) -> Vec<T> {
    (0..count).map(|_| of.recv().unwrap()).collect()
}

#[test]
fn a_question_that_is_put_again_is_answered_by_another_engine_and_once() {
    let (engine, begins, news, thread) = engine(Habit::Thinks);
    engine.ask(question(7));
    assert_eq!(next(&begins, 2), ["game", "ask"]);
    assert!(engine.is_asked(7));
    // It is void, and put again while the engine is still thinking.
    engine.stop();
    assert!(!engine.is_asked(7));
    engine.ask(question(7));
    assert_eq!(next(&begins, 2), ["game", "ask"]);
    assert_eq!(next(&news, 3), ["started", "started", "answered 7"]);
    // The same engine, ready for the game.
    engine.ask(question(8));
    assert_eq!(next(&begins, 1), ["ask"]);
    assert_eq!(next(&news, 1), ["answered 8"]);
    assert!(engine.is_asked(8), "an answered question is not put again");
    drop(engine);
    thread.join().unwrap();
    assert!(news.recv().is_err() && begins.recv().is_err(), "nothing more comes of it");
}

#[test]
fn an_engine_that_was_late_gets_ready_again_and_answers_the_next_question() {
    let (engine, begins, news, thread) = engine(Habit::IsLate);
    engine.ask(question(1));
    assert_eq!(next(&news, 2), ["started", "late 1"]);
    engine.ask(question(2));
    assert_eq!(next(&news, 1), ["answered 2"]);
    engine.ask(question(3));
    assert_eq!(next(&news, 1), ["answered 3"]);
    drop(engine);
    thread.join().unwrap();
    assert_eq!(begins.iter().collect::<Vec<_>>(), ["game", "ask", "game", "ask", "ask"]);
}

#[test]
fn an_engine_gets_ready_before_its_first_question_and_one_game_after_another() {
    let (engine, begins, news, thread) = engine(Habit::Resigns);
    // The second does not stop what is done for the first.
    engine.get_ready(0, setup());
    engine.get_ready(1, setup());
    assert_eq!(next(&news, 3), ["started", "ready 0", "ready 1"]);
    engine.ask(question(1));
    assert_eq!(next(&news, 1), ["answered 1"]);
    engine.stop();
    engine.end_game(GameResult { winner: None, termination: Termination::BoardFull });
    engine.get_ready(2, setup());
    assert_eq!(next(&news, 1), ["ready 2"]);
    drop(engine);
    thread.join().unwrap();
    assert_eq!(begins.iter().collect::<Vec<_>>(), ["game", "game", "ask", "end", "game"]);
}

#[test]
fn what_passed_before_a_question_is_put_is_the_engines_time() {
    let limits = Limits { own: Some(60), hard: Some(10), ..Limits::default() };
    let question = EngineQuestion { limits, patience: Some(15), ..question(1) };
    let request = question.request(4);
    assert_eq!((request.limits.own, request.limits.hard), (Some(56), Some(6)));
    assert_eq!(request.patience, Some(11));
    assert_eq!(question.request(99).limits.hard, Some(1), "something is always left");
}
