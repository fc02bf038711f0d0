//! The connection of a team: its socket and its limits.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use tengen_players::GameVariant;
use tokio::sync::watch;

use super::team::{NotNow, Team, TeamAnswer};
use super::{TeamNews, Teams};
use crate::play::connection::is_own_page;
use crate::play::error_message;
use crate::play::keys::is_plausible;
use crate::play::outbox::{Next, Outbox};
use crate::play::pings::Pings;
use crate::play::protocol::{MOST_BYTES, MOST_NAME, PROTOCOL_VERSION};
use crate::play::rate::RateLimiter;
use crate::play::room::written;
use crate::play::team_protocol::{JoinMessage, MOST_TABLES, TeamMessage, read_team_message};
use crate::text::plain;

/// How long a client may take to say who it is.
const JOIN: Duration = Duration::from_secs(10);
/// How long nothing may come from a client, not even the answer to a ping.
const SILENCE: Duration = Duration::from_secs(30);
/// How often a client is pinged.
const PING: Duration = Duration::from_secs(5);
/// How long what is sent may take.
const SEND: Duration = Duration::from_secs(20);
/// How long a wrong key is waited with.
const WRONG: Duration = Duration::from_secs(1);
/// The messages that are none before the connection ends.
const MOST_REFUSED: u32 = 200;

/// Takes a client that says that it is of a team, until the server is `over`. It holds `counted`
/// that long.
pub(crate) fn join_team(
    teams: Arc<Teams>,
    address: IpAddr,
    headers: &HeaderMap,
    upgrade: WebSocketUpgrade,
    over: watch::Receiver<bool>,
    counted: impl Send + 'static,
) -> Response {
    if !is_own_page(headers, &[]) {
        return (StatusCode::FORBIDDEN, "this page is of another origin").into_response();
    }
    upgrade.max_message_size(MOST_BYTES).max_frame_size(MOST_BYTES).on_upgrade(
        move |socket| async move {
            serve(teams, address, socket, over).await;
            drop(counted);
        },
    )
}

/// Why a client is not let in: a code, and why.
type JoinRefusal = (&'static str, String);

async fn serve(
    teams: Arc<Teams>,
    address: IpAddr,
    socket: WebSocket,
    mut over: watch::Receiver<bool>,
) {
    let (mut sink, mut stream) = socket.split();
    let first = tokio::time::timeout(JOIN, next_text(&mut stream)).await;
    let Ok(Some(text)) = first else { return };
    let (number, outbox) = (teams.next_connection(), Arc::new(Outbox::default()));
    let team = match greet(&teams, address, &text, number, &outbox).await {
        Ok(team) => team,
        Err((code, message)) => {
            let text = error_message(code, &message, None, None);
            let _gone = sink.send(Message::Text(text)).await;
            let frame = CloseFrame { code: 1008, reason: Utf8Bytes::from_static(code) };
            let _gone = sink.send(Message::Close(Some(frame))).await;
            return;
        }
    };
    let pings = Arc::new(Pings::new());
    let writer = tokio::spawn(write(sink, Arc::clone(&outbox), Arc::clone(&pings)));
    let (mut messages, mut refused) = (RateLimiter::new(400.0, 200.0), 0);
    loop {
        let message = tokio::select! {
            next = tokio::time::timeout(SILENCE, stream.next()) => match next {
                Ok(Some(Ok(message))) => message,
                _ => break,
            },
            _ = over.wait_for(|over| *over) => break,
        };
        // The clock stops when it was read, however long it has to wait.
        let at = Instant::now();
        while let Err(wait) = messages.take(Instant::now()) {
            tokio::time::sleep(wait).await;
        }
        match message {
            Message::Text(text) => match read_team_message(&text) {
                Ok((id, message)) => {
                    if let Err(error) = hear(&team, number, id, message, at) {
                        outbox.push(None, error);
                    }
                }
                Err(bad) => {
                    refused += 1;
                    outbox.push(None, error_message("message", &bad.problem, bad.id, None));
                }
            },
            Message::Pong(payload) => {
                if let Some(lag) = pings.lag(&payload) {
                    team.note_lag(number, lag);
                }
            }
            Message::Ping(_) => {}
            Message::Binary(_) => {
                refused += 1;
                outbox.push(None, error_message("message", "messages are text", None, None));
            }
            Message::Close(_) => break,
        }
        if writer.is_finished() || refused >= MOST_REFUSED {
            break;
        }
    }
    if team.disconnect(number) && !*over.borrow() {
        (teams.tell)(TeamNews::Gone { team: team.label.clone() });
    }
    outbox.close();
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

/// Reads the first message, which has to be `join`.
async fn greet(
    teams: &Teams,
    address: IpAddr,
    text: &str,
    connection: u64,
    outbox: &Arc<Outbox>,
) -> Result<Arc<Team>, JoinRefusal> {
    let (id, message) = read_team_message(text).map_err(|bad| ("message", bad.problem))?;
    let TeamMessage::Join(JoinMessage { version, key, name, agent, tables }) = message else {
        return Err(("join", "the first message has to be `join`".to_owned()));
    };
    if version != PROTOCOL_VERSION {
        let problem = format!(
            "this server speaks version {PROTOCOL_VERSION} of the protocol, and the client version \
             {version}; use a client of the same version of tengen"
        );
        return Err(("version", problem));
    }
    if !(1..=MOST_TABLES).contains(&tables) {
        let problem = format!("an engine plays 1 to {MOST_TABLES} games at once, not {tables}");
        return Err(("settings", problem));
    }
    let team = Some(key).filter(|key| is_plausible(key)).and_then(|key| teams.with_key(&key));
    let Some(team) = team else {
        tokio::time::sleep(WRONG).await;
        let problem = "no team of this event has this key; ask who runs it for your team's link";
        return Err(("key", problem.to_owned()));
    };
    let GameVariant { rule, size, opening } = teams.options.variant;
    let joined = |rooms: Vec<&String>| {
        let message = json!({
            "version": PROTOCOL_VERSION,
            "server": format!("tengen {}", env!("CARGO_PKG_VERSION")),
            "event": teams.options.title,
            "name": team.label,
            "settings": {
                "rule": rule.to_string(),
                "size": size.to_string(),
                "opening": opening.name(),
            },
            "rooms": rooms,
            "limits": { "message": MOST_BYTES },
        });
        written("joined", id, message)
    };
    let was_there =
        team.connect(connection, outbox, tables, joined).map_err(|why| ("over", why))?;
    let (name, agent) = (plain(name.trim(), MOST_NAME), plain(agent.trim(), MOST_NAME));
    log::debug!("{} is connected from {address}: {name}, {agent}", team.label);
    if was_there {
        (teams.tell)(TeamNews::Replaced { team: team.label.clone() });
    } else {
        let words = [name, agent];
        let words: Vec<_> = words.iter().filter(|word| !word.is_empty()).cloned().collect();
        (teams.tell)(TeamNews::Came { team: team.label.clone(), engine: words.join(", "), tables });
    }
    Ok(team)
}

/// Takes a message. Gives what the client is told that is wrong with it.
fn hear(
    team: &Team,
    connection: u64,
    id: Option<u64>,
    message: TeamMessage,
    at: Instant,
) -> Result<(), Utf8Bytes> {
    let in_game = |room: &str, done: Result<(), NotNow>| {
        let room = plain(room, MOST_NAME);
        done.map_err(|NotNow(why)| error_message("not_now", why, id, Some(&room)))
    };
    match message {
        TeamMessage::Join(_) => Err(error_message("join", "that was said before", id, None)),
        TeamMessage::Ready { room } => {
            let ready = team.in_game(connection, &room, |game, _| {
                game.is_ready = true;
                Ok(())
            });
            in_game(&room, ready)
        }
        TeamMessage::Failed { room, reason } => {
            let failed = team.in_game(connection, &room, |game, _| {
                game.failure = Some(format!("its team says that it failed: {reason}"));
                Ok(())
            });
            in_game(&room, failed)
        }
        TeamMessage::Act { room, act } => {
            let acted = team.in_game(connection, &room, |game, lag| {
                let asked = game.question.as_ref().map(|open| open.question.number);
                if asked != Some(act.question) || game.answer.is_some() {
                    return Err(NotNow("this question is not open"));
                }
                let lag = lag.map(|millis| millis.saturating_mul(1_000_000));
                game.answer = Some(TeamAnswer { act: *act, at, lag });
                Ok(())
            });
            in_game(&room, acted)
        }
    }
}

/// Sends what waits, and pings.
async fn write(mut sink: SplitSink<WebSocket, Message>, outbox: Arc<Outbox>, pings: Arc<Pings>) {
    let mut ping = tokio::time::interval(PING);
    loop {
        let message = tokio::select! {
            next = outbox.next() => match next {
                Next::Send(text) => Message::Text(text),
                // Nothing of a team belongs to a room of tables.
                Next::Anew(_) => continue,
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
