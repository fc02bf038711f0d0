//! The screens and dialogs of the window, each in a file of its own.

mod about;
mod collection;
mod confirmation;
mod dialog_frame;
mod editor;
mod engines;
mod event;
mod event_form;
mod file_dialog;
mod game;
mod host_form;
mod join_form;
mod keys;
mod new_game;
mod past_events;
mod running;
mod settings;
mod unsaved;
mod welcome;

pub(crate) use about::about;
pub(crate) use collection::collection;
pub(crate) use editor::EditorScreen;
pub(crate) use engines::engines;
pub(crate) use event::EventScreen;
pub(crate) use event_form::event_form;
pub(crate) use file_dialog::file_dialog;
pub(crate) use game::GameScreen;
pub(crate) use host_form::host_form;
pub(crate) use join_form::join_form;
pub(crate) use keys::keys;
pub(crate) use new_game::new_game;
pub(crate) use past_events::past_events;
pub(crate) use running::running;
pub(crate) use settings::settings;
pub(crate) use unsaved::{end, leaving, unsaved};
pub(crate) use welcome::welcome;
