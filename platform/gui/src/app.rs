//! The state and behaviour of the application, without a window.

mod analysis;
pub mod archive;
mod autosave;
mod board_question;
mod clock_reading;
mod command;
mod controller;
mod diagram;
mod dialog;
mod document;
mod editor;
mod engine_output;
mod engine_provider;
mod evaluation_curve;
mod event;
mod files;
mod game_form;
mod game_session;
mod match_session;
mod move_list;
mod opened_game;
mod overlay;
mod picture;
mod settings;
mod settings_store;
mod snapshot;
mod sound;
mod texts;
pub mod translator;
mod unsaved;
mod view;

pub use analysis::{AnalysisCommand, AnalysisSession, AnalysisStatus};
pub use archive::GameArchive;
pub use autosave::AutosaveProblem;
pub use board_question::{BoardQuestion, ClickRefusal, ClickResult, PointSelection};
pub use clock_reading::{ClockReading, ClockState, format_clock};
pub use command::Command;
pub use controller::{
    App, AppServices, EngineCheck, EngineCommand, EngineDetails, Menu, Tab, UserAction, Wake,
};
pub use diagram::{Diagram, Stone, star_points};
pub use dialog::Dialog;
pub use document::Document;
pub use editor::{Brush, EditorCommand, EditorProblem, PositionEditor};
pub use engine_output::{EngineOutput, LogLine};
pub use engine_provider::{
    CheckCallback, CheckFinding, EngineInstance, EngineList, EngineProfile, EngineProvider,
    EngineSettings, GameVariant, ListedEngine, OptionField, OptionFieldKind,
};
pub use evaluation_curve::EvaluationCurve;
pub use event::{
    Entrant, EventCommand, EventForm, EventFormProblem, EventHost, EventPage, EventPhase,
    EventPlayers, EventSession, EventSnapshot, FormField, PastEvent, RunningGame, is_crowded,
};
pub use files::{
    FileCommand, FileContents, FileDialog, FileProblem, FilePurpose, FolderEntry, FolderListing,
    GameCollection, GameData, GameSummary, is_game_or_event,
};
pub use game_form::{ClockKind, GameForm, GameFormProblem, PlayerSpec};
pub use game_session::{GameCommand, GameContext, GameSession};
pub use match_session::{MatchCommand, MatchConfig, MatchSession, RosterFactory};
pub use opened_game::OpenedGame;
pub use overlay::Overlay;
pub use picture::Picture;
pub use settings::{Settings, WindowGeometry};
pub use settings_store::{SettingsProblem, SettingsStore};
pub use snapshot::{
    Advice, Decision, Hint, MatchInfo, MatchStanding, MoveRow, OpenQuestion, Phase, SeatInfo,
    Snapshot,
};
pub use sound::Sound;
pub use texts::{Language, Text, fill};
pub use translator::Translator;
pub use view::{BoardStyle, CoordinateLabels, CursorStep, MoveNumbers, Navigation, Pane, View};
