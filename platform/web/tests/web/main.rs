//! The report and the server, as seen from outside: only what they give out.

#[cfg(feature = "server")]
mod chat;
mod event;
#[cfg(feature = "server")]
mod limits;
#[cfg(feature = "server")]
mod meeting;
#[cfg(feature = "server")]
mod peer;
#[cfg(feature = "server")]
mod play;
#[cfg(feature = "server")]
mod protocol;
mod report;
#[cfg(feature = "server")]
mod server;
#[cfg(feature = "server")]
mod teams;
