//! Serves an event of the window, and lets its remote engines come in.

#[cfg(feature = "serve")]
pub(super) use with_server::{listen, start};
#[cfg(not(feature = "serve"))]
pub(super) use without_server::{listen, start};

#[cfg(feature = "serve")]
mod with_server {
    use std::path::PathBuf;
    use std::sync::{Arc, Mutex, PoisonError};
    use std::time::Duration;

    use tengen_gui::app::{
        EventListener, EventNews, EventNote, EventServer, ListenTerms, RemoteTeam, TeamPresence,
    };
    use tengen_tournament::{AbsentOption, Event, EventFollower, Watcher};
    use tengen_web::play::TeamNews;

    use crate::engine_roster::EngineRoster;
    use crate::event_change::set_aside;
    use crate::report::causes;
    use crate::serve::team_links::TeamLinks;
    use crate::serve::{LiveListener, LiveServer};

    /// Takes the address.
    pub(in crate::gui) fn listen(terms: &ListenTerms) -> Result<LiveListener, String> {
        let certificate = terms.certificate.as_ref();
        let tls = certificate.map(|(file, key)| (file.as_path(), key.as_path()));
        let listener = LiveListener::bind(terms.address, tls, Duration::ZERO);
        let listener = listener.map_err(|error| causes(&error))?;
        let address = terms.address_for_others(listener.shown_address()).text();
        Ok(listener.reached_at(Some(address.trim_end_matches('/').to_owned())))
    }

    /// Begins to serve the event.
    pub(in crate::gui) fn start(
        listener: LiveListener,
        event: &Event,
        roster: &mut EngineRoster,
        tell: EventListener,
    ) -> Result<Box<dyn EventServer>, String> {
        // Its file of links is that of the run that goes on.
        event.check_not_running().map_err(|error| error.to_string())?;
        let (dir, url) = (event.dir().to_owned(), listener.url());
        let (links, absent) = (TeamLinks::new(&dir, &url), event.config().absent);
        let list = TeamList { dir, links, absent, teams: Mutex::default(), tell };
        let hear = Box::new(move |news| list.hear(news));
        let server = listener.serve_telling(event, roster, hear);
        let server = server.map_err(|error| causes(&error))?;
        Ok(Box::new(WindowServer { server, url }))
    }

    struct WindowServer {
        server: LiveServer,
        url: String,
    }

    impl EventServer for WindowServer {
        fn url(&self) -> String {
            format!("{}/", self.url)
        }

        fn follower(&self) -> &Arc<EventFollower> {
            self.server.follower()
        }

        fn watcher(&self) -> &dyn Watcher {
            self.server.watcher()
        }

        fn end(&self, is_whole: bool) {
            self.server.tell_end(is_whole);
            self.server.wait_until_told();
        }
    }

    /// The remote engines of the event, as the window shows them.
    struct TeamList {
        dir: PathBuf,
        links: TeamLinks,
        absent: AbsentOption,
        teams: Mutex<Vec<RemoteTeam>>,
        tell: EventListener,
    }

    impl TeamList {
        fn hear(&self, news: TeamNews) {
            match news {
                TeamNews::Exposed { file } => self.note(EventNote::KeysExposed(file)),
                TeamNews::NobodyThere => self.note(EventNote::NobodyThere),
                TeamNews::Expected { team, key } => self.expect(team, &key),
                TeamNews::Came { team, engine, tables }
                | TeamNews::Replaced { team, engine, tables } => {
                    self.set(&team, TeamPresence::Connected { engine, tables });
                }
                TeamNews::Gone { team } => self.set(&team, TeamPresence::Away),
                TeamNews::Overdue { place, team } => self.give_up(place, team),
            }
        }

        fn note(&self, note: EventNote) {
            (self.tell)(EventNews::Note(note));
        }

        fn expect(&self, label: String, key: &str) {
            let (link, written) = self.links.add(&label, key);
            if let Err(problem) = written {
                self.note(EventNote::LinksUnwritten(problem));
            }
            self.change(|teams| {
                teams.retain(|team| team.label != label);
                teams.push(RemoteTeam { label, link, state: TeamPresence::Expected });
            });
        }

        fn set(&self, label: &str, state: TeamPresence) {
            self.change(|teams| {
                if let Some(team) = teams.iter_mut().find(|team| team.label == label) {
                    team.state = state;
                }
            });
        }

        fn change(&self, change: impl FnOnce(&mut Vec<RemoteTeam>)) {
            let mut teams = self.teams.lock().unwrap_or_else(PoisonError::into_inner);
            change(&mut teams);
            // In order: told while no other change can come between.
            (self.tell)(EventNews::Teams(teams.clone()));
        }

        /// Does with a team that did not come what the event says.
        fn give_up(&self, place: usize, team: String) {
            self.set(&team, TeamPresence::GivenUp);
            let mut fate = self.absent;
            if fate == AbsentOption::Aside
                && let Err(error) = set_aside(&self.dir, place, "it was waited for in vain")
            {
                log::warn!("{team} cannot be set aside: {error}");
                fate = AbsentOption::Refuse;
            }
            self.note(EventNote::GaveUp { team, fate });
        }
    }
}

#[cfg(not(feature = "serve"))]
mod without_server {
    use tengen_gui::app::{EventListener, EventServer, ListenTerms};
    use tengen_tournament::Event;

    use crate::engine_roster::EngineRoster;
    use crate::serve::{LiveListener, NO_SERVER};

    /// Says that there is no server.
    pub(in crate::gui) fn listen(_terms: &ListenTerms) -> Result<LiveListener, String> {
        Err(NO_SERVER.to_owned())
    }

    /// There is none to start.
    pub(in crate::gui) fn start(
        listener: LiveListener,
        _event: &Event,
        _roster: &mut EngineRoster,
        _tell: EventListener,
    ) -> Result<Box<dyn EventServer>, String> {
        match listener {}
    }
}
