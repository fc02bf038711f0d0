//! All tables of a server.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tengen_arbiter::Nanos;
use tengen_players::{RealTime, Time};
use tengen_record::formats::{ScoreSheet, psq, sgf};
use thiserror::Error;
use tokio::sync::Notify;

use super::checked_table::CheckedTable;
use super::freezes::{self, Freezes};
use super::guesses::Guesses;
use super::kept_games::KeptGames;
use super::keys::{TableKeys, is_plausible, is_same, table_id};
use super::openers::{Opened, Openers};
use super::outbox::Outbox;
use super::picture_intake::PictureIntake;
use super::seekers::{Seeker, Seekers};
use super::table::{ClientRefusal, Moment, NewTable, ServerContext, Table, Tell, Visitor, refused};
use super::table_game::SEATS;
use super::written;
use tengen_link::EnginePool;
use tengen_link::TableEngines;
use tengen_link::messages::ChatPicture;
use tengen_link::messages::TableListing;
use tengen_link::messages::TableSettings;
use tengen_link::messages::{RecordFormat, ServerMessage, TableInput};
use tengen_link::view::GameView;
use tengen_rules::{BySeat, Seat};

/// The tables of the list that are told.
const MOST_LISTED: usize = 200;
/// How often to look for unused tables.
const SWEEP: Duration = Duration::from_secs(20);
/// How long a table is kept at which no game is under way: without any client there, and with.
const EMPTY: Nanos = 30 * 60 * SECOND;
const QUIET: Nanos = 6 * 3600 * SECOND;
/// How long one is kept at which a game is under way, but no client is there.
const FORSAKEN: Nanos = 7 * 24 * 3600 * SECOND;
const SECOND: Nanos = 1_000_000_000;

/// What the host of a server decides.
pub struct PlayOptions {
    /// The folder of its tables and games.
    pub folder: PathBuf,
    /// The engines that may be handed a seat, and how many of them may play at once.
    pub engines: Arc<dyn TableEngines>,
    /// How many engines may play at once.
    pub most_engines: usize,
    pub most_tables: usize,
    /// The most tables that one address may have opened.
    pub most_tables_of_one: usize,
    pub password: Option<String>,
    pub only_owner_hosts: bool,
    /// The origins of other pages that may connect, such as `https://example.org`.
    pub origins: Vec<String>,
}

/// Why the tables cannot be had.
#[derive(Debug, Error)]
pub enum PlayError {
    /// The folder cannot be used.
    #[error("{}: cannot be used for the tables: {source}", path.display())]
    Folder { path: PathBuf, source: io::Error },
    #[error(
        "{}: another server has its tables in this folder; end it, or name another folder with \
         --data", path.display()
    )]
    Taken { path: PathBuf },
}

/// A table that connections share.
struct SharedTable {
    table: Mutex<Table>,
    /// Something is due at another time than before.
    changed: Notify,
}

struct Open {
    cell: Arc<SharedTable>,
    _counted: Opened,
}

pub struct Tables {
    context: ServerContext,
    by_id: Mutex<HashMap<String, Open>>,
    openers: Arc<Openers>,
    seekers: Seekers,
    freezes: Freezes,
    /// Wrong passwords and keys.
    pub(super) guesses: Guesses,
    pub(super) pictures: PictureIntake,
    /// The clients that are told of the public tables. Locked after `listed`.
    listeners: Mutex<HashMap<u64, Arc<Outbox>>>,
    /// The public tables as they were last told. Locked after a table, as is `by_id`.
    listed: Mutex<BTreeMap<String, TableListing>>,
    /// All connections that there were, and those that have left.
    connections: AtomicU64,
    left: AtomicU64,
    folder: PathBuf,
    password: Option<String>,
    pub(super) only_owner_hosts: bool,
    pub(super) origins: Vec<String>,
    me: Weak<Tables>,
    /// Held as long as this is there.
    _lock: File,
}

impl Tables {
    /// Opens the folder of a server, and brings back the tables that were in it.
    ///
    /// # Errors
    /// When the folder cannot be used, or another server uses it.
    pub fn open(options: PlayOptions) -> Result<Arc<Tables>, PlayError> {
        let PlayOptions { folder, engines, most_engines, most_tables, most_tables_of_one, .. } =
            options;
        let of_folder = |path: &Path, source| PlayError::Folder { path: path.to_owned(), source };
        let unusable = |source| of_folder(&folder, source);
        let (journals, games) = (folder.join("tables"), folder.join("games"));
        fs::create_dir_all(&folder).map_err(unusable)?;
        // The keys of all seats are in it.
        private(&folder).map_err(unusable)?;
        let lock = folder.join("lock");
        let begun = File::options().write(true).create(true).truncate(true).to_owned();
        let lock =
            tengen_files::open_own(&lock, &begun).map_err(|error| of_folder(&lock, error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => {
                return Err(PlayError::Taken { path: folder });
            }
            Err(fs::TryLockError::Error(error)) => return Err(unusable(error)),
        }
        // The tables of an earlier server.
        let earlier = folder.join("rooms");
        if earlier.exists() && !journals.exists() {
            fs::rename(&earlier, &journals).map_err(|error| of_folder(&earlier, error))?;
        }
        for path in [&journals, &games] {
            tengen_files::make_own_folder(path).map_err(|error| of_folder(path, error))?;
        }
        let engines = Arc::new(EnginePool::new(engines, most_engines));
        let games = Arc::new(KeptGames::new(&games));
        let context = ServerContext { time: RealTime::new(), engines, games };
        let tables = Arc::new_cyclic(|me| Tables {
            context,
            by_id: Mutex::default(),
            openers: Arc::new(Openers::new(most_tables, most_tables_of_one)),
            seekers: Seekers::default(),
            freezes: Freezes::default(),
            guesses: Guesses::default(),
            pictures: PictureIntake::default(),
            listeners: Mutex::default(),
            listed: Mutex::default(),
            connections: AtomicU64::new(0),
            left: AtomicU64::new(0),
            folder: folder.clone(),
            password: options.password,
            only_owner_hosts: options.only_owner_hosts,
            origins: options.origins,
            me: me.clone(),
            _lock: lock,
        });
        tables.restore(&journals).map_err(unusable)?;
        Ok(tables)
    }

    /// Reads all tables of a folder. A damaged file is left where it is.
    fn restore(&self, dir: &Path) -> io::Result<()> {
        for entry in fs::read_dir(dir)? {
            let path = entry?.path();
            if path.extension().is_none_or(|extension| extension != "jsonl") {
                continue;
            }
            let tell = |id: &str| self.teller(id);
            match Table::restore(&path, self.context.clone(), tell, self.moment()) {
                Ok(table) => {
                    let listing = table.is_listed().then(|| table.listing());
                    let id = table.id.clone();
                    let cell =
                        Arc::new(SharedTable { table: Mutex::new(table), changed: Notify::new() });
                    let open = Open { cell, _counted: self.openers.restored() };
                    lock(&self.by_id).insert(id, open);
                    self.list(listing);
                }
                Err(error) => log::error!("{}: this table is lost: {error}", path.display()),
            }
        }
        Ok(())
    }

    /// Starts what watches the clocks, once there is a runtime.
    pub(crate) fn start(self: &Arc<Self>) {
        let cells = self.cells();
        for cell in cells {
            self.watch(&cell);
        }
        let tables = Arc::downgrade(self);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(freezes::LOOK).await;
                let Some(tables) = tables.upgrade() else { return };
                tables.moment();
            }
        });
        let tables = Arc::downgrade(self);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(SWEEP).await;
                let Some(tables) = tables.upgrade() else { return };
                tables.sweep();
            }
        });
    }

    /// Watches the clock of a table until it is closed.
    fn watch(self: &Arc<Self>, cell: &Arc<SharedTable>) {
        let (tables, cell) = (Arc::downgrade(self), Arc::downgrade(cell));
        tokio::spawn(async move {
            loop {
                let Some((tables, cell)) = tables.upgrade().zip(cell.upgrade()) else { return };
                let due = {
                    let mut table = lock(&cell.table);
                    if table.is_closed {
                        return;
                    }
                    let at = tables.moment();
                    table.thaw(at);
                    if table.deadline().is_some_and(|due| due <= at.now) {
                        table.tick(at);
                        tables.list_table(&table);
                    }
                    table.deadline()
                };
                let wait = due.map(|due| {
                    let left = due.saturating_sub(tables.context.time.now());
                    // A moment of sleep is a millisecond at least.
                    Duration::from_nanos(left.max(1_000_000))
                });
                drop(tables);
                let changed = cell.changed.notified();
                match wait {
                    Some(wait) => {
                        let _due = tokio::time::timeout(wait, changed).await;
                    }
                    None => changed.await,
                }
            }
        });
    }

    pub(super) fn moment(&self) -> Moment {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let date = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        let now = self.context.time.now();
        Moment { now, date, frozen: self.freezes.note(now) }
    }

    /// A number for one more connection.
    pub(super) fn count_new(&self) -> u64 {
        self.connections.fetch_add(1, Ordering::Relaxed)
    }

    pub(super) fn count_left(&self) {
        self.left.fetch_add(1, Ordering::Relaxed);
    }

    /// How many clients are connected.
    pub fn clients(&self) -> u64 {
        let left = self.left.load(Ordering::Relaxed);
        self.connections.load(Ordering::Relaxed).saturating_sub(left)
    }

    /// How many games are under way.
    pub fn games(&self) -> usize {
        self.cells().iter().filter(|cell| lock(&cell.table).is_playing()).count()
    }

    /// Whether that is the owner's password.
    pub(super) fn is_password(&self, password: &str) -> bool {
        self.password.as_deref().is_some_and(|own| is_same(own, password))
    }

    pub(super) fn engines(&self) -> &EnginePool {
        &self.context.engines
    }

    pub fn len(&self) -> usize {
        lock(&self.by_id).len()
    }

    pub(super) fn has(&self, table: &str) -> bool {
        lock(&self.by_id).contains_key(table)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Opens a table for a connection, which is its host. `from` is the network of its address.
    pub(super) fn host(
        self: &Arc<Self>,
        visitor: Visitor,
        from: IpAddr,
        settings: TableSettings,
        seat: Option<Seat>,
        engine: Option<&str>,
        id: Option<u64>,
    ) -> Result<String, ClientRefusal> {
        if self.only_owner_hosts && !visitor.is_owner {
            return refused("password", "on this server only the owner opens tables");
        }
        let connection = visitor.connection;
        let (mut opened, counted, host_key, at) = self.new_table(from, settings)?;
        if let Some(engine) = engine {
            let other = seat.map_or(Seat::Second, |seat| !seat);
            if let Err(refusal) = opened.seat_engine(other, engine, visitor.address) {
                opened.close("its engine cannot play", at);
                return Err(refusal);
            }
        }
        log::info!("table {} is opened by {}", opened.id, visitor.name);
        let cell = self.add_table(opened, counted);
        let mut opened = lock(&cell.table);
        // One `table` answers: that of the seat, where there is one.
        if seat.is_some() {
            opened.let_in(visitor, Some(&host_key), at)?;
            let sit = TableInput::Sit { seat, key: None };
            opened.handle(connection, false, sit, id, at)?;
        } else {
            opened.enter(visitor, Some(&host_key), id, at)?;
        }
        self.list_table(&opened);
        let table = opened.id.clone();
        drop(opened);
        self.watch(&cell);
        Ok(table)
    }

    /// A table that nobody knows yet, what counts it, and the key of its host.
    fn new_table(
        &self,
        from: IpAddr,
        settings: TableSettings,
    ) -> Result<(Table, Opened, String, Moment), ClientRefusal> {
        let (settings, checked) =
            CheckedTable::new(settings).or_else(|problem| refused("settings", problem))?;
        let made = |error: io::Error| ClientRefusal {
            code: "server",
            message: format!("the server cannot open a table: {error}"),
        };
        let table = table_id().map_err(made)?;
        let keys = TableKeys::new().map_err(made)?;
        let at = self.moment();
        let path = self.folder.join("tables").join(format!("{table}.jsonl"));
        let counted = self.openers.open(from, Instant::now())?;
        let host_key = keys.host.clone();
        let (context, tell) = (self.context.clone(), self.teller(&table));
        let new = NewTable { id: table.clone(), settings, checked, keys, context, tell, at };
        let opened = Table::open(new, &path).map_err(made)?;
        Ok((opened, counted, host_key, at))
    }

    /// Lets clients find a table.
    fn add_table(&self, table: Table, counted: Opened) -> Arc<SharedTable> {
        let id = table.id.clone();
        let cell = Arc::new(SharedTable { table: Mutex::new(table), changed: Notify::new() });
        let open = Open { cell: Arc::clone(&cell), _counted: counted };
        lock(&self.by_id).insert(id, open);
        cell
    }

    /// Lets a connection wait for an opponent that wants to play the same; two that wait get a
    /// table.
    pub(super) fn seek(
        self: &Arc<Self>,
        visitor: Visitor,
        from: IpAddr,
        settings: TableSettings,
        id: Option<u64>,
    ) -> Result<(), ClientRefusal> {
        if self.only_owner_hosts && !visitor.is_owner {
            return refused("password", "on this server only the owner opens tables");
        }
        let wanted = TableSettings { public: true, ready: true, title: String::new(), ..settings };
        let (settings, _) =
            CheckedTable::new(wanted).or_else(|problem| refused("settings", problem))?;
        let Visitor { connection, outbox, name, kind, .. } = visitor;
        let own = Arc::clone(&outbox);
        let seeker = Seeker { connection, address: from, name, kind, outbox, settings };
        let pair = self.seekers.seek(seeker).or_else(|problem| refused("too_many", problem))?;
        let answer = ServerMessage::Seeks { seeks: self.seekers.wanted() };
        own.push(None, written(id, answer));
        self.tell_seeks();
        let Some((first, second)) = pair else { return Ok(()) };
        let (mut table, counted, _, at) = self.new_table(first.address, first.settings.clone())?;
        // Who has waited has no say in who begins.
        let is_swapped = at.now / 1000 % 2 == 1;
        let id = table.id.clone();
        let mut told = Vec::new();
        for (seat, seeker) in [(Seat::First, &first), (Seat::Second, &second)] {
            let seat = if is_swapped { !seat } else { seat };
            let key = table.keep_seat(seat, seeker, at)?;
            let paired = ServerMessage::Paired { table: id.clone(), key };
            told.push((&seeker.outbox, written(None, paired)));
        }
        log::info!("table {id}: {} and {} have found each other", first.name, second.name);
        let cell = self.add_table(table, counted);
        self.watch(&cell);
        for (outbox, paired) in told {
            outbox.push(None, paired);
        }
        Ok(())
    }

    /// Lets a connection wait for an opponent no more.
    pub(super) fn give_up_seeking(&self, connection: u64) {
        if self.seekers.give_up(connection) {
            self.tell_seeks();
        }
    }

    fn tell_seeks(&self) {
        let seeks = self.seekers.wanted();
        self.tell_listeners(&written(None, ServerMessage::Seeks { seeks }));
    }

    /// Lets a connection come to a table.
    pub(super) fn enter(
        &self,
        table: &str,
        visitor: Visitor,
        key: Option<&str>,
        id: Option<u64>,
    ) -> Result<(), ClientRefusal> {
        if key.is_some_and(|key| !is_plausible(key)) {
            return refused("key", "this is not a key");
        }
        let cell = self.cell(table)?;
        let at = self.moment();
        let mut table = cell.open(at)?;
        table.enter(visitor, key, id, at)?;
        self.after(&cell, &table);
        Ok(())
    }

    /// Does what a connection says to a table.
    pub(super) fn handle(
        &self,
        table: &str,
        connection: u64,
        is_owner: bool,
        message: TableInput,
        id: Option<u64>,
    ) -> Result<(), ClientRefusal> {
        let cell = self.cell(table)?;
        let at = self.moment();
        let mut table = cell.open(at)?;
        let handled = table.handle(connection, is_owner, message, id, at);
        self.after(&cell, &table);
        if table.is_closed {
            lock(&self.by_id).remove(&table.id);
        }
        handled
    }

    /// Says something at a table, with a picture that was drawn anew.
    pub(super) fn say(
        &self,
        table: &str,
        connection: u64,
        text: &str,
        picture: Option<ChatPicture>,
    ) -> Result<(), ClientRefusal> {
        let cell = self.cell(table)?;
        let at = self.moment();
        let mut table = cell.open(at)?;
        let said = table.say(connection, text, picture, at);
        self.after(&cell, &table);
        said
    }

    pub(super) fn leave(&self, table: &str, connection: u64) {
        self.with_table(table, |table, at| table.leave(connection, at));
    }

    /// Changes something that concerns one connection at a table.
    pub(super) fn with_table(&self, table: &str, change: impl FnOnce(&mut Table, Moment)) {
        let Ok(cell) = self.cell(table) else { return };
        let at = self.moment();
        let Ok(mut table) = cell.open(at) else { return };
        change(&mut table, at);
        self.after(&cell, &table);
    }

    /// A game of a table as a file. Only a client at the table may ask for it.
    pub(super) fn record(
        &self,
        table: &str,
        game: Option<u64>,
        format: RecordFormat,
        id: Option<u64>,
    ) -> Result<axum::extract::ws::Utf8Bytes, ClientRefusal> {
        let cell = self.cell(table)?;
        let here = lock(&cell.table).record();
        let none =
            || ClientRefusal { code: "not_now", message: "there is no such game".to_owned() };
        let (number, record) = match (here, game) {
            (Some((number, record)), None) => (number, record),
            (Some((number, record)), Some(game)) if number == game => (number, record),
            (_, Some(game)) => (game, self.context.games.game(table, game).ok_or_else(none)?),
            (None, None) => return Err(none()),
        };
        let unwritable = || ClientRefusal {
            code: "not_now",
            message: "this format cannot hold the game".to_owned(),
        };
        let sheet = || ScoreSheet::from_record(&record).map_err(|_| unwritable());
        let text = match format {
            RecordFormat::Json => record.to_json_line() + "\n",
            RecordFormat::Sgf => sgf::write(&sheet()?),
            RecordFormat::Psq => psq::write(&sheet()?).map_err(|_| unwritable())?,
            RecordFormat::View => {
                let game = GameView::of_record(&record, SEATS).map_err(|_| unwritable())?;
                let names = BySeat::from_fn(|seat| &record.header.seats[seat].name);
                serde_json::json!({ "game": game, "names": names }).to_string()
            }
        };
        let table = table.to_owned();
        Ok(written(id, ServerMessage::Record { table, game: number, format, text }))
    }

    /// The public tables, and what is new of them from now on.
    pub(super) fn listen(&self, connection: u64, outbox: &Arc<Outbox>, on: bool) {
        if !on {
            lock(&self.listeners).remove(&connection);
            return;
        }
        // Locked until the client listens, so that it misses no change after the list.
        let listed = lock(&self.listed);
        let mut tables: Vec<_> = listed.values().collect();
        tables.sort_by_key(|table| std::cmp::Reverse(table.opened));
        tables.truncate(MOST_LISTED);
        let tables = tables.into_iter().cloned().collect();
        outbox.push(None, written(None, ServerMessage::Lobby { tables }));
        let seeks = self.seekers.wanted();
        if !seeks.is_empty() {
            outbox.push(None, written(None, ServerMessage::Seeks { seeks }));
        }
        lock(&self.listeners).insert(connection, Arc::clone(outbox));
    }

    fn cell(&self, table: &str) -> Result<Arc<SharedTable>, ClientRefusal> {
        let cell = lock(&self.by_id).get(table).map(|open| Arc::clone(&open.cell));
        cell.map_or_else(no_table, Ok)
    }

    fn cells(&self) -> Vec<Arc<SharedTable>> {
        lock(&self.by_id).values().map(|open| Arc::clone(&open.cell)).collect()
    }

    /// Handles what a change of a table means outside of it.
    fn after(&self, cell: &SharedTable, table: &Table) {
        cell.changed.notify_one();
        self.list_table(table);
    }

    fn list_table(&self, table: &Table) {
        if table.is_listed() {
            return self.list(Some(table.listing()));
        }
        let mut listed = lock(&self.listed);
        if listed.remove(&table.id).is_some() {
            let unlisted = ServerMessage::Unlisted { table: table.id.clone() };
            self.tell_listeners(&written(None, unlisted));
        }
    }

    /// Tells of a table that is new in the list, or has changed.
    fn list(&self, listing: Option<TableListing>) {
        let Some(listing) = listing else { return };
        let mut listed = lock(&self.listed);
        if listed.get(&listing.id) == Some(&listing) {
            return;
        }
        // Told under the lock, so that clients hear of changes in their order.
        let told = ServerMessage::Listed { table: listing.clone() };
        self.tell_listeners(&written(None, told));
        listed.insert(listing.id.clone(), listing);
    }

    fn tell_listeners(&self, text: &axum::extract::ws::Utf8Bytes) {
        for outbox in lock(&self.listeners).values() {
            outbox.push(Some(""), text.clone());
        }
    }

    /// Ends the tables that are not used.
    fn sweep(&self) {
        for cell in self.cells() {
            let mut table = lock(&cell.table);
            let at = self.moment();
            let (idle, is_used, is_running) = table.idleness(at.now);
            let most = match (is_used, is_running) {
                (true, true) => continue,
                (false, true) => FORSAKEN,
                (true, false) => QUIET,
                (false, false) => EMPTY,
            };
            if idle > most {
                table.close("this table was not used for a long time", at);
                lock(&self.by_id).remove(&table.id);
                self.after(&cell, &table);
            }
        }
    }

    /// What an engine of a table tells it with.
    fn teller(&self, table: &str) -> Tell {
        let (me, table) = (self.me.clone(), table.to_owned());
        Arc::new(move |number, news| {
            if let Some(tables) = me.upgrade() {
                tables.with_table(&table, |table, at| table.hear_engine(number, news, at));
            }
        })
    }
}

impl SharedTable {
    /// The table, if it was not closed while this waited for it.
    fn open(&self, at: Moment) -> Result<MutexGuard<'_, Table>, ClientRefusal> {
        let mut table = lock(&self.table);
        table.thaw(at);
        if table.is_closed { no_table() } else { Ok(table) }
    }
}

fn no_table<T>() -> Result<T, ClientRefusal> {
    refused("table", "there is no such table")
}

/// Lets only the owner of a folder enter it.
fn private(dir: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(dir, fs::Permissions::from_mode(0o700))
    }
    #[cfg(not(unix))]
    fs::metadata(dir).map(|_| ())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
