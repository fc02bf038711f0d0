//! An engine of this machine at a table.

use std::sync::mpsc::Sender;

use tengen_arbiter::Action;
use tengen_players::{EngineNews, GameSetup, GameVariant, Reply};
use tengen_rules::Seat;

use super::LinkSender;
use super::engine_seat::EngineSeat;
use super::event_seats::fitting;
use super::remote_engine::{
    Happened, RemoteEngine, RemoteError, RemoteGames, RemoteNews, RemotePlace, act,
};
use crate::engines::limit;
use crate::messages::{
    AskMessage, ClientMessage, ErrorMessage, MOST_LINE, ServerAnswer, ServerMessage, TableInput,
    TableMessage, TablePhase, TableRequest, TableState, ToTable,
};
use crate::text::plain;
use crate::view::ResultView;

/// What the answer to `enter` or `host` has as its id.
const COMING: u64 = 1;
/// The most characters of why the engine failed.
const MOST_REASON: usize = 120;

/// The table as the engine's client knows it.
pub(super) struct TableSeat<'a> {
    client: &'a RemoteEngine,
    sender: LinkSender,
    happens: Sender<Happened>,
    wanted: Option<Seat>,
    /// How many games are to be played.
    games: u64,
    table: Option<String>,
    key: Option<String>,
    sits: Option<Seat>,
    engine: Option<EngineSeat>,
    setup: Option<GameSetup>,
    /// The number of the game that is under way, and of the last one that was over.
    game: u64,
    counted: u64,
    /// How many were over.
    over: u64,
}

impl TableSeat<'_> {
    pub fn new(
        client: &RemoteEngine,
        sender: LinkSender,
        happens: Sender<Happened>,
    ) -> TableSeat<'_> {
        let (wanted, games) = match client.place {
            RemotePlace::Table { seat, games, .. } => (seat, games),
            RemotePlace::Event { .. } => (None, 0),
        };
        TableSeat {
            client,
            sender,
            happens,
            wanted,
            games,
            table: client.address.table.clone(),
            key: client.address.key.clone(),
            sits: None,
            engine: None,
            setup: None,
            game: 0,
            counted: 0,
            over: 0,
        }
    }

    fn say(&self, message: TableInput) {
        let table = self.table.as_deref().unwrap_or_default();
        self.sender.send(&ToTable::new(table, message));
    }

    fn show(
        &mut self,
        table: TableMessage<'static>,
        tell: &mut dyn FnMut(RemoteNews),
    ) -> Result<bool, RemoteError> {
        self.table = Some(table.id);
        let Some(seat) = table.you.seat else {
            // The one that opens a table sees it before the seat that was named is taken.
            if self.client.address.table.is_some() || self.sits.is_some() {
                self.say(TableInput::Sit { seat: self.wanted, key: self.key.clone() });
            }
            return Ok(false);
        };
        self.key = table.you.key;
        let settings = &table.settings;
        let (rule, size, opening) = (settings.rule, settings.size, settings.opening);
        let variant = GameVariant { rule, size, opening };
        self.setup = Some(variant.setup(seat, settings.time));
        if self.sits.is_none() {
            let id = self.table.as_deref().unwrap_or_default();
            let key = table.keys.invite.map_or(String::new(), |key| format!("&key={key}"));
            tell(RemoteNews::Seated { seat, invite: format!("#table={id}{key}") });
        }
        let was_here = self.sits.replace(seat).is_some();
        if self.engine.is_none() {
            self.engine = Some(self.new_engine(variant)?);
        }
        let game = table.live.map(|live| live.game);
        let number = game.as_ref().map_or(0, |game| game.number);
        let is_over = table.state.phase == TablePhase::Over;
        if number > self.game && !is_over {
            self.game = number;
            tell(RemoteNews::Began(number));
            if let (Some(engine), Some(setup)) = (&mut self.engine, &self.setup) {
                engine.begin(setup.clone());
            }
        }
        // The position has changed, so the search is void; the question follows.
        self.stop_thinking();
        self.answer_wishes(&table.state);
        if !is_over {
            return Ok(false);
        }
        // A game that ended while the connection was gone; one before this engine came is not its.
        if was_here && let Some(result) = game.and_then(|game| game.into_owned().result) {
            self.count(number, result, tell);
        }
        self.counted = number;
        Ok(self.ask_for_another())
    }

    fn new_engine(&self, variant: GameVariant) -> Result<EngineSeat, RemoteError> {
        let engines = std::sync::Arc::clone(&self.client.engines);
        EngineSeat::new(0, engines, &self.client.engine.id, variant, self.happens.clone())
            .map_err(RemoteError::Engine)
    }

    /// Counts a game that is over, once.
    fn count(&mut self, number: u64, told: ResultView, tell: &mut dyn FnMut(RemoteNews)) {
        if number <= self.counted {
            return;
        }
        (self.counted, self.over) = (number, self.over + 1);
        let ResultView { result, detail, .. } = told;
        let detail = detail.map(|detail| plain(&detail, MOST_LINE));
        let won = result.winner.zip(self.sits).map(|(winner, sits)| winner == sits);
        tell(RemoteNews::Over { number, won, result, detail });
    }

    /// Asks for another game. Whether all have been played.
    fn ask_for_another(&self) -> bool {
        if self.over < self.games {
            self.say(TableInput::Request { what: TableRequest::Again });
        }
        self.over >= self.games
    }

    fn ask(&mut self, ask: AskMessage) {
        if let Some(engine) = &mut self.engine {
            engine.ask_limited(ask, self.client.reserve, limit);
        }
    }

    fn stop_thinking(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.stop();
        }
    }

    /// An engine takes nothing back, agrees to no draw, and plays again as often as it was told.
    fn answer_wishes(&self, state: &TableState) {
        let Some(sits) = self.sits else { return };
        for wish in state.requests.iter().filter(|wish| wish.seat != sits) {
            let accept = wish.what == TableRequest::Again && self.over < self.games;
            self.say(TableInput::Reply { what: wish.what, accept });
        }
    }

    /// Sends the engine's answer. If the engine failed, it gives the game up.
    fn answer(&self, question: u64, reply: Reply) {
        let action = match &reply.outcome {
            Ok(Some(action)) => action.clone(),
            // Its time is over; the server knows.
            Ok(None) => return,
            Err(fault) => {
                let reason = plain(&fault.detail, MOST_REASON);
                let text = format!("the engine failed: {reason}");
                self.say(TableInput::Chat { text, picture: None });
                Action::Resign
            }
        };
        if reply.offers_draw || action == Action::OfferDraw {
            self.say(TableInput::Request { what: TableRequest::Draw });
        }
        match action {
            Action::AcceptDraw => {
                self.say(TableInput::Reply { what: TableRequest::Draw, accept: true });
            }
            Action::OfferDraw | Action::Claim => {}
            Action::Answer(_) | Action::Resign => {
                let table = self.table.as_deref().unwrap_or_default();
                let act = fitting(table, act(question, action, reply), Vec::new());
                self.say(TableInput::Act(Box::new(act)));
            }
        }
    }

    fn refused(
        &self,
        id: Option<u64>,
        ErrorMessage { code, message, .. }: ErrorMessage,
        tell: &mut dyn FnMut(RemoteNews),
    ) -> Result<(), RemoteError> {
        let message = plain(&message, MOST_LINE);
        match (self.sits, code.as_str()) {
            (None, _) => {
                let server = self.client.address.server();
                return Err(RemoteError::NoSeat { server, message });
            }
            // The engine is gone, or another has the seat: no more will come from it.
            (Some(_), _) if id == Some(COMING) => return Err(RemoteError::Closed(message)),
            // An answer that came too late, or a wish that no player has any more.
            (Some(_), "not_now") => {}
            (Some(_), _) => tell(RemoteNews::Problem(message)),
        }
        Ok(())
    }
}

impl RemoteGames for TableSeat<'_> {
    /// Enters the table, or opens one.
    fn come(&mut self, _: ServerMessage<'static>, _: &mut dyn FnMut(RemoteNews)) {
        match (&self.table, &self.client.place) {
            (None, RemotePlace::Table { settings, .. }) => {
                let (table, seat) = ((**settings).clone(), self.wanted.unwrap_or(Seat::First));
                let host = ClientMessage::Host { table, seat: Some(seat), engine: None };
                self.sender.send_numbered(&host, Some(COMING));
            }
            (table, _) => {
                let enter = TableInput::Enter { key: self.key.clone() };
                let enter = ToTable::new(table.as_deref().unwrap_or_default(), enter);
                self.sender.send_numbered(&enter, Some(COMING));
            }
        }
    }

    fn lose(&mut self) {
        self.stop_thinking();
    }

    fn hear(
        &mut self,
        message: ServerAnswer<'static>,
        tell: &mut dyn FnMut(RemoteNews),
    ) -> Result<bool, RemoteError> {
        match message.message {
            ServerMessage::Table(table) => return self.show(*table, tell),
            ServerMessage::State { state, .. } => self.answer_wishes(&state),
            ServerMessage::Ask(ask) => self.ask(*ask),
            ServerMessage::Over(over) => {
                self.stop_thinking();
                self.count(over.number, over.result, tell);
                return Ok(self.ask_for_another());
            }
            ServerMessage::Closed { reason, .. } => {
                return Err(RemoteError::Closed(plain(&reason, MOST_LINE)));
            }
            ServerMessage::Error(error) => self.refused(message.id, error, tell)?,
            ServerMessage::Unreadable(unread)
                if matches!(unread.kind.as_str(), "table" | "ask") =>
            {
                return Err(RemoteError::Closed(format!("not understood: {}", unread.problem)));
            }
            _ => {}
        }
        Ok(false)
    }

    fn take(
        &mut self,
        _: u64,
        news: EngineNews,
        _: &mut dyn FnMut(RemoteNews),
    ) -> Result<(), RemoteError> {
        match news {
            EngineNews::Started(_) | EngineNews::Ready { .. } | EngineNews::Unready { .. } => {}
            EngineNews::Failed { reason, .. } => return Err(RemoteError::Engine(reason)),
            EngineNews::Answered { question, reply, .. } => self.answer(question, *reply),
        }
        Ok(())
    }
}
