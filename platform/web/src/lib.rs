//! The page: the results of an event and all its games, in any browser.
//!
//! The page itself is in `page`: plain ES modules and CSS, part of the program. It does not know
//! the rules; it shows a game from its [`GameView`](tengen_link::view::GameView), which is made by
//! playing the game again through the arbiter. There are two sources for it:
//!
//! - a **report**, one file with the page and everything that it shows ([`write_report`]);
//! - a **server**, which also shows games while they are played (`Server`, with the feature
//!   `server`), and has tables where people and engines meet ([`play`]).
#![forbid(unsafe_code)]

mod csv;
mod event_view;
mod figures;
mod game_row;
mod page;
#[cfg(test)]
mod page_schemas;
#[cfg(feature = "server")]
pub mod play;
mod rating_curve;
mod report;
#[cfg(feature = "server")]
mod server;
mod text;

pub use csv::{csv_line, write_csv};
pub use report::{MOST_GAMES, ReportError, ReportWritten, write_report};
#[cfg(feature = "server")]
pub use server::{
    AddedEvent, AddressBlock, HostName, HttpListener, ServeError, ServedEvent, Server, TlsError,
};
