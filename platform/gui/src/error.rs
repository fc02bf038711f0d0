/// Why the window could not be shown.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GuiError {
    /// The system has no display, or no OpenGL on it. In its words, for its own error cannot leave
    /// the thread of the window.
    #[error(
        "no window can be opened: {0}; a display (X11 or Wayland) with OpenGL is needed, and \
         `tengen match` plays the same match without one"
    )]
    Display(String),
}

impl GuiError {
    /// What the system says, without the places in libraries where it was said.
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
        let expected =
            "no window can be opened: winit EventLoopError: DISPLAY is not set; a display";
        assert!(told.starts_with(expected), "{told}");
    }
}
