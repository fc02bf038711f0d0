//! The text fields of the event form.

use std::path::PathBuf;
use std::str::FromStr;

use tengen_tournament::{EventConfig, Openings};

use crate::app::model::Text;

/// A text field of the event form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormField {
    /// Each player's time.
    TimeControl,
    /// The file of opening positions.
    Openings,
    /// The number of the first position that is played.
    OpeningsStart,
    /// How many from there on are played.
    OpeningsCount,
    /// The range of fifth moves.
    FifthMoves,
    /// The time margin.
    Margin,
    /// When an engine without a clock counts as hung.
    Stall,
    /// How long an engine may take to start.
    Startup,
    /// How long a remote engine that is away is waited for.
    RemoteWait,
    /// After how many stones a game is a draw.
    MoveLimit,
    /// The memory limit of an engine.
    Memory,
    /// The size of the folder an engine may write to.
    FolderLimit,
    /// The random seed.
    Seed,
    /// The CPUs to use.
    Cpus,
    /// The event's folder.
    Folder,
}

impl FormField {
    pub const ALL: [FormField; 15] = [
        FormField::TimeControl,
        FormField::Openings,
        FormField::OpeningsStart,
        FormField::OpeningsCount,
        FormField::FifthMoves,
        FormField::Margin,
        FormField::Stall,
        FormField::Startup,
        FormField::RemoteWait,
        FormField::MoveLimit,
        FormField::Memory,
        FormField::FolderLimit,
        FormField::Seed,
        FormField::Cpus,
        FormField::Folder,
    ];

    pub fn label(self) -> Text {
        self.texts().0
    }

    /// Its format and meaning.
    pub fn tip(self) -> Text {
        self.texts().1
    }

    fn texts(self) -> (Text, Text) {
        match self {
            FormField::TimeControl => (Text::EventTc, Text::EventTcTip),
            FormField::Openings => (Text::EventOpenings, Text::EventOpeningsTip),
            FormField::OpeningsStart => (Text::EventOpeningsStart, Text::EventOpeningsStartTip),
            FormField::OpeningsCount => (Text::EventOpeningsCount, Text::EventOpeningsCountTip),
            FormField::FifthMoves => (Text::EventFifths, Text::EventFifthsTip),
            FormField::Margin => (Text::EventMargin, Text::EventMarginTip),
            FormField::Stall => (Text::EventStall, Text::EventStallTip),
            FormField::Startup => (Text::EventStartup, Text::EventStartupTip),
            FormField::RemoteWait => (Text::EventRemoteWait, Text::EventRemoteWaitTip),
            FormField::MoveLimit => (Text::EventMoveLimit, Text::EventMoveLimitTip),
            FormField::Memory => (Text::EventMemory, Text::EventMemoryTip),
            FormField::FolderLimit => (Text::EventScratch, Text::EventScratchTip),
            FormField::Seed => (Text::EventSeed, Text::EventSeedTip),
            FormField::Cpus => (Text::EventCpus, Text::EventCpusTip),
            FormField::Folder => (Text::EventFolder, Text::EventFolderTip),
        }
    }

    /// The value of a configuration as text.
    pub(super) fn of(self, config: &EventConfig) -> String {
        fn some<T: ToString>(value: &Option<T>) -> String {
            value.as_ref().map(T::to_string).unwrap_or_default()
        }
        match self {
            FormField::TimeControl => config.tc.to_string(),
            FormField::Openings => match &config.openings {
                Openings::File(path) => path.display().to_string(),
                Openings::Balanced => "balanced".to_owned(),
                Openings::Positions(_) => String::new(),
            },
            FormField::OpeningsStart => some(&config.openings_start),
            FormField::OpeningsCount => some(&config.openings_count),
            FormField::FifthMoves => some(&config.fifth_moves),
            FormField::Margin => some(&config.margin),
            FormField::Stall => config.stall.to_string(),
            FormField::Startup => config.startup.to_string(),
            FormField::RemoteWait => some(&config.remote_wait),
            FormField::MoveLimit => some(&config.move_limit),
            FormField::Memory => some(&config.memory),
            FormField::FolderLimit => some(&config.folder_limit),
            FormField::Seed => config.seed.to_string(),
            FormField::Cpus => config.cpus.to_string(),
            FormField::Folder => some(&config.out.as_ref().map(|path| path.display())),
        }
    }

    /// Puts a text into a configuration. Returns whether it is valid.
    pub(super) fn put(self, typed: &str, config: &mut EventConfig) -> bool {
        let typed = typed.trim();
        match self {
            FormField::TimeControl => put(typed, &mut config.tc),
            FormField::Openings => {
                // Positions from the configuration stay until a file is named.
                if !typed.is_empty() {
                    config.openings = Openings::from(PathBuf::from(typed));
                } else if !matches!(config.openings, Openings::Positions(_)) {
                    config.openings = Openings::default();
                }
                true
            }
            FormField::OpeningsStart => {
                put_some(typed, &mut config.openings_start) && config.openings_start != Some(0)
            }
            FormField::OpeningsCount => {
                put_some(typed, &mut config.openings_count) && config.openings_count != Some(0)
            }
            FormField::FifthMoves => put_some(typed, &mut config.fifth_moves),
            FormField::Margin => put_some(typed, &mut config.margin),
            FormField::Stall => put(typed, &mut config.stall),
            FormField::Startup => put(typed, &mut config.startup) && config.startup.0 > 0,
            FormField::RemoteWait => put_some(typed, &mut config.remote_wait),
            FormField::MoveLimit => put_some(typed, &mut config.move_limit),
            FormField::Memory => put_some(typed, &mut config.memory),
            FormField::FolderLimit => put_some(typed, &mut config.folder_limit),
            FormField::Seed => put(typed, &mut config.seed) && i64::try_from(config.seed).is_ok(),
            FormField::Cpus => put(typed, &mut config.cpus),
            FormField::Folder => {
                config.out = (!typed.is_empty()).then(|| PathBuf::from(typed));
                true
            }
        }
    }
}

fn put<T: FromStr>(typed: &str, to: &mut T) -> bool {
    typed.parse().map(|value| *to = value).is_ok()
}

/// An empty text is no value.
fn put_some<T: FromStr>(typed: &str, to: &mut Option<T>) -> bool {
    *to = None;
    typed.is_empty() || typed.parse().map(|value| *to = Some(value)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_otherwise_is_not_taken() {
        let paths = [FormField::Openings, FormField::Folder];
        for field in FormField::ALL.into_iter().filter(|field| !paths.contains(field)) {
            assert!(!field.put("soon", &mut EventConfig::default()), "{field:?}");
        }
        assert!(!FormField::Startup.put("0", &mut EventConfig::default()));
        assert!(!FormField::Seed.put("18446744073709551615", &mut EventConfig::default()));
    }
}
