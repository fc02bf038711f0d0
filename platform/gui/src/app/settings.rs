use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::texts::Language;
use super::{BoardStyle, CoordinateLabels, EngineSettings, MoveNumbers, Translator, UserAction};

/// How everything looks and sounds and what the person arranged, kept from one day to the next.
/// What a file does not say is as it is at first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Settings {
    /// The language of everything.
    pub language: Language,
    /// Whether the window is dark.
    pub dark: bool,
    /// What boards are made of.
    pub style: BoardStyle,
    /// The picture that boards show whose style is one.
    pub picture: Option<PathBuf>,
    /// Which stones are numbered.
    pub numbers: MoveNumbers,
    /// How many are the last ones.
    pub last_numbers: u32,
    /// Where the edges are labelled.
    pub edges: CoordinateLabels,
    /// Whether forbidden points are marked.
    pub forbidden: bool,
    /// Whether the lines that engines think of are shown on the board.
    pub lines: bool,
    /// Whether evaluations and times are drawn.
    pub graph: bool,
    /// Whether there are sounds.
    pub sound: bool,
    /// The files and events that lie on tables.
    pub open: Vec<PathBuf>,
    /// The window's measures.
    pub window: WindowGeometry,
    /// The engines that the person added, and what was set on any.
    pub engines: EngineSettings,
    /// The keys that the person has given deeds, by their ids: `Ctrl+Shift+N`; empty is none.
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
    /// The words of the language.
    pub fn tr(&self) -> Translator {
        Translator { language: self.language }
    }

    /// Gives a deed another key; none takes its key away.
    pub(super) fn bind(&mut self, action: UserAction, key: Option<String>) {
        self.keys.insert(action.id().to_owned(), key.unwrap_or_default());
    }
}

/// The measures of the window, in points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct WindowGeometry {
    /// How wide it is.
    pub width: u16,
    /// How high it is.
    pub height: u16,
    /// Whether it fills the screen.
    pub maximized: bool,
    /// How wide the pane beside the board is.
    pub side: u16,
}

impl Default for WindowGeometry {
    fn default() -> WindowGeometry {
        WindowGeometry { width: 1180, height: 820, maximized: false, side: 374 }
    }
}
