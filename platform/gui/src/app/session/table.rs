//! Tables on a server in tabs: a game with people elsewhere, which the server judges.
//!
//! A [`TableSession`] keeps one [`Connection`](tengen_link::Connection), and makes of
//! what the server sends the same [`Snapshot`](crate::app::model::Snapshot) that a game of this
//! window has ([`TableView`]). The server decides; the window plays its answers again to know what
//! lies where and what is asked.

mod command;
mod engine_turns;
mod guest;
mod lobby;
mod own_engine;
mod session;
mod shared;
mod table_replay;
mod table_view;
mod turn_time;
mod web_server;

pub use command::TableCommand;
pub use guest::TableGuest;
pub use lobby::{Lobby, LobbySnapshot};
pub use session::{TableAccess, TableContext, TableSession};
pub use web_server::WebServer;
