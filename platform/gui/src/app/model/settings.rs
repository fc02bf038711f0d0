//! The settings of the window.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use tengen_lineup::EngineSettings;

use super::texts::Language;
use super::{
    BoardStyle, CoordinateLabels, GameForm, GamePreset, ListenForm, MoveNumbers, TableAddress,
    Translator, UserFile,
};

/// The settings of the window. A missing key has its default value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Settings {
    pub language: Language,
    /// Whether the theme is dark.
    pub dark: bool,
    pub style: BoardStyle,
    /// The user's picture for boards.
    pub picture: Option<PathBuf>,
    /// The user's picture behind the window.
    pub background: Option<PathBuf>,
    /// The user's music, which plays while sounds are on.
    pub music: Option<PathBuf>,
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
    pub sound: bool,
    /// The open files and events.
    pub open: Vec<PathBuf>,
    /// The size of the window.
    pub window: WindowGeometry,
    /// The engines that the user added, and their options.
    pub engines: EngineSettings,
    /// The settings of games that the user keeps.
    pub presets: Vec<GamePreset>,
    /// What is remembered of tables on servers.
    pub tables: TableMemory,
    /// What another person at this window is called.
    pub opponent: String,
    /// Where an event was served last.
    pub event_server: ListenForm,
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
            background: None,
            music: None,
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
            presets: Vec::new(),
            tables: TableMemory::default(),
            opponent: String::new(),
            event_server: ListenForm::default(),
            keys: BTreeMap::new(),
        }
    }
}

impl Settings {
    /// The translator for the language.
    pub fn tr(&self) -> Translator {
        Translator { language: self.language }
    }

    /// The file that the user has chosen.
    pub fn file(&self, of: UserFile) -> Option<&PathBuf> {
        match of {
            UserFile::BoardPicture => self.picture.as_ref(),
            UserFile::Background => self.background.as_ref(),
            UserFile::Music => self.music.as_ref(),
        }
    }

    pub(in crate::app) fn choose_file(&mut self, of: UserFile, path: Option<PathBuf>) {
        if of == UserFile::BoardPicture {
            let taken = path.as_ref().map(|_| BoardStyle::Picture);
            self.style = taken.unwrap_or_else(|| match self.style {
                BoardStyle::Picture => BoardStyle::default(),
                other => other,
            });
        }
        *match of {
            UserFile::BoardPicture => &mut self.picture,
            UserFile::Background => &mut self.background,
            UserFile::Music => &mut self.music,
        } = path;
    }

    /// Keeps these settings of a game under a name, in place of others of that name.
    pub(in crate::app) fn keep_preset(&mut self, name: &str, game: GameForm) {
        self.forget_preset(name);
        self.presets.push(GamePreset { name: name.to_owned(), game });
    }

    /// Forgets the settings of a game of that name.
    pub(in crate::app) fn forget_preset(&mut self, name: &str) {
        self.presets.retain(|kept| kept.name != name);
    }

    /// Sets the key of an action; none removes it.
    pub(in crate::app) fn bind(&mut self, action: &str, key: Option<String>) {
        self.keys.insert(action.to_owned(), key.unwrap_or_default());
    }
}

/// What the window remembers of tables on servers.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct TableMemory {
    /// What the person at this window is called.
    pub name: String,
    /// The server that was joined last.
    pub server: String,
    /// Links to seats that may still be this window's, the newest first.
    pub seats: Vec<SeatLink>,
}

/// A link to a seat that may still be this window's.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct SeatLink {
    /// The link, with the key of the seat.
    pub link: String,
    /// The title of the table, and its players.
    pub title: String,
}

impl TableMemory {
    /// The most seats that are remembered.
    const MOST: usize = 8;

    /// Remembers a seat, in place of an older link to the same table.
    pub(in crate::app) fn remember(&mut self, seat: SeatLink) {
        if self.seats.contains(&seat) {
            return;
        }
        self.forget(&seat.link);
        self.seats.insert(0, seat);
        self.seats.truncate(TableMemory::MOST);
    }

    /// Forgets the table of a link.
    pub(in crate::app) fn forget(&mut self, link: &str) {
        let table =
            |link: &str| link.parse::<TableAddress>().map(|link| (link.server(), link.table));
        let forgotten = table(link);
        self.seats.retain(|seat| table(&seat.link) != forgotten);
    }
}

/// The size of the window, in points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct WindowGeometry {
    pub width: u16,
    pub height: u16,
    pub maximized: bool,
    /// The width of the pane beside the board.
    pub side: u16,
}

impl Default for WindowGeometry {
    fn default() -> WindowGeometry {
        WindowGeometry { width: 1180, height: 820, maximized: false, side: 374 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_takes_the_place_of_an_earlier_link_to_its_table() {
        let seat = |link: &str| SeatLink { link: link.to_owned(), title: String::new() };
        let of = |name: &str, key: &str| seat(&format!("http://a:1/#{name}=r&key={key}"));
        let other = seat("http://a:1/#table=s&key=k");
        // An earlier tengen called a table a room.
        for earlier in [of("table", "old"), of("room", "old")] {
            let seats = vec![earlier, other.clone()];
            let mut memory = TableMemory { seats, ..TableMemory::default() };
            memory.remember(of("table", "new"));
            assert_eq!(memory.seats, [of("table", "new"), other.clone()]);
        }
    }
}
