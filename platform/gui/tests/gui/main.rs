//! The house without a window, and the window without a display.

mod house;
mod languages;
mod plays;
mod room;
mod sessions;
mod shelf;
mod windows;
