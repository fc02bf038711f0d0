//! The server of live events: the page, snapshots in JSON, and what happens as it happens.
//!
//! The parts: `news` reads the news of an [`EventFollower`] if this process plays the event; `hub`
//! keeps what viewers see and hands out what is new; `reader` reads finished games from the event's
//! folder, and `game_list` says which of them a client asked for; `routes` answers requests;
//! `limits` and `listen` keep strangers from using up the machine.

mod game_list;
mod host_names;
mod hub;
mod limits;
mod listen;
mod news;
#[cfg(test)]
mod page_types;
mod patience;
mod proxies;
mod reader;
mod routes;
mod stream;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use std::{fmt, io};

use tengen_tournament::{EventError, EventFollower};
use thiserror::Error;
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;

pub use host_names::HostName;
pub(crate) use limits::network;
pub use proxies::AddressBlock;
pub use tengen_link::tls::TlsError;

use self::hub::Hub;
use self::reader::Reader;
use self::routes::{Doors, Site};
use crate::play::{Tables, Teams};

/// The threads that answer requests. Two, because engines on this machine need the CPUs.
const THREADS: usize = 2;

/// An address that is taken.
pub struct HttpListener {
    address: SocketAddr,
    socket: std::net::TcpListener,
    tls: Option<TlsAcceptor>,
    /// The address for programs of this machine, without encryption.
    local: Option<std::net::TcpListener>,
    doors: Doors,
}

impl HttpListener {
    /// Takes an address; port 0 is any that is free.
    ///
    /// # Errors
    /// When it cannot be listened at.
    pub fn bind(address: SocketAddr) -> Result<HttpListener, ServeError> {
        let refused = |cause| ServeError::Listen { address, cause };
        let socket = std::net::TcpListener::bind(address).map_err(refused)?;
        socket.set_nonblocking(true).map_err(refused)?;
        let address = socket.local_addr().map_err(refused)?;
        Ok(HttpListener { address, socket, tls: None, local: None, doors: Doors::default() })
    }

    /// Encrypts every connection with a certificate and its key, both PEM files.
    ///
    /// # Errors
    /// When they cannot be read, or do not fit each other.
    pub fn with_tls(self, certificate: &Path, key: &Path) -> Result<HttpListener, TlsError> {
        let (acceptor, certificate) = tengen_link::tls::acceptor(certificate, key)?;
        let mut doors = self.doors;
        doors.names.certificate = certificate;
        Ok(HttpListener { tls: Some(acceptor), doors, ..self })
    }

    /// Answers to these names, too. A request for any other is refused, unless it is this machine's
    /// own, the address that it came to, or the host of the certificate.
    pub fn with_names(mut self, names: impl IntoIterator<Item = HostName>) -> HttpListener {
        self.doors.names.given.extend(names);
        self
    }

    /// Believes proxies at these addresses which client asks, and for which host.
    pub fn behind(mut self, proxies: impl IntoIterator<Item = AddressBlock>) -> HttpListener {
        self.doors.proxies.0.extend(proxies);
        self
    }

    /// Takes another address, without encryption, that only this machine reaches: a certificate
    /// names the host that others come to, and not this machine.
    ///
    /// # Errors
    /// When there is none.
    pub fn with_local(self) -> Result<(HttpListener, SocketAddr), ServeError> {
        let HttpListener { address, socket, .. } =
            HttpListener::bind(SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 0))?;
        Ok((HttpListener { local: Some(socket), ..self }, address))
    }

    /// How the address of a page on it begins: `http` or `https`.
    pub fn scheme(&self) -> &'static str {
        if self.tls.is_some() { "https" } else { "http" }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where this machine reaches it.
    pub fn own_address(&self) -> SocketAddr {
        let ip = match self.address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            ip => ip,
        };
        SocketAddr::new(ip, self.address.port())
    }

    /// Where others reach it, as far as this machine knows.
    pub fn shown_address(&self) -> SocketAddr {
        match self.address.ip().is_unspecified().then(own_ip).flatten() {
            Some(ip) => SocketAddr::new(ip, self.address.port()),
            None => self.own_address(),
        }
    }
}

/// This machine's address in its network: the one that it would send from. Nothing is sent.
fn own_ip() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address that is reserved for documentation.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|ip| !ip.is_unspecified())
}

pub struct ServedEvent {
    pub dir: PathBuf,
    /// What viewers see it called; its folder's name where that is empty.
    pub title: String,
    /// What follows its games, where this process plays them.
    pub live: Option<Arc<EventFollower>>,
}

/// Why a server could not begin.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The address cannot be listened at.
    #[error("{address}: {}", ListenProblem(cause, *address))]
    Listen { address: SocketAddr, cause: io::Error },
    /// An event cannot be read.
    #[error(transparent)]
    Event(#[from] EventError),
    /// The system has no thread left.
    #[error("cannot start the server: {0}")]
    Threads(io::Error),
}

/// What is wrong with an address, and what to do.
struct ListenProblem<'a>(&'a io::Error, SocketAddr);

impl fmt::Display for ListenProblem<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ListenProblem(error, address) = self;
        match error.kind() {
            io::ErrorKind::AddrInUse => {
                let other = address.port().checked_add(1).unwrap_or(8081);
                write!(
                    f,
                    "another program listens there; name another port, such as {}",
                    SocketAddr::new(address.ip(), other)
                )
            }
            io::ErrorKind::PermissionDenied => write!(
                f,
                "this port needs rights that you do not have; name one from 1024 on, such as {}",
                SocketAddr::new(address.ip(), 8080)
            ),
            io::ErrorKind::AddrNotAvailable => f.write_str(
                "this machine does not have that address; use 127.0.0.1 for this machine alone, or \
                 0.0.0.0 for every network that it is in",
            ),
            _ => write!(f, "cannot be listened at: {error}"),
        }
    }
}

/// A server that runs until it is dropped.
pub struct Server {
    /// Tells connections that it is over.
    over: watch::Sender<bool>,
    /// The same for threads.
    is_over: Arc<AtomicBool>,
    site: Arc<Site>,
    delay: Duration,
    hubs: Mutex<Vec<Arc<Hub>>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

/// An event that is served, and was added while the server ran.
pub struct AddedEvent(Arc<Hub>);

impl AddedEvent {
    /// Says that no more games of it will be played here.
    pub fn end(self) {
        self.0.end();
    }
}

impl Server {
    /// Begins to serve these events, on threads of its own, and shows everything so much later than
    /// it happens.
    ///
    /// # Errors
    /// When an event cannot be read.
    pub fn start(
        listener: HttpListener,
        delay: Duration,
        events: Vec<ServedEvent>,
    ) -> Result<Server, ServeError> {
        Server::start_with_tables(listener, delay, events, None)
    }

    /// The same with tables to play at.
    ///
    /// # Errors
    /// When an event cannot be read.
    pub fn start_with_tables(
        listener: HttpListener,
        delay: Duration,
        events: Vec<ServedEvent>,
        tables: Option<Arc<Tables>>,
    ) -> Result<Server, ServeError> {
        Server::start_all(listener, delay, events, Site::new(tables, None))
    }

    /// The same for an event with remote engines, which come in here.
    ///
    /// # Errors
    /// When the event cannot be read.
    pub fn start_with_teams(
        listener: HttpListener,
        delay: Duration,
        event: ServedEvent,
        teams: Option<Arc<Teams>>,
    ) -> Result<Server, ServeError> {
        Server::start_all(listener, delay, vec![event], Site::new(None, teams))
    }

    fn start_all(
        listener: HttpListener,
        delay: Duration,
        events: Vec<ServedEvent>,
        site: Site,
    ) -> Result<Server, ServeError> {
        let tables = site.tables();
        let site = Arc::new(site);
        let (over, when_over) = watch::channel(false);
        let server = Server {
            over,
            is_over: Arc::default(),
            site: Arc::clone(&site),
            delay,
            hubs: Mutex::default(),
            threads: Mutex::default(),
        };
        for event in events {
            server.put(event, false)?;
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(THREADS)
            .thread_name("web")
            .enable_all()
            .build()
            .map_err(ServeError::Threads)?;
        let thread = spawn("web server", move || {
            runtime.block_on(async {
                if let Some(tables) = tables {
                    tables.start();
                }
                let HttpListener { socket, tls, local, doors, .. } = listener;
                let doors = Arc::new(doors);
                let router = routes::router(site);
                let local = local.map(|local| {
                    let doors = Arc::clone(&doors);
                    let router = router.clone();
                    tokio::spawn(listen::serve(local, None, doors, router, when_over.clone()))
                });
                listen::serve(socket, tls, doors, router, when_over).await;
                if let Some(local) = local {
                    // One that panicked has said so.
                    let _panicked = local.await;
                }
            });
            // Clients that read too slowly are cut off.
            runtime.shutdown_background();
        })?;
        lock(&server.threads).push(thread);
        Ok(server)
    }

    /// Serves another event from now on, in the place of one in the same folder.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn add(&self, event: ServedEvent) -> Result<AddedEvent, ServeError> {
        self.put(event, true)
    }

    fn put(&self, event: ServedEvent, replaces: bool) -> Result<AddedEvent, ServeError> {
        let ServedEvent { dir, title: name, live } = event;
        let reader = Reader::open(&dir, &name, self.delay)?;
        let reading = reader.shown().state;
        let hub = Hub::new(live.is_some(), self.delay, reading, self.over.subscribe());
        let hub = Arc::new(hub);
        lock(&self.hubs).push(Arc::clone(&hub));
        let served = self.site.add(reader, Arc::clone(&hub), replaces);
        let added = AddedEvent(Arc::clone(&hub));
        let mut threads = lock(&self.threads);
        if let Some(live) = live {
            live.listen();
            let is_over = Arc::clone(&self.is_over);
            threads.push(spawn("web games", move || hub.run(&live, &is_over))?);
        }
        let is_over = Arc::clone(&self.is_over);
        threads.push(spawn("web event", move || served.keep_reading(&is_over))?);
        Ok(added)
    }

    /// Says that no more games will be played of the events that are played here. Viewers are told
    /// when they have seen the last games and the last standings.
    pub fn end(&self) {
        lock(&self.hubs).iter().for_each(|hub| hub.end());
    }

    /// Whether viewers were told of the end.
    pub fn has_told_end(&self) -> bool {
        lock(&self.hubs).iter().all(|hub| hub.has_told_end())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        self.over.send_replace(true);
        for thread in lock(&self.threads).drain(..) {
            // One that panicked has said so.
            let _panicked = thread.join();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, ServeError> {
    thread::Builder::new().name(name.to_owned()).spawn(run).map_err(ServeError::Threads)
}
