//! The house without a window, and the window without a display.

mod board;
mod clocks;
mod crashes;
mod drafts;
mod engines;
mod event_forms;
mod events;
mod exchange;
mod files;
mod hand;
mod house;
mod languages;
mod lists;
mod live;
mod openings;
mod pictures;
mod plays;
mod room;
mod sessions;
mod settings;
mod shelf;
mod smoke;
mod sounds;
mod studies;
mod texts;
mod windows;
