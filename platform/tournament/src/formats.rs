//! The formats of events: what is drawn when, and how its stages stand.

mod bracket;
mod course;
mod stage;
mod standing;

pub(crate) use course::Course;
pub use standing::{BracketLine, StageLine, StageSummary, StageTable};
