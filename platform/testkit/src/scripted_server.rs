//! A server that says and hears any JSON.

use std::io::ErrorKind;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::time::Duration;

use serde_json::Value;
use tungstenite::WebSocket;

use crate::json_socket;

/// How long something is waited for that a client is to say.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server of WebSockets on this machine that says what a test says, to one client at a time.
pub struct ScriptedServer {
    listener: TcpListener,
    client: Option<WebSocket<TcpStream>>,
}

impl ScriptedServer {
    /// At a port that is free.
    pub fn start() -> ScriptedServer {
        let listener = TcpListener::bind("127.0.0.1:0").expect("this machine has a free port");
        ScriptedServer { listener, client: None }
    }

    /// Its address and port.
    pub fn host(&self) -> String {
        self.listener.local_addr().expect("it is bound").to_string()
    }

    /// Waits for the next client, which takes the place of the last one. Gives what it says first.
    pub fn accept(&mut self) -> Value {
        let (stream, _) = self.listener.accept().expect("a client connects");
        stream.set_nodelay(true).expect("a socket need not delay");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket has a timeout");
        self.client = Some(tungstenite::accept(stream).expect("a client of WebSockets"));
        self.hear().expect("a client greets")
    }

    /// Whether a client has connected that was not accepted.
    pub fn is_called(&self) -> bool {
        self.listener.set_nonblocking(true).expect("a listener need not block");
        let next = self.listener.accept();
        self.listener.set_nonblocking(false).expect("a listener blocks");
        !next.is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
    }

    /// Sends anything to the client. On a connection that is gone nothing happens.
    pub fn send(&mut self, message: &Value) {
        json_socket::send(self.client(), message);
    }

    /// What the client says next; none where it has hung up.
    pub fn hear(&mut self) -> Option<Value> {
        json_socket::hear(self.client())
    }

    /// Waits for a message of that type, and forgets those before it.
    pub fn hear_kind(&mut self, kind: &str) -> Value {
        loop {
            let message = self.hear().unwrap_or_else(|| panic!("it has hung up, without `{kind}`"));
            if message["type"] == kind {
                return message;
            }
        }
    }

    /// Breaks the connection without a word, and waits until the client has noticed. What it has
    /// said is forgotten.
    pub fn disconnect(&mut self) {
        self.client().get_ref().shutdown(Shutdown::Write).expect("it is connected");
        while self.hear().is_some() {}
        self.client = None;
    }

    fn client(&mut self) -> &mut WebSocket<TcpStream> {
        self.client.as_mut().expect("a client was accepted")
    }
}
