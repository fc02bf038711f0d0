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
