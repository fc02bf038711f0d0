//! The session without a window, and the window without a display.

mod house;
mod sessions;
mod windows;
