//! An engine of this machine in an event elsewhere.

mod seat;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};
use tengen_arbiter::{GameResult, Nanos, Termination, TimeControl};
use tengen_players::{GameSetup, GameVariant, ListedEngine};
use tengen_rules::{Alike, Procedure, Rule, Seat, Size};
use thiserror::Error;

use self::seat::{Outlet, TeamSeat};
use super::engines::TableEngines;
use super::remote::asked::question;
use super::{Client, ClientError, ClientEvent, ClientOptions, TeamClientNews};
use crate::text::plain;

/// How often it is looked whether to stop.
const LOOK: Duration = Duration::from_millis(100);
/// How long it is waited between two attempts to connect, and how long it is tried.
const RETRY: Duration = Duration::from_secs(1);
const MOST_RETRIES: Duration = Duration::from_secs(3600);

/// An engine that is to play in an event.
pub struct TeamClient {
    /// Where, with the team's key, and under what name.
    pub options: ClientOptions,
    /// Which engine.
    pub engine: ListedEngine,
    /// What starts it.
    pub engines: Arc<dyn TableEngines>,
    /// How many games it plays at once, each with an engine of its own.
    pub tables: u64,
    /// What of its time it leaves to the way there and back.
    pub reserve: Nanos,
}

/// Why an engine does not play any more.
#[derive(Debug, Error)]
pub enum TeamClientError {
    /// There is no connection.
    #[error(transparent)]
    Connection(#[from] ClientError),
    /// Another client has this team's key.
    #[error("another client has come with this team's key, and plays in place of this one")]
    Replaced,
}

impl TeamClient {
    /// What of its time is usually left to the way there and back.
    pub const USUAL_RESERVE: Nanos = 100_000_000;

    /// Plays until the event is over for this team, or it is told to stop.
    ///
    /// # Errors
    /// When it cannot play, or not any more.
    pub fn play(
        self,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(TeamClientNews),
    ) -> Result<(), TeamClientError> {
        let mut client = Client::join(self.options.clone(), self.tables)?;
        let outlet = Arc::new(Outlet::default());
        let mut event =
            EventSeats { client: &self, outlet, games: BTreeMap::new(), idle: Vec::new() };
        event.come(&client, tell);
        while !stop.load(Ordering::SeqCst) {
            for problem in event.outlet.take_problems() {
                tell(TeamClientNews::Problem(problem));
            }
            match client.hear(LOOK) {
                ClientEvent::Nothing => {}
                ClientEvent::Message(message) => {
                    if event.hear(&message, tell)? {
                        return Ok(());
                    }
                }
                // The engines go on thinking: their clocks run.
                ClientEvent::Gone(problem) => {
                    tell(TeamClientNews::Lost(problem));
                    let again = match self.connect_again(stop) {
                        Ok(Some(again)) => again,
                        Ok(None) => return Ok(()),
                        // It ended while the line was broken.
                        Err(ClientError::Refused { code, message, .. }) if code == "over" => {
                            tell(TeamClientNews::End(message));
                            return Ok(());
                        }
                        Err(error) => return Err(error.into()),
                    };
                    client = again;
                    tell(TeamClientNews::Back);
                    event.come(&client, tell);
                }
            }
        }
        Ok(())
    }

    /// A new connection; none when it is told to stop.
    fn connect_again(&self, stop: &AtomicBool) -> Result<Option<Client>, ClientError> {
        let began = Instant::now();
        let mut tried = None::<Instant>;
        loop {
            if stop.load(Ordering::SeqCst) {
                return Ok(None);
            }
            if tried.is_some_and(|tried| tried.elapsed() < RETRY) {
                std::thread::sleep(LOOK);
                continue;
            }
            tried = Some(Instant::now());
            match Client::join(self.options.clone(), self.tables) {
                Ok(client) => return Ok(Some(client)),
                Err(ClientError::Unreachable { .. } | ClientError::NoTables { .. })
                    if began.elapsed() < MOST_RETRIES => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// The games of the event that this team plays.
struct EventSeats<'a> {
    client: &'a TeamClient,
    outlet: Arc<Outlet>,
    games: BTreeMap<String, EventGame>,
    /// Engines that play no game now.
    idle: Vec<TeamSeat>,
}

struct EventGame {
    number: u64,
    seat: Seat,
    time: TimeControl,
    engine: TeamSeat,
    /// The question that it was asked last.
    asked: u64,
}

/// The message `game`. What it has beside this is passed over.
#[derive(Deserialize)]
struct TeamGameMessage {
    room: String,
    number: u64,
    seat: u8,
    settings: SettingsObject,
}

#[derive(Deserialize)]
struct SettingsObject {
    rule: String,
    size: String,
    opening: String,
    #[serde(default)]
    alike: String,
    time: String,
    #[serde(default)]
    draws: bool,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    reproducible: bool,
}

impl EventSeats<'_> {
    /// Takes note of a new connection: of the games that are over by now, too.
    fn come(&mut self, client: &Client, tell: &mut dyn FnMut(TeamClientNews)) {
        self.outlet.open(client.sender());
        let joined = client.welcome();
        let word = |key: &str| plain(joined[key].as_str().unwrap_or_default(), 100);
        tell(TeamClientNews::Joined { event: word("event"), team: word("name") });
        self.warm_up(&joined["settings"]);
        let rooms: Vec<_> =
            joined["rooms"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let over: Vec<_> =
            self.games.keys().filter(|room| !rooms.contains(&room.as_str())).cloned().collect();
        for room in over {
            let aborted = GameResult { winner: None, termination: Termination::Aborted };
            self.end_game(&room, aborted, tell);
        }
    }

    /// Takes a message. Returns whether the event is over.
    fn hear(
        &mut self,
        message: &Value,
        tell: &mut dyn FnMut(TeamClientNews),
    ) -> Result<bool, TeamClientError> {
        let word = |key: &str| plain(message[key].as_str().unwrap_or_default(), 300);
        let room = message["room"].as_str().unwrap_or_default();
        match message["type"].as_str().unwrap_or_default() {
            "game" => self.begin_game(message, tell),
            "ask" => self.ask(room, message, tell),
            "over" => {
                let result = &message["result"];
                let by = result["by"].as_str().unwrap_or_default();
                let winner = match result["winner"].as_u64() {
                    Some(0) => Some(Seat::First),
                    Some(_) => Some(Seat::Second),
                    None => None,
                };
                let termination = Termination::from_name(by).unwrap_or(Termination::Aborted);
                self.end_game(room, GameResult { winner, termination }, tell);
            }
            "end" => {
                tell(TeamClientNews::End(word("reason")));
                return Ok(true);
            }
            "error" if message["code"] == "replaced" => return Err(TeamClientError::Replaced),
            // An answer that came too late.
            "error" if message["code"] == "not_now" => {}
            "error" => tell(TeamClientNews::Problem(word("message"))),
            _ => {}
        }
        Ok(false)
    }

    fn begin_game(&mut self, message: &Value, tell: &mut dyn FnMut(TeamClientNews)) {
        let Ok(game) = TeamGameMessage::deserialize(message) else {
            return tell(TeamClientNews::Problem("the server began what is no game".to_owned()));
        };
        // It is shown again on a new connection; what was said on the old one may be lost.
        if self.games.contains_key(&game.room) {
            return self.outlet.say_again(&game.room);
        }
        let room = game.room.clone();
        let Some((setup, variant)) = game.setup() else {
            let reason = "the game has settings that this tengen does not know";
            tell(TeamClientNews::Problem(reason.to_owned()));
            let failed = json!({ "type": "failed", "room": room, "reason": reason });
            return self.outlet.say(&room, failed);
        };
        // One that was started for other games is of no use.
        self.idle.retain(|idle| idle.variant == variant);
        let mut engine = match self.idle.pop().map_or_else(|| self.new_engine(variant), Ok) {
            Ok(engine) => engine,
            Err(reason) => {
                tell(TeamClientNews::Problem(reason.clone()));
                let failed = json!({ "type": "failed", "room": room, "reason": reason });
                return self.outlet.say(&room, failed);
            }
        };
        tell(TeamClientNews::Began(game.number));
        let (number, seat, time) = (game.number, setup.seat, setup.time);
        engine.begin(&room, setup);
        let game = EventGame { number, seat, time, engine, asked: 0 };
        self.games.insert(room, game);
    }

    /// Starts engines for what is played there, before the first game and its time to get ready.
    fn warm_up(&mut self, settings: &Value) {
        let text = |key: &str| settings[key].as_str().unwrap_or_default();
        let (rule, size, opening) =
            (text("rule").parse(), text("size").parse(), text("opening").parse());
        let (Ok(rule), Ok(size), Ok(opening)) = (rule, size, opening) else { return };
        while ((self.games.len() + self.idle.len()) as u64) < self.client.tables {
            // What does not work is said when a game needs it.
            let Ok(engine) = self.new_engine(GameVariant { rule, size, opening }) else { return };
            self.idle.push(engine);
        }
    }

    fn new_engine(&self, variant: GameVariant) -> Result<TeamSeat, String> {
        let TeamClient { engines, engine, .. } = self.client;
        TeamSeat::new(Arc::clone(engines), &engine.id, variant, Arc::clone(&self.outlet))
    }

    fn ask(&mut self, room: &str, message: &Value, tell: &mut dyn FnMut(TeamClientNews)) {
        let Some(game) = self.games.get_mut(room) else { return };
        let reserve = self.client.reserve;
        match question(message, game.engine.variant, game.time, game.number, reserve) {
            // It is put again on a new connection; the engine has it, or has answered.
            Some(question) if question.number <= game.asked => {}
            Some(question) => {
                game.asked = question.number;
                game.engine.ask(question);
            }
            None => {
                tell(TeamClientNews::Problem("the server asked what is no question".to_owned()))
            }
        }
    }

    fn end_game(&mut self, room: &str, result: GameResult, tell: &mut dyn FnMut(TeamClientNews)) {
        let Some(game) = self.games.remove(room) else { return };
        game.engine.end(result);
        self.outlet.forget(room);
        self.idle.push(game.engine);
        tell(TeamClientNews::Over {
            number: game.number,
            won: result.winner.map(|winner| winner == game.seat),
            by: result.termination.name().to_owned(),
        });
    }
}

impl TeamGameMessage {
    /// What the engine is told of the game; none where this program does not know it.
    fn setup(&self) -> Option<(GameSetup, GameVariant)> {
        let SettingsObject { rule, size, opening, alike, time, draws, seed, reproducible } =
            &self.settings;
        let rule: Rule = rule.parse().ok()?;
        let size: Size = size.parse().ok()?;
        let opening: Procedure = opening.parse().ok()?;
        let seat = if self.seat == 0 { Seat::First } else { Seat::Second };
        let variant = GameVariant { rule, size, opening };
        let setup = GameSetup {
            number: Some(self.number),
            alike: if alike == "board" { Alike::Board } else { Alike::Shape },
            seed: *seed,
            reproducible: *reproducible,
            draw_offers: *draws,
            ..variant.setup(seat, time.parse().ok()?)
        };
        Some((setup, variant))
    }
}

fn lock<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
