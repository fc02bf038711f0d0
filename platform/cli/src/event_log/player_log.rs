//! What is logged of one player.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use tengen_arbiter::{Action, SearchInfo};
use tengen_hosts::LogTap;
use tengen_players::{Listener, Reply, Request, SearchProgress};
use tengen_rules::{Answer, Move, Point};

use super::{EventLog, MessageLog};

/// Where the words of one player go. Those of a text engine are what went over its pipes, word for
/// word; an engine that is called has what it was asked and said put into words.
#[derive(Debug)]
pub(crate) struct PlayerLog {
    /// What the player is called in the log.
    name: String,
    /// And its engine elsewhere.
    engine: String,
    is_text: bool,
    event_log: Option<Arc<EventLog>>,
    messages: Option<Arc<dyn MessageLog>>,
    game: AtomicU64,
    ply: AtomicUsize,
    is_asked: AtomicBool,
}

impl PlayerLog {
    pub(crate) fn new(
        engine: &str,
        is_text: bool,
        event_log: Option<Arc<EventLog>>,
        messages: Option<Arc<dyn MessageLog>>,
    ) -> PlayerLog {
        let name = event_log.as_ref().map(|event_log| event_log.enter(engine)).unwrap_or_default();
        let (game, ply, is_asked) = Default::default();
        PlayerLog {
            name,
            engine: engine.to_owned(),
            is_text,
            event_log,
            messages,
            game,
            ply,
            is_asked,
        }
    }

    /// Who hears the engine instead of that one, who hears it still; none where nobody need.
    pub(super) fn listening(
        player_log: &Arc<PlayerLog>,
        other: Option<&Arc<dyn Listener>>,
    ) -> Option<Arc<dyn Listener>> {
        if player_log.is_text {
            return None;
        }
        let player_log: Arc<dyn Listener> = Arc::clone(player_log) as Arc<dyn Listener>;
        Some(match other {
            None => player_log,
            Some(other) => Arc::new(ListenerPair(player_log, Arc::clone(other))),
        })
    }

    pub(super) fn begin(&self, game: u64) {
        self.game.store(game, Ordering::Relaxed);
        if let Some(messages) = &self.messages {
            messages.begin(game);
        }
    }

    pub(super) fn ask(&self, plies: usize) {
        self.ply.store(plies + 1, Ordering::Relaxed);
        self.is_asked.store(true, Ordering::Relaxed);
    }

    pub(super) fn answer(&self) {
        self.is_asked.store(false, Ordering::Relaxed);
    }

    /// Something that is told of the player.
    pub(super) fn note(&self, text: &str) {
        self.line('-', text.as_bytes());
    }

    /// What an engine that is called was asked.
    pub(super) fn sent(&self, text: &str) {
        if !self.is_text {
            self.line('>', text.as_bytes());
        }
    }

    /// What it answered.
    pub(super) fn received(&self, text: &str) {
        if !self.is_text {
            self.line('<', text.as_bytes());
        }
    }

    fn line(&self, way: char, text: &[u8]) {
        if let Some(event_log) = &self.event_log {
            event_log.line(self.game.load(Ordering::Relaxed), &self.name, way, text);
        }
    }

    fn tell(&self, text: &str) {
        if let Some(messages) = &self.messages
            && self.is_asked.load(Ordering::Relaxed)
        {
            let (game, ply) = (self.game.load(Ordering::Relaxed), self.ply.load(Ordering::Relaxed));
            messages.add(game, ply, &self.engine, text);
        }
    }
}

impl LogTap for PlayerLog {
    fn sent(&self, bytes: &[u8]) {
        let lines = bytes.split(|byte| *byte == b'\n');
        for line in lines.map(<[u8]>::trim_ascii_end).filter(|line| !line.is_empty()) {
            self.line('>', line);
        }
    }

    fn received(&self, line: &[u8]) {
        self.line('<', line);
        // What follows the word and one sign, as c-gomoku-cli has it.
        if let Some(text) = line.strip_prefix(b"MESSAGE") {
            self.tell(&String::from_utf8_lossy(text.get(1..).unwrap_or_default()));
        }
    }
}

impl Listener for PlayerLog {
    fn progress(&self, progress: SearchProgress) {
        let SearchProgress { line, info, elapsed, pv } = progress;
        let mut text = format!("search in {:.6} s", elapsed as f64 / 1e9);
        if line > 1 {
            let _ = write!(text, ", line {line}");
        }
        put_search(&mut text, Some(&info), &pv);
        self.line('<', text.as_bytes());
    }

    fn message(&self, text: &str) {
        for line in text.lines() {
            self.line('<', format!("log: {line}").as_bytes());
            self.tell(line);
        }
    }
}

/// Two who hear the same.
#[derive(Debug)]
struct ListenerPair(Arc<dyn Listener>, Arc<dyn Listener>);

impl Listener for ListenerPair {
    fn progress(&self, progress: SearchProgress) {
        self.0.progress(progress.clone());
        self.1.progress(progress);
    }

    fn message(&self, text: &str) {
        self.0.message(text);
        self.1.message(text);
    }
}

/// A question in words.
pub(super) fn asked(request: &Request<'_>) -> String {
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

/// An answer in words.
pub(super) fn answered(action: &Action, reply: &Reply) -> String {
    let mut text = match action {
        Action::Answer(answer) => said(answer),
        action => format!("{action:?}"),
    };
    let spent = reply.answered_at.saturating_sub(reply.asked_at);
    let _ = write!(text, " in {:.6} s", spent as f64 / 1e9);
    if reply.offers_draw {
        text.push_str(", offers a draw");
    }
    put_search(&mut text, reply.info.as_ref(), &reply.pv);
    text
}

fn put_search(text: &mut String, info: Option<&SearchInfo>, pv: &[Move]) {
    if let Some(info) = info {
        let _ = write!(text, ", depth {}-{}, nodes {}", info.depth, info.seldepth, info.nodes);
        let score = info.eval.map(|eval| format!(", eval {eval}"));
        let win = info.win_in.map(|plies| format!(", win in {plies}"));
        text.extend([score, win].into_iter().flatten());
    }
    if !pv.is_empty() {
        let moves: Vec<String> = pv.iter().map(ToString::to_string).collect();
        let _ = write!(text, ", pv {}", moves.join(" "));
    }
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
