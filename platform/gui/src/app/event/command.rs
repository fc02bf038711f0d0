use std::path::PathBuf;

use super::{EventForm, EventPhase, EventSnapshot};

/// What may be asked about events.
#[derive(Clone, PartialEq, Debug)]
pub enum EventCommand {
    /// Open the form of a new event.
    OpenForm,
    /// What the form holds now.
    Edit(Box<EventForm>),
    /// Leave the form.
    CloseForm,
    /// Play the event of the form.
    Begin,
    /// List the events that were played before.
    ListPast,
    /// Open the event in a folder.
    Open(PathBuf),
    /// Let the event in front rest before its next answers, or go on.
    Pause(bool),
    /// Play its games to their ends, and begin no other.
    Finish,
    /// Stop it at once; games that are played are played again later.
    Stop,
    /// Go on with it.
    Resume,
    /// Make it whole where it is damaged.
    Repair,
    /// Show another page of it.
    Show(EventPage),
    /// Show one of its boards large, by its table, or none.
    Enlarge(Option<usize>),
    /// Open the finished game of that number.
    OpenGame(u64),
}

impl Eq for EventCommand {}

impl EventCommand {
    /// Whether it means something for an event that stands so.
    pub fn fits(&self, shown: &EventSnapshot) -> bool {
        let playing = shown.phase == EventPhase::Playing;
        match self {
            EventCommand::Pause(_) | EventCommand::Finish => playing,
            EventCommand::Stop => playing || shown.phase == EventPhase::Finishing,
            EventCommand::Resume => {
                shown.phase == EventPhase::Stopped && !shown.dir.as_os_str().is_empty()
            }
            EventCommand::Repair => shown.phase == EventPhase::Stopped && shown.damaged,
            _ => true,
        }
    }
}

/// The pages of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EventPage {
    /// Who is where, who beat whom, how games ended.
    #[default]
    Standings,
    /// The games that are played now.
    RunningGames,
    /// The games that are finished.
    FinishedGames,
}
