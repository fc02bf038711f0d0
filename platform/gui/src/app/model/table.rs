//! Tables on a server: what is said of them over the network, and what the window knows of one.

mod address;
mod client_text;
mod host_form;
mod message;
mod state;
mod step_fields;

pub use address::TableAddress;
pub(in crate::app) use client_text::ClientText;
pub use host_form::{HostForm, HostFormProblem, ServerTerms};
pub use message::{ChatLine, TableListing, TableRequest, TableTerms};
pub(in crate::app) use message::{
    LiveGame, OverMessage, ResultMessage, ServerMessage, StepMessage, TableMessage, TableState,
    seat_of,
};
pub use state::{
    ConnectionState, ServerRefusal, Sitter, SitterKind, TableInfo, TableLinks, TablePhase,
};
pub(in crate::app) use step_fields::StepFields;
