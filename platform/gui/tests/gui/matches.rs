//! Sessions of players whose moves and times are known.

use std::sync::Arc;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use tengen_arbiter::{Action, GameResult, Nanos};
use tengen_gui::app::{EventSession, Phase, Snapshot};
use tengen_players::{
    Fault, GameSetup, Listener, Player, Reply, Request, Scripted, SearchInfo, SearchProgress, Time,
};
use tengen_rules::{Answer, Move, Seat};
use tengen_testkit::{Paced, VirtualTime};
use tengen_tournament::{EventConfig, Roster};

pub const SECOND: Nanos = 1_000_000_000;

/// Black's and White's moves of a game that Black wins with its fifth stone.
pub const FIVE: [&str; 2] = ["h8 i8 j8 k8 l8", "h9 i9 j9 k9 a1"];
/// Black lays two threes that meet at `h8`, and then resigns.
pub const THREES: [&str; 2] = ["i8 j8 h9 h10", "a1 c1 e1 a3"];

pub fn event(more: &str) -> EventConfig {
    let text = format!("engines = ['red', 'blue']\ngames = 2\ntc = '60+1'\n{more}");
    EventConfig::from_toml(&text, "test.toml".as_ref()).unwrap()
}

/// Each seat's script is played by the engine on it, a second and a half an answer.
struct Scripts {
    scripts: [String; 2],
    time: Arc<VirtualTime>,
    gate: Option<Arc<Gate>>,
}

/// Lets so many answers pass, and all once it is open.
#[derive(Default)]
pub struct Gate {
    passes: Mutex<usize>,
    changed: Condvar,
}

impl Gate {
    pub fn let_pass(&self, answers: usize) {
        let mut passes = self.passes.lock().unwrap();
        *passes = passes.saturating_add(answers);
        self.changed.notify_all();
    }

    pub fn open(&self) {
        self.let_pass(usize::MAX);
    }

    fn pass(&self) {
        let passes = self.passes.lock().unwrap();
        let mut passes = self.changed.wait_while(passes, |passes| *passes == 0).unwrap();
        if *passes < usize::MAX {
            *passes -= 1;
        }
    }
}

impl Roster for Scripts {
    fn player(&self, _engine: usize) -> Box<dyn Player> {
        let [first, second] = self.scripts.each_ref().map(|script| {
            let stone =
                |text: &str| Action::Answer(Answer::Move(Move::Stone(text.parse().unwrap())));
            let script: Vec<Action> = script.split_whitespace().map(stone).collect();
            Paced::new(Scripted::new(script), SECOND * 3 / 2, Arc::clone(&self.time))
        });
        Box::new(Either { first, second, seat: Seat::First, gate: self.gate.clone() })
    }

    fn interrupt(&self) {
        if let Some(gate) = &self.gate {
            gate.open();
        }
    }
}

/// Plays its seat's script, and says that it searched four plies deep.
struct Either {
    first: Paced<Scripted>,
    second: Paced<Scripted>,
    seat: Seat,
    gate: Option<Arc<Gate>>,
}

impl Either {
    fn seated(&mut self) -> &mut Paced<Scripted> {
        match self.seat {
            Seat::First => &mut self.first,
            Seat::Second => &mut self.second,
        }
    }
}

impl Player for Either {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        self.seat = game.seat;
        self.seated().new_game(game)
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        if let Some(watch) = request.watch {
            think_aloud(watch.listener, request.moves.len());
        }
        if let Some(gate) = &self.gate {
            gate.pass();
        }
        let info = SearchInfo { eval: Some(35), depth: 4, nodes: 100, ..SearchInfo::default() };
        Reply { info: Some(info), ..self.seated().ask(request, time) }
    }

    fn take_said(&mut self) -> Vec<String> {
        vec!["MESSAGE still thinking".to_owned()]
    }

    fn end_game(&mut self, result: GameResult) {
        self.seated().end_game(result);
    }
}

/// Tells two lines, and prints which ply it thinks about.
pub fn think_aloud(listener: &Arc<dyn Listener>, ply: usize) {
    let pv = |text: &str| text.split(' ').map(|at| Move::Stone(at.parse().unwrap())).collect();
    let info = |eval| SearchInfo {
        eval: Some(eval),
        depth: 4,
        seldepth: 6,
        nodes: 1_234_567,
        ..SearchInfo::default()
    };
    let elapsed = SECOND;
    listener.progress(SearchProgress { line: 1, info: info(35), elapsed, pv: pv("g7 g8 g9 g10") });
    listener.progress(SearchProgress { line: 2, info: info(-7), elapsed, pv: pv("f7") });
    listener.message(&format!("thinks about ply {}", ply + 1));
}

/// A session of these scripts that plays without a rest, as far as the gate lets it.
pub fn session(event: EventConfig, scripts: [&str; 2], gate: Option<Arc<Gate>>) -> EventSession {
    let time = Arc::new(VirtualTime::default());
    let scripts = scripts.map(str::to_owned);
    let shared = Arc::clone(&time);
    let roster_factory = move || {
        let (scripts, time, gate) = (scripts.clone(), Arc::clone(&shared), gate.clone());
        Arc::new(Scripts { scripts, time, gate }) as Arc<dyn Roster + Send + Sync>
    };
    EventSession::watch(event, Duration::ZERO, Box::new(roster_factory), time).unwrap()
}

/// A session whose first engine is asked, and the gate that its answers wait at.
pub fn gated() -> (EventSession, Arc<Gate>) {
    let gate = Arc::new(Gate::default());
    let session = session(event(""), FIVE, Some(Arc::clone(&gate)));
    wait_for(&session, |snapshot| snapshot.phase == Phase::Playing);
    (session, gate)
}

/// A session of these scripts that is played to its end.
pub fn played(event: EventConfig, scripts: [&str; 2]) -> EventSession {
    let session = session(event, scripts, None);
    wait_for(&session, |snapshot| snapshot.phase == Phase::Finished);
    session
}

/// Waits until the game that is shown is so.
pub fn wait_for(session: &EventSession, condition: impl Fn(&Snapshot) -> bool) {
    session.wait_until(|shown| condition(shown.game.as_ref().unwrap()));
}
