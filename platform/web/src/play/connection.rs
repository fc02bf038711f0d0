//! One client: its socket, its limits, and the rooms that it is in.

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::sync::watch;

use super::error_message;
use super::messages::{MessageLimits, NamedEngine, Welcome};
use super::outbox::{Next, Outbox};
use super::pings::Pings;
use super::protocol::{
    ClientKind, ClientMessage, Hello, MOST_BYTES, MOST_CHAT, MOST_NAME, PROTOCOL_VERSION,
    RoomMessage, read_message,
};
use super::rate::RateLimiter;
use super::room::{ClientRefusal, Visitor, refused, written};
use super::settings::MOST_TITLE;
use super::tables::Tables;
use crate::server::network;
use crate::text::plain;

/// How long a client may take to say who it is.
const HELLO: Duration = Duration::from_secs(10);
/// How long nothing may come from a client, not even the answer to a ping.
const SILENCE: Duration = Duration::from_secs(30);
/// How often a client is pinged.
const PING: Duration = Duration::from_secs(5);
/// How long what is sent may take.
const SEND: Duration = Duration::from_secs(20);
/// How long a wrong password is waited with.
const WRONG: Duration = Duration::from_secs(1);
/// The rooms that one connection may be in.
const MOST_ROOMS: usize = 16;
/// The messages that are none before the connection ends.
const MOST_REFUSED: u32 = 200;
/// What a client that has no name is called.
const NAMELESS: &str = "Guest";

/// Takes a client that wants to play, until the server is `over`. It holds `counted` that long.
pub(crate) fn join(
    tables: Arc<Tables>,
    address: IpAddr,
    headers: &HeaderMap,
    upgrade: WebSocketUpgrade,
    over: watch::Receiver<bool>,
    counted: impl Send + 'static,
) -> Response {
    if !is_own_page(headers, &tables.origins) {
        let problem = "this page is of another origin; the server's owner can allow it with \
                       --origin";
        return (StatusCode::FORBIDDEN, problem).into_response();
    }
    upgrade.max_message_size(MOST_BYTES).max_frame_size(MOST_BYTES).on_upgrade(
        move |socket| async move {
            serve(tables, address, socket, over).await;
            drop(counted);
        },
    )
}

/// Whether the request is of no page, of this server's, or of one that was allowed.
pub(super) fn is_own_page(headers: &HeaderMap, allowed: &[String]) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    if allowed.iter().any(|one| one == origin) {
        return true;
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let of_page = origin.split_once("://").map(|(_, host)| host);
    host.is_some() && host == of_page
}

struct Connection {
    tables: Arc<Tables>,
    number: u64,
    /// Of the network that counts as one.
    address: IpAddr,
    outbox: Arc<Outbox>,
    name: String,
    kind: ClientKind,
    is_owner: bool,
    rooms: BTreeSet<String>,
    messages: RateLimiter,
    lines: RateLimiter,
    steps: RateLimiter,
    refused: u32,
    lag: Option<u64>,
}

async fn serve(
    tables: Arc<Tables>,
    address: IpAddr,
    socket: WebSocket,
    mut over: watch::Receiver<bool>,
) {
    let (mut sink, mut stream) = socket.split();
    let hello = tokio::time::timeout(HELLO, next_text(&mut stream)).await;
    let Ok(Some(text)) = hello else { return };
    let mut connection = match greet(&tables, address, &text).await {
        Ok(connection) => connection,
        Err((id, refusal)) => {
            let text = error_message(refusal.code, &refusal.message, id, None);
            let _gone = sink.send(Message::Text(text)).await;
            let frame = CloseFrame { code: 1008, reason: Utf8Bytes::from_static(refusal.code) };
            let _gone = sink.send(Message::Close(Some(frame))).await;
            return;
        }
    };
    let pings = Arc::new(Pings::new());
    let writer = tokio::spawn(write(
        sink,
        Arc::clone(&connection.outbox),
        Arc::clone(&tables),
        connection.number,
        Arc::clone(&pings),
    ));
    loop {
        let message = tokio::select! {
            next = tokio::time::timeout(SILENCE, stream.next()) => match next {
                Ok(Some(Ok(message))) => message,
                _ => break,
            },
            _ = over.wait_for(|over| *over) => break,
        };
        // What comes faster waits, so that nothing of a fast engine is lost.
        while let Err(wait) = connection.messages.take(Instant::now()) {
            tokio::time::sleep(wait).await;
        }
        match message {
            Message::Text(text) => {
                if !connection.hear(&text) {
                    break;
                }
            }
            Message::Pong(payload) => {
                if let Some(lag) = pings.lag(&payload) {
                    connection.note_lag(lag);
                }
            }
            Message::Ping(_) => {}
            Message::Binary(_) => {
                connection.refuse("message", "messages are text", None, None);
            }
            Message::Close(_) => break,
        }
        if writer.is_finished() {
            break;
        }
    }
    for room in &connection.rooms {
        tables.leave(room, connection.number);
    }
    tables.listen(connection.number, &connection.outbox, false);
    connection.outbox.close();
    let _gone = tokio::time::timeout(SEND, writer).await;
}

async fn next_text(stream: &mut SplitStream<WebSocket>) -> Option<Utf8Bytes> {
    loop {
        match stream.next().await?.ok()? {
            Message::Text(text) => return Some(text),
            Message::Ping(_) | Message::Pong(_) => {}
            Message::Binary(_) | Message::Close(_) => return None,
        }
    }
}

/// Reads the first message, which has to be `hello`.
async fn greet(
    tables: &Arc<Tables>,
    address: IpAddr,
    text: &str,
) -> Result<Connection, (Option<u64>, ClientRefusal)> {
    let (id, message) = read_message(text)
        .map_err(|bad| (bad.id, ClientRefusal { code: "message", message: bad.problem }))?;
    let refused = |code, message: String| Err((id, ClientRefusal { code, message }));
    let ClientMessage::Hello(hello) = message else {
        return refused("hello", "the first message has to be `hello`".to_owned());
    };
    let Hello { version, name, kind, agent, password } = hello;
    if version != PROTOCOL_VERSION {
        let problem = format!(
            "this server speaks version {PROTOCOL_VERSION} of the protocol, and the client version \
             {version}; use a client of the same version of tengen"
        );
        return refused("version", problem);
    }
    let is_owner = password.as_deref().is_some_and(|password| tables.is_password(password));
    if password.is_some() && !is_owner {
        tokio::time::sleep(WRONG).await;
        return refused("password", "this is not the password of the server's owner".to_owned());
    }
    let number = tables.next_connection();
    log::debug!("client {number} from {address}: {}", plain(&agent, MOST_NAME));
    let outbox = Arc::new(Outbox::default());
    let engines = &tables.engines().known;
    let welcome = Welcome {
        version: PROTOCOL_VERSION,
        server: format!("tengen {}", env!("CARGO_PKG_VERSION")),
        now: tables.moment().date,
        engines: engines
            .iter()
            .map(|one| NamedEngine { id: one.id.clone(), name: one.name.clone() })
            .collect(),
        owner: is_owner,
        rooms: tables.len(),
        limits: MessageLimits {
            message: MOST_BYTES,
            name: MOST_NAME,
            chat: MOST_CHAT,
            title: MOST_TITLE,
            rooms: MOST_ROOMS,
        },
    };
    outbox.push(None, written("welcome", id, welcome));
    Ok(Connection {
        tables: Arc::clone(tables),
        number,
        address: network(address),
        outbox,
        name: shown_name(&name),
        kind,
        is_owner,
        rooms: BTreeSet::new(),
        messages: RateLimiter::new(400.0, 200.0),
        lines: RateLimiter::new(12.0, 1.0),
        steps: RateLimiter::new(80.0, 2.0),
        refused: 0,
        lag: None,
    })
}

fn shown_name(name: &str) -> String {
    let name = plain(name.trim(), MOST_NAME);
    if name.is_empty() { NAMELESS.to_owned() } else { name }
}

/// Sends what waits, and pings.
async fn write(
    mut sink: SplitSink<WebSocket, Message>,
    outbox: Arc<Outbox>,
    tables: Arc<Tables>,
    connection: u64,
    pings: Arc<Pings>,
) {
    let mut ping = tokio::time::interval(PING);
    loop {
        let message = tokio::select! {
            next = outbox.next() => match next {
                Next::Send(text) => Message::Text(text),
                Next::Anew(rooms) => {
                    for room in rooms {
                        tables.with_room(&room, |room, at| room.show_anew(connection, at));
                    }
                    continue;
                }
                Next::Close => break,
            },
            _ = ping.tick() => Message::Ping(Bytes::copy_from_slice(&pings.next())),
        };
        match tokio::time::timeout(SEND, sink.send(message)).await {
            Ok(Ok(())) => {}
            _ => return,
        }
    }
    let _gone = tokio::time::timeout(SEND, sink.send(Message::Close(None))).await;
}

impl Connection {
    /// Takes a message. Returns whether the connection goes on.
    fn hear(&mut self, text: &str) -> bool {
        let now = Instant::now();
        let (id, message) = match read_message(text) {
            Ok(read) => read,
            Err(bad) => {
                self.refused += 1;
                self.refuse("message", &bad.problem, bad.id, None);
                return self.refused < MOST_REFUSED;
            }
        };
        let room = match &message {
            ClientMessage::Room { room, .. } => Some(plain(room, MOST_NAME)),
            _ => None,
        };
        if let Err(refusal) = self.handle(message, id, now) {
            self.refuse(refusal.code, &refusal.message, id, room.as_deref());
        }
        true
    }

    fn handle(
        &mut self,
        message: ClientMessage,
        id: Option<u64>,
        now: Instant,
    ) -> Result<(), ClientRefusal> {
        match message {
            ClientMessage::Hello(_) => refused("hello", "`hello` was sent before"),
            ClientMessage::List(on) => {
                self.take_step(now)?;
                self.tables.listen(self.number, &self.outbox, on);
                Ok(())
            }
            ClientMessage::Name(name) => {
                if !self.lines.allows(now) {
                    return refused("too_fast", "the name was changed too often; wait a moment");
                }
                self.name = shown_name(&name);
                for room in &self.rooms {
                    self.tables.with_room(room, |room, at| {
                        room.rename(self.number, &self.name, at);
                    });
                }
                Ok(())
            }
            ClientMessage::Host { table, seat } => {
                self.check_rooms()?;
                let visitor = self.visitor();
                let room = self.tables.host(visitor, self.address, table, seat, id)?;
                self.rooms.insert(room);
                Ok(())
            }
            ClientMessage::Room { room, message } => self.handle_room(room, message, id, now),
        }
    }

    fn handle_room(
        &mut self,
        room: String,
        message: RoomMessage,
        id: Option<u64>,
        now: Instant,
    ) -> Result<(), ClientRefusal> {
        if is_step(&message) {
            self.take_step(now)?;
        }
        if let RoomMessage::Enter { key } = message {
            if !self.rooms.contains(&room) {
                self.check_rooms()?;
            }
            self.tables.enter(&room, self.visitor(), key.as_deref(), id)?;
            self.rooms.insert(room);
            return Ok(());
        }
        if !self.rooms.contains(&room) {
            return refused("room", "enter the table first");
        }
        match message {
            RoomMessage::Record { game, format } => {
                if !self.lines.allows(now) {
                    return refused("too_fast", "too many records were asked for; wait a moment");
                }
                let text = self.tables.record(&room, game, format, id)?;
                self.outbox.push(Some(&room), text);
                return Ok(());
            }
            RoomMessage::Leave => {
                self.rooms.remove(&room);
            }
            RoomMessage::Chat(_) | RoomMessage::Engine(_) | RoomMessage::Request(_)
                if !self.lines.allows(now) =>
            {
                return refused("too_fast", "too many requests; wait a moment");
            }
            _ => {}
        }
        self.tables.handle(&room, self.number, self.is_owner, message, id)
    }

    /// Counts what is dear to the server: all of a table, or a message to everybody there.
    fn take_step(&mut self, now: Instant) -> Result<(), ClientRefusal> {
        if self.steps.allows(now) {
            return Ok(());
        }
        refused("too_fast", "too many requests; wait a moment")
    }

    fn check_rooms(&mut self) -> Result<(), ClientRefusal> {
        // Those that were closed count no more.
        self.rooms.retain(|room| self.tables.has(room));
        if self.rooms.len() < MOST_ROOMS {
            return Ok(());
        }
        refused(
            "too_many",
            format!("a connection may be at {MOST_ROOMS} tables at most; leave one"),
        )
    }

    fn visitor(&self) -> Visitor {
        Visitor {
            connection: self.number,
            outbox: Arc::clone(&self.outbox),
            name: self.name.clone(),
            kind: self.kind,
            is_owner: self.is_owner,
            lag: self.lag,
            address: Some(self.address),
        }
    }

    fn refuse(&self, code: &str, message: &str, id: Option<u64>, room: Option<&str>) {
        self.outbox.push(None, error_message(code, message, id, room));
    }

    fn note_lag(&mut self, lag: u64) {
        self.lag = Some(lag);
        for room in &self.rooms {
            self.tables.with_room(room, |room, at| room.set_lag(self.number, lag, at));
        }
    }
}

/// Whether it is one of what is dear to the server.
fn is_step(message: &RoomMessage) -> bool {
    matches!(
        message,
        RoomMessage::Enter { .. }
            | RoomMessage::Sit { .. }
            | RoomMessage::Stand
            | RoomMessage::Remove(_)
    )
}
