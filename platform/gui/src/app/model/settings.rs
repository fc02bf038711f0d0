//! The settings of the window.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::texts::Language;
use super::{BoardStyle, CoordinateLabels, EngineSettings, MoveNumbers, Translator};

/// The settings of the window. A missing key has its default value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Settings {
    /// The language.
    pub language: Language,
    /// Whether the theme is dark.
    pub dark: bool,
    /// The board style.
    pub style: BoardStyle,
    /// The user's picture for boards.
    pub picture: Option<PathBuf>,
    /// Which stones show move numbers.
    pub numbers: MoveNumbers,
    /// How many of the last stones show numbers.
    pub last_numbers: u32,
    /// Where coordinates are shown.
    pub edges: CoordinateLabels,
    /// Whether forbidden points are shown.
    pub forbidden: bool,
    /// Whether engine lines are shown on the board.
    pub lines: bool,
    /// Whether the graph is shown.
    pub graph: bool,
    /// Whether sounds are on.
    pub sound: bool,
    /// The open files and events.
    pub open: Vec<PathBuf>,
    /// The size of the window.
    pub window: WindowGeometry,
    /// The engines that the user added, and their options.
    pub engines: EngineSettings,
    /// Keys by action id, such as `Ctrl+Shift+N`; empty is none.
    pub keys: BTreeMap<String, String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            language: Language::default(),
            dark: true,
            style: BoardStyle::default(),
            picture: None,
            numbers: MoveNumbers::default(),
            last_numbers: 5,
            edges: CoordinateLabels::default(),
            forbidden: true,
            lines: true,
            graph: true,
            sound: true,
            window: WindowGeometry::default(),
            open: Vec::new(),
            engines: EngineSettings::default(),
            keys: BTreeMap::new(),
        }
    }
}

impl Settings {
    /// The translator for the language.
    pub fn tr(&self) -> Translator {
        Translator { language: self.language }
    }

    /// Sets the key of an action; none removes it.
    pub(in crate::app) fn bind(&mut self, action: &str, key: Option<String>) {
        self.keys.insert(action.to_owned(), key.unwrap_or_default());
    }
}

/// The size of the window, in points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct WindowGeometry {
    /// Its width.
    pub width: u16,
    /// Its height.
    pub height: u16,
    /// Whether it is maximized.
    pub maximized: bool,
    /// The width of the pane beside the board.
    pub side: u16,
}

impl Default for WindowGeometry {
    fn default() -> WindowGeometry {
        WindowGeometry { width: 1180, height: 820, maximized: false, side: 374 }
    }
}
