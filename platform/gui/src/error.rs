//! Why the window could not be opened.

/// What a window needs.
const NEEDED: &str = if cfg!(windows) {
    "a graphics driver with OpenGL (over Remote Desktop there may be none)"
} else if cfg!(target_os = "macos") {
    "a display with OpenGL"
} else {
    "a display (X11 or Wayland) with OpenGL"
};

/// Why the window could not be opened.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GuiError {
    /// There is no display, or no OpenGL on it. Holds the system's message, because its error
    /// cannot leave the window's thread.
    #[error(
        "no window can be opened: {0}; {NEEDED} is needed, and `tengen match` plays the same match \
         without one"
    )]
    Display(String),
}

impl GuiError {
    /// The system's message, without source places in libraries.
    pub(crate) fn display(said: &str) -> GuiError {
        let said: Vec<&str> = said.split(": ").filter(|part| !part.contains(".rs:")).collect();
        GuiError::Display(said.join(": ").trim_end_matches('.').to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_display_that_is_missing_is_told_without_places_in_libraries() {
        let said = "winit EventLoopError: os error at /a/src/mod.rs:765: DISPLAY is not set.";
        let told = GuiError::display(said).to_string();
        let expected = format!(
            "no window can be opened: winit EventLoopError: DISPLAY is not set; {NEEDED} is needed"
        );
        assert!(told.starts_with(&expected), "{told}");
    }
}
