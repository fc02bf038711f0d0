use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use tengen_arbiter::Game;
use tengen_players::Listener;
use tengen_tournament::{
    AbsentOption, Change, ChangeKind, Event, EventError, EventFollower, GameEnd, Roster,
    ScheduledGame, Watcher,
};
use tengen_web::play::{TeamNews, TeamOptions, Teams};
use tengen_web::{AddressBlock, HostName, HttpListener, ServeError, ServedEvent, Server};

use super::team_links::TeamLinks;
use super::{TeamChange, TeamChangeListener};
use crate::event_change::set_aside;
use crate::{EngineRoster, WrongUse};

/// How long it may take to show viewers the end.
const LAST: Duration = Duration::from_secs(3);
/// How often it is looked whether they have seen it.
const LOOK: Duration = Duration::from_millis(50);

/// Where an event is going to be served.
pub struct LiveListener {
    listener: HttpListener,
    delay: Duration,
    /// How others reach it, where that was said.
    url: Option<String>,
}

/// A server of an event that is played here. It ends when it is dropped.
pub struct LiveServer {
    watcher: TeamWatcher,
    server: Server,
    own_url: String,
    url: String,
    delay: Duration,
}

impl LiveListener {
    /// Takes the address, with a certificate and its key where it is encrypted. Viewers see
    /// everything by `delay` later.
    ///
    /// # Errors
    /// When it cannot be listened at, or the certificate does not fit.
    pub fn bind(
        address: SocketAddr,
        tls: Option<(&Path, &Path)>,
        delay: Duration,
    ) -> anyhow::Result<LiveListener> {
        let mut listener = HttpListener::bind(address).map_err(serve_error)?;
        if let Some((certificate, key)) = tls {
            listener =
                listener.with_tls(certificate, key).map_err(|error| WrongUse(error.into()))?;
        }
        Ok(LiveListener { listener, delay, url: None })
    }

    /// The same, which others reach at that address.
    #[must_use]
    pub fn reached_at(self, url: Option<String>) -> LiveListener {
        let host = url.as_deref().and_then(host_of);
        LiveListener { listener: self.listener.with_names(host), url, ..self }
    }

    /// The same, also by these names, and behind these proxies.
    #[must_use]
    pub fn named(
        self,
        names: impl IntoIterator<Item = HostName>,
        proxies: impl IntoIterator<Item = AddressBlock>,
    ) -> LiveListener {
        LiveListener { listener: self.listener.with_names(names).behind(proxies), ..self }
    }

    /// Its address and port, as others of its network know them.
    pub fn shown_address(&self) -> SocketAddr {
        self.listener.shown_address()
    }

    /// Where it is, as `http://ADDRESS:PORT`.
    pub fn own_url(&self) -> String {
        format!("{}://{}", self.listener.scheme(), self.listener.shown_address())
    }

    /// Begins to serve the event. Its remote engines come in here, and play in the roster; what
    /// happens to them is heard. One that is waited for in vain is dealt with as the event says.
    ///
    /// # Errors
    /// When the event is played by another process, or the server cannot be started.
    pub fn serve(
        self,
        event: &Event,
        roster: &mut EngineRoster,
        hear: TeamChangeListener,
    ) -> anyhow::Result<LiveServer> {
        // Before the links of another run of the event are written over.
        event.check_not_running()?;
        let follower = Arc::new(EventFollower::new(event));
        let (dir, live) = (event.dir().to_owned(), Some(Arc::clone(&follower)));
        let (own_url, delay) = (self.own_url(), self.delay);
        let url = self.url.unwrap_or_else(|| own_url.clone());
        let config = event.config();
        let links = TeamLinks::new(&dir, &url);
        let wait = config.remote_wait() as f64 / 1e9;
        let news = NewsOfTeams { dir: dir.clone(), links, absent: config.absent, wait, hear };
        let options = TeamOptions::new(&dir, config);
        // Without any remote engine it lets no client in.
        let teams = Teams::open(options, config, Box::new(move |one| news.hear(one)));
        let teams = Arc::new(teams.context("the keys of the remote engines")?);
        let served = ServedEvent { dir, title: String::new(), live };
        let server =
            Server::start_with_teams(self.listener, delay, served, Some(Arc::clone(&teams)))
                .map_err(serve_error)?;
        roster.seat_remote(Arc::clone(&teams) as Arc<dyn Roster + Send + Sync>);
        let watcher = TeamWatcher { follower, teams };
        Ok(LiveServer { watcher, server, own_url, url, delay })
    }
}

/// The host of a server's address.
fn host_of(url: &str) -> Option<HostName> {
    HostName::of_authority(url.split_once("://")?.1.split(['/', '?', '#']).next()?)
}

/// An address or an event that is wrong is a wrong call.
pub fn serve_error(error: ServeError) -> anyhow::Error {
    match error {
        ServeError::Event(EventError::NoEvent { .. }) | ServeError::Listen { .. } => {
            WrongUse(error.into()).into()
        }
        error => error.into(),
    }
}

impl LiveServer {
    /// Where it is, as `http://ADDRESS:PORT`.
    pub fn own_url(&self) -> &str {
        &self.own_url
    }

    /// How others reach it.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// By how much later viewers see everything.
    pub fn delay(&self) -> Duration {
        self.delay
    }

    /// What is to watch the games.
    pub fn watcher(&self) -> &dyn Watcher {
        &self.watcher
    }

    /// What follows the event.
    pub fn follower(&self) -> &Arc<EventFollower> {
        &self.watcher.follower
    }

    /// Tells viewers, and the remote engines of a whole event, that it is over.
    pub fn tell_end(&self, is_whole: bool) {
        self.server.end();
        if is_whole {
            self.watcher.teams.end("the event is over");
        }
    }

    /// Waits until viewers were told of the end, but not for what is shown much later.
    pub fn wait_until_told(&self) {
        let begun = Instant::now();
        while !self.server.has_told_end() && self.delay < LAST && begun.elapsed() < LAST {
            thread::sleep(LOOK);
        }
    }
}

/// Watches an event for its viewers, and for teams that are added to it. These get their keys at
/// once: they play when what is played by then is over, and may come before.
struct TeamWatcher {
    follower: Arc<EventFollower>,
    teams: Arc<Teams>,
}

impl Watcher for TeamWatcher {
    fn look(&self, table: usize, scheduled: &ScheduledGame, game: &Game) {
        self.follower.look(table, scheduled, game);
    }

    fn over(&self, table: usize, scheduled: &ScheduledGame, game: &Game, end: &GameEnd) {
        self.follower.over(table, scheduled, game, end);
    }

    fn listener(&self, table: usize) -> Option<Arc<dyn Listener>> {
        self.follower.listener(table)
    }

    fn changed(&self, change: &Change) {
        self.follower.changed(change);
        if matches!(change.kind, ChangeKind::Added) {
            // What does not work is said when they are to play.
            let _unfit = self.teams.join(&self.follower.config());
        }
    }
}

/// Gives teams their links, and does with those that do not come what the event says.
struct NewsOfTeams {
    dir: PathBuf,
    links: TeamLinks,
    absent: AbsentOption,
    /// How long a team is waited for, in seconds.
    wait: f64,
    hear: TeamChangeListener,
}

impl NewsOfTeams {
    fn hear(&self, news: TeamNews) {
        let change = match news {
            TeamNews::Exposed { file } => TeamChange::Exposed(file),
            TeamNews::Expected { team, key } => {
                let (link, written) = self.links.add(&team, &key);
                let file = self.links.file().to_owned();
                TeamChange::Expected { team, link, file, unwritten: written.err() }
            }
            TeamNews::Came { team, engine, tables } => {
                TeamChange::Connected { team, engine, tables, again: false }
            }
            TeamNews::Replaced { team, engine, tables } => {
                TeamChange::Connected { team, engine, tables, again: true }
            }
            TeamNews::Gone { team } => TeamChange::Gone(team),
            TeamNews::Overdue { place, team } => self.give_up(place, team),
            TeamNews::NoneConnected => TeamChange::NoneConnected,
        };
        (self.hear)(change);
    }

    fn give_up(&self, place: usize, team: String) -> TeamChange {
        let away = || format!("it was not connected for {} s", self.wait);
        let failed = match self.absent {
            AbsentOption::Aside => set_aside(&self.dir, place, &away()).err(),
            AbsentOption::Forfeit | AbsentOption::Refuse => None,
        };
        let fate = if failed.is_some() { AbsentOption::Refuse } else { self.absent };
        TeamChange::GaveUp { team, fate, problem: failed.map(|error| error.to_string()) }
    }
}
