//! What is logged of one player.

use std::fmt::{self, Write as _};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tengen_arbiter::{Action, Nanos, SearchInfo};
use tengen_hosts::LogTap;
use tengen_players::{Listener, Reply, Request, SearchProgress};
use tengen_rules::{Answer, Ask, Move, Point};

use super::EngineLogs;
use super::game_logs::{GameLog, What};
use crate::joined;
use crate::lock::lock;

/// Where the words of one player go. Those of a text engine are what went over its pipes, word for
/// word; an engine that is called has what it was asked and said put into words.
#[derive(Debug, Default)]
pub struct PlayerLog {
    /// What the player is called in the log.
    name: String,
    /// And its engine elsewhere.
    engine: Arc<str>,
    is_text: bool,
    logs: EngineLogs,
    /// That of the game it plays.
    game_log: Mutex<Option<Arc<GameLog>>>,
    /// What it printed of a line that has not ended.
    printed: Mutex<Vec<u8>>,
    game: AtomicU64,
    ply: AtomicUsize,
    is_asked: AtomicBool,
}

/// The longest line that is waited for.
const MOST_PRINTED: usize = 4096;

impl PlayerLog {
    pub(super) fn new(engine: &str, is_text: bool, logs: EngineLogs) -> PlayerLog {
        let name = logs.event.as_ref().map(|log| log.enter(engine)).unwrap_or_default();
        PlayerLog { name, engine: engine.into(), is_text, logs, ..PlayerLog::default() }
    }

    /// A listener that passes everything on to the other one; none where it is not needed.
    pub(super) fn listening(
        player_log: &Arc<PlayerLog>,
        other: Option<&Arc<dyn Listener>>,
    ) -> Option<Arc<dyn Listener>> {
        // To listen makes an engine say more.
        if player_log.is_text
            || player_log.logs.event.is_none() && player_log.logs.messages.is_none()
        {
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
        *lock(&self.game_log) =
            self.logs.games.as_ref().filter(|_| game > 0).map(|logs| logs.begin(game));
        if let Some(messages) = &self.logs.messages {
            messages.begin(game);
        }
    }

    /// Something that is told of the player.
    pub(super) fn note(&self, text: &str) {
        self.line('-', text.as_bytes());
    }

    /// The engine is asked. Of a text engine, its lines are logged instead.
    pub(super) fn asked(&self, request: &Request<'_>) {
        self.ply.store(request.moves.len() + 1, Ordering::Relaxed);
        self.is_asked.store(true, Ordering::Relaxed);
        if self.is_text {
            return;
        }
        if self.logs.event.is_some() {
            self.event_line('>', LoggedQuestion::of(request).to_string().as_bytes());
        }
        self.of_game(|log| log.add(&self.engine, What::Asked(LoggedQuestion::of(request))));
    }

    /// It has answered, or failed.
    pub(super) fn answered(&self, reply: &Reply) {
        self.is_asked.store(false, Ordering::Relaxed);
        match &reply.outcome {
            Err(fault) => self.note(&format!("failed: {}", fault.detail)),
            Ok(None) => self.note("no answer"),
            Ok(Some(_)) if self.is_text => {}
            Ok(Some(action)) => {
                if self.logs.event.is_some() {
                    let answer = LoggedAnswer::of(action, reply);
                    self.event_line('<', answer.to_string().as_bytes());
                }
                let answered = || What::Answered(LoggedAnswer::of(action, reply));
                self.of_game(|log| log.add(&self.engine, answered()));
            }
        }
    }

    fn line(&self, way: char, text: &[u8]) {
        self.event_line(way, text);
        self.of_game(|log| log.line(&self.engine, way, text));
    }

    fn event_line(&self, way: char, text: &[u8]) {
        if let Some(event_log) = &self.logs.event {
            event_log.line(self.game.load(Ordering::Relaxed), &self.name, way, text);
        }
    }

    fn of_game(&self, put: impl FnOnce(&GameLog)) {
        let game_log = lock(&self.game_log);
        if let Some(game_log) = &*game_log {
            put(game_log);
        }
    }

    fn tell(&self, text: &str) {
        if let Some(messages) = &self.logs.messages
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
        // What follows the word and one character, as c-gomoku-cli has it.
        if let Some(text) = line.strip_prefix(b"MESSAGE") {
            self.tell(&String::from_utf8_lossy(text.get(1..).unwrap_or_default()));
        }
    }

    fn printed(&self, bytes: &[u8]) {
        let mut printed = lock(&self.printed);
        printed.extend(bytes);
        while let Some(end) = printed
            .iter()
            .position(|byte| *byte == b'\n')
            .or((printed.len() > MOST_PRINTED).then_some(MOST_PRINTED))
        {
            let line: Vec<u8> = printed.drain(..=end).collect();
            let line = line.trim_ascii_end();
            if line.is_empty() {
                continue;
            }
            // An engine that is called has what it says in the event's log from its listener.
            if self.is_text {
                self.event_line('!', line);
            }
            self.of_game(|log| log.line(&self.engine, '!', line));
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
            self.event_line('<', format!("log: {line}").as_bytes());
            self.tell(line);
        }
    }
}

/// Passes everything on to both.
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

/// What a log keeps of a question.
#[derive(Debug)]
pub(super) struct LoggedQuestion {
    ask: Ask,
    plies: usize,
    last: Option<Move>,
    offered: Vec<Point>,
    hard: Option<Nanos>,
}

impl LoggedQuestion {
    pub(super) fn of(request: &Request<'_>) -> LoggedQuestion {
        let Request { ask, moves, offered, limits, .. } = *request;
        let (plies, last, offered) = (moves.len(), moves.last().copied(), offered.to_vec());
        LoggedQuestion { ask, plies, last, offered, hard: limits.hard }
    }
}

impl fmt::Display for LoggedQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} after {} plies", self.ask, self.plies)?;
        if let Some(last) = self.last {
            write!(f, ", the last {last}")?;
        }
        if !self.offered.is_empty() {
            write!(f, ", offered {}", joined(&self.offered, " "))?;
        }
        self.hard.map_or(Ok(()), |hard| write!(f, ", within {:.3} s", hard as f64 / 1e9))
    }
}

/// An answer, as far as a log has it. It is put into words when it is read.
#[derive(Debug)]
pub(super) struct LoggedAnswer {
    action: Action,
    spent: Nanos,
    offers_draw: bool,
    info: Option<SearchInfo>,
    pv: Vec<Move>,
}

impl LoggedAnswer {
    fn of(action: &Action, reply: &Reply) -> LoggedAnswer {
        LoggedAnswer {
            action: action.clone(),
            spent: reply.answered_at.saturating_sub(reply.asked_at),
            offers_draw: reply.offers_draw,
            info: reply.info,
            pv: reply.pv.clone(),
        }
    }

    /// The bytes that it takes beside its own.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.pv[..])
    }
}

impl fmt::Display for LoggedAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {:.6} s", action_words(&self.action), self.spent as f64 / 1e9)?;
        if self.offers_draw {
            f.write_str(", offers a draw")?;
        }
        let mut search = String::new();
        put_search(&mut search, self.info.as_ref(), &self.pv);
        f.write_str(&search)
    }
}

/// What was done, in words.
pub fn action_words(action: &Action) -> String {
    match action {
        Action::Answer(answer) => said(answer),
        action => format!("{action:?}"),
    }
}

fn put_search(text: &mut String, info: Option<&SearchInfo>, pv: &[Move]) {
    if let Some(info) = info {
        let _ = write!(text, ", depth {}-{}, nodes {}", info.depth, info.seldepth, info.nodes);
        let score = info.eval.map(|eval| format!(", eval {eval}"));
        let win = info.win_in.map(|plies| format!(", win in {plies}"));
        text.extend([score, win].into_iter().flatten());
    }
    if !pv.is_empty() {
        let _ = write!(text, ", pv {}", joined(pv, " "));
    }
}

fn said(answer: &Answer) -> String {
    match answer {
        Answer::Move(Move::Stone(point)) => point.to_string(),
        Answer::Place(stones) | Answer::Offer(stones) => joined(stones, " "),
        other => format!("{other:?}"),
    }
}
