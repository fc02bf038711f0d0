//! What an event costs beside its players: the table and the arbiter a ply, and whole games a
//! second with every result on the disk.
//!
//! `cargo bench -p tengen-tournament` plays 50,000 games of 70 plies; another number may follow
//! `--`.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use tengen_arbiter::{Action, Game, Nanos};
use tengen_players::{Fault, GameSetup, Player, Reply, Request, Time};
use tengen_rules::{Answer, BySeat, Move, Point, Position, Procedure, Rule, Size};
use tengen_tournament::{
    EngineEntry, Event, EventConfig, GameEnd, GameParams, GameRunner, Roster, Stop,
};

const PLIES: usize = 70;

struct MonotonicTime(Instant);

impl Time for MonotonicTime {
    fn now(&self) -> Nanos {
        self.0.elapsed().as_nanos() as Nanos
    }
}

/// Plays the points of a list and resigns at its end: the least that a player can cost.
struct ListPlayer(Arc<[Point]>);

impl Player for ListPlayer {
    fn new_game(&mut self, _game: &GameSetup) -> Result<(), Fault> {
        Ok(())
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        let asked_at = time.now();
        let point = self.0.get(request.moves.len());
        let answer = |&point| Action::Answer(Answer::Move(Move::Stone(point)));
        Reply::new(asked_at, time.now(), Ok(Some(point.map_or(Action::Resign, answer))))
    }
}

struct ListRoster(Arc<[Point]>);

impl Roster for ListRoster {
    fn player(&self, _engine: usize) -> Box<dyn Player> {
        Box::new(ListPlayer(Arc::clone(&self.0)))
    }
}

/// Seventy points scattered over the board, on which neither side wins and Black commits no foul.
fn points() -> Arc<[Point]> {
    (1_u64..)
        .find_map(|seed| {
            let mut random = seed;
            let mut position = Position::new(Rule::Renju, Size::STANDARD);
            while position.ply() < PLIES {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(seed | 1);
                let cell = (random >> 33) % Size::STANDARD.area() as u64;
                let point = Point::new((cell / 15) as u8, (cell % 15) as u8);
                if let Ok(Some(_)) = position.play(point) {
                    return None;
                }
            }
            Some(position.moves().iter().filter_map(|mv| mv.point()).collect())
        })
        .expect("most scattered positions have no winner")
}

fn config(rule: Rule, games: u32) -> EventConfig {
    EventConfig {
        rule,
        tc: "60+1".parse().expect("a time control"),
        games,
        concurrency: 2,
        engines: vec![EngineEntry::new("a"), EngineEntry::new("b")],
        ..EventConfig::default()
    }
}

/// One thread, one table, no store: nanoseconds a ply, the player's two looks at the clock taken
/// off.
fn table(rule: Rule, games: u32, points: &Arc<[Point]>) {
    let config = config(rule, games);
    let schedule = config.schedule();
    let time = MonotonicTime(Instant::now());
    let table = GameRunner {
        time: &time,
        stall: None,
        halted: &|| false,
        substitute: None,
        listener: None,
    };
    let opening = Procedure::None;
    let params = GameParams { number: None, opening, seed: 0, draw_offers: false };
    let (mut first, mut second) = (ListPlayer(Arc::clone(points)), ListPlayer(Arc::clone(points)));
    let mut end = GameEnd::default();
    let plies = u128::from(games) * (PLIES as u128 + 1);
    let begin = Instant::now();
    for scheduled in schedule.iter() {
        let mut game = Game::new(config.game(&scheduled)).expect("a valid configuration");
        let players =
            BySeat { first: &mut first as &mut dyn Player, second: &mut second as &mut dyn Player };
        table.play(&mut game, params, players, &mut end).expect("it is never halted");
        black_box(game.history().len());
    }
    let all = begin.elapsed().as_nanos() / plies;
    let begin = Instant::now();
    for _ in 0..plies {
        black_box(time.now());
        black_box(time.now());
    }
    let clock = begin.elapsed().as_nanos() / plies;
    println!("table, {rule}: {} ns a ply ({all} with the player's {clock})", all - clock.min(all));
}

/// Two tables and the store.
fn event(rule: Rule, games: u32, points: &Arc<[Point]>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let dir = folder.path().join("event");
    let mut event = Event::create(&dir, config(rule, games)).expect("a new event");
    let roster = ListRoster(Arc::clone(points));
    let time = MonotonicTime(Instant::now());
    let mut commits = 0_u64;
    let begin = Instant::now();
    event.run(&roster, &time, &Stop::new(), &mut |_| commits += 1).expect("a whole run");
    let seconds = begin.elapsed().as_secs_f64();
    let bytes = std::fs::metadata(dir.join("event.db")).map_or(0, |file| file.len());
    drop(event);
    let begin = Instant::now();
    let event = Event::open(&dir).expect("the event");
    let summary = event.summary();
    black_box((summary.games, summary.repeated));
    println!("statistics, {rule}: {games} games in {:.3} s", begin.elapsed().as_secs_f64());
    println!(
        "event, {rule}: {:.0} games/s on the disk, {:.0} games a commit, {} bytes a game, {}",
        f64::from(games) / seconds,
        f64::from(games) / commits.max(1) as f64,
        bytes / u64::from(games),
        memory(),
    );
}

/// The most memory this process has had, where the system tells.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    format!("peak memory {}", peak.map_or("unknown", str::trim))
}

fn main() {
    let number = std::env::args().find_map(|argument| argument.parse().ok());
    let games = number.unwrap_or(50_000);
    let points = points();
    for rule in [Rule::Freestyle, Rule::Renju] {
        table(rule, games, &points);
        event(rule, games, &points);
    }
}
