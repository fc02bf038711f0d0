//! The connection of a team: its socket and its limits.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::ws::{Utf8Bytes, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tengen_players::GameVariant;
use tokio::sync::watch;

use super::team::{NotNow, Team, TeamAnswer};
use super::{TeamNews, Teams};
use crate::play::error_message;
use crate::play::keys::is_plausible;
use crate::play::outbox::Outbox;
use crate::play::protocol::{BadMessage, MOST_BYTES, MOST_NAME, PROTOCOL_VERSION};
use crate::play::room::{ClientRefusal, refused, written};
use crate::play::socket::{
    self, JoinRefusal, MESSAGES_A_SECOND, SocketClient, check_version, is_own_page, refuse_secret,
};
use crate::play::team_protocol::{JoinMessage, MOST_TABLES, TeamMessage, read_team_message};
use crate::server::network;
use crate::text::plain;

/// Takes a client that says that it is of a team, until the server is `over`. It holds `counted`
/// that long.
pub(crate) fn join_team(
    teams: Arc<Teams>,
    address: IpAddr,
    headers: &HeaderMap,
    upgrade: WebSocketUpgrade,
    over: watch::Receiver<bool>,
    counted: impl Send + 'static,
) -> Response {
    if !is_own_page(headers, &[]) {
        return (StatusCode::FORBIDDEN, "this page is of another origin").into_response();
    }
    socket::upgrade(upgrade, over, counted, move |text| greet(teams, address, text))
}

struct TeamConnection {
    teams: Arc<Teams>,
    team: Arc<Team>,
    number: u64,
    outbox: Arc<Outbox>,
    tables: u64,
}

/// Reads the first message, which has to be `join`.
async fn greet(
    teams: Arc<Teams>,
    address: IpAddr,
    text: Utf8Bytes,
) -> Result<TeamConnection, JoinRefusal> {
    let (id, message) = read_team_message(&text)
        .map_err(|bad| (bad.id, ClientRefusal { code: "message", message: bad.problem }))?;
    welcome(teams, address, id, message).await.map_err(|refusal| (id, refusal))
}

async fn welcome(
    teams: Arc<Teams>,
    address: IpAddr,
    id: Option<u64>,
    message: TeamMessage,
) -> Result<TeamConnection, ClientRefusal> {
    let TeamMessage::Join(JoinMessage { version, key, name, agent, tables }) = message else {
        return refused("join", "the first message has to be `join`");
    };
    check_version(version)?;
    if !(1..=MOST_TABLES).contains(&tables) {
        let problem = format!("an engine plays 1 to {MOST_TABLES} games at once, not {tables}");
        return refused("settings", problem);
    }
    let client = network(address);
    teams.guesses.look(client, Instant::now())?;
    let team = Some(key).filter(|key| is_plausible(key)).and_then(|key| teams.with_key(&key));
    let Some(team) = team else {
        teams.guesses.wrong(client, Instant::now());
        let problem = "no team of this event has this key; ask who runs it for your team's link";
        return refuse_secret("key", problem).await;
    };
    let GameVariant { rule, size, opening } = teams.options.variant;
    let joined = |rooms: Vec<&String>| {
        let message = json!({
            "version": PROTOCOL_VERSION,
            "server": format!("tengen {}", env!("CARGO_PKG_VERSION")),
            "event": teams.options.title,
            "name": team.label,
            "settings": {
                "rule": rule.to_string(),
                "size": size.to_string(),
                "opening": opening.name(),
            },
            "rooms": rooms,
            "limits": { "message": MOST_BYTES },
        });
        written("joined", id, message)
    };
    let (number, outbox) = (teams.next_connection(), Arc::new(Outbox::default()));
    let telling = team.tell_in_order();
    let was_there =
        team.connect(number, &outbox, tables, joined).or_else(|why| refused("over", why))?;
    teams.note_presence();
    let (name, agent) = (plain(name.trim(), MOST_NAME), plain(agent.trim(), MOST_NAME));
    log::debug!("{} is connected from {address}: {name}, {agent}", team.label);
    let words = [name, agent];
    let words: Vec<_> = words.iter().filter(|word| !word.is_empty()).cloned().collect();
    let (team_label, engine) = (team.label.clone(), words.join(", "));
    (teams.tell)(match was_there {
        true => TeamNews::Replaced { team: team_label, engine, tables },
        false => TeamNews::Came { team: team_label, engine, tables },
    });
    drop(telling);
    Ok(TeamConnection { teams, team, number, outbox, tables })
}

impl SocketClient for TeamConnection {
    fn outbox(&self) -> &Arc<Outbox> {
        &self.outbox
    }

    fn messages_a_second(&self) -> f64 {
        // Each game may be a fast one.
        MESSAGES_A_SECOND * self.tables as f64
    }

    fn hear(&mut self, text: &str, at: Instant) -> Result<(), BadMessage> {
        let (id, message) = read_team_message(text)?;
        if let Err(error) = take(&self.team, self.number, id, message, at) {
            self.outbox.push(None, error);
        }
        Ok(())
    }

    fn note_lag(&mut self, lag: u64) {
        self.team.note_lag(self.number, lag);
    }

    fn show_anew(&self) -> impl Fn(&str) + Send + 'static {
        // Nothing of a team belongs to a room of tables.
        |_room| {}
    }

    fn leave(&mut self, is_over: bool) {
        let _telling = self.team.tell_in_order();
        let is_missed = self.team.disconnect(self.number);
        self.teams.note_presence();
        if is_missed && !is_over {
            (self.teams.tell)(TeamNews::Gone { team: self.team.label.clone() });
        }
    }
}

/// Takes a message. Gives what the client is told that is wrong with it.
fn take(
    team: &Team,
    connection: u64,
    id: Option<u64>,
    message: TeamMessage,
    at: Instant,
) -> Result<(), Utf8Bytes> {
    let in_game = |room: &str, done: Result<(), NotNow>| {
        let room = plain(room, MOST_NAME);
        done.map_err(|NotNow(why)| error_message("not_now", why, id, Some(&room)))
    };
    match message {
        TeamMessage::Join(_) => Err(error_message("join", "that was said before", id, None)),
        TeamMessage::Ready { room } => {
            let ready = team.in_game(connection, &room, |game, _| {
                game.is_ready = true;
                Ok(())
            });
            in_game(&room, ready)
        }
        TeamMessage::Failed { room, reason } => {
            let failed = team.in_game(connection, &room, |game, _| {
                game.failure = Some(format!("its team says that it failed: {reason}"));
                Ok(())
            });
            in_game(&room, failed)
        }
        TeamMessage::Act { room, act } => {
            let acted = team.in_game(connection, &room, |game, lag| {
                let asked = game.question.as_ref().map(|open| open.question.number);
                if asked != Some(act.question) || game.answer.is_some() {
                    return Err(NotNow("this question is not open"));
                }
                let lag = lag.map(|millis| millis.saturating_mul(1_000_000));
                game.answer = Some(TeamAnswer { act: *act, at, lag });
                Ok(())
            });
            in_game(&room, acted)
        }
    }
}
