//! A client that sends and receives any JSON.

use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;
use tungstenite::{ClientRequestBuilder, WebSocket};

use crate::json_socket;

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
        json_socket::send(&mut self.0, message);
    }

    /// The next message; none where the connection has ended.
    pub fn hear(&mut self) -> Option<Value> {
        json_socket::hear(&mut self.0)
    }
}
