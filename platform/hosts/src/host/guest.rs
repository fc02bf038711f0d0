//! An engine that is loaded into this process, of machine code or of WebAssembly.

use tengen_abi::{Game, Limits, MoveCode, Question, Reply, Verdict};
use tengen_players::Fault;

use crate::ExportSet;
use crate::host::struct_fit::StructFit;
use crate::protocol::Unhosted;

/// Why an engine could not be loaded into this process.
#[derive(Debug)]
pub(crate) enum LoadError {
    /// The file is no engine, or not one for this machine.
    Refused(String),
    /// The engine misbehaved.
    Failed(Fault),
    /// It was not even tried: this process cannot host it, and that is the machine's doing.
    Unhosted(Unhosted),
}

impl From<Fault> for LoadError {
    fn from(fault: Fault) -> LoadError {
        LoadError::Failed(fault)
    }
}

impl From<Unhosted> for LoadError {
    fn from(unhosted: Unhosted) -> LoadError {
        LoadError::Unhosted(unhosted)
    }
}

/// An engine loaded into this process. Every call gives the engine's own status, and
/// [`tengen_abi::status::UNSUPPORTED`] where the engine lacks the export. A fault means that the
/// engine is dead.
pub(crate) trait Guest {
    /// The minor version of its ABI.
    fn minor(&self) -> u32;
    fn exports(&self) -> ExportSet;
    /// Its description, at most 64 KiB.
    fn describe(&mut self) -> Result<String, Fault>;
    /// Makes the engine; comes before all that follows.
    fn create(&mut self) -> Result<(), Fault>;
    /// `tengen_set_option`; neither text holds a NUL.
    fn set_option(&mut self, name: &str, value: &str) -> Result<i32, Fault>;
    /// Passes structs in these sizes from now on.
    fn set_fit(&mut self, fit: StructFit);
    fn new_game(&mut self, game: &Game) -> Result<i32, Fault>;
    fn set_position(&mut self, moves: &[MoveCode]) -> Result<i32, Fault>;
    fn play(&mut self, mv: MoveCode) -> Result<i32, Fault>;
    fn undo(&mut self, count: u32) -> Result<i32, Fault>;
    fn choose(&mut self, limits: &Limits) -> Result<(i32, Reply), Fault>;
    fn decide(
        &mut self,
        question: &Question,
        candidates: &[MoveCode],
        limits: &Limits,
    ) -> Result<(i32, Verdict), Fault>;
    fn end_game(&mut self, outcome: i32, reason: u32) -> Result<i32, Fault>;
    /// `tengen_destroy`; the engine must not be used after it.
    fn destroy(&mut self) -> Result<i32, Fault>;
}
