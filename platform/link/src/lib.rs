//! The messages between a server and its clients, and the client's end of the connection.
//!
//! [`messages`] are the messages of both directions, [`view`] is a game as it is shown. With the
//! feature `connect`: a [`Connection`] is made again when it breaks, and a [`RemoteEngine`] plays
//! over one, at a table or in an event. With the feature `pictures`: what makes a picture of
//! anybody one that may be shown in a chat.
#![forbid(unsafe_code)]

mod address;
mod chat_marks;
#[cfg(feature = "pictures")]
mod chat_picture;
#[cfg(feature = "connect")]
mod connect;
mod engine_pool;
mod engines;
pub mod messages;
mod text;
#[cfg(feature = "connect")]
pub mod tls;
#[cfg(feature = "connect")]
mod trust;
pub mod view;

pub use address::TableAddress;
pub use chat_marks::{MarkedText, marked_parts};
#[cfg(feature = "pictures")]
pub use chat_picture::PictureProblem;
#[cfg(feature = "connect")]
pub use connect::{
    Connection, ConnectionError, ConnectionOptions, LinkEvent, LinkSender, PING, RemoteEngine,
    RemoteError, RemoteNews, RemotePlace,
};
pub use engine_pool::{EnginePermit, EnginePool};
pub use engines::{SeatedEngine, TableEngines};
pub use text::plain;
