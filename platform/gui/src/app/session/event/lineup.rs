//! The engines of events: enrolled, seated, and served to those of other machines.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tengen_lineup::{
    EngineProvider, EngineRoster, FileChange, LiveListener, LiveServer, TeamChange, causes, date,
    refuse_remote,
};
use tengen_tournament::{AbsentOption, ChangeKind, Event, EventConfig};

use super::EventChange;
use super::session::{EventHandle, EventPhase};
use crate::app::model::ListenTerms;

/// What to do about a remote engine of an event that is not served.
const SERVE: &str = "say where the event is served";

/// What events are played with. Every call may be slow: none is made on the window's thread.
#[derive(Clone)]
pub(in crate::app) struct EventLineUp {
    pub engines: Arc<dyn EngineProvider>,
    /// The folder in which new events are created.
    pub folder: PathBuf,
}

impl EventLineUp {
    /// Finds the engines of a new event, and takes the address where it is to be served, if it is.
    /// Gives the configuration with what was found.
    ///
    /// # Errors
    /// Why they cannot play, as a message to the user.
    pub fn enroll(
        &self,
        config: EventConfig,
        listen: Option<&ListenTerms>,
    ) -> Result<(EventConfig, EnrolledEngines), String> {
        let listener = take_address(&config, listen)?;
        let (config, roster) = self.engines.enroll(config)?;
        Ok((config, EnrolledEngines { roster, listener }))
    }

    /// The same for an event that is resumed; its engines must be the same as before.
    ///
    /// # Errors
    /// Why it cannot be resumed.
    pub fn gather(
        &self,
        config: &EventConfig,
        listen: Option<&ListenTerms>,
    ) -> Result<EnrolledEngines, String> {
        let listener = take_address(config, listen)?;
        Ok(EnrolledEngines { roster: self.engines.gather(config)?, listener })
    }

    /// Changes the event in a folder, whether it is being played or not.
    ///
    /// # Errors
    /// Why it cannot be changed so. Nothing is changed then.
    pub fn change(&self, dir: &Path, change: &EventChange) -> Result<(), String> {
        let event = Event::open(dir).map_err(|error| error.to_string())?;
        let changed = match change {
            EventChange::Add(id) => {
                let newcomer = self.engines.newcomer(event.config(), id)?;
                event.add(&[newcomer], &date())
            }
            EventChange::Remove(place) => event.remove(*place, "", &date()),
            EventChange::Extend(games) => Event::extend(dir, *games, &date()),
            EventChange::Continue => {
                event.order(ChangeKind::Continued, "", &date()).map(|()| event)
            }
        };
        changed.map(drop).map_err(|error| error.to_string())
    }
}

/// Takes the address where an event is to be served, if it is: before anything is made of it.
fn take_address(
    config: &EventConfig,
    listen: Option<&ListenTerms>,
) -> Result<Option<LiveListener>, String> {
    let Some(terms) = listen else {
        refuse_remote(config, SERVE).map_err(|error| causes(&error))?;
        return Ok(None);
    };
    let certificate = terms.certificate.as_ref();
    let tls = certificate.map(|(file, key)| (file.as_path(), key.as_path()));
    let bound = LiveListener::bind(terms.address, tls, Duration::ZERO);
    let reached = bound.map(|listener| {
        let address = terms.address_for_others(listener.shown_address()).text();
        listener.reached_at(Some(address.trim_end_matches('/').to_owned()))
    });
    reached.map(Some).map_err(|error| causes(&error))
}

/// The engines of an event that is about to be played, and where it is going to be served.
pub(in crate::app) struct EnrolledEngines {
    roster: EngineRoster,
    listener: Option<LiveListener>,
}

impl EnrolledEngines {
    /// Seats them, and begins to serve the event where that was wanted.
    ///
    /// # Errors
    /// Why it cannot be served.
    pub(super) fn seat(
        self,
        event: &Event,
        shared: &Arc<EventHandle>,
    ) -> Result<(EngineRoster, Option<LiveServer>), String> {
        let EnrolledEngines { mut roster, listener } = self;
        let told = Arc::downgrade(shared);
        let hear = move |change| {
            if let Some(shared) = told.upgrade() {
                hear_of_team(&shared, change);
            }
        };
        let serve = |listener: LiveListener| listener.serve(event, &mut roster, Box::new(hear));
        let server = listener.map(serve).transpose().map_err(|error| causes(&error))?;
        let told = Arc::downgrade(shared);
        let hear = move |change| {
            if let Some(shared) = told.upgrade() {
                shared.publish(|state| state.shown.note = Some(EventNote::File(change)));
            }
        };
        roster.watch_changes(event, Box::new(hear)).map_err(|error| causes(&error))?;
        Ok((roster, server))
    }
}

/// What the organiser should know of the engines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EventNote {
    /// Of a remote one.
    Team(TeamChange),
    /// A file of one was changed.
    File(FileChange),
}

/// An engine of the event that plays from another machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemoteTeam {
    /// What the event calls it.
    pub label: String,
    /// What lets it in: a program that has it plays for that team.
    pub link: String,
    /// Whether it is there.
    pub state: TeamPresence,
}

/// Whether a remote engine is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TeamPresence {
    /// It has not come yet.
    Expected,
    /// It is there.
    Connected {
        /// What its engine and its program call themselves.
        engine: String,
        /// How many games it plays at once.
        tables: u64,
    },
    /// Its connection is gone.
    Away,
    /// It was waited for in vain: it loses its games, or plays no more.
    GivenUp,
}

fn hear_of_team(shared: &EventHandle, change: TeamChange) {
    shared.publish(|state| {
        let mut teams = state.shown.teams.to_vec();
        let mut set = |label: &str, presence: TeamPresence| {
            let known = teams.iter_mut().find(|team| team.label == label);
            known.into_iter().for_each(|team| team.state = presence.clone());
        };
        match &change {
            TeamChange::Expected { team, link, .. } => {
                teams.retain(|known| known.label != *team);
                let (label, link) = (team.clone(), link.clone());
                teams.push(RemoteTeam { label, link, state: TeamPresence::Expected });
            }
            TeamChange::Connected { team, engine, tables, .. } => {
                set(team, TeamPresence::Connected { engine: engine.clone(), tables: *tables });
                let nobody = EventNote::Team(TeamChange::NoneConnected);
                state.shown.note.take_if(|note| *note == nobody);
            }
            TeamChange::Gone(team) => set(team, TeamPresence::Away),
            TeamChange::GaveUp { team, fate, .. } => {
                set(team, TeamPresence::GivenUp);
                if *fate == AbsentOption::Refuse && state.shown.phase.is_running() {
                    state.stop.request();
                    state.shown.phase = EventPhase::Stopping;
                }
            }
            TeamChange::Exposed(_) | TeamChange::NoneConnected => {}
        }
        state.shown.teams = teams.into();
        let is_note = match &change {
            TeamChange::Expected { unwritten, .. } => unwritten.is_some(),
            TeamChange::Connected { .. } | TeamChange::Gone(_) => false,
            TeamChange::GaveUp { .. } | TeamChange::Exposed(_) | TeamChange::NoneConnected => true,
        };
        if is_note {
            state.shown.note = Some(EventNote::Team(change));
        }
    });
}
