//! The model behind the window, which knows nothing of windows.

mod clock_face;
mod command;
mod desk;
mod diagram;
mod ledger;
mod runner;
mod session;
mod snapshot;
pub mod words;

pub use clock_face::ClockFace;
pub use command::Command;
pub use diagram::{Diagram, Stone, hoshi};
pub use session::{Rosters, Session, SessionConfig};
pub use snapshot::{Asked, Phase, Row, Seated, Snapshot, Standing};
