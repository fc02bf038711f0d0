//! The answers of an engine of this computer, in the person's place.

use std::sync::Arc;

use tengen_arbiter::{Action, Nanos, SearchObject};
use tengen_link::messages::{Act, ClientMessage, TableInput, ToTable};
use tengen_players::{EngineQuestion, GameVariant, ListedEngine};
use tengen_rules::Move;

use super::own_engine::{EngineAnswer, EngineContext, OwnEngine};
use super::shared::{TableSessionState, TableShared, is_of_table};
use super::turn_time::TurnTime;
use crate::app::model::{HostForm, ServerRefusal, Snapshot, TableRequest};

/// The code of what an engine of this computer could not do.
const OWN_ENGINE: &str = "own_engine";
/// Why an answer that the protocol has no message for is none.
const UNSAYABLE: &str = "it answered what cannot be said at a table";

impl TableShared {
    /// Lets an engine of this computer answer, or the person again. Everybody sees it by the name.
    pub fn use_engine(
        self: &Arc<Self>,
        state: &mut TableSessionState,
        engine: Option<ListedEngine>,
    ) -> ClientMessage {
        state.view.info.own_engine = engine.as_ref().map(|engine| engine.id.clone());
        state.rest_engine();
        let Some(ListedEngine { id, name }) = engine.filter(|_| state.info.seat.is_some()) else {
            return self.named();
        };
        let Snapshot { rule, size, opening, .. } = *state.snapshot;
        let shared = Arc::downgrade(self);
        let tell = move |answer| {
            if let Some(shared) = shared.upgrade() {
                shared.take_answer(answer);
            }
        };
        state.engine = Some(OwnEngine::start(EngineContext {
            id,
            variant: GameVariant { rule, size, opening },
            provider: Arc::clone(&self.provider),
            outputs: self.outputs.clone(),
            time: Arc::clone(&self.time),
            tell,
        }));
        let shown = format!("{} ({name})", self.name);
        ClientMessage::Name { name: shown.chars().take(HostForm::MOST_NAME).collect() }
    }

    /// Sends what the engine of this computer answered.
    fn take_answer(self: &Arc<Self>, answer: EngineAnswer) {
        let mut state = self.state.lock();
        let is_open = state.snapshot.asked.is_some_and(|asked| asked.number == answer.question);
        let Some(table) = state.info.id.clone().filter(|_| is_open) else { return };
        let send = |message| {
            let message = ToTable::new(&table, message);
            self.link().iter().for_each(|link| link.send(&message));
        };
        let failed = match answer.reply {
            Ok(reply) => match reply.outcome {
                Ok(Some(Action::AcceptDraw)) => {
                    return send(TableInput::Reply { what: TableRequest::Draw, accept: true });
                }
                Ok(Some(action)) if is_of_table(&action) => {
                    let info = SearchObject::new(reply.info, reply.pv);
                    let act = Act { info, ..Act::new(Some(answer.question), action) };
                    return send(TableInput::Act(Box::new(act)));
                }
                Ok(Some(_)) => UNSAYABLE.to_owned(),
                Ok(None) => String::new(),
                Err(fault) => fault.detail,
            },
            Err(reason) => reason,
        };
        let name = self.give_back(&mut state, failed);
        self.publish(state);
        self.link().iter().for_each(|link| link.send(&name));
    }

    /// The name of the person, for the server.
    fn named(&self) -> ClientMessage {
        ClientMessage::Name { name: self.name.clone() }
    }

    /// Lets the person play on, since the engine of this computer cannot. Returns what the server
    /// is to be told.
    pub fn give_back(&self, state: &mut TableSessionState, reason: String) -> ClientMessage {
        let code = OWN_ENGINE.to_owned();
        state.view.info.refusal = Some(ServerRefusal { code, message: reason });
        state.view.info.own_engine = None;
        state.rest_engine();
        self.named()
    }
}

impl TableSessionState {
    /// Asks the engine of this computer the open question, if it is to answer it at this moment.
    pub fn ask_engine(&mut self, now: Nanos) {
        let Some(engine) = &self.engine else { return };
        let snapshot = &*self.snapshot;
        let asked = snapshot.asked.filter(|asked| {
            asked.since.is_some()
                && self.info.seat == Some(asked.seat)
                && !self.info.is_handed_over()
                && self.info.is_connected()
        });
        let Some(asked) = asked else { return engine.forget() };
        if engine.is_asked(asked.number) {
            return;
        }
        let Snapshot { rule, size, opening, number, fifth_moves, .. } = *snapshot;
        let seated = &snapshot.seats[asked.seat];
        let variant = GameVariant { rule, size, opening };
        let moves: Vec<Move> = snapshot.rows.iter().map(|row| row.mv).collect();
        // The seat may have been handed over during the turn.
        let gone = asked.since.map_or(0, |since| now.saturating_sub(since));
        let time = TurnTime::on_clock(seated, gone.saturating_add(asked.used));
        engine.ask(EngineQuestion {
            number: asked.number,
            game: number.max(1),
            setup: variant.setup(asked.seat, seated.control),
            moves,
            ask: asked.ask,
            offered: snapshot.offered.clone(),
            fifth_moves,
            limits: time.whole(),
            patience: None,
        });
    }
}
