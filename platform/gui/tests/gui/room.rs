//! A house to play in, and a person who clicks.

use std::sync::{Arc, Condvar, Mutex};

use tengen_gui::app::{
    Archive, Command, EventHost, House, Occupant, Phase, PlayCommand, Services, Setup, Snapshot,
};
use tengen_rules::{Answer, Ask, BySeat, Color, Point, Seat};
use tengen_testkit::VirtualTime;

use crate::shelf::{Engines, Heard};

pub struct Room {
    pub house: House,
    pub time: Arc<VirtualTime>,
    pub heard: Heard,
    bell: Arc<Bell>,
}

/// Rings when there is something new.
#[derive(Default)]
struct Bell {
    rung: Mutex<u64>,
    changed: Condvar,
}

impl Room {
    pub fn new() -> Room {
        Room::with(None)
    }

    pub fn with(archive: Option<Archive>) -> Room {
        Room::furnished(archive, None)
    }

    /// A room in which events are played.
    pub fn furnished(archive: Option<Archive>, events: Option<Arc<dyn EventHost>>) -> Room {
        let time = Arc::new(VirtualTime::default());
        let engines = Engines::default();
        let heard = Arc::clone(&engines.heard);
        let (shared, bell) = (Arc::clone(&time), Arc::new(Bell::default()));
        let ring = Arc::clone(&bell);
        let wake = Arc::new(move || {
            *ring.rung.lock().unwrap() += 1;
            ring.changed.notify_all();
        });
        let services = Services { shelf: Arc::new(engines), time: shared, archive, events, wake };
        Room { house: House::new(services), time, heard, bell }
    }

    /// Begins a game by the dialog.
    pub fn begin(&mut self, setup: Setup) {
        self.house.apply(Command::OpenForm);
        self.house.apply(Command::EditForm(setup));
        self.house.apply(Command::Begin);
    }

    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.house.snapshot().unwrap()
    }

    pub fn play(&mut self, command: PlayCommand) {
        self.house.apply(Command::Play(command));
    }

    pub fn wait(&self, condition: impl Fn(&Snapshot) -> bool) -> Arc<Snapshot> {
        match &self.house.table().unwrap().document {
            tengen_gui::app::Document::Game(play) => play.wait_until(condition),
            tengen_gui::app::Document::Match(session) => session.wait_until(condition),
            _ => panic!("nothing goes on there"),
        }
        self.snapshot()
    }

    /// Takes in what threads bring until the house is as expected.
    pub fn settle_until(&mut self, expected: impl Fn(&House) -> bool) {
        loop {
            let rung = *self.bell.rung.lock().unwrap();
            self.house.settle();
            if expected(&self.house) {
                return;
            }
            let bell = self.bell.rung.lock().unwrap();
            drop(self.bell.changed.wait_while(bell, |now| *now == rung).unwrap());
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
            self.house.apply(Command::Click(point(text)));
            self.wait(|snapshot| snapshot.rows.len() > rows || snapshot.refusal.is_some());
        }
    }

    /// Answers the open question of an opening with clicks and buttons, as a person would.
    pub fn answer(&mut self, offering: bool) {
        let snapshot =
            self.wait(|snapshot| snapshot.asks_person().is_some() || snapshot.result.is_some());
        let asked = snapshot.asks_person().expect("the game is not over");
        match asked.ask {
            Ask::Choose => self.house.apply(Command::Answer(Answer::Choose(Color::White))),
            Ask::Swap => self.house.apply(Command::Answer(Answer::Swap(true))),
            Ask::Declare { max, .. } => {
                self.house.apply(Command::Answer(Answer::Declare(max.min(4))));
            }
            Ask::Pick => self.house.apply(Command::Click(snapshot.offered[0])),
            Ask::MoveOrOffer { count, .. } if offering => {
                self.house.apply(Command::Offering(true));
                self.gather(count);
            }
            Ask::Place { count, .. } | Ask::ChooseOrPlace { count } | Ask::Offer { count } => {
                self.gather(count);
            }
            Ask::Move { .. } | Ask::MoveOrOffer { .. } => {
                let legal = self.clicks(1);
                self.house.apply(Command::Click(legal[0]));
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
            self.house.apply(Command::Click(point));
        }
        self.house.apply(Command::Confirm);
    }

    fn clicks(&self, count: usize) -> Vec<Point> {
        clicks(&self.house, count)
    }
}

/// Points that a click would be taken on, one after the other, from the centre.
pub fn clicks(house: &House, count: usize) -> Vec<Point> {
    let snapshot = house.snapshot().unwrap();
    let view = &house.table().unwrap().view;
    let question = tengen_gui::app::Question::of(&snapshot, &view.gathered).unwrap();
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

pub fn point(text: &str) -> Point {
    text.parse().unwrap()
}

pub fn engine(id: &str) -> Occupant {
    Occupant::Engine(id.to_owned())
}

/// A person against an engine, who sits second.
pub fn against(id: &str) -> Setup {
    let seats = BySeat { first: Occupant::Person, second: engine(id) };
    Setup { seats, ..Setup::default() }
}

pub fn is_over(snapshot: &Snapshot) -> bool {
    snapshot.phase == Phase::Finished
}

pub fn seat_name(snapshot: &Snapshot, seat: Seat) -> &str {
    &snapshot.seats[seat].name
}
