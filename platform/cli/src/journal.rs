//! What engines are asked and what they answer, as a text to read.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use tengen_arbiter::{Action, GameResult};
use tengen_players::{Fault, GameSetup, Player, Reply, Request, Time, Timing};
use tengen_rules::{Answer, Move, Point};

/// The log of an event, in the order in which its lines came.
#[derive(Debug)]
pub(crate) struct Journal {
    begun: Instant,
    players: AtomicU64,
    file: Mutex<BufWriter<File>>,
}

impl Journal {
    pub(crate) fn new(file: File) -> Journal {
        let file = Mutex::new(BufWriter::new(file));
        Journal { begun: Instant::now(), players: AtomicU64::new(0), file }
    }

    /// A line of that player: `>` goes to it, `<` comes from it.
    fn line(&self, player: &str, way: char, text: &str) {
        let seconds = self.begun.elapsed().as_secs_f64();
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let text = text.lines().collect::<Vec<_>>().join(" | ");
        // A log that cannot be written stops no game.
        let _ = writeln!(file, "{seconds:.6} {player} {way} {text}").and_then(|()| file.flush());
    }
}

/// A player whose doings are logged.
pub(crate) struct Logged {
    inner: Box<dyn Player>,
    name: String,
    journal: Arc<Journal>,
    /// What it said before its last answer, logged already.
    said: Vec<String>,
}

impl Logged {
    /// `label` says which engine it is; several games at once have several players of it, which a
    /// number tells apart.
    pub(crate) fn new(inner: Box<dyn Player>, label: &str, journal: Arc<Journal>) -> Logged {
        let number = journal.players.fetch_add(1, Ordering::Relaxed) + 1;
        Logged { inner, name: format!("{label}[{number}]"), journal, said: Vec::new() }
    }

    fn put(&self, way: char, text: &str) {
        self.journal.line(&self.name, way, text);
    }
}

impl Player for Logged {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        let GameSetup { rule, size, seat, time, seed, .. } = game;
        self.put(
            '>',
            &format!("new game: {rule} on {size}, seat {seat}, time {time}, seed {seed}"),
        );
        let ready = self.inner.new_game(game);
        match &ready {
            Ok(()) => self.put('<', "ready"),
            Err(fault) => self.put('<', &format!("failed: {}", fault.detail)),
        }
        ready
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        self.put('>', &asked(request));
        let reply = self.inner.ask(request, time);
        self.said = self.inner.take_said();
        for line in &self.said {
            self.put('<', line);
        }
        self.put('<', &answered(&reply));
        reply
    }

    fn timing(&self) -> Timing {
        self.inner.timing()
    }

    fn take_said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    fn end_game(&mut self, result: GameResult) {
        let winner = result.winner.map_or("drawn".to_owned(), |seat| format!("won by {seat}"));
        self.put('>', &format!("game over: {winner}, {}", result.termination));
        self.inner.end_game(result);
    }
}

fn asked(request: &Request<'_>) -> String {
    let mut text = format!("{:?} after {} plies", request.ask, request.moves.len());
    if let Some(last) = request.moves.last() {
        let _ = write!(text, ", the last {last}");
    }
    if !request.offered.is_empty() {
        let _ = write!(text, ", offered {}", points(request.offered));
    }
    if let Some(hard) = request.limits.hard {
        let _ = write!(text, ", within {:.3} s", hard as f64 / 1e9);
    }
    text
}

fn answered(reply: &Reply) -> String {
    let mut text = match &reply.outcome {
        Err(fault) => format!("failed: {}", fault.detail),
        Ok(None) => "no answer".to_owned(),
        Ok(Some(Action::Answer(answer))) => said(answer),
        Ok(Some(action)) => format!("{action:?}"),
    };
    let spent = reply.answered_at.saturating_sub(reply.asked_at);
    let _ = write!(text, " in {:.6} s", spent as f64 / 1e9);
    if reply.offers_draw {
        text.push_str(", offers a draw");
    }
    if let Some(info) = reply.info {
        let _ = write!(text, ", depth {}-{}, nodes {}", info.depth, info.seldepth, info.nodes);
        let score = info.eval.map(|eval| format!(", eval {eval}"));
        let win = info.win_in.map(|plies| format!(", win in {plies}"));
        text.extend([score, win].into_iter().flatten());
    }
    text
}

fn said(answer: &Answer) -> String {
    match answer {
        Answer::Move(Move::Stone(point)) => point.to_string(),
        Answer::Place(stones) | Answer::Offer(stones) => points(stones),
        other => format!("{other:?}"),
    }
}

fn points(points: &[Point]) -> String {
    points.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
