//! An app to play in, and a person who clicks.

use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};

use tengen_gui::app::{
    AnalysisSession, App, AppServices, Command, EditorCommand, EventCommand, FileCommand,
    FilePurpose, GameArchive, GameCommand, GameForm, Navigation, Phase, PlayerSpec, Snapshot,
};
use tengen_rules::{Answer, Ask, BySeat, Color, Point, Seat};
use tengen_testkit::VirtualTime;

use crate::engine_list::{AskedMoves, HeldNewcomer, TestEngines};

pub struct TestApp {
    pub app: App,
    pub time: Arc<VirtualTime>,
    pub asked: AskedMoves,
    pub held: HeldNewcomer,
    wake_counter: Arc<WakeCounter>,
}

/// Rings when there is something new.
#[derive(Default)]
struct WakeCounter {
    wakes: Mutex<u64>,
    changed: Condvar,
}

impl TestApp {
    pub fn new() -> TestApp {
        TestApp::of(|_| {})
    }

    pub fn with(archive: Option<GameArchive>) -> TestApp {
        TestApp::of(|services| services.archive = archive)
    }

    /// An app in which events are played, in that folder.
    pub fn with_events(folder: &Path) -> TestApp {
        TestApp::of(|services| services.events = Some(folder.to_owned()))
    }

    /// An app with other services.
    pub fn of(change: impl FnOnce(&mut AppServices)) -> TestApp {
        let time = Arc::new(VirtualTime::default());
        let engines = TestEngines::default();
        let (asked, held) = (Arc::clone(&engines.asked), Arc::clone(&engines.held));
        let wake_counter = Arc::new(WakeCounter::default());
        let ring = Arc::clone(&wake_counter);
        let wake = Arc::new(move || {
            *ring.wakes.lock().unwrap() += 1;
            ring.changed.notify_all();
        });
        let mut services = AppServices {
            provider: Arc::new(engines),
            time: Arc::<VirtualTime>::clone(&time),
            archive: None,
            events: None,
            wake,
        };
        change(&mut services);
        TestApp { app: App::new(services), time, asked, held, wake_counter }
    }

    /// An app in which the engines are known.
    pub fn with_engines() -> TestApp {
        let mut test = TestApp::new();
        test.wait_for_engines();
        test
    }

    pub fn wait_for_engines(&mut self) {
        self.update_until(|app| !app.engine_list().engines.is_empty());
    }

    pub fn apply(&mut self, command: Command) {
        self.app.apply(command);
    }

    pub fn file(&mut self, command: FileCommand) {
        self.apply(Command::File(command));
    }

    pub fn editor(&mut self, command: EditorCommand) {
        self.apply(Command::Editor(command));
    }

    pub fn event(&mut self, command: EventCommand) {
        self.apply(Command::Event(command));
    }

    pub fn paste(&mut self, text: &str) {
        self.file(FileCommand::Paste(text.to_owned()));
    }

    /// Names a file in the dialog of files, as a person who types does.
    pub fn name_file(&mut self, purpose: FilePurpose, path: &Path) {
        self.file(FileCommand::OpenDialog(purpose));
        self.accept(path);
    }

    pub fn accept(&mut self, path: &Path) {
        self.file(FileCommand::SetName(path.display().to_string()));
        self.file(FileCommand::Accept);
    }

    /// Shows the game after so many plies.
    pub fn look_at(&mut self, plies: usize) {
        self.apply(Command::Navigate(Navigation::After(plies)));
    }

    pub fn tabs(&self) -> usize {
        self.app.tabs().0.len()
    }

    /// Begins a game by the dialog.
    pub fn begin(&mut self, setup: GameForm) {
        self.app.apply(Command::OpenGameForm);
        self.app.apply(Command::EditGameForm(setup));
        self.app.apply(Command::StartGame);
    }

    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.app.snapshot().unwrap()
    }

    pub fn play(&mut self, command: GameCommand) {
        self.app.apply(Command::Game(command));
    }

    pub fn wait(&self, condition: impl Fn(&Snapshot) -> bool) -> Arc<Snapshot> {
        match &self.app.tab().unwrap().document {
            tengen_gui::app::Document::Game(play) => play.wait_until(condition),
            tengen_gui::app::Document::Event(session) => {
                crate::matches::wait_for(session, condition)
            }
            tengen_gui::app::Document::Table(session) => session.wait_until(condition),
            _ => panic!("nothing goes on there"),
        }
        self.snapshot()
    }

    /// Takes in what threads bring until the app is as expected.
    pub fn update_until(&mut self, expected: impl Fn(&App) -> bool) {
        loop {
            let wakes = *self.wake_counter.wakes.lock().unwrap();
            self.app.update();
            if expected(&self.app) {
                return;
            }
            let wake_counter = self.wake_counter.wakes.lock().unwrap();
            drop(self.wake_counter.changed.wait_while(wake_counter, |now| *now == wakes).unwrap());
        }
    }

    /// Waits until a person is asked with so many stones on the board.
    pub fn wait_asked(&self, rows: usize) -> Arc<Snapshot> {
        self.wait(|snapshot| snapshot.rows.len() == rows && snapshot.asks_person().is_some())
    }

    /// Clicks on points, one answer after another.
    pub fn click(&mut self, points: &str) {
        for text in points.split_whitespace() {
            let rows = self.snapshot().rows.len();
            self.wait_asked(rows);
            self.app.apply(Command::Click(point(text)));
            self.wait(|snapshot| snapshot.rows.len() > rows || snapshot.refusal.is_some());
        }
    }

    /// Answers the open question of an opening with clicks and buttons, as a person would.
    pub fn answer(&mut self, offering: bool) {
        let snapshot =
            self.wait(|snapshot| snapshot.asks_person().is_some() || snapshot.result.is_some());
        let asked = snapshot.asks_person().expect("the game is not over");
        match asked.ask {
            Ask::Choose => self.app.apply(Command::Answer(Answer::Choose(Color::White))),
            Ask::Swap => self.app.apply(Command::Answer(Answer::Swap(true))),
            Ask::Declare { max, .. } => {
                self.app.apply(Command::Answer(Answer::Declare(max.min(4))));
            }
            Ask::Pick => self.app.apply(Command::Click(snapshot.offered[0])),
            Ask::MoveOrOffer { count, .. } if offering => {
                self.app.apply(Command::OfferFifthMoves(true));
                self.gather(count);
            }
            Ask::Place { count, .. } | Ask::ChooseOrPlace { count } | Ask::Offer { count } => {
                self.gather(count);
            }
            Ask::Move { .. } | Ask::MoveOrOffer { .. } => {
                let legal = self.clicks(1);
                self.app.apply(Command::Click(legal[0]));
            }
        }
        self.wait(|snapshot| {
            snapshot.asks_person().is_some_and(|next| next.number != asked.number)
                || snapshot.result.is_some()
        });
    }

    /// Gathers so many points and confirms.
    fn gather(&mut self, count: u8) {
        for point in self.clicks(usize::from(count)) {
            self.app.apply(Command::Click(point));
        }
        self.app.apply(Command::Confirm);
    }

    fn clicks(&self, count: usize) -> Vec<Point> {
        clicks(&self.app, count)
    }
}

/// Points that a click would be taken on, one after the other, from the centre.
pub fn clicks(app: &App, count: usize) -> Vec<Point> {
    let snapshot = app.snapshot().unwrap();
    let view = &app.tab().unwrap().view;
    let question = tengen_gui::app::BoardQuestion::of(&snapshot, &view.selected).unwrap();
    let center = snapshot.size.center();
    let mut points: Vec<Point> = snapshot.size.points().collect();
    points.sort_by_key(|point| point.x().abs_diff(center.x()).max(point.y().abs_diff(center.y())));
    let mut chosen = Vec::new();
    for point in points {
        if chosen.len() < count && question.check(&chosen, point).is_ok() {
            chosen.push(point);
        }
    }
    chosen
}

pub fn analysis(app: &App) -> &AnalysisSession {
    app.tab().unwrap().document.analysis().unwrap()
}

pub fn point(text: &str) -> Point {
    text.parse().unwrap()
}

pub fn engine(id: &str) -> PlayerSpec {
    PlayerSpec::Engine(id.to_owned())
}

/// A person against an engine, who sits second.
pub fn against(id: &str) -> GameForm {
    let seats = BySeat { first: PlayerSpec::Person, second: engine(id) };
    GameForm { seats, ..GameForm::default() }
}

pub fn is_over(snapshot: &Snapshot) -> bool {
    snapshot.phase == Phase::Finished
}

pub fn seat_name(snapshot: &Snapshot, seat: Seat) -> &str {
    &snapshot.seats[seat].name
}
