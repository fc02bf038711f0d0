//! The state of a table that the threads of its connection share with the window.

use std::mem::take;
use std::sync::{Arc, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

use tengen_arbiter::Action;
use tengen_lineup::EngineProvider;
use tengen_link::messages::{Act, ClientMessage, ErrorMessage, ServerMessage, TableInput, ToTable};
use tengen_link::{LinkEvent, LinkSender};
use tengen_players::Time;
use tengen_rules::{BySeat, Seat};

use super::own_engine::OwnEngine;
use super::table_view::{TableView, ViewOutcome};
use super::{TableAccess, TableCommand};
use crate::app::model::{Snapshot, TableAddress, TableInfo, TableSettings};
use crate::app::session::shared_state::SharedState;
use crate::app::session::{EngineOutput, GameCommand};
use crate::app::storage::worker_thread::JoinedThread;

/// How long the end of a table that was opened here is waited for.
const FAREWELL: Duration = Duration::from_secs(2);
/// Why a table that was to be opened is not asked for again.
const UNHEARD: &str = "the connection broke while the table was being opened; open it again";

/// What the threads of a table share.
pub(super) struct TableShared {
    pub state: SharedState<TableSessionState>,
    link: OnceLock<LinkSender>,
    pub time: Arc<dyn Time + Send + Sync>,
    pub provider: Arc<dyn EngineProvider>,
    pub outputs: BySeat<Arc<EngineOutput>>,
    /// The name of the person at this window.
    pub name: String,
}

/// A table, as it is and as it is shown.
pub(super) struct TableSessionState {
    pub view: TableView,
    pub snapshot: Arc<Snapshot>,
    pub info: Arc<TableInfo>,
    entry: TableAccess,
    /// Whether the server was asked to open the table.
    is_ordered: bool,
    pub engine: Option<OwnEngine>,
    /// The threads of engines that were stopped.
    stopped: Vec<JoinedThread>,
}

impl TableShared {
    pub fn new(
        address: &TableAddress,
        entry: TableAccess,
        name: String,
        provider: Arc<dyn EngineProvider>,
        time: Arc<dyn Time + Send + Sync>,
    ) -> TableShared {
        let settings = match &entry {
            TableAccess::Host { settings, .. } => settings.clone(),
            TableAccess::Enter { .. } => TableSettings::default(),
        };
        let view = TableView::new(address.clone(), settings);
        let (snapshot, info) = (Arc::new(view.snapshot.clone()), Arc::new(view.info.clone()));
        let (is_ordered, engine, stopped) = (false, None, Vec::new());
        let state = TableSessionState { view, snapshot, info, entry, is_ordered, engine, stopped };
        TableShared {
            state: SharedState::new(state),
            link: OnceLock::new(),
            outputs: BySeat::from_fn(|_| EngineOutput::new(Arc::clone(&time))),
            time,
            provider,
            name,
        }
    }

    pub fn set_link(&self, link: &LinkSender) {
        let _first = self.link.set(link.clone());
    }

    /// What sends to the server.
    pub fn link(&self) -> Option<&LinkSender> {
        self.link.get()
    }

    /// There is no connection, and will be none.
    pub fn close(self: &Arc<Self>, reason: String) {
        let mut state = self.state.lock();
        state.view.close(reason);
        self.publish(state);
    }

    /// Takes what happens on the connection.
    pub fn take(self: &Arc<Self>, event: LinkEvent, link: &LinkSender) {
        let now = self.time.now();
        let mut state = self.state.lock();
        match event {
            LinkEvent::Connecting => {}
            LinkEvent::Connected(greeting) => {
                // It names the engines of the server; nothing in it can be wrong.
                let _shown = state.view.take(*greeting, now);
                state.come_in(link);
            }
            LinkEvent::Broken(error) => {
                state.view.disconnect(error.to_string());
                state.rest_engine();
            }
            LinkEvent::Refused(error) => state.view.close(error.to_string()),
            LinkEvent::Message(message) => {
                let refused = refused_answer(&message.message);
                match state.view.take(message.message, now) {
                    Ok(ViewOutcome::Shown) => {
                        state.sit_down(link);
                        state.get_ready(link);
                    }
                    Ok(ViewOutcome::Missed) => state.come_in(link),
                    Ok(ViewOutcome::Closed) => link.give_up(),
                    Err(problem) => {
                        state.view.close(problem);
                        link.give_up();
                    }
                }
                if let Some(reason) = refused.filter(|_| state.engine.is_some()) {
                    link.send(&self.give_back(&mut state, reason));
                }
            }
        }
        self.publish(state);
    }

    /// Shows the state, and asks the engine of this computer where it is to answer.
    pub fn publish(self: &Arc<Self>, mut state: MutexGuard<'_, TableSessionState>) {
        state.view.show_seats();
        state.snapshot = Arc::new(state.view.snapshot.clone());
        state.info = Arc::new(state.view.info.clone());
        state.ask_engine(self.time.now());
        drop(state);
        self.state.notify();
    }

    pub fn play(self: &Arc<Self>, command: GameCommand) {
        let mut state = self.state.lock();
        if !command.fits(&state.snapshot) {
            return;
        }
        let Some(table) = state.info.id.clone() else { return };
        let act = match command {
            GameCommand::Act { question, action } if is_of_table(&action) => {
                Some(Act::new(Some(question), action))
            }
            GameCommand::ShowRefusal(reason) => {
                state.view.snapshot.refusal = reason;
                return self.publish(state);
            }
            GameCommand::Resign(seat) if state.info.seat == Some(seat) => {
                Some(Act::new(None, Action::Resign))
            }
            _ => None,
        };
        (state.view.info.refusal, state.view.snapshot.refusal) = (None, None);
        self.publish(state);
        if let (Some(act), Some(link)) = (act, self.link()) {
            link.send(&ToTable::new(&table, TableInput::Act(Box::new(act))));
        }
    }

    pub fn send(self: &Arc<Self>, command: TableCommand) {
        let mut state = self.state.lock();
        if !command.fits(&state.info, &state.snapshot) {
            return;
        }
        state.view.info.refusal = None;
        let table = state.info.id.clone().unwrap_or_default();
        let message = match command {
            TableCommand::Request(what) => TableInput::Request { what },
            TableCommand::Reply(what, accept) => TableInput::Reply { what, accept },
            TableCommand::Withdraw(what) => TableInput::Withdraw { what },
            TableCommand::Resume => TableInput::Resume {},
            TableCommand::Sit(seat) => {
                TableInput::Sit { seat: Some(seat), key: state.view.keys.link.clone() }
            }
            TableCommand::Stand => TableInput::Stand {},
            TableCommand::HandOver(engine) => TableInput::Engine { engine },
            TableCommand::UseOwnEngine(engine) => {
                let name = self.use_engine(&mut state, engine);
                self.link().iter().for_each(|link| link.send(&name));
                // An engine that takes the seat may fail at once, which is told after it.
                return self.publish(state);
            }
            TableCommand::Chat(text) => {
                TableInput::Chat { text: text.trim().to_owned(), picture: None }
            }
            TableCommand::ShowPicture(data) => {
                TableInput::Chat { text: String::new(), picture: Some(data) }
            }
            TableCommand::Remove(seat) => TableInput::Remove { seat },
            TableCommand::End => TableInput::Close {},
            TableCommand::Reconnect => {
                self.link().iter().for_each(|link| link.hurry());
                return self.publish(state);
            }
        };
        if let Some(link) = self.link() {
            link.send(&ToTable::new(&table, message));
        }
        self.publish(state);
    }

    /// Waits a little until the server has ended the table.
    pub fn wait_closed(&self) {
        let end = Instant::now() + FAREWELL;
        let mut state = self.state.lock();
        while state.info.is_connected() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state = self.state.wait(state, Some(left));
        }
    }
}

impl TableSessionState {
    /// Stops the engine of this computer; its thread is waited for at the end.
    pub fn rest_engine(&mut self) {
        self.stopped.extend(self.engine.take().map(OwnEngine::stop));
    }

    /// Stops the engine of this computer, and hands over all threads to be waited for.
    pub fn stop_engine(&mut self) -> Vec<JoinedThread> {
        self.rest_engine();
        std::mem::take(&mut self.stopped)
    }

    /// Opens the table, or comes in with every key that there is: each adds what it allows.
    fn come_in(&mut self, link: &LinkSender) {
        if let (None, TableAccess::Host { settings, seat }) = (&self.view.info.id, &self.entry) {
            if self.is_ordered {
                // It may be there, but there is no key to it here. Asking again would make two.
                self.view.close(UNHEARD.to_owned());
                return link.give_up();
            }
            self.is_ordered = true;
            let (table, seat) = (settings.clone(), *seat);
            return link.send(&ClientMessage::Host { table, seat, engine: None });
        }
        let keys = self.view.keys.clone();
        let known: Vec<_> = [keys.host, keys.seat].into_iter().flatten().collect();
        let first = known.is_empty().then_some(keys.link);
        let Some(table) = self.view.info.id.clone() else { return };
        let keys: Vec<_> = known.into_iter().map(Some).chain(first).collect();
        self.view.note_entering(keys.len());
        for key in keys {
            link.send(&ToTable::new(&table, TableInput::Enter { key }));
        }
    }

    /// Says that this player is ready for the first game, where that waits for it.
    fn get_ready(&mut self, link: &LinkSender) {
        if let (true, Some(table)) = (take(&mut self.view.is_to_get_ready), &self.view.info.id) {
            link.send(&ToTable::new(table, TableInput::Ready {}));
        }
    }

    /// Sits down if that is wanted and a seat is free.
    fn sit_down(&mut self, link: &LinkSender) {
        let TableAccess::Enter { sits: true } = self.entry else { return };
        if !self.view.is_seen() {
            return;
        }
        self.entry = TableAccess::Enter { sits: false };
        let info = &self.view.info;
        let is_free = Seat::ALL.into_iter().any(|seat| info.sitters[seat].is_none());
        if let (None, true, Some(table)) = (info.seat, is_free, &info.id) {
            let sit = TableInput::Sit { seat: None, key: self.view.keys.link.clone() };
            link.send(&ToTable::new(table, sit));
        }
    }
}

/// Whether a table has a message for it.
pub(super) fn is_of_table(action: &Action) -> bool {
    matches!(action, Action::Answer(_) | Action::Resign)
}

/// Why an answer to the open question was refused, where the message says so. The question stays
/// open.
fn refused_answer(message: &ServerMessage<'_>) -> Option<String> {
    match message {
        ServerMessage::Error(ErrorMessage { code, message, .. }) if code == "illegal" => {
            Some(message.clone())
        }
        _ => None,
    }
}

impl AsRef<Arc<Snapshot>> for TableSessionState {
    fn as_ref(&self) -> &Arc<Snapshot> {
        &self.snapshot
    }
}

#[cfg(test)]
mod tests;
