use std::sync::Arc;

use tengen_players::Player;
use tengen_rules::{Procedure, Rule, Size};

/// Where the engines come from. The window knows no more of them than this.
///
/// Every call may be slow, for a folder is read or an engine is started: none is made on the
/// window's thread.
pub trait Shelf: Send + Sync {
    /// What is there now. Nothing of it is started.
    fn list(&self) -> Listing;

    /// Fetches an engine for games of one kind.
    ///
    /// # Errors
    /// Why it cannot play them, in words for the person who chose it.
    fn hire(&self, id: &str, terms: &Terms) -> Result<Hired, String>;
}

/// The kind of game that an engine is hired for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// What wins.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// The opening procedure.
    pub opening: Procedure,
}

/// What stands on a shelf.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Listing {
    /// The engines, in the order they are offered.
    pub engines: Vec<Listed>,
    /// What looks like an engine and is none, with the reason.
    pub refused: Vec<(String, String)>,
    /// Why the folder could not be read, if it could not.
    pub problem: Option<String>,
}

/// An engine on a shelf.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// What it is asked for by.
    pub id: String,
    /// What people call it.
    pub name: String,
}

impl Listing {
    /// What people call the engine of that id; the id itself where it is not known.
    pub fn name<'a>(&'a self, id: &'a str) -> &'a str {
        self.engines.iter().find(|engine| engine.id == id).map_or(id, |engine| &engine.name)
    }
}

/// An engine that was hired.
pub struct Hired {
    /// The name it gives itself.
    pub name: String,
    /// Its version, if it told one.
    pub version: Option<String>,
    /// The SHA-256 of its file, in hexadecimal.
    pub hash: Option<String>,
    /// The walls that hold around it.
    pub layers: Vec<String>,
    /// Whether its opening questions are answered in its place.
    pub opening_by_arbiter: bool,
    /// The engine itself.
    pub player: Box<dyn Player>,
    /// Stops whatever it does. It is not used again afterwards.
    pub interrupt: Arc<dyn Fn() + Send + Sync>,
}
