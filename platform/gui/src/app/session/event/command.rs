//! The commands about events.

use std::path::PathBuf;

use tengen_tournament::EngineEntry;

use super::{EventForm, EventPhase, EventSnapshot};
use crate::app::model::{ListenForm, Phase};

/// A command about events.
#[derive(Clone, PartialEq, Debug)]
pub enum EventCommand {
    /// Open the new event form.
    OpenForm,
    /// Set the contents of the form.
    Edit(Box<EventForm>),
    CloseForm,
    /// Start the event of the form.
    Begin,
    /// List the past events.
    ListPast,
    /// Open the event in a folder.
    Open(PathBuf),
    /// Pause the active event, or continue it.
    Pause(bool),
    /// Finish the running games, then stop.
    Finish,
    /// Stop at once; unfinished games are played again later.
    Stop,
    /// Abort the game that is watched, uncounted, and start the next one.
    NextGame,
    /// Play a match that is watched again, once it is over.
    PlayAgain,
    Resume,
    ResumeServed(ListenForm),
    /// Repair it if it is damaged.
    Repair,
    /// Change its engines or its number of games, or let it go on.
    Change(EventChange),
    /// Show another page of it.
    Show(EventPage),
    /// Show the board of a worker large, or none.
    Enlarge(Option<usize>),
    /// Open the finished game with that number.
    OpenGame(u64),
}

impl Eq for EventCommand {}

impl EventCommand {
    /// Whether it means something in this state of the event.
    pub fn fits(&self, shown: &EventSnapshot) -> bool {
        let playing = shown.phase == EventPhase::Playing;
        match self {
            _ if shown.game.is_some() => self.fits_watched(shown),
            EventCommand::NextGame | EventCommand::PlayAgain => false,
            EventCommand::Pause(_) | EventCommand::Finish => playing,
            EventCommand::Stop => playing || shown.phase == EventPhase::Finishing,
            EventCommand::Resume | EventCommand::ResumeServed(_) => {
                shown.phase == EventPhase::Stopped && !shown.dir.as_os_str().is_empty()
            }
            EventCommand::Repair => shown.phase == EventPhase::Stopped && shown.damaged,
            EventCommand::Change(EventChange::Continue) => playing && !shown.changing,
            EventCommand::Change(_) => {
                let is_at_rest = matches!(shown.phase, EventPhase::Stopped | EventPhase::Finished);
                (playing || is_at_rest)
                    && !(shown.dir.as_os_str().is_empty() || shown.damaged || shown.changing)
                    && shown.config.check_open("engines").is_ok()
            }
            _ => true,
        }
    }

    /// The same for a match that is watched.
    fn fits_watched(&self, shown: &EventSnapshot) -> bool {
        let Some(phase) = shown.game.as_ref().map(|game| game.phase) else { return false };
        let goes_on = !phase.is_over() && phase != Phase::Stopping;
        match self {
            EventCommand::Pause(wanted) => goes_on && shown.paused != *wanted,
            EventCommand::NextGame | EventCommand::Stop => goes_on,
            EventCommand::PlayAgain => phase.is_over(),
            _ => false,
        }
    }
}

/// A change of the engines of an event, of its number of games, or of whether it begins any.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EventChange {
    /// The engine of that id joins.
    Add(String),
    /// The engine at that place plays no more games.
    Remove(usize),
    /// Every two engines have so many games.
    Extend(u32),
    /// It was paused from elsewhere, and goes on.
    Continue,
}

impl EventChange {
    /// The id of a remote engine of that name.
    pub fn remote(name: &str) -> String {
        format!("{}{name}", EngineEntry::REMOTE)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EventPage {
    /// Standings, cross table, terminations.
    #[default]
    Standings,
    RunningGames,
    FinishedGames,
    /// The remote engines.
    Teams,
}
