//! Tables on a server: what is said of them over the network, and what the window knows of one.

mod address;
mod client_text;
mod host_form;
mod listen_form;
mod state;

pub use address::TableAddress;
pub(in crate::app) use client_text::ClientText;
pub use host_form::{HostForm, HostFormProblem, ServerTerms};
pub use listen_form::{ListenForm, ListenFormProblem, ListenTerms};
pub use state::{ConnectionState, ServerRefusal, TableInfo, TableLinks};
pub use tengen_web::play::messages::{
    ChatLine, Sitter, SitterKind, TableListing, TablePhase, TableRequest,
};
pub use tengen_web::play::{Late, TableSettings};

/// A seat as the protocol has it.
pub(in crate::app) fn seat_of(number: u8) -> tengen_rules::Seat {
    if number == 0 { tengen_rules::Seat::First } else { tengen_rules::Seat::Second }
}
