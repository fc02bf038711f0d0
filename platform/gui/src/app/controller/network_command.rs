//! The commands about tables on servers.

use std::path::PathBuf;

use crate::app::model::HostForm;
use crate::app::session::{TableCommand, TableGuest};

/// A command about tables on servers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetworkCommand {
    /// Open the form that opens a table.
    OpenHostForm,
    /// Set the contents of that form.
    EditHostForm(Box<HostForm>),
    CloseHostForm,
    /// Open the table of the form.
    Host,
    /// Open the form that goes to a table.
    OpenJoinForm,
    /// Set the contents of that form.
    EditJoinForm(JoinForm),
    CloseJoinForm,
    /// Go to the table of the link, to play if there is a seat; or list those of the server.
    Join,
    /// The same, to look on.
    Watch,
    /// Go to a table in the list.
    Enter {
        /// Its id.
        table: String,
        /// Whether to sit down.
        sits: bool,
    },
    /// Go back to a seat that is remembered, by its place among them.
    Return(usize),
    /// Forget that seat.
    Forget(usize),
    /// Try now to reach the server of the list.
    RetryList,
    /// A command to the active table.
    ToTable(TableCommand),
    /// Set what is typed to be said.
    Type(String),
    /// Note that so many lines of what was said are read.
    Read(usize),
    /// Say what is typed.
    Say,
    CopyLink(String),
}

/// The values of the form that goes to a table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct JoinForm {
    /// The typed address or link.
    pub address: String,
    /// What the person at this window is called.
    pub name: String,
    /// The password of the server's owner.
    pub password: String,
    /// The file of a certificate to trust beside those of known authorities.
    pub authority: String,
    /// The id of the engine that plays, if the link is a team's.
    pub engine: String,
    /// How many games it plays at once.
    pub tables: u32,
}

impl JoinForm {
    /// The name and the password to connect with.
    pub(super) fn guest(&self) -> TableGuest {
        let name = self.name.trim().to_owned();
        let password = Some(self.password.clone()).filter(|password| !password.is_empty());
        TableGuest { name, password, authority: self.authority() }
    }

    /// The file of a certificate to trust, where one is named.
    pub(super) fn authority(&self) -> Option<PathBuf> {
        Some(self.authority.trim()).filter(|path| !path.is_empty()).map(PathBuf::from)
    }
}
