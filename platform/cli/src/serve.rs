//! Events in a browser: `tengen serve`, and `--serve` of the commands that play them.

#[cfg(feature = "serve")]
mod tables;
#[cfg(feature = "serve")]
pub(crate) mod team_links;
#[cfg(feature = "serve")]
pub(crate) mod teams;

use std::net::{SocketAddr, ToSocketAddrs};
#[cfg(feature = "serve")]
use std::path::{Path, PathBuf};
use std::sync::Arc;
#[cfg(feature = "serve")]
use std::thread;
#[cfg(feature = "serve")]
use std::time::{Duration, Instant};

use clap::Args as ClapArgs;
use tengen_tournament::{Event, EventFollower, Stop, Watcher};

#[cfg(feature = "serve")]
use tengen_link::TableAddress;
#[cfg(feature = "serve")]
use tengen_tournament::{Roster, Seconds};
#[cfg(feature = "serve")]
use tengen_web::play::TeamListener;
#[cfg(feature = "serve")]
use tengen_web::{AddressBlock, HostName, HttpListener, ServeError, ServedEvent, Server};

use crate::WrongUse;
use crate::engine_roster::EngineRoster;
#[cfg(feature = "serve")]
use crate::{CommandOutcome, report, stop};

/// What is said in a build without the feature `serve`.
#[cfg(not(feature = "serve"))]
pub(crate) const NO_SERVER: &str = "this build of tengen has no server. In the folder of its \
     source, `cargo build --release` builds one with it; `tengen tournament report EVENT --html \
     FILE` needs none";

/// How long an event is shown after its end, beside the delay.
#[cfg(feature = "serve")]
const AFTER: Duration = Duration::from_secs(60);
/// How long it may take to show the end of one that was stopped.
#[cfg(feature = "serve")]
const LAST: Duration = Duration::from_secs(3);
/// How often it is looked whether it is time.
#[cfg(feature = "serve")]
const LOOK: Duration = Duration::from_millis(50);

/// Reads an address to listen at, which may be a name of this machine: `localhost:8080`.
fn listen_address(text: &str) -> Result<SocketAddr, String> {
    let needed = "needs an address of this machine and a port, as in 127.0.0.1:8080";
    let found = text.to_socket_addrs().map_err(|_| needed.to_owned())?;
    // Where a name has several, most clients try the older kind, too.
    let mut found: Vec<SocketAddr> = found.collect();
    found.sort_by_key(SocketAddr::is_ipv6);
    found.first().copied().ok_or_else(|| needed.to_owned())
}

/// How an event is shown while it is played.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Output")]
pub(crate) struct LiveArgs {
    /// Show the event in a browser, at this address: 127.0.0.1:8080
    ///
    /// While it is played and for a minute after its end; Ctrl-C ends it sooner. The address
    /// 127.0.0.1 is for this machine alone.
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = listen_address)]
    serve: Option<SocketAddr>,
    /// With --serve, show everything so many seconds later
    #[cfg(feature = "serve")]
    #[arg(long, value_name = "SECONDS", requires = "serve", hide_short_help = true)]
    delay: Option<Seconds>,
    /// With --serve, encrypt with this certificate (a PEM file); the address is https:// then
    #[cfg(feature = "serve")]
    #[arg(long, value_name = "FILE", requires_all = ["serve", "tls_key"], hide_short_help = true)]
    tls_cert: Option<PathBuf>,
    /// With --tls-cert, its private key (a PEM file)
    #[cfg(feature = "serve")]
    #[arg(long, value_name = "FILE", requires = "tls_cert", hide_short_help = true)]
    tls_key: Option<PathBuf>,
    /// With --serve, how others reach it, for the links of remote engines, as in
    /// `https://cup.example.org` [default: the address of --serve]
    #[cfg(feature = "serve")]
    #[arg(
        long,
        value_name = "URL",
        requires = "serve",
        value_parser = TableAddress::server_alone,
        hide_short_help = true
    )]
    url: Option<String>,
    /// With --serve, a host name of the server, beside its addresses and localhost; requests for
    /// any other name are refused; can be given several times
    #[cfg(feature = "serve")]
    #[arg(long, value_name = "NAME", requires = "serve", hide_short_help = true)]
    host_name: Vec<HostName>,
    /// With --serve, the address of a reverse proxy in front of the server, or a block as in
    /// 10.0.0.0/8; the client's address is read from its header X-Forwarded-For or Forwarded; can
    /// be given several times
    #[cfg(feature = "serve")]
    #[arg(long, value_name = "ADDRESS", requires = "serve", hide_short_help = true)]
    trusted_proxy: Vec<AddressBlock>,
}

/// Where an event is going to be served.
#[cfg(feature = "serve")]
pub(crate) struct LiveListener {
    listener: HttpListener,
    delay: Duration,
    /// How others reach it, where that was said.
    url: Option<String>,
}

/// A server of an event that is played here.
#[cfg(feature = "serve")]
pub(crate) struct LiveServer {
    watcher: teams::TeamWatcher,
    server: Server,
    /// Where it is, as `http://ADDRESS:PORT`.
    url: String,
    delay: Duration,
    dir: PathBuf,
}

/// There is none without the feature.
#[cfg(not(feature = "serve"))]
pub(crate) enum LiveListener {}

/// There is none without the feature.
#[cfg(not(feature = "serve"))]
pub(crate) enum LiveServer {}

impl LiveArgs {
    /// Takes the address, if the event is to be served: before anything is made or played.
    ///
    /// # Errors
    /// When the address cannot be listened at.
    #[cfg(feature = "serve")]
    pub(crate) fn listen(&self) -> anyhow::Result<Option<LiveListener>> {
        let Some(address) = self.serve else { return Ok(None) };
        let tls = self.tls_cert.as_deref().zip(self.tls_key.as_deref());
        let (delay, url) = (duration(self.delay), self.url.clone());
        let names = self.host_name.iter().cloned();
        let proxies = self.trusted_proxy.iter().copied();
        let mut bound = LiveListener::bind(address, tls, delay)?.reached_at(url);
        bound.listener = bound.listener.with_names(names).behind(proxies);
        Ok(Some(bound))
    }

    /// The same in a build without a server, which has to say so.
    #[cfg(not(feature = "serve"))]
    pub(crate) fn listen(&self) -> anyhow::Result<Option<LiveListener>> {
        match self.serve {
            Some(_) => Err(WrongUse(anyhow::anyhow!(NO_SERVER)).into()),
            None => Ok(None),
        }
    }
}

#[cfg(feature = "serve")]
impl LiveListener {
    /// Takes the address, with a certificate and its key where it is encrypted.
    ///
    /// # Errors
    /// When it cannot be listened at, or the certificate does not fit.
    pub(crate) fn bind(
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
    pub(crate) fn reached_at(self, url: Option<String>) -> LiveListener {
        let host = url.as_deref().and_then(host_of);
        LiveListener { listener: self.listener.with_names(host), url, ..self }
    }

    /// Its address and port, as others of its network know them.
    #[cfg(feature = "gui")]
    pub(crate) fn shown_address(&self) -> SocketAddr {
        self.listener.shown_address()
    }

    /// Where it is, as `http://ADDRESS:PORT`.
    pub(crate) fn own_url(&self) -> String {
        format!("{}://{}", self.listener.scheme(), self.listener.shown_address())
    }

    /// How others reach it.
    pub(crate) fn url(&self) -> String {
        self.url.clone().unwrap_or_else(|| self.own_url())
    }

    /// Begins to serve the event, and tells on the terminal what happens.
    pub(crate) fn serve(
        self,
        event: &Event,
        roster: &mut EngineRoster,
    ) -> anyhow::Result<LiveServer> {
        event.check_not_running()?;
        report::tell(format_args!("tengen: the event is at {}/", self.own_url()));
        let hear = teams::on_terminal(event, &self.url());
        self.serve_telling(event, roster, hear)
    }

    /// Begins to serve the event. Its remote engines come in here, and play in the roster; what
    /// happens to them is heard.
    pub(crate) fn serve_telling(
        self,
        event: &Event,
        roster: &mut EngineRoster,
        hear: TeamListener,
    ) -> anyhow::Result<LiveServer> {
        // Before the links of another run of the event are written over.
        event.check_not_running()?;
        let follower = Arc::new(EventFollower::new(event));
        let (dir, live) = (event.dir().to_owned(), Some(Arc::clone(&follower)));
        let url = self.own_url();
        let (delay, served) = (self.delay, ServedEvent { dir: dir.clone(), live });
        let teams = teams::open(event, hear)?;
        let server =
            Server::start_with_teams(self.listener, delay, served, Some(Arc::clone(&teams)))
                .map_err(serve_error)?;
        roster.seat_remote(Arc::clone(&teams) as Arc<dyn Roster + Send + Sync>);
        let watcher = teams::TeamWatcher { follower, teams };
        Ok(LiveServer { watcher, server, url, delay, dir })
    }
}

/// The host of a server's address.
#[cfg(feature = "serve")]
fn host_of(url: &str) -> Option<HostName> {
    HostName::of_authority(url.split_once("://")?.1.split(['/', '?', '#']).next()?)
}

#[cfg(not(feature = "serve"))]
impl LiveListener {
    pub(crate) fn serve(
        self,
        _event: &Event,
        _roster: &mut EngineRoster,
    ) -> anyhow::Result<LiveServer> {
        match self {}
    }
}

impl LiveServer {
    /// What is to watch the games.
    #[cfg(feature = "serve")]
    pub(crate) fn watcher(&self) -> &dyn Watcher {
        &self.watcher
    }

    /// What follows the event.
    #[cfg(feature = "serve")]
    pub(crate) fn follower(&self) -> &Arc<EventFollower> {
        &self.watcher.follower
    }

    /// Tells viewers, and the remote engines of a whole event, that it is over.
    #[cfg(feature = "serve")]
    pub(crate) fn tell_end(&self, is_whole: bool) {
        self.server.end();
        if is_whole {
            self.watcher.teams.end("the event is over");
        }
    }

    /// Shows the end to viewers. A whole event is shown for a while longer, to those who come to
    /// see what it came to; one that was stopped only to those who are there.
    #[cfg(feature = "serve")]
    pub(crate) fn end(self, is_whole: bool, stop: &Stop) {
        self.tell_end(is_whole);
        let LiveServer { url, dir, .. } = &self;
        let begun = Instant::now();
        if is_whole {
            let span = self.delay + AFTER;
            report::tell(format_args!(
                "tengen: the event is over; it is at {url}/ for {} seconds more (Ctrl-C \
                 ends it), then with `tengen serve {}`",
                span.as_secs(),
                dir.display()
            ));
            while begun.elapsed() < span && !stop.is_requested() {
                thread::sleep(LOOK);
            }
        }
        self.wait_until_told();
    }

    /// Waits until viewers were told of the end, but not for what is shown much later.
    #[cfg(feature = "serve")]
    pub(crate) fn wait_until_told(&self) {
        let begun = Instant::now();
        while !self.server.has_told_end() && self.delay < LAST && begun.elapsed() < LAST {
            thread::sleep(LOOK);
        }
    }

    #[cfg(not(feature = "serve"))]
    pub(crate) fn end(self, _is_whole: bool, _stop: &Stop) {
        match self {}
    }
}

/// What follows an event that is about to be run, and what is to watch its games for that: of its
/// server, where it has one.
pub(crate) fn follower<'a>(
    live: Option<&'a LiveServer>,
    other: &'a Arc<EventFollower>,
) -> (&'a Arc<EventFollower>, &'a dyn Watcher) {
    match live {
        #[cfg(feature = "serve")]
        Some(live) => (live.follower(), live.watcher()),
        #[cfg(not(feature = "serve"))]
        Some(live) => match *live {},
        None => (other, &**other),
    }
}

#[cfg(feature = "serve")]
#[derive(Debug, ClapArgs)]
pub(crate) struct ServeArgs {
    /// The events' folders
    #[arg(required_unless_present = "play", value_name = "EVENT")]
    events: Vec<PathBuf>,
    /// The address and port to listen at
    ///
    /// 127.0.0.1 is for this machine alone, 0.0.0.0 for every network that it is in.
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDRESS:PORT")]
    #[arg(value_parser = listen_address)]
    listen: SocketAddr,
    /// Show everything of the events so many seconds later
    #[arg(long, value_name = "SECONDS")]
    delay: Option<Seconds>,
    /// Encrypt with this certificate (a PEM file); the address is https:// then
    #[arg(long, value_name = "FILE", requires = "tls_key", help_heading = "Encryption")]
    tls_cert: Option<PathBuf>,
    /// The private key of the certificate (a PEM file)
    #[arg(long, value_name = "FILE", requires = "tls_cert", help_heading = "Encryption")]
    tls_key: Option<PathBuf>,
    /// A host name of this server, beside its addresses
    ///
    /// Requests for any other name are refused, except for localhost. Can be given several times.
    #[arg(long, value_name = "NAME")]
    host_name: Vec<HostName>,
    /// A reverse proxy in front of this server
    ///
    /// Its address, or a block as in 10.0.0.0/8. The client's address is read from the header
    /// X-Forwarded-For or Forwarded of its requests. Can be given several times.
    #[arg(long, value_name = "ADDRESS")]
    trusted_proxy: Vec<AddressBlock>,
    #[command(flatten)]
    tables: tables::TablesArgs,
}

#[cfg(feature = "serve")]
pub(crate) fn serve(args: &ServeArgs) -> anyhow::Result<CommandOutcome> {
    let (over, wait) = std::sync::mpsc::channel();
    stop::on_interrupt(move || {
        // The thread that waits has gone only after it was told.
        let _told = over.send(());
    })?;
    let served = |dir: &PathBuf| ServedEvent { dir: dir.clone(), live: None };
    let events = args.events.iter().map(served).collect();
    let mut listener = HttpListener::bind(args.listen).map_err(serve_error)?;
    if let (Some(certificate), Some(key)) = (&args.tls_cert, &args.tls_key) {
        listener = listener.with_tls(certificate, key).map_err(|error| WrongUse(error.into()))?;
    }
    listener = listener
        .with_names(args.host_name.iter().cloned())
        .behind(args.trusted_proxy.iter().copied());
    let tables = args.tables.open()?;
    let (scheme, own, shown) =
        (listener.scheme(), listener.own_address(), listener.shown_address());
    let _server = Server::start_with_tables(listener, duration(args.delay), events, tables.clone())
        .map_err(serve_error)?;
    report::tell(format_args!("tengen: {scheme}://{own}/ (Ctrl-C ends it)"));
    if shown != own {
        report::tell(format_args!("tengen: for others: {scheme}://{shown}/"));
    }
    if let Some(tables) = tables.filter(|tables| !tables.is_empty()) {
        report::tell(format_args!("tengen: {} tables are there again", tables.len()));
    }
    // The sender lives as long as the program.
    let _interrupted = wait.recv();
    Ok(CommandOutcome::Done)
}

#[cfg(feature = "serve")]
fn duration(seconds: Option<Seconds>) -> Duration {
    Duration::from_nanos(seconds.map_or(0, |seconds| seconds.0))
}

/// An address or an event that is wrong is a wrong call.
#[cfg(feature = "serve")]
fn serve_error(error: ServeError) -> anyhow::Error {
    use tengen_tournament::EventError;
    match error {
        ServeError::Event(EventError::NoEvent { .. }) | ServeError::Listen { .. } => {
            WrongUse(error.into()).into()
        }
        error => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_be_a_name_of_this_machine() {
        assert_eq!(listen_address("localhost:80"), Ok(SocketAddr::from(([127, 0, 0, 1], 80))));
        assert_eq!(listen_address("[::1]:80").map(|found| found.is_ipv6()), Ok(true));
        for wrong in ["8080", "127.0.0.1", "127.0.0.1:x", ":80"] {
            let told = listen_address(wrong).unwrap_err();
            assert!(told.contains("as in 127.0.0.1:8080"), "{wrong}: {told}");
        }
    }
}
