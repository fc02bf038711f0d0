//! The app without a window, and the window without a display.

mod actions;
mod analysis;
mod board;
mod crashes;
mod editor;
mod engine_list;
mod engines;
mod event_forms;
mod events;
mod exchange;
mod files;
mod games;
mod help;
mod lists;
mod live;
mod match_sessions;
mod matches;
mod menus;
mod moves;
mod openings;
mod pictures;
mod real_window;
#[cfg(feature = "serve")]
mod remote_engines;
mod resumed;
mod screens;
mod settings;
mod smoke;
mod sounds;
#[cfg(feature = "serve")]
mod table_games;
#[cfg(feature = "serve")]
mod table_seats;
mod tables;
mod test_app;
mod test_folder;
mod texts;
mod ticks;
mod unsaved;
mod windows;
