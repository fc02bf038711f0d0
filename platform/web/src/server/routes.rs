//! The paths of the server, and what answers them.

use std::net::IpAddr;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError, RwLock};

use axum::Router;
use axum::body::Body;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Extension, Path, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Serialize;
use serde_json::json;
use tengen_record::GameRecord;
use tengen_record::formats::{Format, ScoreSheet, psq, sgf};
use tengen_rules::BySeat;
use tokio::sync::{mpsc, watch};

use super::game_list::GameQuery;
use super::host_names::{HostNames, RequestRefusal};
use super::hub::Hub;
use super::limits::{Admitted, ClientLimits};
use super::proxies::TrustedProxies;
use super::reader::{ListedFigures, Reader};
use super::stream::stream;
use crate::play::{Tables, Teams, join, join_team};
use tengen_link::view::GameView;

use crate::page;

/// Nothing runs but the page's own script, and nothing is asked of another host.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The client of a request, for the limits.
#[derive(Clone)]
pub(super) struct Peer {
    /// Where the connection comes from, or the client that a trusted proxy there names.
    pub address: IpAddr,
    /// The address of this machine that it came to.
    pub came_to: IpAddr,
    pub doors: Arc<Doors>,
    pub limits: Arc<ClientLimits>,
    /// Counts the connection while it is open.
    pub admitted: Arc<Admitted>,
    /// Held as long as it is there: the end of the server waits for it.
    pub open: mpsc::Sender<()>,
    /// Tells of that end.
    pub over: watch::Receiver<bool>,
}

/// What requests a server answers, and which proxies it trusts.
#[derive(Clone, Debug, Default)]
pub(super) struct Doors {
    pub names: HostNames,
    pub proxies: TrustedProxies,
}

/// All that is served.
pub(super) struct Site {
    events: RwLock<Vec<Arc<Served>>>,
    tables: Option<Arc<Tables>>,
    /// The remote engines of the event that is played here.
    teams: Option<Arc<Teams>>,
}

/// The events, as the page reads them.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct EventList<'a> {
    events: Vec<ListedEvent<'a>>,
    /// Whether there are tables to play at.
    play: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ListedEvent<'a> {
    id: &'a str,
    title: &'a str,
    /// Whether its games are played by the program that serves it.
    live: bool,
    #[serde(flatten)]
    figures: ListedFigures,
}

impl ListedEvent<'_> {
    fn new(event: &Arc<Served>) -> ListedEvent<'_> {
        let Served { id, reader, hub } = &**event;
        let live = hub.is_live() && !hub.has_ended();
        ListedEvent { id, title: reader.title(), live, figures: reader.shown().figures.clone() }
    }
}

pub(super) struct Served {
    id: String,
    reader: Reader,
    hub: Arc<Hub>,
}

impl Served {
    /// Reads the event again whenever it has grown.
    pub fn keep_reading(&self, is_over: &AtomicBool) {
        self.reader.keep_reading(&self.hub, is_over);
    }
}

impl Site {
    /// A site without events.
    pub fn new(tables: Option<Arc<Tables>>, teams: Option<Arc<Teams>>) -> Site {
        Site { events: RwLock::default(), tables, teams }
    }

    /// Its tables, if it has some.
    pub fn tables(&self) -> Option<Arc<Tables>> {
        self.tables.clone()
    }

    /// Adds an event; if it `replaces`, in the place of one in the same folder. Its id is its
    /// title; further events of the same title get numbers.
    pub fn add(&self, reader: Reader, hub: Arc<Hub>, replaces: bool) -> Arc<Served> {
        let mut events = self.events.write().unwrap_or_else(PoisonError::into_inner);
        let is_same = |one: &&mut Arc<Served>| replaces && one.reader.dir() == reader.dir();
        if let Some(before) = events.iter_mut().find(is_same) {
            *before = Arc::new(Served { id: before.id.clone(), reader, hub });
            return Arc::clone(before);
        }
        let is_taken = |id: &str| events.iter().any(|event| event.id == id);
        let numbered = (2..).map(|number| format!("{}-{number}", reader.title()));
        let mut names = std::iter::once(reader.title().to_owned()).chain(numbered);
        let id = names.find(|id| !is_taken(id)).expect("there are endless names");
        let served = Arc::new(Served { id, reader, hub });
        events.push(Arc::clone(&served));
        served
    }

    fn events(&self) -> Vec<Arc<Served>> {
        self.events.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn event(&self, id: &str) -> Result<Arc<Served>, HttpError> {
        let found = self.events().into_iter().find(|event| event.id == id);
        found.ok_or(HttpError(StatusCode::NOT_FOUND, "no such event"))
    }
}

/// Why nothing is answered.
struct HttpError(StatusCode, &'static str);

impl IntoResponse for HttpError {
    fn into_response(self) -> Response {
        (self.0, self.1).into_response()
    }
}

type Answered = Result<Response, HttpError>;

/// What answers requests.
pub(super) fn router(site: Arc<Site>) -> Router {
    Router::new()
        .route("/", get(|| async { typed("text/html; charset=utf-8", page::live_document()) }))
        .route("/page/style.css", get(|| async { typed("text/css; charset=utf-8", page::style()) }))
        .route(
            "/page/script.js",
            get(|| async { typed("text/javascript; charset=utf-8", page::script()) }),
        )
        .route("/play", get(play))
        .route("/join", get(join_event))
        .route("/api/events", get(events))
        .route("/api/events/{event}", get(event))
        .route("/api/events/{event}/live", get(live))
        .route("/api/events/{event}/stream", get(news))
        .route("/api/events/{event}/games", get(games))
        .route("/api/events/{event}/games/{game}", get(game))
        .fallback(|| async { HttpError(StatusCode::NOT_FOUND, "nothing is here") })
        .layer(from_fn(guard))
        .with_state(site)
}

/// Refuses clients that ask too often, and says to browsers what the page may do.
async fn guard(Extension(peer): Extension<Peer>, mut request: Request, next: Next) -> Response {
    let mut response = match admit(peer, &mut request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => (refusal.status, refusal.problem).into_response(),
    };
    let headers = response.headers_mut();
    let fixed = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-cache"));
    response
}

/// Lets a request in that is for this server, of a client that may ask for more.
fn admit(peer: Peer, request: &mut Request) -> Result<(), RequestRefusal> {
    let Doors { names, proxies } = &*peer.doors;
    let is_forwarded = proxies.contains(peer.address);
    let headers = request.headers();
    let host = names.check(request.uri(), headers, peer.came_to, is_forwarded)?;
    let client = proxies.client(peer.address, headers).ok_or_else(|| RequestRefusal {
        status: StatusCode::BAD_REQUEST,
        problem:
            "X-Forwarded-For and Forwarded name two different clients; have the proxy take off \
                  the one that it does not set"
                .to_owned(),
    })?;
    let busy = || RequestRefusal {
        status: StatusCode::TOO_MANY_REQUESTS,
        problem: "too many requests; wait a moment".to_owned(),
    };
    if !peer.limits.allows(client) {
        return Err(busy());
    }
    // A proxy has many connections; each of its clients is counted by what it has open.
    let admitted = if is_forwarded && client != peer.address {
        Arc::new(peer.limits.admit(client, false).ok_or_else(busy)?)
    } else {
        Arc::clone(&peer.admitted)
    };
    if let Some(host) = host {
        // The origin of a page is compared with the host that its browser asked.
        request.headers_mut().insert(HOST, host);
    }
    request.extensions_mut().insert(Peer { address: client, admitted, ..peer });
    Ok(())
}

async fn events(State(site): State<Arc<Site>>) -> Response {
    let served = site.events();
    let events = served.iter().map(ListedEvent::new).collect();
    let list = EventList { events, play: site.tables.is_some() };
    typed("application/json", json!(list).to_string())
}

/// A client that wants to play.
async fn play(
    State(site): State<Arc<Site>>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Answered {
    let tables = site.tables.clone();
    let tables = tables.ok_or(HttpError(StatusCode::NOT_FOUND, "this server has no tables"))?;
    let upgrade = upgrade.map_err(|_| {
        HttpError(StatusCode::UPGRADE_REQUIRED, "this is a WebSocket; see docs/protocol.md")
    })?;
    let Peer { address, admitted, open, over, .. } = peer;
    Ok(join(tables, address, &headers, upgrade, over, (admitted, open)))
}

/// A client of a team of the event that is played here.
async fn join_event(
    State(site): State<Arc<Site>>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Answered {
    let teams = site.teams.clone();
    let none = HttpError(StatusCode::NOT_FOUND, "no event with remote engines is played here");
    let teams = teams.ok_or(none)?;
    let upgrade = upgrade.map_err(|_| {
        HttpError(StatusCode::UPGRADE_REQUIRED, "this is a WebSocket; see docs/protocol.md")
    })?;
    let Peer { address, admitted, open, over, .. } = peer;
    Ok(join_team(teams, address, &headers, upgrade, over, (admitted, open)))
}

async fn event(State(site): State<Arc<Site>>, Path(event): Path<String>) -> Answered {
    let shown = site.event(&event)?.reader.shown();
    Ok(typed("application/json", shown.json.clone()))
}

async fn live(State(site): State<Arc<Site>>, Path(event): Path<String>) -> Answered {
    Ok(typed("application/json", site.event(&event)?.hub.snapshot().concat()))
}

async fn news(
    State(site): State<Arc<Site>>,
    Path(event): Path<String>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
) -> Answered {
    let hub = Arc::clone(&site.event(&event)?.hub);
    Ok(typed("text/event-stream", stream(hub, &headers, peer.admitted)))
}

/// A part of the list of finished games.
async fn games(
    State(site): State<Arc<Site>>,
    Path(event): Path<String>,
    request: Request,
) -> Result<Response, Response> {
    let served = site.event(&event).map_err(IntoResponse::into_response)?;
    let query = GameQuery::parse(request.uri().query().unwrap_or_default());
    let query = query.map_err(|key| {
        let problem = format!("`{key}` is no question about games, or not with this value");
        (StatusCode::BAD_REQUEST, problem).into_response()
    })?;
    let failed = || HttpError(StatusCode::INTERNAL_SERVER_ERROR, "the games cannot be read");
    let read = tokio::task::spawn_blocking(move || served.reader.list(&query)).await;
    let list = read.map_err(|_| failed().into_response())?.map_err(|error| {
        log::warn!("{error}");
        failed().into_response()
    })?;
    Ok(typed("application/json", json!(list).to_string()))
}

/// A game by its number, for the page; with an extension, as a file.
async fn game(
    State(site): State<Arc<Site>>,
    Path((event, game)): Path<(String, String)>,
) -> Answered {
    let served = site.event(&event)?;
    let (number, kind) = match game.split_once('.') {
        Some((number, kind)) => (number.to_owned(), Some(kind.to_owned())),
        None => (game, None),
    };
    const UNKNOWN: HttpError = HttpError(StatusCode::NOT_FOUND, "no such game");
    let number: u64 = number.parse().map_err(|_| UNKNOWN)?;
    let answer = tokio::task::spawn_blocking(move || {
        let read = served.reader.game(number);
        let found = read.map_err(|error| {
            log::warn!("{error}");
            HttpError(StatusCode::INTERNAL_SERVER_ERROR, "the game is damaged")
        })?;
        let (record, seats) = found.ok_or(UNKNOWN)?;
        match kind {
            None => view(&record, seats),
            Some(kind) => file(&record, &kind),
        }
    });
    let failed = HttpError(StatusCode::INTERNAL_SERVER_ERROR, "the game cannot be read");
    answer.await.map_err(|_| failed)?
}

fn view(record: &GameRecord, seats: BySeat<usize>) -> Answered {
    let damaged = HttpError(StatusCode::INTERNAL_SERVER_ERROR, "the game cannot be replayed");
    let view = GameView::of_record(record, seats).map_err(|_| damaged)?;
    let text = serde_json::to_string(&view).expect("every key of a view is a string");
    Ok(typed("application/json", text))
}

fn file(record: &GameRecord, kind: &str) -> Answered {
    let unknown = || HttpError(StatusCode::NOT_FOUND, "games are there as sgf, psq and json");
    let unwritable = || HttpError(StatusCode::UNPROCESSABLE_ENTITY, "this format cannot hold it");
    let sheet = || ScoreSheet::from_record(record).map_err(|_| unwritable());
    let format = Format::of_extension(kind).ok_or_else(unknown)?;
    let (mime, text) = match format {
        Format::Json => ("application/json", record.to_json_line() + "\n"),
        Format::Sgf => ("application/x-go-sgf; charset=utf-8", sgf::write(&sheet()?)),
        Format::Psq => {
            let text = psq::write(&sheet()?).map_err(|_| unwritable())?;
            ("text/plain; charset=utf-8", text)
        }
        _ => return Err(unknown()),
    };
    let name = format!("game-{}.{}", record.header.game.unwrap_or(0), kind);
    let mut response = typed(mime, text);
    // The kind is one of three words.
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
        response.headers_mut().insert(CONTENT_DISPOSITION, value);
    }
    Ok(response)
}

fn typed(mime: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(mime));
    response
}
