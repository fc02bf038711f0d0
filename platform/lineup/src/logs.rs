//! What engines are asked and what they answer, as a text to read.

mod game_logs;
mod messages;
mod player_log;

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use tengen_arbiter::GameResult;
use tengen_players::{
    DENIED, Fault, GameSetup, Player, Reply, Request, Subscription, Time, Timing,
};

use crate::NOTICE;
use crate::lock::lock;
pub use game_logs::{GameLogs, log_path};
pub use messages::GameMessages;
pub use player_log::{PlayerLog, action_words};

/// The log of an event, in the order in which its lines came: `SECONDS game NUMBER ENGINE[PLAYER]`,
/// then `>` for what goes to the engine, `<` for what comes from it, `-` for what is told of it.
pub struct EventLog {
    begun: Instant,
    players: AtomicU64,
    path: PathBuf,
    /// None once it could not be written.
    file: Mutex<Option<LogWriter>>,
}

type LogWriter = BufWriter<Box<dyn Write + Send>>;

impl std::fmt::Debug for EventLog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EventLog").field("path", &self.path).finish_non_exhaustive()
    }
}

impl EventLog {
    /// One in this file, which lies at that path.
    pub fn new(file: impl Write + Send + 'static, path: &Path) -> EventLog {
        let file = Mutex::new(Some(BufWriter::new(Box::new(file) as Box<dyn Write + Send>)));
        let (begun, players, path) = (Instant::now(), AtomicU64::new(0), path.to_owned());
        EventLog { begun, players, path, file }
    }

    /// What a player of that engine is called here: several games at once have several of it, which
    /// a number tells apart.
    fn enter(&self, label: &str) -> String {
        let number = self.players.fetch_add(1, Ordering::Relaxed) + 1;
        format!("{label}[{number}]")
    }

    /// A line of that player in that game, which is 0 where there is none.
    fn line(&self, game: u64, player: &str, way: char, text: &[u8]) {
        let seconds = self.begun.elapsed().as_secs_f64();
        let game = if game > 0 { format!("game {game}") } else { "before".to_owned() };
        let mut line = format!("{seconds:.6} {game} {player} {way} ").into_bytes();
        // Word for word, but a line of the log is one line.
        line.extend(
            text.iter().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { *byte }),
        );
        line.push(b'\n');
        let mut slot = lock(&self.file);
        let Some(file) = &mut *slot else { return };
        // A log that cannot be written stops no game.
        if let Err(error) = file.write_all(&line).and_then(|()| file.flush()) {
            // What could not be written is not tried again when it is dropped.
            let _unwritten = slot.take().map(BufWriter::into_parts);
            drop(slot);
            let path = self.path.display();
            log::info!(
                target: NOTICE,
                "{path}: the log ends here, for it cannot be written: {error}; the games go on"
            );
        }
    }
}

/// Where what engines are asked, answer and say is kept.
#[derive(Clone, Debug, Default)]
pub struct EngineLogs {
    pub event: Option<Arc<EventLog>>,
    /// What engines say to people.
    pub messages: Option<GameMessages>,
    pub games: Option<Arc<GameLogs>>,
}

impl EngineLogs {
    /// That of a player of this engine, if anything is kept.
    pub fn player_log(&self, engine: &str, is_text: bool) -> Option<Arc<PlayerLog>> {
        let EngineLogs { event, messages, games } = self;
        let is_kept = event.is_some() || messages.is_some() || games.is_some();
        is_kept.then(|| Arc::new(PlayerLog::new(engine, is_text, self.clone())))
    }
}

pub struct LoggedPlayer {
    inner: Box<dyn Player>,
    player_log: Arc<PlayerLog>,
    /// What it said before its last answer, taken already.
    said: Vec<String>,
}

impl LoggedPlayer {
    /// `player_log` is where what its engine says by itself is logged, too.
    pub fn new(inner: Box<dyn Player>, player_log: Arc<PlayerLog>) -> LoggedPlayer {
        LoggedPlayer { inner, player_log, said: Vec::new() }
    }
}

impl Player for LoggedPlayer {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        let GameSetup { rule, size, seat, time, seed, .. } = game;
        self.player_log.begin(game.number.unwrap_or(0));
        self.player_log
            .note(&format!("new game: {rule} on {size}, seat {seat}, time {time}, seed {seed}"));
        let ready = self.inner.new_game(game);
        match &ready {
            Ok(()) => self.player_log.note("ready"),
            Err(fault) => self.player_log.note(&format!("failed: {}", fault.detail)),
        }
        ready
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        self.player_log.asked(request);
        let before = request.watch;
        let listener = PlayerLog::listening(&self.player_log, before.map(|watch| watch.listener));
        let lines = before.map_or(1, |watch| watch.lines);
        let watch = listener.as_ref().map(|listener| Subscription { listener, lines }).or(before);
        let reply = self.inner.ask(&Request { watch, ..*request }, time);
        self.said = self.inner.take_said();
        for denied in self.said.iter().filter(|line| line.starts_with(DENIED)) {
            self.player_log.note(denied);
        }
        self.player_log.answered(&reply);
        reply
    }

    fn timing(&self) -> Timing {
        self.inner.timing()
    }

    fn failed_unasked(&mut self) -> Option<Fault> {
        let fault = self.inner.failed_unasked()?;
        self.player_log.note(&format!("failed: {}", fault.detail));
        Some(fault)
    }

    fn take_said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    fn end_game(&mut self, result: GameResult) {
        let winner = result.winner.map_or("drawn".to_owned(), |seat| format!("won by {seat}"));
        self.player_log.note(&format!("game over: {winner}, {}", result.termination));
        self.inner.end_game(result);
    }
}
