//! A server of tables in this process.

use std::net::SocketAddr;

use tempfile::TempDir;

use crate::app::model::{ServerTerms, TableAddress};

#[cfg(not(feature = "serve"))]
mod absent;
#[cfg(feature = "serve")]
mod start;

/// A server of tables in this process, on threads of its own. It ends when it is dropped.
pub struct WebServer {
    terms: ServerTerms,
    /// Where this window reaches it, and where others do.
    own: SocketAddr,
    shown: SocketAddr,
    password: String,
    #[cfg(feature = "serve")]
    _server: tengen_web::Server,
    /// Where its tables are, if not in the archive. It is removed after the server has ended.
    _folder: Option<TempDir>,
}

impl WebServer {
    /// How it was told to run.
    pub fn terms(&self) -> &ServerTerms {
        &self.terms
    }

    /// Where this window reaches it.
    pub fn own_address(&self) -> TableAddress {
        TableAddress::of_server(&self.own.to_string(), self.own.port(), false)
    }

    /// Where others reach it.
    pub fn shown_address(&self) -> TableAddress {
        self.terms.listen.address_for_others(self.shown)
    }

    /// The password by which this window opens tables on it.
    pub fn password(&self) -> &str {
        &self.password
    }
}
