//! How long the report of an event takes, and how large it is.
//!
//! `cargo bench -p tengen-web` plays 10,000 games of 60 renju moves, each with what an engine says
//! of its search; another number may follow `--`. `--out FILE` after it keeps the report.

use std::path::PathBuf;
use std::time::Instant;

use tengen_arbiter::{Action, GameResult, SearchInfo};
use tengen_players::{Fault, GameSetup, Player, RealTime, Reply, Request, Time};
use tengen_rules::{Answer, Board, Move, Point, Rule};
use tengen_tournament::{EngineEntry, Event, EventConfig, Roster, Stop};
use tengen_web::{MOST_GAMES, write_report};

const PLIES: usize = 60;

/// Plays near the stones that are there, from the seed, and tells a variation with every move.
struct Chatty {
    state: u64,
}

impl Chatty {
    fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 16) as usize % bound
    }

    /// An empty point near the centre that is not forbidden to Black.
    fn point(&mut self, board: &Board) -> Option<Point> {
        let size = board.size();
        for attempt in 0..400 {
            let reach = 5 + attempt / 80;
            let (low, span) = (7 - reach.min(7), 2 * reach.min(7) + 1);
            let point = Point::new((low + self.below(span)) as u8, (low + self.below(span)) as u8);
            if size.contains(point) && board.is_empty(point) && board.foul(point).is_none() {
                return Some(point);
            }
        }
        None
    }
}

impl Player for Chatty {
    fn new_game(&mut self, setup: &GameSetup) -> Result<(), Fault> {
        self.state = setup.seed.wrapping_mul(2) + 0x9e37_79b9 + setup.number.unwrap_or(0);
        Ok(())
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        let asked_at = time.now();
        let mut board = Board::new(tengen_rules::Size::STANDARD);
        for (ply, mv) in request.moves.iter().enumerate() {
            if let Some(point) = mv.point() {
                board.place(point, tengen_rules::Color::of_ply(ply));
            }
        }
        let point = self.point(&board).filter(|_| request.moves.len() < PLIES);
        let pv: Vec<Move> = point
            .into_iter()
            .chain((0..9).map(|_| Point::new(self.below(15) as u8, self.below(15) as u8)))
            .map(Move::Stone)
            .collect();
        let action = |point| Action::Answer(Answer::Move(Move::Stone(point)));
        Reply {
            asked_at,
            answered_at: asked_at + 1_000_000 + self.below(90_000_000) as u64,
            offers_draw: false,
            outcome: Ok(Some(point.map_or(Action::Resign, action))),
            info: Some(SearchInfo {
                eval: Some(self.below(2000) as i32 - 1000),
                win_in: None,
                depth: 6 + self.below(12) as u32,
                seldepth: 18 + self.below(12) as u32,
                nodes: 10_000 + self.below(4_000_000) as u64,
            }),
            pv,
        }
    }

    fn end_game(&mut self, _result: GameResult) {}
}

struct ChattyRoster;

impl Roster for ChattyRoster {
    fn player(&self, engine: usize) -> Box<dyn Player> {
        Box::new(Chatty { state: engine as u64 + 1 })
    }

    fn interrupt(&self) {}
}

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let games = arguments.first().and_then(|word| word.parse().ok()).unwrap_or(10_000);
    let kept = arguments.iter().position(|word| word == "--out").map(|at| &arguments[at + 1]);
    let folder = tempfile::tempdir().expect("a folder");
    let engines = ["hoshi", "keima", "kosumi", "tobi", "hane"].map(EngineEntry::new).to_vec();
    let config = EventConfig {
        engines,
        rule: Rule::Renju,
        games: games / 10,
        tc: "60+1".parse().expect("a time control"),
        ..EventConfig::default()
    };
    let mut event = Event::create(&folder.path().join("bench"), config).expect("an event");
    let begun = Instant::now();
    event
        .run(&ChattyRoster, &RealTime::new(), &Stop::new(), &mut |_| {})
        .expect("the games are played");
    println!("{} games played in {:.1} s", event.tally().len(), begun.elapsed().as_secs_f64());
    let path = kept.map_or_else(|| folder.path().join("bench.html"), PathBuf::from);
    let begun = Instant::now();
    let written = write_report(&event, &path, MOST_GAMES, 0).expect("a report");
    let (spent, bytes) = (begun.elapsed(), std::fs::metadata(&path).expect("a file").len());
    println!(
        "report of {} games, {} of them to replay: {:.2} s, {:.1} MB",
        written.games,
        written.replayable,
        spent.as_secs_f64(),
        bytes as f64 / 1e6
    );
}
