//! A client of a server's tables: for `tengen play URL`, and for tests.

mod link;

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use std::{fmt, io};

use futures_util::{SinkExt, StreamExt};
use rustls::pki_types::ServerName;
use serde_json::{Value, json};
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio_rustls::TlsConnector;
use tokio_tungstenite::tungstenite::{Error as SocketError, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

use super::protocol::{ClientKind, PROTOCOL_VERSION};
use super::socket::PING;
use crate::server::{TlsError, client_config};

pub use self::link::TableLink;

/// How long it may take until the server has answered.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long nothing may come from a server: three pings are missed then. A line may be dead without
/// a word, and the clock of who is asked runs on.
const SILENCE: Duration = Duration::from_secs(3 * PING.as_secs() + 1);
/// How long what was said last may take.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Who connects, and to what.
#[derive(Clone, Debug)]
pub struct ClientOptions {
    /// The server, and perhaps a table of it.
    pub link: TableLink,
    /// What people call the player.
    pub name: String,
    /// Whether it is a person or an engine.
    pub kind: ClientKind,
    /// The password of the server's owner, for who has it.
    pub password: Option<String>,
    /// A certificate authority beside those that the system trusts.
    pub authority: Option<PathBuf>,
}

/// Why there is no connection.
#[derive(Debug, Error)]
pub enum ClientError {
    /// The address is none.
    #[error("{0}")]
    Address(String),
    /// The server cannot be reached.
    #[error("{server}: cannot be reached: {}", Unreached(cause))]
    Unreachable {
        /// Which.
        server: String,
        /// Why.
        cause: io::Error,
    },
    /// It is no server of tables.
    #[error("{server}: this is no server of tables (`tengen serve --play`): {problem}")]
    NoTables {
        /// Which.
        server: String,
        /// What it did.
        problem: String,
    },
    /// The server refused the client.
    #[error("{server}: {message}")]
    Refused {
        /// Which.
        server: String,
        /// The code of the refusal.
        code: String,
        /// Why.
        message: String,
    },
    /// The certificate cannot be checked.
    #[error(transparent)]
    Tls(#[from] TlsError),
}

/// What is wrong with a certificate, in plain words.
fn certificate_problem(error: &rustls::CertificateError) -> &'static str {
    use rustls::CertificateError as Wrong;
    match error {
        Wrong::Expired | Wrong::ExpiredContext { .. } => "has expired",
        Wrong::NotValidYet | Wrong::NotValidYetContext { .. } => "is not valid yet",
        Wrong::NotValidForName | Wrong::NotValidForNameContext { .. } => "is for another name",
        Wrong::Revoked => "was revoked",
        Wrong::BadEncoding => "cannot be read",
        _ => "is signed by no known authority",
    }
}

/// Why a server cannot be reached, in plain words.
struct Unreached<'a>(&'a io::Error);

impl fmt::Display for Unreached<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unreached(error) = self;
        match error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
            Some(rustls::Error::InvalidMessage(_)) => {
                return f.write_str("it does not encrypt there; try http:// in place of https://");
            }
            Some(rustls::Error::InvalidCertificate(problem)) => {
                let problem = certificate_problem(problem);
                return write!(
                    f,
                    "its certificate {problem}; if it is the owner's own, name its file (--tls-ca, \
                     or `Certificate` in the window)"
                );
            }
            _ => {}
        }
        match error.kind() {
            io::ErrorKind::ConnectionRefused => {
                f.write_str("nothing listens there; is the server running, and the port right?")
            }
            io::ErrorKind::TimedOut => f.write_str("it does not answer"),
            io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => {
                f.write_str("no network leads there from here")
            }
            _ if error.to_string().contains("lookup address") => {
                f.write_str("no computer of that name is known here; is it spelled right?")
            }
            _ => write!(f, "{error}"),
        }
    }
}

/// What came from the server.
#[derive(Clone, PartialEq, Debug)]
pub enum ClientEvent {
    /// A message.
    Message(Value),
    /// Nothing in that time.
    Nothing,
    /// The connection is gone; nothing more will come.
    Gone(String),
}

/// A connection to a server's tables. A thread of its own reads and writes, and answers pings.
pub struct Client {
    sender: ClientSender,
    /// Dropped to hang up.
    end: Option<oneshot::Sender<()>>,
    events: Receiver<ClientEvent>,
    welcome: Value,
    thread: Option<JoinHandle<()>>,
}

/// Sends on a connection from any thread.
#[derive(Clone, Debug)]
pub struct ClientSender(UnboundedSender<String>);

impl ClientSender {
    /// Sends a message. On a connection that is gone nothing happens.
    pub fn send(&self, message: &Value) {
        self.send_text(message.to_string());
    }

    /// Sends a message as it is written.
    pub fn send_text(&self, text: String) {
        let _gone = self.0.send(text);
    }
}

#[cfg(test)]
impl ClientSender {
    /// One without a connection, and what it sends.
    pub(super) fn for_test() -> (ClientSender, UnboundedReceiver<String>) {
        let (sender, sent) = unbounded_channel();
        (ClientSender(sender), sent)
    }
}

trait ByteStream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> ByteStream for T {}

type Socket = WebSocketStream<Box<dyn ByteStream>>;

impl Client {
    /// Connects, and says who this is.
    ///
    /// # Errors
    /// When the server cannot be reached, or refuses the client.
    pub fn connect(options: ClientOptions) -> Result<Client, ClientError> {
        let mut hello = json!({
            "type": "hello",
            "version": PROTOCOL_VERSION,
            "name": options.name,
            "kind": options.kind,
            "agent": agent(),
        });
        if let Some(password) = &options.password {
            hello["password"] = password.as_str().into();
        }
        Client::open(options, "/play", hello)
    }

    /// Connects to an event for the team whose key is in the link; its engine plays so many games
    /// at once.
    ///
    /// # Errors
    /// When the server cannot be reached, or refuses the client.
    pub fn join(options: ClientOptions, tables: u64) -> Result<Client, ClientError> {
        let join = json!({
            "type": "join",
            "version": PROTOCOL_VERSION,
            "key": options.link.team,
            "name": options.name,
            "agent": agent(),
            "tables": tables,
        });
        Client::open(options, "/join", join)
    }

    fn open(
        options: ClientOptions,
        path: &'static str,
        hello: Value,
    ) -> Result<Client, ClientError> {
        let (sender, to_send) = unbounded_channel();
        let (tell, events) = channel();
        let (result, connected) = channel();
        let (end, ended) = oneshot::channel();
        let server = options.link.server.clone();
        let run = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let runtime = match runtime {
                Ok(runtime) => runtime,
                Err(cause) => {
                    let server = options.link.server;
                    let _gone = result.send(Err(ClientError::Unreachable { server, cause }));
                    return;
                }
            };
            runtime.block_on(async move {
                match greet(&options, path, &hello).await {
                    Ok((socket, welcome)) => {
                        let _gone = result.send(Ok(welcome));
                        exchange(socket, to_send, ended, &tell, SILENCE).await;
                    }
                    Err(error) => {
                        let _gone = result.send(Err(error));
                    }
                }
            });
        };
        let no_thread = |cause| ClientError::Unreachable { server: server.clone(), cause };
        let thread = thread::Builder::new().name("table client".to_owned()).spawn(run);
        let thread = Some(thread.map_err(no_thread)?);
        let gone = || no_thread(io::Error::other("the connection ended"));
        let welcome = connected.recv().map_err(|_| gone())??;
        Ok(Client { sender: ClientSender(sender), end: Some(end), events, welcome, thread })
    }

    /// What the server said of itself.
    pub fn welcome(&self) -> &Value {
        &self.welcome
    }

    /// Sends a message. On a connection that is gone nothing happens; [`Client::hear`] says so.
    pub fn send(&self, message: &Value) {
        self.sender.send(message);
    }

    /// What sends on this connection from other threads. The connection ends with the [`Client`],
    /// whoever still holds one of these.
    pub fn sender(&self) -> ClientSender {
        self.sender.clone()
    }

    /// What came next within this time.
    pub fn hear(&self, within: Duration) -> ClientEvent {
        match self.events.recv_timeout(within) {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => ClientEvent::Nothing,
            Err(RecvTimeoutError::Disconnected) => {
                ClientEvent::Gone("the connection ended".to_owned())
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.end = None;
        if let Some(thread) = self.thread.take() {
            // One that panicked has said so.
            let _panicked = thread.join();
        }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("welcome", &self.welcome).finish_non_exhaustive()
    }
}

/// What program this is.
fn agent() -> String {
    format!("tengen {}", env!("CARGO_PKG_VERSION"))
}

/// Connects and says `hello`; gives what the server answered.
async fn greet(
    options: &ClientOptions,
    path: &str,
    hello: &Value,
) -> Result<(Socket, Value), ClientError> {
    let server = || options.link.server.clone();
    let late = |_| ClientError::Unreachable {
        server: server(),
        cause: io::Error::new(io::ErrorKind::TimedOut, "it does not answer"),
    };
    let socket = tokio::time::timeout(PATIENCE, open(options, path)).await.map_err(late)??;
    let mut socket = socket;
    let no_tables = |problem: String| ClientError::NoTables { server: server(), problem };
    let sent = socket.send(Message::text(hello.to_string())).await;
    sent.map_err(|error| no_tables(error.to_string()))?;
    loop {
        let next = tokio::time::timeout(PATIENCE, socket.next()).await.map_err(late)?;
        let message = match next {
            Some(Ok(message)) => message,
            Some(Err(error)) => return Err(no_tables(error.to_string())),
            None => return Err(no_tables("it closed the connection".to_owned())),
        };
        let Message::Text(text) = message else { continue };
        let answer: Value =
            serde_json::from_str(&text).map_err(|_| no_tables("it sent no JSON".to_owned()))?;
        let word = |key: &str| answer[key].as_str().unwrap_or_default().to_owned();
        return match word("type").as_str() {
            "welcome" | "joined" => Ok((socket, answer)),
            "error" => Err(ClientError::Refused {
                server: server(),
                code: word("code"),
                message: word("message"),
            }),
            other => Err(no_tables(format!("it answered `{other}`"))),
        };
    }
}

async fn open(options: &ClientOptions, path: &str) -> Result<Socket, ClientError> {
    let TableLink { server, host, port, is_encrypted, .. } = &options.link;
    let unreachable = |cause| ClientError::Unreachable { server: server.clone(), cause };
    let stream = TcpStream::connect((host.as_str(), *port)).await.map_err(unreachable)?;
    stream.set_nodelay(true).map_err(unreachable)?;
    let line: Box<dyn ByteStream> = if *is_encrypted {
        let config = client_config(options.authority.as_deref())?;
        let name = ServerName::try_from(host.clone());
        let name = name.map_err(|error| ClientError::Address(format!("{host}: {error}")))?;
        Box::new(TlsConnector::from(config).connect(name, stream).await.map_err(unreachable)?)
    } else {
        Box::new(stream)
    };
    let scheme = if *is_encrypted { "wss" } else { "ws" };
    let address = format!("{scheme}://{}{path}", options.link.authority());
    let refused = |error: SocketError| {
        let problem = match error {
            SocketError::Http(answer) => {
                let said = answer.body().as_deref().map(String::from_utf8_lossy);
                let said = said.unwrap_or_default();
                format!("{} {}", answer.status(), crate::text::plain(&said, 200))
            }
            SocketError::Io(error) => error.to_string(),
            _ => "what it says is no HTTP; if it encrypts, write https://".to_owned(),
        };
        ClientError::NoTables { server: server.clone(), problem }
    };
    let (socket, _) = client_async(address, line).await.map_err(refused)?;
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

/// Passes messages both ways until either end hangs up, or nothing has come for so long.
async fn exchange(
    mut socket: Socket,
    mut to_send: UnboundedReceiver<String>,
    mut ended: oneshot::Receiver<()>,
    tell: &Sender<ClientEvent>,
    silence: Duration,
) {
    let problem = loop {
        tokio::select! {
            _ = &mut ended => {
                let hang_up = async {
                    while let Ok(said) = to_send.try_recv() {
                        socket.send(Message::text(said)).await?;
                    }
                    socket.close(None).await
                };
                let _gone = tokio::time::timeout(LAST_WORDS, hang_up).await;
                return;
            }
            // There is always one who may say something: the client.
            Some(said) = to_send.recv() => {
                match tokio::time::timeout(PATIENCE, socket.send(Message::text(said))).await {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => break broken(&error),
                    Err(_) => break "the server does not read what is sent".to_owned(),
                }
            }
            next = tokio::time::timeout(silence, socket.next()) => match next {
                Ok(Some(Ok(Message::Text(text)))) => match serde_json::from_str(&text) {
                    Ok(message) => {
                        let _gone = tell.send(ClientEvent::Message(message));
                    }
                    Err(error) => break format!("the server sent what is not JSON: {error}"),
                },
                Ok(Some(Ok(Message::Close(_)))) | Ok(None) => {
                    break "the server closed the connection".to_owned();
                }
                Ok(Some(Ok(_))) => {}
                Ok(Some(Err(error))) => break broken(&error),
                Err(_) => break "the server does not answer".to_owned(),
            }
        }
    };
    let _gone = tell.send(ClientEvent::Gone(problem));
}

#[cfg(test)]
mod tests {
    use tokio_tungstenite::tungstenite::protocol::Role;

    use super::*;

    #[test]
    fn what_is_wrong_with_a_certificate_is_said_in_words() {
        use rustls::{CertificateError, Error};
        let said =
            |wrong| Unreached(&io::Error::other(Error::InvalidCertificate(wrong))).to_string();
        assert!(said(CertificateError::Expired).starts_with("its certificate has expired"));
        let other = said(CertificateError::UnhandledCriticalExtension);
        assert!(other.contains("no known authority") && !other.contains("Unhandled"), "{other}");
    }

    #[test]
    fn a_server_that_falls_silent_is_left_when_it_missed_three_pings() {
        assert!(SILENCE > 3 * PING && SILENCE < 4 * PING, "{SILENCE:?}");
        let (tell, events) = channel();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (line, _other_end) = tokio::io::duplex(64);
            let line: Box<dyn ByteStream> = Box::new(line);
            let socket = WebSocketStream::from_raw_socket(line, Role::Client, None).await;
            let (_sender, to_send) = unbounded_channel();
            let (_end, ended) = oneshot::channel();
            exchange(socket, to_send, ended, &tell, Duration::from_millis(1)).await;
        });
        assert_eq!(events.recv(), Ok(ClientEvent::Gone("the server does not answer".to_owned())));
    }
}
