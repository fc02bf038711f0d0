//! A connection to a server, which is made again when it breaks.

use std::path::PathBuf;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use std::{fmt, io};

use futures_util::{SinkExt, StreamExt};
use rustls::pki_types::ServerName;
use serde::Serialize;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio_rustls::TlsConnector;
use tokio_tungstenite::tungstenite::{Error as SocketError, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

use super::ConnectionError;
use crate::TableAddress;
use crate::messages::{
    ClientMessage, ErrorMessage, MOST_LINE, Numbered, ServerAnswer, ServerMessage,
};
use crate::text::plain;
use crate::tls::client_config;

/// How long it may take until the server has answered.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often a server pings its clients.
pub const PING: Duration = Duration::from_secs(3);
/// How long nothing may come from a server: three pings are missed by then. A connection may die
/// without notice, and the clock of the player that is asked runs on.
const SILENCE: Duration = Duration::from_millis(9_500);
/// How long sending the last messages may take.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// How long the first wait before a new try is, and the longest.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// An engine that is away loses time on its clock.
const LONGEST_WAIT: Duration = Duration::from_secs(4);
/// A connection that has lasted so long was a good one.
const LASTING: Duration = Duration::from_secs(10);
/// For how long to try a server again that is gone.
const GIVE_UP: Duration = Duration::from_secs(3600);

/// To what a client connects, and as what.
#[derive(Clone, Debug)]
pub struct ConnectionOptions {
    pub address: TableAddress,
    /// What the client says first: `hello` at tables, `join` in an event.
    pub greeting: ClientMessage,
    /// A certificate authority beside those that the system trusts.
    pub authority: Option<PathBuf>,
}

#[derive(Debug)]
pub enum LinkEvent {
    /// It is being made.
    Connecting,
    /// It was made; this is how the server greets.
    Connected(Box<ServerMessage<'static>>),
    /// The server says something.
    Message(Box<ServerAnswer<'static>>),
    /// It cannot be made, or is broken; it will be tried again.
    Broken(ConnectionError),
    /// It cannot be made, and is not tried again.
    Refused(ConnectionError),
}

/// A connection on a thread of its own, which answers pings. When this is dropped, what was said is
/// sent, and it ends.
pub struct Connection {
    sender: LinkSender,
    /// Dropped to hang up.
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Sends on a connection, from any thread. What is said while there is none is lost.
#[derive(Clone, Debug)]
pub struct LinkSender(UnboundedSender<Wanted>);

#[derive(Debug)]
enum Wanted {
    Text(String),
    /// To try again now.
    Hurry,
    /// To try no more.
    GiveUp,
}

impl LinkSender {
    /// Sends a message: a [`ClientMessage`], or one [`ToTable`](crate::messages::ToTable).
    pub fn send(&self, message: &impl Serialize) {
        self.send_numbered(message, None);
    }

    /// Sends a message with a number, which what answers it has too.
    pub fn send_numbered(&self, message: &impl Serialize, id: Option<u64>) {
        let numbered = Numbered { message, id };
        let text = serde_json::to_string(&numbered).expect("every key of a message is a string");
        let _gone = self.0.send(Wanted::Text(text));
    }

    /// Tries again now.
    pub fn hurry(&self) {
        let _gone = self.0.send(Wanted::Hurry);
    }

    /// Tries no more: what the server said is final.
    pub fn give_up(&self) {
        let _gone = self.0.send(Wanted::GiveUp);
    }
}

trait ByteStream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> ByteStream for T {}

type Socket = WebSocketStream<Box<dyn ByteStream>>;

impl Connection {
    /// Connects, on a thread, which tells what happens. It may be told at once.
    ///
    /// # Errors
    /// When the system has no thread left.
    pub fn open(
        options: ConnectionOptions,
        tell: impl FnMut(LinkEvent, &LinkSender) + Send + 'static,
    ) -> io::Result<Connection> {
        let (sender, wanted) = unbounded_channel();
        let sender = LinkSender(sender);
        let (end, ended) = oneshot::channel();
        let of_thread = sender.clone();
        let run = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let mut link =
                Link { options, wanted, ended, sender: of_thread, tell, has_beats: false };
            match runtime {
                Ok(runtime) => runtime.block_on(link.run()),
                Err(cause) => {
                    let server = link.options.address.server();
                    link.tell(LinkEvent::Refused(ConnectionError::Unreachable { server, cause }));
                }
            }
        };
        let thread = Some(thread::Builder::new().name("connection".to_owned()).spawn(run)?);
        Ok(Connection { sender, end: Some(end), thread })
    }

    /// What sends on it. It ends with the [`Connection`], whatever still holds one of these.
    pub fn sender(&self) -> &LinkSender {
        &self.sender
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.end = None;
        if let Some(thread) = self.thread.take() {
            // One that panicked has said so.
            let _panicked = thread.join();
        }
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").finish_non_exhaustive()
    }
}

/// How long to wait before a new try: longer each time, until a connection lasts. A server that
/// greets and hangs up is not connected to all the time.
struct RetryWait(Duration);

impl RetryWait {
    /// The wait after a connection that lasted so long; none was made where that is none.
    fn after(&mut self, lasted: Option<Duration>) -> Duration {
        if lasted.is_some_and(|lasted| lasted >= LASTING) {
            self.0 = FIRST_WAIT;
        }
        let wait = self.0;
        self.0 = (wait * 2).min(LONGEST_WAIT);
        wait
    }
}

struct Link<F> {
    options: ConnectionOptions,
    wanted: UnboundedReceiver<Wanted>,
    ended: oneshot::Receiver<()>,
    sender: LinkSender,
    tell: F,
    /// Whether the server can be heard to be there.
    has_beats: bool,
}

impl<F: FnMut(LinkEvent, &LinkSender)> Link<F> {
    fn tell(&mut self, event: LinkEvent) {
        (self.tell)(event, &self.sender);
    }

    async fn run(&mut self) {
        let (mut wait, mut gone) = (RetryWait(FIRST_WAIT), Instant::now());
        loop {
            self.tell(LinkEvent::Connecting);
            let greeted = tokio::select! {
                _ = &mut self.ended => return,
                greeted = greet(&self.options) => greeted,
            };
            let (error, lasted) = match greeted {
                Ok((socket, greeting)) => {
                    // Messages sent while there was no connection are lost.
                    while let Ok(wanted) = self.wanted.try_recv() {
                        if matches!(wanted, Wanted::GiveUp) {
                            return;
                        }
                    }
                    let since = Instant::now();
                    self.has_beats =
                        matches!(&greeting, ServerMessage::Welcome(welcome) if welcome.beat > 0);
                    self.tell(LinkEvent::Connected(Box::new(greeting)));
                    let Some(problem) = self.exchange(socket, SILENCE).await else { return };
                    gone = Instant::now();
                    (ConnectionError::Lost(problem), Some(since.elapsed()))
                }
                Err(error) => (error, None),
            };
            if error.is_final() || gone.elapsed() > GIVE_UP {
                return self.tell(LinkEvent::Refused(error));
            }
            self.tell(LinkEvent::Broken(error));
            if !self.rest(wait.after(lasted)).await {
                return;
            }
        }
    }

    /// Waits before the next try, unless it is to be made now. Whether it is to be made.
    async fn rest(&mut self, span: Duration) -> bool {
        let over = tokio::time::sleep(span);
        tokio::pin!(over);
        loop {
            tokio::select! {
                _ = &mut self.ended => return false,
                () = &mut over => return true,
                wanted = self.wanted.recv() => match wanted {
                    Some(Wanted::Text(_)) => {}
                    Some(Wanted::Hurry) => return true,
                    Some(Wanted::GiveUp) | None => return false,
                },
            }
        }
    }

    /// Passes messages both ways until the server hangs up, or nothing has come for so long, and
    /// returns why that is; none when the client hung up.
    async fn exchange(&mut self, mut socket: Socket, silence: Duration) -> Option<String> {
        // A server that has no beats is asked for none.
        if self.has_beats {
            let beat =
                serde_json::to_string(&ClientMessage::Beat {}).expect("every key is a string");
            if let Err(error) = socket.send(Message::text(beat)).await {
                return Some(broken(&error));
            }
        }
        loop {
            tokio::select! {
                _ = &mut self.ended => {
                    let hang_up = async {
                        while let Ok(wanted) = self.wanted.try_recv() {
                            if let Wanted::Text(text) = wanted {
                                socket.send(Message::text(text)).await?;
                            }
                        }
                        socket.close(None).await
                    };
                    let _gone = tokio::time::timeout(LAST_WORDS, hang_up).await;
                    return None;
                }
                // There is always one sender: the connection's own.
                Some(wanted) = self.wanted.recv() => {
                    let text = match wanted {
                        Wanted::Text(text) => text,
                        Wanted::Hurry => continue,
                        Wanted::GiveUp => return None,
                    };
                    match tokio::time::timeout(PATIENCE, socket.send(Message::text(text))).await {
                        Ok(Ok(())) => {}
                        Ok(Err(error)) => return Some(broken(&error)),
                        Err(_) => return Some("the server does not read what is sent".to_owned()),
                    }
                }
                next = tokio::time::timeout(silence, socket.next()) => match next {
                    Ok(Some(Ok(Message::Text(text)))) => match ServerMessage::read(&text) {
                        Ok(ServerAnswer { message: ServerMessage::Beat { .. }, .. }) => {}
                        Ok(message) => {
                            if let ServerMessage::Unreadable(unread) = &message.message {
                                let server = self.options.address.server();
                                log::warn!("{server}: cannot be read: {}", unread.problem);
                            }
                            self.tell(LinkEvent::Message(Box::new(message)));
                        }
                        Err(problem) => {
                            let problem = plain(&problem, MOST_LINE);
                            return Some(format!("the server sent what is no message: {problem}"));
                        }
                    },
                    Ok(Some(Ok(Message::Close(_)))) | Ok(None) => {
                        return Some("the server closed the connection".to_owned());
                    }
                    Ok(Some(Ok(_))) => {}
                    Ok(Some(Err(error))) => return Some(broken(&error)),
                    Err(_) => return Some("the server does not answer".to_owned()),
                },
            }
        }
    }
}

/// Connects and greets; gives how the server greets.
async fn greet(
    options: &ConnectionOptions,
) -> Result<(Socket, ServerMessage<'static>), ConnectionError> {
    let server = || options.address.server();
    let late = |_| ConnectionError::Unreachable {
        server: server(),
        cause: io::Error::new(io::ErrorKind::TimedOut, "it does not answer"),
    };
    let path = if matches!(options.greeting, ClientMessage::Join(_)) { "/join" } else { "/play" };
    let mut socket = tokio::time::timeout(PATIENCE, open(options, path)).await.map_err(late)??;
    let no_tables = |problem: String| ConnectionError::NoTables { server: server(), problem };
    let hello = serde_json::to_string(&options.greeting).expect("every key is a string");
    let sent = socket.send(Message::text(hello)).await;
    sent.map_err(|error| no_tables(error.to_string()))?;
    loop {
        let next = tokio::time::timeout(PATIENCE, socket.next()).await.map_err(late)?;
        let message = match next {
            Some(Ok(message)) => message,
            Some(Err(error)) => return Err(no_tables(error.to_string())),
            None => return Err(no_tables("it closed the connection".to_owned())),
        };
        let Message::Text(text) = message else { continue };
        let answer = ServerMessage::read(&text);
        let answer =
            answer.map_err(|problem| no_tables(format!("it sent no message: {problem}")))?;
        return match answer.message {
            greeting @ (ServerMessage::Welcome(_) | ServerMessage::Joined(_)) => {
                Ok((socket, greeting))
            }
            ServerMessage::Error(ErrorMessage { code, message, .. }) => {
                let message = plain(&message, MOST_LINE);
                Err(ConnectionError::Refused { server: server(), code, message })
            }
            _ => Err(no_tables(format!("it answered `{}`", plain(&text, MOST_LINE)))),
        };
    }
}

async fn open(options: &ConnectionOptions, path: &str) -> Result<Socket, ConnectionError> {
    let address = &options.address;
    let (host, port) = address.place();
    let unreachable = |cause| ConnectionError::Unreachable { server: address.server(), cause };
    let stream = TcpStream::connect((host, port)).await.map_err(unreachable)?;
    stream.set_nodelay(true).map_err(unreachable)?;
    let line: Box<dyn ByteStream> = if address.is_secure {
        let config = client_config(options.authority.as_deref())?;
        let name = ServerName::try_from(host.to_owned());
        let name = name.map_err(|error| ConnectionError::Address(format!("{host}: {error}")))?;
        Box::new(TlsConnector::from(config).connect(name, stream).await.map_err(unreachable)?)
    } else {
        Box::new(stream)
    };
    let refused = |error: SocketError| {
        let problem = match error {
            SocketError::Http(answer) => {
                let said = answer.body().as_deref().map(String::from_utf8_lossy);
                let said = said.unwrap_or_default();
                format!("{} {}", answer.status(), plain(&said, 200))
            }
            SocketError::Io(error) => error.to_string(),
            _ => "what it says is no HTTP; if it encrypts, write https://".to_owned(),
        };
        ConnectionError::NoTables { server: address.server(), problem }
    };
    let (socket, _) = client_async(address.socket(path), line).await.map_err(refused)?;
    Ok(socket)
}

/// Why a connection ended, in plain words.
fn broken(error: &SocketError) -> String {
    match error {
        SocketError::Io(error) => format!("the connection broke: {error}"),
        SocketError::Protocol(_) | SocketError::ConnectionClosed | SocketError::AlreadyClosed => {
            "the connection broke".to_owned()
        }
        error => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use tokio_tungstenite::tungstenite::protocol::Role;

    use super::*;

    #[test]
    fn a_server_that_falls_silent_is_left_when_it_missed_three_pings() {
        assert!(SILENCE > 3 * PING && SILENCE < 4 * PING, "{SILENCE:?}");
        let (sender, wanted) = unbounded_channel();
        let (_end, ended) = oneshot::channel();
        let options = ConnectionOptions {
            address: "127.0.0.1".parse().unwrap(),
            greeting: ClientMessage::List { on: true },
            authority: None,
        };
        let sender = LinkSender(sender);
        let tell = |_, _: &LinkSender| {};
        let mut link = Link { options, wanted, ended, sender, tell, has_beats: false };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let problem = runtime.block_on(async {
            let (line, _other_end) = tokio::io::duplex(64);
            let line: Box<dyn ByteStream> = Box::new(line);
            let socket = WebSocketStream::from_raw_socket(line, Role::Client, None).await;
            link.exchange(socket, Duration::from_millis(1)).await
        });
        assert_eq!(problem.as_deref(), Some("the server does not answer"));
    }

    #[test]
    fn a_server_that_greets_and_hangs_up_is_waited_for_longer_and_longer() {
        let mut wait = RetryWait(FIRST_WAIT);
        let short = Some(Duration::from_millis(3));
        let waits = [short, None, short, short, short, short, short].map(|lasted| {
            let wait = wait.after(lasted);
            wait.as_millis()
        });
        assert_eq!(waits, [500, 1000, 2000, 4000, 4000, 4000, 4000]);
        assert_eq!(wait.after(Some(LASTING)), FIRST_WAIT, "that one was a connection");
        assert_eq!(wait.after(short), 2 * FIRST_WAIT);
    }
}
