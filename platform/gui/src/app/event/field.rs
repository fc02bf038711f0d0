use std::path::PathBuf;
use std::str::FromStr;

use tengen_tournament::{EventConfig, Openings};

use crate::app::Text;

/// Something of an event that is typed as its file has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// Each player's time.
    TimeControl,
    /// The file of opening positions.
    Openings,
    /// How many fifth moves may be declared.
    FifthMoves,
    /// The lag that is forgiven.
    Margin,
    /// When an engine without a clock counts as hung.
    Stall,
    /// How long an engine may take to get ready.
    Startup,
    /// When a game is drawn by its length.
    MoveLimit,
    /// The most memory of an engine.
    Memory,
    /// The folder that an engine may write in.
    FolderLimit,
    /// The seed of what is drawn by lot.
    Seed,
    /// The CPUs that are played on.
    Cpus,
    /// The event's own folder.
    Folder,
}

impl Field {
    /// Every field.
    pub const ALL: [Field; 12] = [
        Field::TimeControl,
        Field::Openings,
        Field::FifthMoves,
        Field::Margin,
        Field::Stall,
        Field::Startup,
        Field::MoveLimit,
        Field::Memory,
        Field::FolderLimit,
        Field::Seed,
        Field::Cpus,
        Field::Folder,
    ];

    /// What it is called.
    pub fn label(self) -> Text {
        self.texts().0
    }

    /// How it is written, and what it means.
    pub fn tip(self) -> Text {
        self.texts().1
    }

    fn texts(self) -> (Text, Text) {
        match self {
            Field::TimeControl => (Text::EventTc, Text::EventTcTip),
            Field::Openings => (Text::EventOpenings, Text::EventOpeningsTip),
            Field::FifthMoves => (Text::EventFifths, Text::EventFifthsTip),
            Field::Margin => (Text::EventMargin, Text::EventMarginTip),
            Field::Stall => (Text::EventStall, Text::EventStallTip),
            Field::Startup => (Text::EventStartup, Text::EventStartupTip),
            Field::MoveLimit => (Text::EventMoveLimit, Text::EventMoveLimitTip),
            Field::Memory => (Text::EventMemory, Text::EventMemoryTip),
            Field::FolderLimit => (Text::EventScratch, Text::EventScratchTip),
            Field::Seed => (Text::EventSeed, Text::EventSeedTip),
            Field::Cpus => (Text::EventCpus, Text::EventCpusTip),
            Field::Folder => (Text::EventFolder, Text::EventFolderTip),
        }
    }

    /// What a configuration has there, as it is typed.
    pub(super) fn of(self, config: &EventConfig) -> String {
        fn some<T: ToString>(value: &Option<T>) -> String {
            value.as_ref().map(T::to_string).unwrap_or_default()
        }
        match self {
            Field::TimeControl => config.tc.to_string(),
            Field::Openings => match &config.openings {
                Openings::File(path) => path.display().to_string(),
                Openings::Positions(_) => String::new(),
            },
            Field::FifthMoves => some(&config.fifth_moves),
            Field::Margin => config.margin.to_string(),
            Field::Stall => config.stall.to_string(),
            Field::Startup => config.startup.to_string(),
            Field::MoveLimit => some(&config.move_limit),
            Field::Memory => some(&config.memory),
            Field::FolderLimit => some(&config.folder_limit),
            Field::Seed => config.seed.to_string(),
            Field::Cpus => config.cpus.to_string(),
            Field::Folder => some(&config.out.as_ref().map(|path| path.display())),
        }
    }

    /// Puts what is typed into a configuration, and says whether it can be read.
    pub(super) fn put(self, typed: &str, config: &mut EventConfig) -> bool {
        let typed = typed.trim();
        match self {
            Field::TimeControl => put(typed, &mut config.tc),
            Field::Openings => {
                // Positions that came with the configuration stay until a file is named.
                if !typed.is_empty() {
                    config.openings = Openings::File(PathBuf::from(typed));
                } else if matches!(config.openings, Openings::File(_)) {
                    config.openings = Openings::default();
                }
                true
            }
            Field::FifthMoves => put_some(typed, &mut config.fifth_moves),
            Field::Margin => put(typed, &mut config.margin),
            Field::Stall => put(typed, &mut config.stall),
            Field::Startup => put(typed, &mut config.startup) && config.startup.0 > 0,
            Field::MoveLimit => put_some(typed, &mut config.move_limit),
            Field::Memory => put_some(typed, &mut config.memory),
            Field::FolderLimit => put_some(typed, &mut config.folder_limit),
            Field::Seed => put(typed, &mut config.seed) && i64::try_from(config.seed).is_ok(),
            Field::Cpus => put(typed, &mut config.cpus),
            Field::Folder => {
                config.out = (!typed.is_empty()).then(|| PathBuf::from(typed));
                true
            }
        }
    }
}

fn put<T: FromStr>(typed: &str, to: &mut T) -> bool {
    typed.parse().map(|value| *to = value).is_ok()
}

/// Nothing typed is nothing said.
fn put_some<T: FromStr>(typed: &str, to: &mut Option<T>) -> bool {
    *to = None;
    typed.is_empty() || typed.parse().map(|value| *to = Some(value)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A configuration that says something in every field.
    fn full() -> EventConfig {
        let text = "tc = '5+0.5'\nmargin = 0.2\nstall = 60\nstartup = 20\nmove-limit = 200\n\
                    memory = '350MiB'\nfolder-limit = '1GiB'\nseed = 7\ncpus = '0,2'\n\
                    out = 'cup'\nopenings = 'suite.pos'\nfifth-moves = '2..6'";
        EventConfig::from_toml(text, "cup.toml".as_ref()).unwrap()
    }

    #[test]
    fn what_a_field_shows_it_takes() {
        for config in [full(), EventConfig::default()] {
            let mut again = EventConfig::default();
            for field in Field::ALL {
                assert!(field.put(&field.of(&config), &mut again), "{field:?}");
            }
            assert_eq!(again, config);
        }
    }

    #[test]
    fn what_is_written_otherwise_is_not_taken() {
        let paths = [Field::Openings, Field::Folder];
        for field in Field::ALL.into_iter().filter(|field| !paths.contains(field)) {
            assert!(!field.put("soon", &mut full()), "{field:?}");
        }
        assert!(!Field::Startup.put("0", &mut full()));
        assert!(!Field::Seed.put("18446744073709551615", &mut full()));
    }
}
