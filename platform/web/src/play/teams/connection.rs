//! The connection of a team: its socket and its limits.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::ws::{Utf8Bytes, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use tengen_arbiter::Action;
use tengen_players::{AT_WORK, DENIED};
use tokio::sync::watch;

use super::team::{NotNow, Team, TeamAnswer};
use super::{TeamNews, Teams};
use crate::play::error_message;
use crate::play::keys::is_plausible;
use crate::play::outbox::Outbox;
use crate::play::socket::{
    self, JoinRefusal, MESSAGES_A_SECOND, SocketClient, check_version, is_own_page, refuse_secret,
};
use crate::play::table::{ClientRefusal, refused};
use crate::play::written;
use crate::server::network;
use tengen_link::messages::{
    Act, BadMessage, ClientMessage, Heard, JoinMessage, Joined, JoinedLimits, MOST_BYTES,
    MOST_LINE, MOST_NAME, MOST_SAID, MOST_TABLES, PROTOCOL_VERSION, ServerMessage, TableInput,
    ToTable, read_message,
};
use tengen_link::plain;

/// Serves a client that claims to be a team's, until the server is `over`. It holds `counted` that
/// long.
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
    socket::upgrade(upgrade, over, MOST_BYTES, counted, move |text| greet(teams, address, text))
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
    let (id, message) = read_message(&text)
        .map_err(|bad| (bad.id, ClientRefusal { code: "message", message: bad.problem }))?;
    welcome(teams, address, id, message).await.map_err(|refusal| (id, refusal))
}

async fn welcome(
    teams: Arc<Teams>,
    address: IpAddr,
    id: Option<u64>,
    message: Heard,
) -> Result<TeamConnection, ClientRefusal> {
    let Heard::Server(ClientMessage::Join(join)) = message else {
        return refused("join", "the first message has to be `join`");
    };
    let JoinMessage { version, key, name, agent, tables } = join;
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
    let joined = |under_way: Vec<&String>| {
        let joined = Joined {
            version: PROTOCOL_VERSION,
            server: format!("tengen {}", env!("CARGO_PKG_VERSION")),
            event: teams.options.title.clone(),
            name: team.label.clone(),
            settings: teams.options.variant,
            tables: under_way.into_iter().cloned().collect(),
            limits: JoinedLimits { message: MOST_BYTES },
        };
        written(id, ServerMessage::Joined(joined))
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
        let (id, message) = read_message(text)?;
        if let Err(error) = take(&self.team, self.number, id, message, at) {
            self.outbox.push(None, error);
        }
        Ok(())
    }

    fn note_lag(&mut self, lag: u64) {
        self.team.note_lag(self.number, lag);
    }

    fn show_anew(&self) -> impl Fn(&str) + Send + 'static {
        // Nothing of a team belongs to a table of people.
        |_table| {}
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

/// Takes a message. Gives the complaint to the client, if something is wrong with it.
fn take(
    team: &Team,
    connection: u64,
    id: Option<u64>,
    message: Heard,
    at: Instant,
) -> Result<(), Utf8Bytes> {
    let ToTable { table, message } = match message {
        Heard::Table(message) => message,
        Heard::Server(ClientMessage::Join(_)) => {
            return Err(error_message("join", "that was said before", id, None));
        }
        _ => return Err(error_message("message", "that is for tables, not for events", id, None)),
    };
    let shown = plain(&table, MOST_NAME);
    let refuse = |code: &str, why: &str| error_message(code, why, id, Some(&shown));
    let done = match message {
        TableInput::Ready {} => team.in_game(connection, &table, |game, _| {
            game.is_ready = true;
            Ok(())
        }),
        TableInput::Failed { reason } => team.in_game(connection, &table, |game, _| {
            let reason = plain(&reason, MOST_LINE);
            game.failure = Some(format!("its team says that it failed: {reason}"));
            Ok(())
        }),
        TableInput::Act(act) => {
            if act.question.is_none() {
                let problem = "act: `question` is missing: expected its number";
                return Err(refuse("message", problem));
            }
            // It would leave the question open.
            if act.action == Action::OfferDraw {
                let problem = "act: a draw is offered by `draw`, along with an answer";
                return Err(refuse("message", problem));
            }
            team.in_game(connection, &table, |game, lag| {
                let asked = game.question.as_ref().map(|open| open.question.number);
                if asked != act.question || game.answer.is_some() {
                    return Err(NotNow("this question is not open"));
                }
                let lag = lag.map(|millis| millis.saturating_mul(1_000_000));
                game.answer = Some(TeamAnswer { act: own_words(*act), at, lag });
                Ok(())
            })
        }
        _ => return Err(refuse("message", "that is for tables, not for games of events")),
    };
    done.map_err(|NotNow(why)| refuse("not_now", why))
}

/// The answer with what the engine itself said: lines that begin like a host's own are left out.
fn own_words(act: Act) -> Act {
    let is_hosts =
        |line: &String| [DENIED, AT_WORK].iter().any(|begin| line.starts_with(begin.trim_end()));
    let is_own = |line: &String| !line.is_empty() && !is_hosts(line);
    let said = act.said.iter().map(|line| plain(line.trim(), MOST_LINE)).filter(is_own);
    Act { said: said.take(MOST_SAID).collect(), ..act }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_host_says_is_not_for_an_engine_to_say() {
        let said = ["hello\u{1b}[2J", "was denied /etc/passwd", ""].map(str::to_owned).to_vec();
        let act = Act { said, ..Act::new(Some(1), Action::Resign) };
        assert_eq!(own_words(act).said, ["hello[2J"]);
        let said = vec!["x".to_owned(); 40];
        let act = Act { said, ..Act::new(Some(1), Action::Resign) };
        assert_eq!(own_words(act).said.len(), MOST_SAID);
    }
}
