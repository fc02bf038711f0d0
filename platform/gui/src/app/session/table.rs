//! Tables on a server in tabs: a game with people elsewhere, which the server judges.
//!
//! A [`TableSession`] keeps one connection, on a thread of its own ([`ServerLink`]), and makes of
//! what the server sends the same [`Snapshot`](crate::app::model::Snapshot) that a game of this
//! window has ([`TableView`]). The server decides; the window plays its answers again to know what
//! lies where and what is asked.

mod command;
mod engine_turns;
mod lobby;
mod network;
mod own_engine;
mod server_link;
mod session;
mod shared;
mod table_replay;
mod table_view;
mod turn_time;
#[cfg(feature = "serve")]
mod web_network;

pub use command::TableCommand;
pub use lobby::{Lobby, LobbySnapshot};
pub use network::{
    ConnectionProblem, NetworkEvent, OpenConnection, OpenServer, ServerSetup, TableGuest,
    TableNetwork, TeamEntry,
};
pub use session::{TableAccess, TableContext, TableSession};
#[cfg(feature = "serve")]
pub use web_network::WebNetwork;
