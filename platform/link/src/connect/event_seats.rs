//! The games of an event that an engine of this machine plays.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use tengen_arbiter::{GameResult, Termination};
use tengen_players::{EngineNews, GameVariant, Reply};
use tengen_rules::Seat;

use super::LinkSender;
use super::engine_seat::{EngineSeat, WARM_UP};
use super::remote_engine::{
    Happened, RemoteEngine, RemoteError, RemoteGames, RemoteNews, RemotePlace, act,
};
use crate::messages::{
    Act, AskMessage, GameMessage, Joined, MOST_BYTES, MOST_LINE, MOST_SAID, ServerAnswer,
    ServerMessage, TableInput, ToTable, UnreadableMessage,
};
use crate::text::plain;

/// The most characters that are shown of a server's message.
const MOST_SHOWN: usize = 300;
/// The most characters that are shown of a server's name.
const MOST_SHOWN_NAME: usize = 100;

/// The games of the event that are under way, and the engines that play them.
pub(super) struct EventSeats<'a> {
    client: &'a RemoteEngine,
    sender: LinkSender,
    happens: Sender<Happened>,
    tables: u64,
    games: BTreeMap<String, EventGame>,
    /// Engines that play no game now.
    idle: Vec<EngineSeat>,
    /// How many engines were started.
    started: u64,
}

struct EventGame {
    number: u64,
    seat: Seat,
    engine: EngineSeat,
    /// What was said last, which is said again on a new connection.
    said: Option<ToTable>,
}

impl EventSeats<'_> {
    pub fn new(
        client: &RemoteEngine,
        sender: LinkSender,
        happens: Sender<Happened>,
    ) -> EventSeats<'_> {
        let tables = match client.place {
            RemotePlace::Event { tables } => tables,
            RemotePlace::Table { .. } => 1,
        };
        let (games, idle, started) = (BTreeMap::new(), Vec::new(), 0);
        EventSeats { client, sender, happens, tables, games, idle, started }
    }

    /// Says something in a game, and keeps it.
    fn say(&mut self, table: &str, message: TableInput) {
        let message = ToTable::new(table, message);
        self.sender.send(&message);
        if let Some(game) = self.games.get_mut(table) {
            game.said = Some(message);
        }
    }

    fn begin_game(&mut self, game: &GameMessage, tell: &mut dyn FnMut(RemoteNews)) {
        let table = &game.table;
        // It is shown again on a new connection; what was said on the old one may be lost.
        if let Some(known) = self.games.get(table) {
            known.said.iter().for_each(|said| self.sender.send(said));
            return;
        }
        let variant = game.settings.variant;
        // One that was started for other games is of no use.
        self.idle.retain(|idle| idle.variant == variant);
        let engine = self.idle.pop().map_or_else(|| self.new_engine(variant), Ok);
        let mut engine = match engine {
            Ok(engine) => engine,
            Err(reason) => {
                tell(RemoteNews::Problem(reason.clone()));
                return self.say(table, TableInput::Failed { reason });
            }
        };
        tell(RemoteNews::Began(game.number));
        engine.begin(game.setup());
        engine.get_ready();
        let (number, seat, said) = (game.number, game.seat, None);
        self.games.insert(table.clone(), EventGame { number, seat, engine, said });
    }

    fn new_engine(&mut self, variant: GameVariant) -> Result<EngineSeat, String> {
        self.started += 1;
        let RemoteEngine { engines, engine, .. } = self.client;
        let tell = self.happens.clone();
        EngineSeat::new(self.started, Arc::clone(engines), &engine.id, variant, tell)
    }

    fn ask(&mut self, ask: AskMessage) {
        if let Some(game) = self.games.get_mut(&ask.table) {
            game.engine.ask(ask, self.client.reserve);
        }
    }

    fn end_game(&mut self, table: &str, result: GameResult, tell: &mut dyn FnMut(RemoteNews)) {
        let Some(mut game) = self.games.remove(table) else { return };
        game.engine.end(result);
        self.idle.push(game.engine);
        tell(RemoteNews::Over {
            number: game.number,
            won: result.winner.map(|winner| winner == game.seat),
            result,
            detail: None,
        });
    }

    fn fail(&mut self, table: &str, reason: &str, tell: &mut dyn FnMut(RemoteNews)) {
        let reason = plain(reason, MOST_LINE);
        tell(RemoteNews::Problem(format!("the engine failed: {reason}")));
        self.say(table, TableInput::Failed { reason });
    }

    fn answer(
        &mut self,
        table: &str,
        question: u64,
        reply: Reply,
        said: Vec<String>,
        tell: &mut dyn FnMut(RemoteNews),
    ) {
        match reply.outcome.clone() {
            Ok(Some(action)) => {
                let took = Some(reply.answered_at.saturating_sub(reply.asked_at) / 1_000_000);
                let draw = reply.offers_draw;
                let act = Act { took, draw, ..act(question, action, reply) };
                self.say(table, TableInput::Act(Box::new(fitting(table, act, said))));
            }
            // The server knows.
            Ok(None) => {
                let problem = "the engine did not answer in time, and was stopped";
                tell(RemoteNews::Problem(problem.to_owned()));
            }
            Err(fault) => self.fail(table, &fault.detail, tell),
        }
    }
}

impl RemoteGames for EventSeats<'_> {
    /// Takes note of the games that are over by now, too. Engines are started for what is played
    /// there before the first game and its time to get ready.
    fn come(&mut self, greeting: ServerMessage<'static>, tell: &mut dyn FnMut(RemoteNews)) {
        let ServerMessage::Joined(Joined { event, name, settings, tables, .. }) = greeting else {
            return;
        };
        let shown = |text: &str| plain(text, MOST_SHOWN_NAME);
        tell(RemoteNews::Joined { event: shown(&event), name: shown(&name) });
        while ((self.games.len() + self.idle.len()) as u64) < self.tables {
            // A failure is reported when a game needs the engine.
            let Ok(engine) = self.new_engine(settings) else { break };
            engine.get_ready();
            self.idle.push(engine);
        }
        let over: Vec<_> =
            self.games.keys().filter(|table| !tables.contains(table)).cloned().collect();
        for table in over {
            let aborted = GameResult { winner: None, termination: Termination::Aborted };
            self.end_game(&table, aborted, tell);
        }
    }

    /// The engines go on thinking: their clocks run.
    fn lose(&mut self) {}

    fn hear(
        &mut self,
        message: ServerAnswer<'static>,
        tell: &mut dyn FnMut(RemoteNews),
    ) -> Result<bool, RemoteError> {
        match message.message {
            ServerMessage::Game(game) => self.begin_game(&game, tell),
            ServerMessage::Ask(ask) => self.ask(*ask),
            ServerMessage::Over(over) => self.end_game(&over.table, over.result.result, tell),
            ServerMessage::End { reason } => {
                tell(RemoteNews::End(plain(&reason, MOST_SHOWN)));
                return Ok(true);
            }
            ServerMessage::Error(error) => match error.code.as_str() {
                "replaced" => return Err(RemoteError::Replaced),
                // An answer that came too late.
                "not_now" => {}
                _ => tell(RemoteNews::Problem(plain(&error.message, MOST_SHOWN))),
            },
            ServerMessage::Unreadable(UnreadableMessage { kind, table: Some(table), problem })
                if matches!(kind.as_str(), "game" | "ask") =>
            {
                tell(RemoteNews::Problem(format!("not understood: {problem}")));
                self.say(&table, TableInput::Failed { reason: problem });
            }
            ServerMessage::Unreadable(UnreadableMessage { table: Some(table), kind, .. })
                if kind == "over" =>
            {
                let unknown = GameResult { winner: None, termination: Termination::Aborted };
                self.end_game(&table, unknown, tell);
            }
            _ => {}
        }
        Ok(false)
    }

    fn take(
        &mut self,
        engine: u64,
        news: EngineNews,
        tell: &mut dyn FnMut(RemoteNews),
    ) -> Result<(), RemoteError> {
        if let EngineNews::Unready { game: WARM_UP, reason } = news {
            tell(RemoteNews::Problem(format!("the engine does not get ready: {reason}")));
            return Ok(());
        }
        let number = match &news {
            EngineNews::Started(_) => return Ok(()),
            EngineNews::Ready { game }
            | EngineNews::Unready { game, .. }
            | EngineNews::Failed { game, .. }
            | EngineNews::Answered { game, .. } => *game,
        };
        // Nothing follows the end of a game.
        let mut games = self.games.iter();
        let game = games.find(|(_, of)| of.engine.number == engine && of.engine.game == number);
        let Some(table) = game.map(|(table, _)| table.clone()) else { return Ok(()) };
        match news {
            EngineNews::Started(_) => {}
            EngineNews::Ready { .. } => self.say(&table, TableInput::Ready {}),
            EngineNews::Unready { reason, .. } | EngineNews::Failed { reason, .. } => {
                self.fail(&table, &reason, tell);
            }
            EngineNews::Answered { question, reply, said, .. } => {
                self.answer(&table, question, *reply, said, tell);
            }
        }
        Ok(())
    }
}

/// The answer with as much as the message has room for: without its search where that is too long,
/// and with the first lines of what the engine said.
pub(super) fn fitting(table: &str, mut act: Act, said: Vec<String>) -> Act {
    let is_short = |act: &Act| {
        let message = ToTable::new(table, TableInput::Act(Box::new(act.clone())));
        serde_json::to_string(&message).is_ok_and(|text| text.len() <= MOST_BYTES)
    };
    if !is_short(&act) {
        act.info = None;
    }
    act.said = said.iter().map(|line| plain(line, MOST_LINE)).take(MOST_SAID).collect();
    while !act.said.is_empty() && !is_short(&act) {
        act.said.pop();
    }
    act
}
