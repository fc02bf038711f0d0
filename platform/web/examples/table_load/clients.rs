//! Players and viewers of the load test.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use tengen_link::messages::PROTOCOL_VERSION;
use tengen_rules::{BySeat, Point, Seat};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};

use super::LoadProblem;

type LoadSocket = WebSocketStream<TcpStream>;

/// The points of the board that are played on: small, so that games end.
const SIDE: u8 = 9;
/// How long a player thinks, in milliseconds.
const THINKS: std::ops::Range<u64> = 400..1600;
/// A move in so many is tried on an occupied point first.
const CHEATS: u64 = 8;
/// The connections that are opened at once.
const DOORS: usize = 64;

/// All tables of the test.
pub struct Load {
    pub address: String,
    tables: Vec<Mutex<SeenTable>>,
    moves: Mutex<Vec<Duration>>,
    refused: AtomicU64,
    viewed: AtomicU64,
    /// The games of which moves that were shown are not there any more.
    pub lost: AtomicUsize,
    doors: Semaphore,
}

/// What is known of a table.
#[derive(Default)]
struct SeenTable {
    id: String,
    keys: BySeat<Option<String>>,
    /// The newest game, and how many of its steps were shown to any client.
    game: u64,
    steps: u64,
}

/// What was measured.
pub struct LoadFigures {
    pub moves: Vec<Duration>,
    pub refused: u64,
    pub viewed: u64,
}

impl LoadFigures {
    /// Within which time so great a part of the moves was answered.
    pub fn percentile(&self, part: f64) -> Duration {
        let last = self.moves.len().saturating_sub(1);
        self.moves.get((last as f64 * part) as usize).copied().unwrap_or(Duration::MAX)
    }
}

impl Load {
    pub fn new(address: String, tables: usize) -> Load {
        Load {
            address,
            tables: (0..tables).map(|_| Mutex::default()).collect(),
            moves: Mutex::default(),
            refused: AtomicU64::new(0),
            viewed: AtomicU64::new(0),
            lost: AtomicUsize::new(0),
            doors: Semaphore::new(DOORS),
        }
    }

    /// What was measured since this was last asked.
    pub fn seen(&self) -> LoadFigures {
        let mut moves = std::mem::take(&mut *lock(&self.moves));
        moves.sort_unstable();
        let (refused, viewed) =
            (self.refused.swap(0, Ordering::SeqCst), self.viewed.swap(0, Ordering::SeqCst));
        LoadFigures { moves, refused, viewed }
    }

    async fn connect(&self, name: &str) -> Result<LoadSocket, LoadProblem> {
        let _door = self.doors.acquire().await?;
        let stream = TcpStream::connect(&self.address).await?;
        stream.set_nodelay(true)?;
        let (mut socket, _) = client_async(format!("ws://{}/play", self.address), stream).await?;
        say(&mut socket, &json!({ "type": "hello", "version": PROTOCOL_VERSION, "name": name }))
            .await?;
        hear(&mut socket, |message| message["type"] == "welcome").await?;
        Ok(socket)
    }

    /// Notes that a player was shown so many steps of a game.
    fn note(&self, place: usize, game: u64, steps: u64) {
        let mut seen = lock(&self.tables[place]);
        if game > seen.game {
            (seen.game, seen.steps) = (game, steps);
        } else if game == seen.game {
            seen.steps = seen.steps.max(steps);
        }
    }
}

/// Lets all clients play and watch for so long.
pub async fn run(load: Arc<Load>, viewers: usize, span: Duration) -> Result<(), LoadProblem> {
    let mut opened = Vec::new();
    for place in 0..load.tables.len() {
        let load = Arc::clone(&load);
        opened.push(tokio::spawn(async move { open(&load, place).await }));
    }
    let mut players = Vec::new();
    for (place, opening) in opened.into_iter().enumerate() {
        for (seat, (socket, table)) in Seat::ALL.into_iter().zip(opening.await??) {
            let player = LoadPlayer::new(Arc::clone(&load), place, seat, socket);
            players.push((player, table));
        }
    }
    let mut watching = Vec::new();
    for place in 0..load.tables.len() {
        for _ in 0..viewers {
            let load = Arc::clone(&load);
            watching.push(tokio::spawn(async move { view(&load, place).await }));
        }
    }
    let mut sockets = Vec::new();
    for viewer in watching {
        sockets.push(viewer.await??);
    }
    // Measuring begins when all are there.
    let until = Instant::now() + span;
    let mut tasks = Vec::new();
    for (player, table) in players {
        tasks.push(tokio::spawn(player.play(table, until)));
    }
    for socket in sockets {
        let load = Arc::clone(&load);
        tasks.push(tokio::spawn(async move { watch(&load, socket, until).await }));
    }
    for task in tasks {
        task.await??;
    }
    Ok(())
}

/// Opens a table with both its players, or comes back to it.
async fn open(load: &Load, place: usize) -> Result<Vec<(LoadSocket, Value)>, LoadProblem> {
    let (id, keys) = {
        let seen = lock(&load.tables[place]);
        (seen.id.clone(), seen.keys.clone())
    };
    let mut first = load.connect(&format!("First {place}")).await?;
    let mut second = load.connect(&format!("Second {place}")).await?;
    let has_seat =
        |message: &Value| message["type"] == "table" && message["you"]["seat"].is_string();
    if id.is_empty() {
        let table = json!({ "size": SIDE, "time": "600+5" });
        say(&mut first, &json!({ "type": "host", "table": table, "seat": "first" })).await?;
        let table = hear(&mut first, has_seat).await?;
        let id = table["table"].as_str().unwrap_or_default().to_owned();
        say(&mut second, &json!({ "type": "enter", "table": id })).await?;
        say(&mut second, &json!({ "type": "sit", "table": id })).await?;
        let of_second = hear(&mut second, has_seat).await?;
        let key = |table: &Value| table["you"]["key"].as_str().map(str::to_owned);
        let mut seen = lock(&load.tables[place]);
        (seen.id, seen.keys) = (id, BySeat { first: key(&table), second: key(&of_second) });
        return Ok(vec![(first, table), (second, of_second)]);
    }
    let mut tables = Vec::new();
    for (socket, key) in [(&mut first, &keys.first), (&mut second, &keys.second)] {
        say(socket, &json!({ "type": "enter", "table": id, "key": key })).await?;
        let table =
            hear(socket, |message| message["type"] == "table" || message["type"] == "error");
        tables.push(table.await?);
    }
    let table = &tables[0];
    let game = table["live"]["game"]["number"].as_u64().unwrap_or(0);
    let steps = table["live"]["game"]["steps"].as_array().map_or(0, Vec::len) as u64;
    let seen = lock(&load.tables[place]);
    if game < seen.game || game == seen.game && steps < seen.steps {
        println!("{id}: {steps} steps of game {game}, not {} of {}", seen.steps, seen.game);
        load.lost.fetch_add(1, Ordering::SeqCst);
    }
    drop(seen);
    Ok([first, second].into_iter().zip(tables).collect())
}

async fn view(load: &Load, place: usize) -> Result<LoadSocket, LoadProblem> {
    let id = lock(&load.tables[place]).id.clone();
    let mut socket = load.connect("Viewer").await?;
    say(&mut socket, &json!({ "type": "enter", "table": id })).await?;
    hear(&mut socket, |message| message["type"] == "table").await?;
    Ok(socket)
}

async fn watch(load: &Load, mut socket: LoadSocket, until: Instant) -> Result<(), LoadProblem> {
    while let Some(left) = until.checked_duration_since(Instant::now()) {
        match tokio::time::timeout(left, socket.next()).await {
            Err(_) => break,
            Ok(None) => return Err("a viewer was hung up on".into()),
            Ok(Some(message)) => {
                if message?.is_text() {
                    load.viewed.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    }
    Ok(())
}

/// A player that sends a move some time after it is asked.
struct LoadPlayer {
    load: Arc<Load>,
    place: usize,
    seat: Seat,
    socket: LoadSocket,
    random: u64,
    game: u64,
    question: u64,
    laid: BTreeSet<Point>,
    /// When a move is to be sent, and when one was that was not answered yet.
    due: Option<Instant>,
    sent: Option<Instant>,
}

impl LoadPlayer {
    fn new(load: Arc<Load>, place: usize, seat: Seat, socket: LoadSocket) -> LoadPlayer {
        let number = place as u64 * 2 + seat as u64 + 1;
        let random = 0x9E37_79B9_7F4A_7C15 ^ number.wrapping_mul(0xD1B5_4A33);
        let (laid, due, sent) = (BTreeSet::new(), None, None);
        LoadPlayer { load, place, seat, socket, random, game: 0, question: 0, laid, due, sent }
    }

    async fn play(mut self, table: Value, until: Instant) -> Result<(), LoadProblem> {
        self.take(&table).await?;
        loop {
            let now = Instant::now();
            if now >= until {
                return Ok(());
            }
            let wake = self.due.map_or(until, |due| due.min(until));
            match tokio::time::timeout(wake.saturating_duration_since(now), self.socket.next())
                .await
            {
                Err(_) => self.act().await?,
                Ok(None) => return Err("a player was hung up on".into()),
                Ok(Some(message)) => {
                    let message = message?;
                    if let Message::Text(text) = message {
                        self.take(&serde_json::from_str(&text)?).await?;
                    }
                }
            }
        }
    }

    /// Sends a move, and sometimes one on an occupied point first.
    async fn act(&mut self) -> Result<(), LoadProblem> {
        if self.due.take().is_none_or(|due| due > Instant::now()) {
            return Ok(());
        }
        if self.next(CHEATS) == 0
            && let Some(&taken) = self.laid.iter().next()
        {
            self.send_move(taken).await?;
        }
        let points = (0..SIDE * SIDE).map(|place| Point::new(place % SIDE, place / SIDE));
        let free: Vec<_> = points.filter(|point| !self.laid.contains(point)).collect();
        if !free.is_empty() {
            let chosen = free[self.next(free.len() as u64) as usize];
            self.sent = Some(Instant::now());
            self.send_move(chosen).await?;
        }
        Ok(())
    }

    async fn send_move(&mut self, point: Point) -> Result<(), LoadProblem> {
        let (table, question) = (self.table(), self.question);
        let act = json!({ "type": "act", "table": table, "question": question, "move": point });
        say(&mut self.socket, &act).await
    }

    fn table(&self) -> String {
        lock(&self.load.tables[self.place]).id.clone()
    }

    async fn take(&mut self, message: &Value) -> Result<(), LoadProblem> {
        match message["type"].as_str().unwrap_or_default() {
            "table" => {
                self.seat = seat(&message["you"]["seat"]).unwrap_or(self.seat);
                if let Some(key) = message["you"]["key"].as_str() {
                    let mut seen = lock(&self.load.tables[self.place]);
                    seen.keys[self.seat] = Some(key.to_owned());
                }
                let game = &message["live"]["game"];
                let steps = game["steps"].as_array().cloned().unwrap_or_default();
                self.game = game["number"].as_u64().unwrap_or(0);
                self.laid = steps.iter().filter_map(point).collect();
                self.load.note(self.place, self.game, steps.len() as u64);
                self.sent = None;
                if message["state"]["phase"] == "over" {
                    return self.again().await;
                }
            }
            "step" => {
                self.laid.extend(point(&message["step"]));
                let shown = message["place"].as_u64().unwrap_or(0) + 1;
                self.load.note(self.place, self.game, shown);
                if seat(&message["step"]["seat"]) == Some(self.seat)
                    && let Some(sent) = self.sent.take()
                {
                    lock(&self.load.moves).push(sent.elapsed());
                }
            }
            "over" => return self.again().await,
            "error" if message["code"] == "illegal" => {
                self.load.refused.fetch_add(1, Ordering::Relaxed);
                return Ok(());
            }
            "error" if message["code"] == "not_now" => return Ok(()),
            "error" => return Err(format!("refused: {message}").into()),
            _ => return Ok(()),
        }
        self.question = message["question"].as_u64().unwrap_or(self.question);
        let is_asked = seat(&message["waiting"]) == Some(self.seat);
        let thinks = THINKS.start + self.next(THINKS.end - THINKS.start);
        self.due = is_asked.then(|| Instant::now() + Duration::from_millis(thinks));
        Ok(())
    }

    async fn again(&mut self) -> Result<(), LoadProblem> {
        (self.due, self.sent) = (None, None);
        let again = json!({ "type": "request", "table": self.table(), "what": "again" });
        say(&mut self.socket, &again).await
    }

    /// A number below that one (SplitMix64).
    fn next(&mut self, below: u64) -> u64 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % below
    }
}

/// The point that a step laid a stone on.
fn point(step: &Value) -> Option<Point> {
    step["move"].as_str()?.parse().ok()
}

fn seat(named: &Value) -> Option<Seat> {
    Seat::deserialize(named).ok()
}

async fn say(socket: &mut LoadSocket, message: &Value) -> Result<(), LoadProblem> {
    Ok(socket.send(Message::text(message.to_string())).await?)
}

async fn hear(
    socket: &mut LoadSocket,
    is_wanted: impl Fn(&Value) -> bool,
) -> Result<Value, LoadProblem> {
    while let Some(message) = socket.next().await {
        if let Message::Text(text) = message? {
            let message = serde_json::from_str(&text)?;
            if is_wanted(&message) {
                return Ok(message);
            }
        }
    }
    Err("the server hung up".into())
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
