//! The socket of a client, whether it is at tables or of a team: its first message, its limits, its
//! pings, and what is sent to it.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::{HeaderMap, header};
use axum::response::Response;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::sync::watch;

use super::error_message;
use super::outbox::{Next, Outbox};
use super::pings::Pings;
use super::rate::RateLimiter;
use super::table::{ClientRefusal, refused};
use super::written;
use tengen_link::messages::{BadMessage, MOST_BYTES, PROTOCOL_VERSION, ServerMessage};

/// How many messages of a client are read each second, and twice as many at once.
pub(super) const MESSAGES_A_SECOND: f64 = 200.0;
/// How long a client may take to greet.
const FIRST: Duration = Duration::from_secs(10);
/// How long nothing may come from a client, not even the answer to a ping: that is ten pings, since
/// a program may be busy. One that has beats is missed after three.
const SILENCE: Duration = Duration::from_secs(30);
const SILENCE_OF_BEATS: Duration = Duration::from_millis(9_500);
/// How often a client is pinged, and told that the server is there.
pub(super) const PING: Duration = Duration::from_secs(3);
/// How long what is sent may take.
const SEND: Duration = Duration::from_secs(20);
/// How long the answer to a wrong password or key is delayed.
const WRONG: Duration = Duration::from_secs(1);
/// How many invalid messages a client may send before the connection ends.
const MOST_REFUSED: u32 = 200;

/// Why a client is not let in, and the number of the message by which it wanted to come in.
pub(super) type JoinRefusal = (Option<u64>, ClientRefusal);

pub(super) trait SocketClient: Send + 'static {
    /// What waits to be sent to it.
    fn outbox(&self) -> &Arc<Outbox>;
    /// How many messages are read each second; what comes faster waits.
    fn messages_a_second(&self) -> f64 {
        MESSAGES_A_SECOND
    }
    /// Takes a message that was read at that moment.
    fn hear(&mut self, text: &str, at: Instant) -> Result<(), BadMessage>;
    /// The way there and back took so many milliseconds.
    fn note_lag(&mut self, lag: u64);
    /// Whether it wants to hear that the server is there.
    fn has_beats(&self) -> bool {
        false
    }
    /// Shows it a table anew that it was too slow for.
    fn show_anew(&self) -> impl Fn(&str) + Send + 'static;
    /// Its connection has ended; all connections have if the server is over.
    fn leave(&mut self, is_over: bool);
}

/// Takes a client until the server is `over`; no message of it has more than `most_bytes`. `greet`
/// reads its first message and lets it in. The connection holds `counted` that long.
pub(super) fn upgrade<C: SocketClient, F>(
    upgrade: WebSocketUpgrade,
    over: watch::Receiver<bool>,
    most_bytes: usize,
    counted: impl Send + 'static,
    greet: impl FnOnce(Utf8Bytes) -> F + Send + 'static,
) -> Response
where
    F: Future<Output = Result<C, JoinRefusal>> + Send,
{
    // So much is held of each connection for what it sends, beside the message that it has begun.
    let upgrade = upgrade.read_buffer_size(MOST_BYTES);
    upgrade.max_message_size(most_bytes).max_frame_size(most_bytes).on_upgrade(
        move |socket| async move {
            serve(socket, over, greet).await;
            drop(counted);
        },
    )
}

/// Whether the request comes from no page, from this server's page, or from an allowed one.
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

pub(super) fn check_version(version: u64) -> Result<(), ClientRefusal> {
    if version == PROTOCOL_VERSION {
        return Ok(());
    }
    let problem = format!(
        "this server speaks version {PROTOCOL_VERSION} of the protocol, and the client version \
         {version}; use a client of the same version of tengen"
    );
    refused("version", problem)
}

/// Refuses a wrong password or key, after a delay, so that a client cannot try many.
pub(super) async fn refuse_secret<T>(
    code: &'static str,
    problem: &str,
) -> Result<T, ClientRefusal> {
    tokio::time::sleep(WRONG).await;
    refused(code, problem)
}

async fn serve<C: SocketClient, F>(
    socket: WebSocket,
    mut over: watch::Receiver<bool>,
    greet: impl FnOnce(Utf8Bytes) -> F,
) where
    F: Future<Output = Result<C, JoinRefusal>>,
{
    let (mut sink, mut stream) = socket.split();
    let first = tokio::time::timeout(FIRST, next_text(&mut stream)).await;
    let Ok(Some(text)) = first else { return };
    let mut client = match greet(text).await {
        Ok(client) => client,
        Err((id, refusal)) => {
            let text = error_message(refusal.code, &refusal.message, id, None);
            let _gone = sink.send(Message::Text(text)).await;
            let frame = CloseFrame { code: 1008, reason: Utf8Bytes::from_static(refusal.code) };
            let _gone = sink.send(Message::Close(Some(frame))).await;
            return;
        }
    };
    let (outbox, pings) = (Arc::clone(client.outbox()), Arc::new(Pings::new()));
    let writer =
        tokio::spawn(write(sink, Arc::clone(&outbox), client.show_anew(), Arc::clone(&pings)));
    let rate = client.messages_a_second();
    let (mut messages, mut refused) = (RateLimiter::new(2.0 * rate, rate), 0);
    let mut silence = SILENCE;
    loop {
        let message = tokio::select! {
            next = tokio::time::timeout(silence, stream.next()) => match next {
                Ok(Some(Ok(message))) => message,
                _ => break,
            },
            _ = over.wait_for(|over| *over) => break,
        };
        // A clock stops when the message was read, however long it has to wait here; those behind
        // it are not read meanwhile. What comes too fast waits, so that nothing of a fast engine is
        // lost.
        let at = Instant::now();
        while let Err(wait) = messages.take(Instant::now()) {
            tokio::time::sleep(wait).await;
        }
        let heard = match message {
            Message::Text(text) => client.hear(&text, at),
            Message::Pong(payload) => {
                if let Some(lag) = pings.lag(&payload, at) {
                    client.note_lag(lag);
                }
                Ok(())
            }
            Message::Ping(_) => Ok(()),
            Message::Binary(_) => {
                Err(BadMessage { id: None, problem: "messages are text".to_owned() })
            }
            Message::Close(_) => break,
        };
        if let Err(bad) = heard {
            refused += 1;
            outbox.push(None, error_message("message", &bad.problem, bad.id, None));
        }
        if client.has_beats() {
            silence = SILENCE_OF_BEATS;
            pings.has_beats.store(true, Ordering::Relaxed);
        }
        if writer.is_finished() || refused >= MOST_REFUSED {
            break;
        }
    }
    client.leave(*over.borrow());
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

/// What beats count as in the outbox, where those that wait are of a table: a client that is too
/// slow for them does without.
const BEATS: &str = "beat";

/// That the server is there.
fn beat() -> Utf8Bytes {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
    written(None, ServerMessage::Beat { now })
}

/// Sends what waits, and pings.
async fn write(
    mut sink: SplitSink<WebSocket, Message>,
    outbox: Arc<Outbox>,
    show_anew: impl Fn(&str),
    pings: Arc<Pings>,
) {
    let mut ping = tokio::time::interval(PING);
    loop {
        let message = tokio::select! {
            next = outbox.next() => match next {
                Next::Send(text) => Message::Text(text),
                Next::Anew(tables) => {
                    for table in tables {
                        show_anew(&table);
                    }
                    continue;
                }
                Next::Close => break,
            },
            _ = ping.tick() => {
                if pings.has_beats.load(Ordering::Relaxed) {
                    outbox.push(Some(BEATS), beat());
                }
                Message::Ping(Bytes::copy_from_slice(&pings.next()))
            }
        };
        match tokio::time::timeout(SEND, sink.send(message)).await {
            Ok(Ok(())) => {}
            _ => return,
        }
    }
    let _gone = tokio::time::timeout(SEND, sink.send(Message::Close(None))).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_beats_is_missed_within_ten_seconds_and_others_may_be_busy() {
        assert!(SILENCE_OF_BEATS > 3 * PING && SILENCE_OF_BEATS < Duration::from_secs(10));
        assert!(SILENCE >= 10 * PING);
        assert_eq!(PING, tengen_link::PING, "what clients count on");
    }
}
