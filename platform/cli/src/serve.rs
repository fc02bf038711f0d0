//! Events in a browser: `tengen serve`, and `--serve` of the commands that play them.

#[cfg(feature = "serve")]
mod tables;
mod teams;

use std::net::{SocketAddr, ToSocketAddrs};
#[cfg(feature = "serve")]
use std::path::{Path, PathBuf};
use std::sync::Arc;
#[cfg(feature = "serve")]
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;
#[cfg(feature = "serve")]
use std::time::Instant;

#[cfg(feature = "serve")]
use clap::Arg;
use clap::Args as ClapArgs;
use tengen_lineup::{EngineRoster, LiveListener, LiveServer};
use tengen_tournament::{Event, EventFollower, Stop, Watcher};

#[cfg(feature = "serve")]
use tengen_lineup::serve_error;
#[cfg(feature = "serve")]
use tengen_link::TableAddress;
#[cfg(feature = "serve")]
use tengen_tournament::Seconds;
#[cfg(feature = "serve")]
use tengen_web::{AddressBlock, HostName, HttpListener, ServedEvent, Server};

#[cfg(feature = "serve")]
use crate::progress::StatusLine;
use crate::report;
#[cfg(feature = "serve")]
use crate::{CommandOutcome, WrongUse, stop};

/// How long an event is shown after its end, beside the delay.
#[cfg(feature = "serve")]
const AFTER: Duration = Duration::from_secs(60);
/// How often a server counts on the terminal what is there.
#[cfg(feature = "serve")]
const COUNTED_EVERY: Duration = Duration::from_secs(1);
/// How often it is looked whether it is time.
#[cfg(feature = "serve")]
const LOOK: Duration = Duration::from_millis(50);

/// Reads an address to listen at, which may be a name of this machine: `localhost:8080`.
fn listen_address(text: &str) -> Result<SocketAddr, String> {
    let needed = "needs an address of this machine and a port, as in 127.0.0.1:8080";
    // Windows would take an empty name for that of this machine.
    let is_named = !text.starts_with(':');
    let found = is_named.then(|| text.to_socket_addrs().ok()).flatten().ok_or(needed)?;
    // Where a name has several, most clients try the older kind, too.
    let mut found: Vec<SocketAddr> = found.collect();
    found.sort_by_key(SocketAddr::is_ipv6);
    found.first().copied().ok_or_else(|| needed.to_owned())
}

/// How a server is reached, and what it shows when.
#[cfg(feature = "serve")]
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct ServerArgs {
    /// Show everything of the events so many seconds later
    #[arg(long, value_name = "SECONDS")]
    delay: Option<Seconds>,
    /// Encrypt with this certificate (a PEM file), for https://
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The private key of the certificate (a PEM file)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// A host name of the server, beside its addresses
    ///
    /// Requests for any other name are refused, except for localhost. Can be given several times.
    #[arg(long, value_name = "NAME")]
    host_name: Vec<HostName>,
    /// A reverse proxy in front of the server
    ///
    /// Its address, or a block as in 10.0.0.0/8. The client's address is read from the header
    /// X-Forwarded-For or Forwarded of its requests. Can be given several times.
    #[arg(long, value_name = "ADDRESS")]
    trusted_proxy: Vec<AddressBlock>,
}

#[cfg(feature = "serve")]
impl ServerArgs {
    fn delay(&self) -> Duration {
        Duration::from_nanos(self.delay.map_or(0, |seconds| seconds.0))
    }

    /// Takes an address.
    fn bind(&self, address: SocketAddr) -> anyhow::Result<HttpListener> {
        let mut listener = HttpListener::bind(address).map_err(serve_error)?;
        if let Some((certificate, key)) = self.tls() {
            listener =
                listener.with_tls(certificate, key).map_err(|error| WrongUse(error.into()))?;
        }
        let names = self.host_name.iter().cloned();
        Ok(listener.with_names(names).behind(self.trusted_proxy.iter().copied()))
    }

    /// The files of the certificate and its key.
    fn tls(&self) -> Option<(&Path, &Path)> {
        self.tls_cert.as_deref().zip(self.tls_key.as_deref())
    }
}

/// How an event is shown while it is played.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Output")]
#[cfg_attr(feature = "serve", command(mut_args(only_with_serve)))]
pub(crate) struct LiveArgs {
    /// Show the event in a browser, at this address: 127.0.0.1:8080
    ///
    /// While it is played and for a minute after its end; Ctrl-C ends it sooner. The address
    /// 127.0.0.1 is for this machine alone.
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = listen_address)]
    serve: Option<SocketAddr>,
    /// How others reach it, for the links of remote engines, as in `https://cup.example.org`
    ///
    /// The default is the address of --serve.
    #[cfg(feature = "serve")]
    #[arg(long, value_name = "URL", value_parser = TableAddress::server_alone)]
    url: Option<String>,
    #[cfg(feature = "serve")]
    #[command(flatten)]
    server: ServerArgs,
}

/// The flags of a server need one. It is asked about all flags of a command.
#[cfg(feature = "serve")]
fn only_with_serve(flag: Arg) -> Arg {
    let of_server = ["delay", "tls_cert", "tls_key", "url", "host_name", "trusted_proxy"];
    match of_server.iter().any(|name| flag.get_id() == name) {
        true => flag.requires("serve").hide_short_help(true),
        false => flag,
    }
}

impl LiveArgs {
    /// Takes the address, if the event is to be served: before anything is made or played.
    ///
    /// # Errors
    /// When the address cannot be listened at.
    #[cfg(feature = "serve")]
    pub(crate) fn listen(&self) -> anyhow::Result<Option<LiveListener>> {
        let Some(address) = self.serve else { return Ok(None) };
        let ServerArgs { host_name, trusted_proxy, .. } = &self.server;
        let bound = LiveListener::bind(address, self.server.tls(), self.server.delay())?;
        let named = bound.reached_at(self.url.clone());
        Ok(Some(named.named(host_name.iter().cloned(), trusted_proxy.iter().copied())))
    }

    /// The same in a build without a server, which has to say so.
    #[cfg(not(feature = "serve"))]
    pub(crate) fn listen(&self) -> anyhow::Result<Option<LiveListener>> {
        self.serve.map(|address| LiveListener::bind(address, None, Duration::ZERO)).transpose()
    }
}

/// Begins a server for events that are still to begin, if one is wanted.
#[cfg(all(feature = "serve", feature = "workers"))]
pub(crate) fn begin_empty(live: &LiveArgs) -> anyhow::Result<Option<Server>> {
    let Some(address) = live.serve else { return Ok(None) };
    let listener = live.server.bind(address)?;
    let (scheme, shown) = (listener.scheme(), listener.shown_address());
    let server = Server::start(listener, live.server.delay(), Vec::new()).map_err(serve_error)?;
    report::tell(format_args!("tengen: the tests are at {scheme}://{shown}/#/events"));
    Ok(Some(server))
}

/// Begins to serve an event, and tells on the terminal what happens.
pub(crate) fn begin(
    listener: LiveListener,
    event: &Event,
    roster: &mut EngineRoster,
) -> anyhow::Result<LiveServer> {
    event.check_not_running()?;
    report::tell(format_args!("tengen: the event is at {}/", listener.own_url()));
    listener.serve(event, roster, teams::on_terminal(event))
}

/// Shows the end to viewers. A whole event is shown for a while longer, to viewers that come to see
/// what it came to; one that was stopped only to those that are there.
#[cfg(feature = "serve")]
pub(crate) fn end(server: LiveServer, event: &Event, is_whole: bool, stop: &Stop) {
    server.tell_end(is_whole);
    let begun = Instant::now();
    if is_whole {
        let span = server.delay() + AFTER;
        report::tell(format_args!(
            "tengen: the event is over; it is at {}/ for {} seconds more (Ctrl-C ends it), then \
             with `tengen serve {}`",
            server.own_url(),
            span.as_secs(),
            event.dir().display()
        ));
        while begun.elapsed() < span && !stop.is_requested() {
            std::thread::sleep(LOOK);
        }
    }
    server.wait_until_told();
}

/// There is nothing to end in a build without a server.
#[cfg(not(feature = "serve"))]
pub(crate) fn end(server: LiveServer, _: &Event, _: bool, _: &Stop) {
    match server {}
}

/// What follows an event that is about to be run, and what is to watch its games for that: of its
/// server, where it has one.
pub(crate) fn follower<'a>(
    live: Option<&'a LiveServer>,
    other: &'a Arc<EventFollower>,
) -> (&'a Arc<EventFollower>, &'a dyn Watcher) {
    match live {
        Some(live) => (live.follower(), live.watcher()),
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
    #[command(flatten)]
    server: ServerArgs,
    #[command(flatten)]
    tables: tables::TablesArgs,
}

#[cfg(feature = "serve")]
pub(crate) fn serve(args: &ServeArgs) -> anyhow::Result<CommandOutcome> {
    let (over, wait) = std::sync::mpsc::channel::<()>();
    stop::on_interrupt(move || {
        // The thread that waits has gone only after it was told.
        let _told = over.send(());
    })?;
    let served = |dir: &PathBuf| ServedEvent { dir: dir.clone(), title: String::new(), live: None };
    let events = args.events.iter().map(served).collect();
    let listener = args.server.bind(args.listen)?;
    let tables = args.tables.open()?;
    let (scheme, own, shown) =
        (listener.scheme(), listener.own_address(), listener.shown_address());
    let _server = Server::start_with_tables(listener, args.server.delay(), events, tables.clone())
        .map_err(serve_error)?;
    report::tell(format_args!("tengen: {scheme}://{own}/ (Ctrl-C ends it)"));
    if shown != own {
        report::tell(format_args!("tengen: for others: {scheme}://{shown}/"));
    }
    if let Some(tables) = tables.as_ref().filter(|tables| !tables.is_empty()) {
        report::tell(format_args!("tengen: {} tables are there again", tables.len()));
    }
    let line = tables.as_ref().and_then(|_| StatusLine::begin());
    // The sender lives as long as the program.
    while wait.recv_timeout(COUNTED_EVERY) == Err(RecvTimeoutError::Timeout) {
        if let Some((line, tables)) = line.as_ref().zip(tables.as_ref()) {
            line.show(&[
                (tables.clients(), "connection"),
                (tables.len() as u64, "table"),
                (tables.games() as u64, "game under way"),
            ]);
        }
    }
    line.into_iter().for_each(StatusLine::end);
    Ok(CommandOutcome::Done)
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
