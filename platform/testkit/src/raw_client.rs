//! A client that sends and receives any JSON.

use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;
use tungstenite::{ClientRequestBuilder, Message, WebSocket};

/// A WebSocket over which any JSON is said and heard.
pub struct RawClient(WebSocket<TcpStream>);

impl RawClient {
    /// Connects to a path of a server at that host and port. Nothing is waited for longer than
    /// `patience`.
    pub fn connect(host: &str, path: &str, patience: Duration) -> RawClient {
        RawClient::connect_with(host, path, &[], patience)
    }

    /// The same, with more headers.
    pub fn connect_with(
        host: &str,
        path: &str,
        headers: &[(&str, &str)],
        patience: Duration,
    ) -> RawClient {
        let stream = TcpStream::connect(host).expect("something listens there");
        stream.set_read_timeout(Some(patience)).expect("a socket has a timeout");
        let address = format!("ws://{host}{path}").parse().expect("it is an address");
        let request =
            headers.iter().fold(ClientRequestBuilder::new(address), |request, (name, value)| {
                request.with_header(*name, *value)
            });
        let (socket, _) =
            tungstenite::client(request, stream).expect("a server of WebSockets is there");
        RawClient(socket)
    }

    /// Sends anything. On a connection that is gone nothing happens.
    pub fn send(&mut self, message: &Value) {
        let _gone = self.0.send(Message::text(message.to_string()));
    }

    /// The next message; none where the connection has ended.
    pub fn hear(&mut self) -> Option<Value> {
        loop {
            match self.0.read().ok()? {
                Message::Text(text) => {
                    return Some(serde_json::from_str(&text).expect("a server says JSON"));
                }
                Message::Close(_) => return None,
                _ => {}
            }
        }
    }
}
