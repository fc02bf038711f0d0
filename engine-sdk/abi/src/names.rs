//! The names of the functions an engine exports, and of the module a WebAssembly engine imports
//! from.

/// Its existence says major 1; its value is the minor.
pub const ABI_V1: &str = "tengen_abi_v1";
/// The description, as lines of text.
pub const DESCRIBE: &str = "tengen_describe";
/// Makes the engine.
pub const CREATE: &str = "tengen_create";
/// Tells of one game, before its first question.
pub const NEW_GAME: &str = "tengen_new_game";
/// Sets all plies from the empty board.
pub const SET_POSITION: &str = "tengen_set_position";
/// Asks for one move.
pub const CHOOSE: &str = "tengen_choose";
/// Lends the host a region of memory; WebAssembly only.
pub const BUFFER: &str = "tengen_buffer";
/// Ends the engine; the host may skip it.
pub const DESTROY: &str = "tengen_destroy";
/// Sets one option.
pub const SET_OPTION: &str = "tengen_set_option";
/// Adds one ply.
pub const PLAY: &str = "tengen_play";
/// Takes plies back.
pub const UNDO: &str = "tengen_undo";
/// Asks an opening question.
pub const DECIDE: &str = "tengen_decide";
/// Lets the engine think in the opponent's time.
pub const PONDER: &str = "tengen_ponder";
/// Tells how the game ended.
pub const END_GAME: &str = "tengen_end_game";
/// For later use.
pub const EXTRA: &str = "tengen_extra";

/// What every engine must export.
pub const REQUIRED: [&str; 6] = [ABI_V1, DESCRIBE, CREATE, NEW_GAME, SET_POSITION, CHOOSE];
/// What a WebAssembly engine must export besides [`REQUIRED`].
pub const REQUIRED_WASM: [&str; 1] = [BUFFER];
/// What an engine may leave out.
pub const OPTIONAL: [&str; 8] = [DESTROY, SET_OPTION, PLAY, UNDO, DECIDE, PONDER, END_GAME, EXTRA];

/// The module a WebAssembly engine imports the host's services from.
pub const IMPORT_MODULE: &str = "tengen";
/// The services it may import.
pub const IMPORTS: [&str; 3] = ["left_us", "send", "fetch"];
