//! Engines whose ways are known, on an engine list of their own.

use std::sync::mpsc::Receiver;
use std::sync::{Arc, Condvar, Mutex};

use tengen_arbiter::{Action, Failure, GameResult};
use tengen_lineup::{EngineProvider, EngineRoster};
use tengen_link::TableEngines;
use tengen_players::{
    EngineInstance, Fault, GameSetup, GameVariant, ListedEngine, Player, RandomLegal, Reply,
    Request, Time,
};
use tengen_rules::{Answer, Move};
use tengen_tournament::{EngineEntry, EventConfig, Roster};

use crate::matches::think_aloud;

/// What the engines of an engine list were asked.
pub type AskedMoves = Arc<Mutex<Vec<Vec<Move>>>>;
pub type HeldNewcomer = Arc<Mutex<Option<Receiver<()>>>>;

/// `cheat` plays on the last stone until it is told, `dice` throws dice, `meek` does too and takes
/// every draw, `slow` answers when the test has cleared what was heard, `stuck` thinks until it is
/// interrupted, `aloud` says what it thinks besides, `crash` crashes, `gone` cannot be started,
/// and `late` is there once something was heard.
#[derive(Default)]
pub struct TestEngines {
    /// The moves that came with each question.
    pub asked: AskedMoves,
    /// Where there is one, a newcomer to an event waits until the other end is gone.
    pub held: HeldNewcomer,
}

impl TableEngines for TestEngines {
    fn list(&self) -> Vec<ListedEngine> {
        let listed = |id: &str| ListedEngine { id: id.to_owned(), name: id.to_uppercase() };
        ["dice", "meek", "stuck", "crash", "gone"].map(listed).to_vec()
    }

    fn start(&self, id: &str, _terms: &GameVariant) -> Result<EngineInstance, String> {
        if id == "gone" {
            return Err("its file is gone".to_owned());
        }
        while id == "late" && self.asked.lock().unwrap().is_empty() {
            std::thread::yield_now();
        }
        let latch = Arc::new(Latch::default());
        let shared = Arc::clone(&latch);
        let player = TestEngine {
            id: id.to_owned(),
            dice: RandomLegal::new(),
            asked: Arc::clone(&self.asked),
            latch,
        };
        // Two of one name are told apart by what stands before a colon.
        let name = id.rsplit(':').next().unwrap_or(id);
        Ok(EngineInstance {
            name: name.to_uppercase(),
            version: None,
            hash: Some("00".repeat(32)),
            layers: Vec::new(),
            opening_by_arbiter: false,
            player: Box::new(player),
            interrupt: Arc::new(move || shared.open()),
        })
    }
}

/// In events all of them throw dice.
impl EngineProvider for TestEngines {
    fn enroll(&self, config: EventConfig) -> Result<(EventConfig, EngineRoster), String> {
        if config.engines.iter().any(|engine| engine.id == "gone") {
            return Err("gone: its file is gone".to_owned());
        }
        let roster = self.gather(&config)?;
        Ok((config, roster))
    }

    fn gather(&self, config: &EventConfig) -> Result<EngineRoster, String> {
        EngineRoster::of_players(Arc::new(RandomRoster), config).map_err(|error| error.to_string())
    }

    fn newcomer(&self, _config: &EventConfig, id: &str) -> Result<EngineEntry, String> {
        if let Some(held) = self.held.lock().unwrap().take() {
            assert!(held.recv().is_err(), "nothing is sent");
        }
        Ok(EngineEntry::new(id))
    }
}

pub struct RandomRoster;

impl Roster for RandomRoster {
    fn player(&self, _engine: usize) -> Box<dyn Player> {
        Box::new(RandomLegal::new())
    }

    fn interrupt(&self) {}
}

#[derive(Default)]
struct Latch {
    is_open: Mutex<bool>,
    changed: Condvar,
}

impl Latch {
    fn open(&self) {
        *self.is_open.lock().unwrap() = true;
        self.changed.notify_all();
    }

    fn wait(&self) {
        let is_open = self.is_open.lock().unwrap();
        drop(self.changed.wait_while(is_open, |is_open| !*is_open).unwrap());
    }
}

struct TestEngine {
    id: String,
    dice: RandomLegal,
    asked: AskedMoves,
    latch: Arc<Latch>,
}

impl Player for TestEngine {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        self.dice.new_game(game)
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        self.asked.lock().unwrap().push(request.moves.to_vec());
        let fault = |detail: &str| {
            let fault = Fault { failure: Failure::Crash, detail: detail.to_owned() };
            let (asked_at, answered_at) = (time.now(), time.now());
            let outcome = Err(fault);
            Reply { asked_at, answered_at, offers_draw: false, outcome, info: None, pv: Vec::new() }
        };
        match self.id.as_str() {
            "stuck" => {
                self.latch.wait();
                fault("interrupted")
            }
            "aloud" => {
                let watch = request.watch.expect("the request is watched");
                think_aloud(watch.listener, request.moves.len());
                self.latch.wait();
                fault("interrupted")
            }
            "slow" => {
                while !self.asked.lock().unwrap().is_empty() && !*self.latch.is_open.lock().unwrap()
                {
                    std::thread::yield_now();
                }
                self.dice.ask(request, time)
            }
            "crash" => fault("it fell over"),
            "cheat" if !request.limits.retry => {
                let taken = *request.moves.last().expect("it sits second");
                let outcome = Ok(Some(Action::Answer(Answer::Move(taken))));
                Reply { outcome, ..self.dice.ask(request, time) }
            }
            "meek" if request.limits.draw_offered => {
                Reply { outcome: Ok(Some(Action::AcceptDraw)), ..self.dice.ask(request, time) }
            }
            _ => self.dice.ask(request, time),
        }
    }

    fn take_said(&mut self) -> Vec<String> {
        vec![format!("MESSAGE {}", self.id)]
    }

    fn end_game(&mut self, result: GameResult) {
        self.dice.end_game(result);
    }
}
