//! Who connects to a server.

use std::path::PathBuf;

use tengen_link::ConnectionOptions;
use tengen_link::messages::{ClientKind, ClientMessage, Hello, PROTOCOL_VERSION};

use crate::app::model::TableAddress;

/// Who connects to a server.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TableGuest {
    /// What the person at this window is called.
    pub name: String,
    /// The password of the server's owner.
    pub password: Option<String>,
    /// The file of a certificate to trust beside those of known authorities.
    pub authority: Option<PathBuf>,
}

impl TableGuest {
    /// A connection of this guest to a server.
    pub(super) fn options(&self, server: &TableAddress) -> ConnectionOptions {
        let TableGuest { name, password, authority } = self.clone();
        let (version, kind) = (PROTOCOL_VERSION, ClientKind::Person);
        let agent = format!("tengen {}", env!("CARGO_PKG_VERSION"));
        let hello = Hello { version, name, kind, agent, password };
        let greeting = ClientMessage::Hello(hello);
        ConnectionOptions { address: server.clone(), greeting, authority }
    }
}
