//! Tables on a server: what is said of them over the network, and what the window knows of one.

mod host_form;
mod listen_form;
mod state;

pub use host_form::{HostForm, HostFormProblem, ServerTerms};
pub use listen_form::{ListenForm, ListenFormProblem, ListenTerms};
pub use state::{ConnectionState, ServerRefusal, TableInfo, TableLinks};
pub use tengen_arbiter::LatePolicy;
pub use tengen_link::TableAddress;
pub use tengen_link::messages::{
    ChatLine, Sitter, SitterKind, TableListing, TablePhase, TableRequest, TableSettings,
};
