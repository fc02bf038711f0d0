//! Game texts of other programs, and opening suites.

mod notation;
pub mod suite;

pub use notation::Notation;
