//! Game records: text to types and back.
#![forbid(unsafe_code)]

mod action;
mod adjudicate;
mod answer;
mod forbidden;
mod header;
mod info;
mod lines;
mod opening;
mod pack;
mod policies;
mod read;
mod record;
mod replay;
mod size;
mod text;
mod write;

pub use action::RecordedAction;
pub use adjudicate::{ReplayAnswer, replay_line};
pub use answer::{Answered, answer_lines};
pub use forbidden::{ForbiddenAnswer, forbidden_line};
pub use header::{Header, Sitter};
pub use info::SearchInfo;
pub use lines::{LINE_LIMIT, Lines};
pub use pack::{UnpackError, pack, unpack};
pub use read::{ReadError, Records, RecordsError};
pub use record::GameRecord;
pub use replay::{ReplayError, replay};
