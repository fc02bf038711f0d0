//! What fills the window: each room of the house in a file of its own.

mod new_game;
mod table;
mod welcome;

pub(crate) use new_game::new_game;
pub(crate) use table::TableScreen;
pub(crate) use welcome::welcome;
