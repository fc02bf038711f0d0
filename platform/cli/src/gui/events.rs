//! Seats the engines of the window's events, like the command line.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tengen_gui::app::{
    EngineSettings, EventChange, EventEngines, EventHost, EventListener, EventNews, EventNote,
    ListenTerms, SeatedEvent,
};
use tengen_tournament::{ChangeKind, EngineEntry, Event, EventConfig};

use super::engine_folder::EngineFolder;
use super::event_server;
use crate::engine_roster::{ChangeFate, EngineRoster, FileChange, refuse_remote};
use crate::event_change::date;
use crate::report::causes;
use crate::serve::LiveListener;
use crate::steer::newcomer;

/// What to do about a remote engine of an event that is not served.
const SERVE: &str = "say where the event is served";

/// Plays events of the engines that the window knows.
pub(super) struct Events {
    /// The engines, and the user's options.
    pub provider: Arc<EngineFolder>,
    /// The folder in which new events are created.
    pub folder: PathBuf,
}

impl EventHost for Events {
    fn enroll(
        &self,
        mut config: EventConfig,
        listen: Option<&ListenTerms>,
    ) -> Result<(EventConfig, Box<dyn EventEngines>), String> {
        if config.dir == EventConfig::default().dir {
            self.provider.dir().clone_into(&mut config.dir);
        }
        let kept = self.provider.kept();
        for entry in &mut config.engines {
            furnish(entry, &kept, |id| self.provider.name(id));
        }
        let listener = take_address(&config, listen)?;
        let enrolled = EngineRoster::enroll(config).map_err(|error| format!("{error:#}"));
        let (mut config, roster) = enrolled?;
        config.engines.iter_mut().for_each(shorten);
        Ok((config, Box::new(LocalEngines { roster, listener })))
    }

    fn gather(
        &self,
        config: &EventConfig,
        listen: Option<&ListenTerms>,
    ) -> Result<Box<dyn EventEngines>, String> {
        let listener = take_address(config, listen)?;
        let roster = EngineRoster::gather(config).map_err(|error| format!("{error:#}"))?;
        Ok(Box::new(LocalEngines { roster, listener }))
    }

    fn change(&self, dir: &Path, change: &EventChange) -> Result<(), String> {
        let text = |error: anyhow::Error| causes(&error);
        let event = Event::open(dir).map_err(|error| error.to_string())?;
        let changed = match change {
            EventChange::Add(id) => {
                let mut entry = EngineEntry::new(id);
                furnish(&mut entry, &self.provider.kept(), |id| self.provider.name(id));
                // The event may have another folder of engines than the window.
                let is_far = event.config().dir != self.provider.dir() && is_plain(id);
                let folder = is_far.then(|| self.provider.dir());
                let mut entry = newcomer(event.config(), entry, folder).map_err(text)?;
                shorten(&mut entry);
                event.add(&[entry], &date())
            }
            EventChange::Remove(place) => event.remove(*place, "", &date()),
            EventChange::Extend(games) => Event::extend(dir, *games, &date()),
            EventChange::Continue => {
                event.order(ChangeKind::Continued, "", &date()).map(|()| event)
            }
        };
        changed.map(drop).map_err(|error| error.to_string())
    }

    fn folder(&self) -> PathBuf {
        self.folder.clone()
    }
}

/// The engines of an event that is about to be played, and where it is going to be served.
struct LocalEngines {
    roster: EngineRoster,
    listener: Option<LiveListener>,
}

impl EventEngines for LocalEngines {
    fn seat(self: Box<Self>, event: &Event, tell: EventListener) -> Result<SeatedEvent, String> {
        let LocalEngines { mut roster, listener } = *self;
        let hear = Arc::clone(&tell);
        let hear = move |change| hear(EventNews::Note(note(change)));
        let serve = |listener| event_server::start(listener, event, &mut roster, tell);
        let server = listener.map(serve).transpose()?;
        roster.watch_changes(event, Box::new(hear)).map_err(|error| causes(&error))?;
        Ok(SeatedEvent { players: Arc::new(roster), server })
    }
}

/// What the window says of a file that was changed.
fn note(FileChange { label: engine, path: file, fate }: FileChange) -> EventNote {
    match fate {
        ChangeFate::Kept => EventNote::Kept { engine, file },
        ChangeFate::SetAside => EventNote::LeftOut { engine, file },
        ChangeFate::Stopped => EventNote::StoppedFor { engine, file },
    }
}

/// Takes the address where an event is to be served, if it is: before anything is made of it.
fn take_address(
    config: &EventConfig,
    listen: Option<&ListenTerms>,
) -> Result<Option<LiveListener>, String> {
    if listen.is_none() {
        refuse_remote(config, SERVE).map_err(|error| format!("{error:#}"))?;
    }
    listen.map(event_server::listen).transpose()
}

/// Whether that is the name of an engine in a folder, and no path or command.
fn is_plain(id: &str) -> bool {
    !id.starts_with("cmd:") && !Path::new(id).is_absolute()
}

/// Applies the user's options where the event has none, and gives an engine added by its path a
/// short label.
fn furnish(entry: &mut EngineEntry, kept: &EngineSettings, name: impl Fn(&str) -> Option<String>) {
    for (name, value) in kept.options.get(&entry.id).into_iter().flatten() {
        entry.options.entry(name.clone()).or_insert_with(|| value.clone());
    }
    if entry.label.is_none() && kept.added.contains(&entry.id) {
        entry.label = name(&entry.id);
    }
}

/// Labels a command by the engine's name, and a file by its file name: tables have no room for
/// either as typed.
fn shorten(entry: &mut EngineEntry) {
    if entry.label.is_some() {
        return;
    }
    let path = Path::new(&entry.id);
    entry.label = match entry.id.starts_with("cmd:") {
        true => Some(entry.name.clone()).filter(|name| !name.is_empty()),
        false if path.is_absolute() => {
            path.file_name().map(|name| name.to_string_lossy().into_owned())
        }
        false => None,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_short_names() {
        let label = |id: &str, name: &str| {
            let mut entry = EngineEntry { name: name.to_owned(), ..EngineEntry::new(id) };
            shorten(&mut entry);
            entry.label
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(label("cmd:python3 far/away.py stay", "Swap2"), some("Swap2"));
        assert_eq!(label("cmd:python3 far/away.py", ""), None);
        let path = std::env::temp_dir().join("pbrain-plain");
        assert_eq!(label(&path.display().to_string(), "Plain"), some("pbrain-plain"));
        assert_eq!(label("greedy", "Greedy"), None);
    }

    #[test]
    fn an_engine_brings_what_was_set_on_it_and_a_short_name() {
        let kept: EngineSettings = toml::from_str(
            "added = ['/far/away/libfast.so']\n\
             [options.'/far/away/libfast.so']\nDepth = '6'\nHash = '16'",
        )
        .unwrap();
        let mut added = EngineEntry::new("/far/away/libfast.so");
        added.options.insert("Depth".to_owned(), "2".to_owned());
        let name = |id: &str| id.ends_with("libfast.so").then(|| "fast".to_owned());
        furnish(&mut added, &kept, name);
        assert_eq!(added.label.as_deref(), Some("fast"));
        assert_eq!(added.options["Depth"], "2", "what the event says stays");
        assert_eq!(added.options["Hash"], "16");
        let mut other = EngineEntry::new("greedy");
        furnish(&mut other, &kept, name);
        assert_eq!(other, EngineEntry::new("greedy"));
    }

    #[cfg(feature = "serve")]
    mod served {
        use std::sync::atomic::AtomicBool;
        use std::sync::{Mutex, mpsc};
        use std::thread;

        use tengen_gui::app::{
            EngineInstance, GameVariant, ListedEngine, ListenForm, TeamPresence,
        };
        use tengen_link::{RemoteEngine, RemotePlace, TableEngines};
        use tengen_players::{RandomLegal, RealTime};
        use tengen_tournament::{RunOutcome, Stop};

        use super::*;

        struct Dice;

        impl TableEngines for Dice {
            fn list(&self) -> Vec<ListedEngine> {
                Vec::new()
            }

            fn start(&self, _id: &str, _: &GameVariant) -> Result<EngineInstance, String> {
                Ok(EngineInstance {
                    name: "dice".to_owned(),
                    version: None,
                    hash: None,
                    layers: Vec::new(),
                    opening_by_arbiter: false,
                    player: Box::new(RandomLegal::new()),
                    interrupt: Arc::new(|| {}),
                })
            }
        }

        fn team(link: &str) -> RemoteEngine {
            RemoteEngine {
                address: link.parse().unwrap(),
                name: "dice".to_owned(),
                authority: None,
                engine: ListedEngine { id: "dice".to_owned(), name: "Dice".to_owned() },
                engines: Arc::new(Dice),
                place: RemotePlace::Event { tables: 1 },
                reserve: RemoteEngine::USUAL_RESERVE,
            }
        }

        #[test]
        fn remote_engines_play_in_an_event_of_the_window() {
            let folder = tempfile::tempdir().unwrap();
            let provider = Arc::new(EngineFolder::new(folder.path().to_owned()));
            let events = Events { provider, folder: folder.path().join("events") };
            let text = "size = 9\ngames = 4\ntc = 'inf'\nengines = ['remote:a', 'remote:b']";
            let config = EventConfig::from_toml(text, "cup.toml".as_ref()).unwrap();
            let refused = events.enroll(config.clone(), None).err().unwrap();
            assert!(refused.ends_with("say where the event is served"), "{refused}");
            let listen = ListenForm { port: 0, ..ListenForm::default() }.check().unwrap();
            let (config, engines) = events.enroll(config, Some(&listen)).unwrap();
            let mut event = Event::create(&folder.path().join("cup"), config).unwrap();
            let (told, news) = mpsc::channel();
            let told = Mutex::new(told);
            let tell = move |one| told.lock().unwrap().send(one).unwrap();
            let SeatedEvent { players, server } = engines.seat(&event, Arc::new(tell)).unwrap();
            let server = server.unwrap();
            let teams = |news: EventNews| match news {
                EventNews::Teams(teams) if teams.len() == 2 => Some(teams),
                _ => None,
            };
            let expected = news.iter().find_map(teams).unwrap();
            assert!(expected.iter().all(|team| team.link.starts_with(&server.url())));
            let playing = expected.iter().map(|expected| {
                let client = team(&expected.link);
                thread::spawn(move || client.play(&AtomicBool::new(false), &mut |_| {}))
            });
            let playing: Vec<_> = playing.collect();
            let (time, stop) = (RealTime::new(), Stop::new());
            let watcher = server.watcher();
            let outcome = event.run_watched(&*players, &time, &stop, &mut |_| {}, watcher);
            assert_eq!(outcome.unwrap(), RunOutcome::Finished);
            server.end(true);
            for client in playing {
                client.join().unwrap().unwrap();
            }
            let is_there =
                |state: &TeamPresence| matches!(state, TeamPresence::Connected { tables: 1, .. });
            let mut lists = news.try_iter().filter_map(teams);
            assert!(lists.any(|teams| teams.iter().all(|team| is_there(&team.state))));
        }
    }
}
