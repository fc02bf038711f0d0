//! One client: its socket, its limits, and the tables that it is at.

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::ws::{Utf8Bytes, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use tokio::sync::watch;

use super::error_message;
use super::outbox::Outbox;
use super::rate::RateLimiter;
use super::socket::{
    self, JoinRefusal, PING, SocketClient, check_version, is_own_page, refuse_secret,
};
use super::table::{ClientRefusal, MOST_CHAT, Visitor, refused};
use super::tables::Tables;
use super::written;
use crate::server::network;
use tengen_link::messages::MOST_TITLE;
use tengen_link::messages::{
    BadMessage, ChatPicture, ClientKind, ClientMessage, Heard, Hello, MOST_BYTES, MOST_NAME,
    MOST_PICTURE_BYTES, PROTOCOL_VERSION, ServerMessage, TableInput, ToTable, read_message,
};
use tengen_link::messages::{MessageLimits, NamedEngine, Welcome};
use tengen_link::plain;

/// The most tables that one connection may be at: the messages of all of them wait in one outbox.
const MOST_AT_ONCE: usize = 16;
/// What a client that has no name is called.
const NAMELESS: &str = "Guest";

/// Serves a client that wants to play, until the server is `over`. It holds `counted` that long.
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
    let most = MOST_PICTURE_BYTES;
    socket::upgrade(upgrade, over, most, counted, move |text| greet(tables, address, text))
}

struct TableConnection {
    tables: Arc<Tables>,
    number: u64,
    /// Of the network that counts as one.
    address: IpAddr,
    outbox: Arc<Outbox>,
    name: String,
    kind: ClientKind,
    is_owner: bool,
    /// The tables that it is at.
    entered: BTreeSet<String>,
    lines: RateLimiter,
    steps: RateLimiter,
    pictures: RateLimiter,
    lag: Option<u64>,
    has_beats: bool,
}

/// Reads the first message, which has to be `hello`.
async fn greet(
    tables: Arc<Tables>,
    address: IpAddr,
    text: Utf8Bytes,
) -> Result<TableConnection, JoinRefusal> {
    let (id, message) = read_message(&text)
        .map_err(|bad| (bad.id, ClientRefusal { code: "message", message: bad.problem }))?;
    welcome(tables, address, id, message).await.map_err(|refusal| (id, refusal))
}

async fn welcome(
    tables: Arc<Tables>,
    address: IpAddr,
    id: Option<u64>,
    message: Heard,
) -> Result<TableConnection, ClientRefusal> {
    let Heard::Server(ClientMessage::Hello(hello)) = message else {
        return refused("hello", "the first message has to be `hello`");
    };
    let Hello { version, name, kind, agent, password } = hello;
    check_version(version)?;
    let client = network(address);
    if password.is_some() {
        tables.guesses.look(client, Instant::now())?;
    }
    let is_owner = password.as_deref().is_some_and(|password| tables.is_password(password));
    if password.is_some() && !is_owner {
        tables.guesses.wrong(client, Instant::now());
        let problem = "this is not the password of the server's owner";
        return refuse_secret("password", problem).await;
    }
    let number = tables.count_new();
    let name = shown_name(&name);
    let shown_agent = plain(&agent, MOST_NAME);
    log::info!("client {number} is connected from {address}: {name}, {shown_agent}");
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
        tables: tables.len(),
        beat: u64::try_from(PING.as_millis()).expect("a few seconds"),
        limits: MessageLimits {
            message: MOST_BYTES,
            picture: MOST_PICTURE_BYTES,
            name: MOST_NAME,
            chat: MOST_CHAT,
            title: MOST_TITLE,
            tables: MOST_AT_ONCE,
        },
    };
    outbox.push(None, written(id, ServerMessage::Welcome(welcome)));
    Ok(TableConnection {
        tables,
        number,
        address: client,
        outbox,
        name,
        kind,
        is_owner,
        entered: BTreeSet::new(),
        lines: RateLimiter::new(12.0, 1.0),
        steps: RateLimiter::new(80.0, 2.0),
        pictures: RateLimiter::new(1.0, 0.2),
        lag: None,
        has_beats: false,
    })
}

fn shown_name(name: &str) -> String {
    let name = plain(name.trim(), MOST_NAME);
    if name.is_empty() { NAMELESS.to_owned() } else { name }
}

impl SocketClient for TableConnection {
    fn outbox(&self) -> &Arc<Outbox> {
        &self.outbox
    }

    fn hear(&mut self, text: &str, at: Instant) -> Result<(), BadMessage> {
        let (id, message) = read_message(text)?;
        let table = match &message {
            Heard::Table(ToTable { table, .. }) => Some(plain(table, MOST_NAME)),
            _ => None,
        };
        if let Err(refusal) = self.handle(message, id, at) {
            let text = error_message(refusal.code, &refusal.message, id, table.as_deref());
            self.outbox.push(None, text);
        }
        Ok(())
    }

    fn note_lag(&mut self, lag: u64) {
        self.lag = Some(lag);
        for table in &self.entered {
            self.tables.with_table(table, |table, at| table.set_lag(self.number, lag, at));
        }
    }

    fn has_beats(&self) -> bool {
        self.has_beats
    }

    fn show_anew(&self) -> impl Fn(&str) + Send + 'static {
        let (tables, number) = (Arc::clone(&self.tables), self.number);
        move |table| tables.with_table(table, |table, at| table.show_anew(number, at))
    }

    fn leave(&mut self, _is_over: bool) {
        self.tables.count_left();
        log::info!("client {} has left: {}", self.number, self.name);
        for table in &self.entered {
            self.tables.leave(table, self.number);
        }
        self.tables.listen(self.number, &self.outbox, false);
        self.tables.give_up_seeking(self.number);
    }
}

impl TableConnection {
    fn handle(
        &mut self,
        message: Heard,
        id: Option<u64>,
        now: Instant,
    ) -> Result<(), ClientRefusal> {
        let message = match message {
            Heard::Server(message) => message,
            Heard::Table(ToTable { table, message }) => {
                return self.handle_at_table(table, message, id, now);
            }
        };
        match message {
            ClientMessage::Hello(_) => refused("hello", "`hello` was sent before"),
            ClientMessage::Join(_) => refused("hello", "`join` is for the path /join of an event"),
            ClientMessage::Seek { on: false, .. } => {
                self.tables.give_up_seeking(self.number);
                Ok(())
            }
            ClientMessage::Seek { table, .. } => {
                self.take_step(now)?;
                self.tables.seek(self.visitor(), self.address, table, id)
            }
            ClientMessage::Beat {} => {
                self.has_beats = true;
                let beat = ServerMessage::Beat { now: self.tables.moment().date };
                self.outbox.push(None, written(id, beat));
                Ok(())
            }
            ClientMessage::List { on } => {
                self.take_step(now)?;
                self.tables.listen(self.number, &self.outbox, on);
                Ok(())
            }
            ClientMessage::Name { name } => {
                if !self.lines.allows(now) {
                    return refused("too_fast", "the name was changed too often; wait a moment");
                }
                self.name = shown_name(&name);
                for table in &self.entered {
                    self.tables.with_table(table, |table, at| {
                        table.rename(self.number, &self.name, at);
                    });
                }
                Ok(())
            }
            ClientMessage::Host { table, seat, engine } => {
                self.check_tables()?;
                let visitor = self.visitor();
                let engine = engine.as_deref();
                let table = self.tables.host(visitor, self.address, table, seat, engine, id)?;
                self.entered.insert(table);
                Ok(())
            }
        }
    }

    fn handle_at_table(
        &mut self,
        table: String,
        message: TableInput,
        id: Option<u64>,
        now: Instant,
    ) -> Result<(), ClientRefusal> {
        if is_step(&message) {
            self.take_step(now)?;
        }
        if let TableInput::Enter { key } = message {
            if !self.entered.contains(&table) {
                self.check_tables()?;
            }
            self.guess(key.is_some(), now, |this| {
                this.tables.enter(&table, this.visitor(), key.as_deref(), id)
            })?;
            self.entered.insert(table);
            return Ok(());
        }
        if !self.entered.contains(&table) {
            return refused("table", "enter the table first");
        }
        match message {
            TableInput::Record { game, format } => {
                if !self.lines.allows(now) {
                    return refused("too_fast", "too many records were asked for; wait a moment");
                }
                let text = self.tables.record(&table, game, format, id)?;
                self.outbox.push(Some(&table), text);
                return Ok(());
            }
            TableInput::Leave {} => {
                self.entered.remove(&table);
            }
            TableInput::Chat { .. } | TableInput::Engine { .. } | TableInput::Request { .. }
                if !self.lines.allows(now) =>
            {
                return refused("too_fast", "too many requests; wait a moment");
            }
            TableInput::Chat { text, picture } => {
                let picture = picture.map(|data| self.draw(&data, now)).transpose()?;
                return self.tables.say(&table, self.number, &text, picture);
            }
            _ => {}
        }
        let has_key = matches!(&message, TableInput::Sit { key: Some(_), .. });
        self.guess(has_key, now, |this| {
            this.tables.handle(&table, this.number, this.is_owner, message, id)
        })
    }

    /// Draws a picture of this client anew.
    fn draw(&mut self, data: &str, now: Instant) -> Result<ChatPicture, ClientRefusal> {
        if !self.pictures.allows(now) {
            return refused("too_fast", "a picture may be shown every five seconds; wait a moment");
        }
        self.tables.pictures.take(data)
    }

    /// Does what may need a key, unless too many keys of this client were wrong.
    fn guess(
        &self,
        has_key: bool,
        now: Instant,
        act: impl FnOnce(&TableConnection) -> Result<(), ClientRefusal>,
    ) -> Result<(), ClientRefusal> {
        if !has_key {
            return act(self);
        }
        self.tables.guesses.look(self.address, now)?;
        let done = act(self);
        if done.as_ref().is_err_and(|refusal| refusal.code == "key") {
            self.tables.guesses.wrong(self.address, now);
        }
        done
    }

    /// Counts what is expensive for the server: a whole table, or a message to all of its members.
    fn take_step(&mut self, now: Instant) -> Result<(), ClientRefusal> {
        if self.steps.allows(now) {
            return Ok(());
        }
        refused("too_fast", "too many requests; wait a moment")
    }

    fn check_tables(&mut self) -> Result<(), ClientRefusal> {
        // Those that were closed count no more.
        self.entered.retain(|table| self.tables.has(table));
        if self.entered.len() < MOST_AT_ONCE {
            return Ok(());
        }
        refused(
            "too_many",
            format!("a connection may be at {MOST_AT_ONCE} tables at most; leave one"),
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
}

/// Whether it is expensive for the server.
fn is_step(message: &TableInput) -> bool {
    matches!(
        message,
        TableInput::Enter { .. }
            | TableInput::Sit { .. }
            | TableInput::Stand {}
            | TableInput::Remove { .. }
    )
}
