//! The report and the server, as somebody sees them who has only what they give out.

mod event;
mod report;
#[cfg(feature = "server")]
mod server;
