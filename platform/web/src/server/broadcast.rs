//! Watches the games of an event and passes on what is new, without ever waiting for anybody.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tengen_arbiter::{Game, GameResult, HistoryEntry};
use tengen_record::Header;
use tengen_rules::{BySeat, Seat};
use tengen_tournament::{Change, Event, EventConfig, GameEnd, ScheduledGame, Watcher};

use tengen_link::view::{TurnView, millis};

/// What may wait to be taken. Beyond it news is left out, and its table is told from the start when
/// there is room again.
const MOST_WAITING: usize = 8192;

/// Watches the games of an event that this process plays, for a [`Server`](super::Server).
///
/// A table only copies what is new and goes on. Everything else is done on the server's threads.
pub struct Broadcast {
    dir: PathBuf,
    /// As the event is now: engines may be added.
    config: RwLock<EventConfig>,
    tables: Vec<Mutex<TableCursor>>,
    news: SyncSender<News>,
    waiting: Mutex<Receiver<News>>,
}

/// What was told of a table.
#[derive(Default)]
struct TableCursor {
    number: u64,
    entries: usize,
    /// Whether something of it was left out.
    is_torn: bool,
}

/// What is new at a table.
pub(super) struct News {
    pub at: Instant,
    pub table: usize,
    /// The game, where the table is told from its start.
    pub begun: Option<Box<Begun>>,
    /// The actions since the last news, or since the start.
    pub entries: Vec<HistoryEntry>,
    pub turn: TurnView,
    pub over: Option<(GameResult, Option<String>)>,
}

/// A game that has begun.
pub(super) struct Begun {
    pub header: Header,
    pub seats: BySeat<usize>,
}

impl Broadcast {
    /// A watcher for the games of an event.
    pub fn new(event: &Event) -> Broadcast {
        let config = event.config();
        let (news, waiting) = sync_channel(MOST_WAITING);
        let tables = (0..config.concurrency.max(1)).map(|_| Mutex::default()).collect();
        let (dir, config) = (event.dir().to_owned(), RwLock::new(config.clone()));
        Broadcast { dir, config, tables, news, waiting: Mutex::new(waiting) }
    }

    /// The next news within this time.
    pub(super) fn next(&self, within: Duration) -> Option<News> {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.recv_timeout(within).ok()
    }

    fn tell(
        &self,
        table: usize,
        scheduled: &ScheduledGame,
        game: &Game,
        over: Option<(GameResult, Option<String>)>,
    ) {
        let Some(told) = self.tables.get(table) else { return };
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        let history = game.history();
        // A game that is played again has its number again, and fewer actions.
        let is_new = told.is_torn
            || told.number != scheduled.number
            || history.len() < told.entries
            || history.is_empty();
        let from = if is_new { 0 } else { told.entries };
        let config = self.config.read().unwrap_or_else(PoisonError::into_inner);
        if Seat::ALL.iter().any(|&seat| scheduled.seats[seat] >= config.engines.len()) {
            return;
        }
        let begun = is_new.then(|| {
            let header = config.header(scheduled);
            Box::new(Begun { header, seats: scheduled.seats })
        });
        drop(config);
        let news = News {
            at: Instant::now(),
            table,
            begun,
            entries: history[from..].to_vec(),
            turn: turn(game),
            over,
        };
        told.number = scheduled.number;
        told.entries = history.len();
        told.is_torn = self.news.try_send(news).is_err();
    }
}

/// Whose answer is waited for from now on, and what is on the clocks.
fn turn(game: &Game) -> TurnView {
    TurnView {
        asked: game.asked().map(|(seat, _)| seat),
        since: now(),
        left: BySeat::from_fn(|seat| game.clock(seat).left().map(millis)),
    }
}

/// The date in milliseconds.
pub(super) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

impl Watcher for Broadcast {
    fn look(&self, table: usize, scheduled: &ScheduledGame, game: &Game) {
        self.tell(table, scheduled, game, None);
    }

    fn over(&self, table: usize, scheduled: &ScheduledGame, game: &Game, end: &GameEnd) {
        let over = game.result().map(|result| (result, end.detail.clone()));
        self.tell(table, scheduled, game, over);
    }

    fn changed(&self, change: &Change) {
        if !change.kind.is_order()
            && let Ok(event) = Event::open(&self.dir)
        {
            let config = event.config().clone();
            *self.config.write().unwrap_or_else(PoisonError::into_inner) = config;
        }
    }
}
