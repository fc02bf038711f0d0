//! An engine of this window that plays for a team of an event elsewhere.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tengen_arbiter::Termination;
use tengen_link::{RemoteEngine, RemoteNews, RemotePlace};

use super::shared_state::SharedState;
use crate::app::model::{TableAddress, Wake};

/// The most finished games that are listed.
const MOST_GAMES: usize = 1000;

/// An engine of this window that plays for a team of an event elsewhere, on a thread of its own.
///
/// Dropping it ends the connection; the window does not wait for that, which may take long on a bad
/// line.
pub struct TeamSession {
    address: TableAddress,
    state: Arc<SharedState<Arc<TeamSnapshot>>>,
    stop: Arc<AtomicBool>,
}

/// How a team of this window is doing, at one moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TeamSnapshot {
    /// Whether it plays.
    pub phase: TeamPhase,
    /// The server of the event.
    pub server: String,
    /// Where the event is seen in a browser.
    pub page: String,
    /// What the event is called; empty until that is known.
    pub event: String,
    /// What the team is called there.
    pub team: String,
    /// The engine that plays.
    pub engine: String,
    /// How many games it plays at once.
    pub tables: u64,
    /// The numbers of the games that it plays now.
    pub running: BTreeSet<u64>,
    /// The last games that are over, the newest first.
    pub games: VecDeque<TeamGameResult>,
    /// How many games were won, drawn and lost. One that was given up does not count.
    pub score: [u64; 3],
    /// What did not work last.
    pub problem: Option<String>,
}

/// Whether a team plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TeamPhase {
    /// It goes there.
    Connecting,
    /// It is there.
    Playing,
    /// Its connection is broken, and tried again.
    Lost(String),
    /// The event is over for it, and why.
    Over(String),
    /// It cannot play, and why.
    Failed(String),
}

/// A game that is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TeamGameResult {
    /// Its number in the event.
    pub number: u64,
    /// Whether it was won; none is a draw, or no result.
    pub won: Option<bool>,
    /// How it ended.
    pub termination: Termination,
}

impl TeamSession {
    /// Goes there and plays.
    pub(in crate::app) fn start(engine: RemoteEngine, wake: Wake) -> TeamSession {
        let address = engine.address.clone();
        let tables = match engine.place {
            RemotePlace::Event { tables } => tables,
            RemotePlace::Table { .. } => 1,
        };
        let page = TableAddress { team: None, ..address.clone() }.text();
        let first = TeamSnapshot {
            phase: TeamPhase::Connecting,
            server: address.host.clone(),
            page,
            event: String::new(),
            team: String::new(),
            engine: engine.engine.name.clone(),
            tables,
            running: BTreeSet::new(),
            games: VecDeque::new(),
            score: [0; 3],
            problem: None,
        };
        let state = Arc::new(SharedState::new(Arc::new(first)));
        state.on_change(Box::new(move || wake()));
        let stop = Arc::new(AtomicBool::new(false));
        let (shared, flag) = (Arc::clone(&state), Arc::clone(&stop));
        let play = move || {
            let mut tell = |news| publish(&shared, |snapshot| snapshot.take(news));
            let played = engine.play(&flag, &mut tell);
            publish(&shared, |snapshot| {
                snapshot.running.clear();
                if let Err(problem) = played {
                    snapshot.phase = TeamPhase::Failed(problem.to_string());
                }
            });
        };
        if let Err(error) = thread::Builder::new().name("team".to_owned()).spawn(play) {
            Arc::make_mut(&mut *state.lock()).phase = TeamPhase::Failed(error.to_string());
        }
        TeamSession { address, state, stop }
    }

    /// How it is doing now.
    pub fn snapshot(&self) -> Arc<TeamSnapshot> {
        Arc::clone(&self.state.lock())
    }

    /// Waits until the condition holds.
    pub fn wait_until(&self, condition: impl Fn(&TeamSnapshot) -> bool) {
        let state = self.state.lock();
        drop(self.state.wait_while(state, |snapshot| !condition(snapshot)));
    }

    /// Whether it plays, or tries to.
    pub fn is_running(&self) -> bool {
        !matches!(self.snapshot().phase, TeamPhase::Over(_) | TeamPhase::Failed(_))
    }

    /// Whether it plays for the team of that link.
    pub(in crate::app) fn is_for(&self, address: &TableAddress) -> bool {
        self.address == *address
    }
}

impl Drop for TeamSession {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
    }
}

fn publish(state: &SharedState<Arc<TeamSnapshot>>, change: impl FnOnce(&mut TeamSnapshot)) {
    change(Arc::make_mut(&mut *state.lock()));
    state.notify();
}

impl TeamSnapshot {
    fn take(&mut self, news: RemoteNews) {
        match news {
            RemoteNews::Joined { event, name } => {
                (self.event, self.team) = (event, name);
                self.phase = TeamPhase::Playing;
            }
            RemoteNews::Began(number) => {
                self.problem = None;
                self.running.insert(number);
            }
            RemoteNews::Over { number, won, result, .. } => {
                self.running.remove(&number);
                let termination = result.termination;
                if termination != Termination::Aborted {
                    self.score[won.map_or(1, |won| if won { 0 } else { 2 })] += 1;
                }
                self.games.push_front(TeamGameResult { number, won, termination });
                self.games.truncate(MOST_GAMES);
            }
            // That is of tables.
            RemoteNews::Seated { .. } => {}
            RemoteNews::Problem(problem) => self.problem = Some(problem),
            RemoteNews::Lost(reason) => self.phase = TeamPhase::Lost(reason),
            RemoteNews::Back => self.phase = TeamPhase::Playing,
            RemoteNews::End(reason) => self.phase = TeamPhase::Over(reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tengen_link::RemoteError;
    use tengen_players::ListedEngine;
    use tengen_testkit::ScriptedServer;

    use super::*;

    /// A team that has come to the event of a server. Its engine cannot be started.
    fn playing() -> (TeamSession, ScriptedServer) {
        let mut server = ScriptedServer::start();
        let engine = RemoteEngine {
            address: format!("http://{}/#team=KEY", server.host()).parse().unwrap(),
            name: "Oak".to_owned(),
            authority: None,
            engine: ListedEngine { id: "oak".to_owned(), name: "Oak".to_owned() },
            engines: Arc::new(()),
            place: RemotePlace::Event { tables: 2 },
            reserve: RemoteEngine::USUAL_RESERVE,
        };
        let session = TeamSession::start(engine, Arc::new(|| {}));
        let join = server.accept();
        assert_eq!((&join["type"], &join["tables"]), (&json!("join"), &json!(2)));
        server.send(&json!({
            "type": "joined", "version": 2, "server": "tengen", "event": "cup", "name": "Team A",
            "tables": [], "limits": { "message": 4096 },
            "settings": { "rule": "freestyle", "size": 15, "opening": "none" },
        }));
        (session, server)
    }

    /// Lets a game begin, and waits until the engine has failed in it.
    fn begin(server: &mut ScriptedServer, number: u64) {
        server.send(&json!({
            "type": "game", "table": number.to_string(), "number": number, "seat": "first",
            "startup": 10_000,
            "settings": { "rule": "freestyle", "size": 15, "opening": "none", "time": "60" },
        }));
        assert_eq!(server.hear_kind("failed")["table"], number.to_string());
    }

    fn end(server: &mut ScriptedServer, number: u64, winner: Value, termination: &str) {
        server.send(&json!({
            "type": "over", "table": number.to_string(), "number": number,
            "result": { "winner": winner, "termination": termination },
        }));
    }

    #[test]
    fn games_are_counted_and_what_was_given_up_is_not() {
        let (session, mut server) = playing();
        begin(&mut server, 1);
        begin(&mut server, 2);
        assert_eq!(session.snapshot().running, [1, 2].into());
        end(&mut server, 1, json!("first"), "five");
        end(&mut server, 2, Value::Null, "board_full");
        begin(&mut server, 3);
        end(&mut server, 3, Value::Null, "aborted");
        begin(&mut server, 4);
        end(&mut server, 4, json!("second"), "timeout");
        let errors = [("server", "it does not start"), ("replaced", "another client has come")];
        for (code, message) in errors {
            server.send(&json!({ "type": "error", "code": code, "message": message }));
        }
        session.wait_until(|snapshot| matches!(snapshot.phase, TeamPhase::Failed(_)));
        assert!(!session.is_running());
        let snapshot = session.snapshot();
        assert_eq!((snapshot.event.as_str(), snapshot.team.as_str()), ("cup", "Team A"));
        assert_eq!((snapshot.score, snapshot.running.len()), ([1, 1, 1], 0));
        let numbers: Vec<u64> = snapshot.games.iter().map(|game| game.number).collect();
        assert_eq!(numbers, [4, 3, 2, 1]);
        let page = format!("http://{}/", server.host());
        assert_eq!(snapshot.page, page, "nobody is shown the key");
        assert_eq!(snapshot.problem.as_deref(), Some("it does not start"));
        let problem = RemoteError::Replaced.to_string();
        assert_eq!(snapshot.phase, TeamPhase::Failed(problem));
    }
}
