//! Values: what is shown, and what can be said of it. No threads, no files.

pub(super) mod board_question;
mod clock_reading;
mod diagram;
mod editor;
mod evaluation_curve;
mod game_data;
mod game_form;
mod game_preset;
mod happenings;
mod journal_error;
pub(super) mod move_list;
mod opened_game;
mod overlay;
mod picture;
mod saved_state;
mod settings;
pub(super) mod snapshot;
mod sound;
pub(super) mod table;
pub(super) mod texts;
mod to_snapshot;
pub mod translator;
mod user_file;
mod view;

use std::sync::Arc;

pub use board_question::{BoardQuestion, ClickRefusal, ClickResult, PointSelection};
pub use clock_reading::{ClockReading, ClockState, format_clock};
pub use diagram::{Diagram, Stone, star_points};
pub use editor::{Brush, EditorCommand, EditorProblem, PositionEditor};
pub use evaluation_curve::EvaluationCurve;
pub use game_data::{GameData, GameSummary};
pub use game_form::{ClockKind, GameForm, GameFormProblem, PlayerSpec};
pub use game_preset::GamePreset;
pub use happenings::{Happening, HappeningKind, Happenings};
pub use journal_error::{JournalError, JournalFile};
pub use opened_game::OpenedGame;
pub use overlay::Overlay;
pub use picture::Picture;
pub use saved_state::SavedState;
pub use settings::{SeatLink, Settings, TableMemory, WindowGeometry};
pub use snapshot::{
    Advice, Decision, Hint, MatchInfo, MatchStanding, MoveRow, OpenQuestion, Phase, SeatChange,
    SeatInfo, Snapshot,
};
pub use sound::{Sound, SoundCues};
pub use table::{
    ChatLine, ConnectionState, HostForm, HostFormProblem, ListenForm, ListenFormProblem,
    ListenTerms, ServerRefusal, ServerTerms, Sitter, SitterKind, TableAddress, TableInfo,
    TableLinks, TableListing, TablePhase, TableRequest, TableSettings,
};
pub use texts::{Language, Text, fill};
pub use translator::Translator;
pub use user_file::UserFile;
pub use view::{BoardStyle, CoordinateLabels, CursorStep, MoveNumbers, Navigation, Pane, View};

/// Tells the window that there is something new to draw. Called on any thread; it returns at once.
pub type Wake = Arc<dyn Fn() + Send + Sync>;
