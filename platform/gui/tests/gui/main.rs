//! The house without a window, and the window without a display.

mod house;
mod languages;
mod plays;
mod room;
mod sessions;
mod settings;
mod shelf;
mod sounds;
mod windows;
