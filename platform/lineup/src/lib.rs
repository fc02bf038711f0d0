//! What seats engines: they are found, asked what they are, made sure to fit, enrolled in events
//! with a copy of their files, and started; those of other machines come in through a server of the
//! event. The program and the window stand on this crate, and so does whatever else plays games of
//! engines.
#![forbid(unsafe_code)]

mod allowed_engines;
mod background;
mod debugging;
mod engine_folder;
mod engine_instance;
mod engine_provider;
mod event_change;
mod event_server;
mod lock;
mod logs;
mod lone_engine;
mod roster;
mod text;
mod wait_notice;
mod wrong_use;

pub use allowed_engines::{FoundEngines, NumberedEngines};
pub use background::Background;
pub use debugging::{NO_HURRY, debugged};
pub use engine_folder::EngineFolder;
pub use engine_instance::start_instance;
pub use engine_provider::{
    CheckCallback, EngineList, EngineProfile, EngineProvider, EngineSettings,
};
pub use event_change::{date, set_aside};
#[cfg(feature = "serve")]
pub use event_server::serve_error;
pub use event_server::{
    LiveListener, LiveServer, NO_SERVER, TEAM_LINKS, TeamChange, TeamChangeListener,
};
pub use lock::lock;
pub use logs::{EngineLogs, EventLog, GameLogs, GameMessages, PlayerLog, action_words, log_path};
pub use lone_engine::{LoneEngine, SUBSTITUTE, substitute_player};
pub use roster::{
    ChangeFate, EngineBundle, EngineRoster, FileChange, SERVE, fit_alone, refuse_remote,
};
pub use text::{causes, joined};
pub use wait_notice::WaitNotice;
pub use wrong_use::WrongUse;

/// The target of log records that are for people, whatever is logged beside them: an engine that is
/// left out, a layer that a sandbox lacks.
pub const NOTICE: &str = "tengen::notice";
