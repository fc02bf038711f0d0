//! Any JSON over a WebSocket.

use std::io::ErrorKind::{TimedOut, WouldBlock};
use std::net::TcpStream;

use serde_json::Value;
use tungstenite::{Error, Message, WebSocket};

/// Sends anything. On a connection that is gone nothing happens.
pub(crate) fn send(socket: &mut WebSocket<TcpStream>, message: &Value) {
    let _gone = socket.send(Message::text(message.to_string()));
}

/// The next message; none where the connection has ended. That nothing comes in time is a failure.
pub(crate) fn hear(socket: &mut WebSocket<TcpStream>) -> Option<Value> {
    loop {
        match socket.read() {
            Ok(Message::Text(text)) => {
                return Some(serde_json::from_str(&text).expect("the other end says JSON"));
            }
            Err(Error::Io(error)) if matches!(error.kind(), WouldBlock | TimedOut) => {
                panic!("the other end neither says anything nor hangs up");
            }
            Ok(Message::Close(_)) | Err(_) => return None,
            Ok(_) => {}
        }
    }
}
