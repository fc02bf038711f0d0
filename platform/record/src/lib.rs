//! Game records: text to types and back.
#![forbid(unsafe_code)]

mod action;
mod header;
mod info;
mod opening;
mod policies;
mod record;
mod size;
mod text;

pub use action::RecordedAction;
pub use header::{Header, Sitter};
pub use info::SearchInfo;
pub use record::GameRecord;
