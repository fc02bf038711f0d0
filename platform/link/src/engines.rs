//! The engines that the server allows on its seats, each on a thread of its own.

use std::net::IpAddr;
use std::sync::Arc;
use std::{io, thread};

use tengen_arbiter::{GameResult, Limits, Nanos};
use tengen_players::{
    EngineDriver, EngineHandle, EngineIdentity, EngineInstance, EngineNews, EngineQuestion,
    EngineThread, GameVariant, ListedEngine, RealTime, Reply, Time,
};

use crate::engine_pool::EnginePool;

/// How long an engine thinks where it has no limit at all.
const BUDGET: Nanos = 5_000_000_000;
/// How long an engine may overrun that before it counts as hung.
const STALL: Nanos = 60_000_000_000;

/// Gives a question to an engine at a table a limit if it has none, because then no clock would end
/// it.
pub(crate) fn limit(limits: &mut Limits, patience: &mut Option<Nanos>) {
    if limits.hard.is_none() && limits.nodes.is_none() && limits.depth.is_none() {
        limits.hard = Some(BUDGET);
    }
    let hung = limits.hard.map(|hard| hard.saturating_add(STALL));
    *patience = patience.or(hung);
}

/// The engines that may be handed a seat.
pub trait TableEngines: Send + Sync {
    /// Those that exist. None of them is started.
    fn list(&self) -> Vec<ListedEngine>;

    /// Starts one for games of a kind.
    ///
    /// # Errors
    /// Why it cannot play them, as a message to people.
    fn start(&self, id: &str, variant: &GameVariant) -> Result<EngineInstance, String>;
}

/// No engine is allowed.
impl TableEngines for () {
    fn list(&self) -> Vec<ListedEngine> {
        Vec::new()
    }

    fn start(&self, id: &str, _variant: &GameVariant) -> Result<EngineInstance, String> {
        Err(format!("this server has no engine {id}"))
    }
}

/// An engine of the server on a seat. It stops when this is dropped.
pub struct SeatedEngine {
    /// Which of the engines that ever sat at this table.
    pub number: u64,
    pub id: String,
    pub name: String,
    /// What it says of itself, once it has been started.
    pub identity: Option<Box<EngineIdentity>>,
    handle: EngineHandle,
}

impl SeatedEngine {
    /// Lets an engine sit down, for a client of that network. What it says goes to `tell`, from
    /// its thread.
    ///
    /// # Errors
    /// When too many play already, or the system has no thread left.
    pub fn sit(
        pool: &EnginePool,
        of: Option<IpAddr>,
        number: u64,
        engine: &ListedEngine,
        variant: GameVariant,
        time: RealTime,
        tell: impl Fn(EngineNews) + Send + 'static,
    ) -> Result<SeatedEngine, String> {
        let permit = pool.take(of)?;
        let ListedEngine { id, name } = engine.clone();
        let engines = Arc::clone(&pool.engines);
        let (handle, work) =
            EngineThread::new(ServerEngine { engines, id: id.clone(), variant, time, tell });
        let spawned = thread::Builder::new().name("table engine".to_owned()).spawn(move || {
            work.run();
            drop(permit);
        });
        spawned
            .map_err(|error: io::Error| format!("cannot start a thread for the engine: {error}"))?;
        Ok(SeatedEngine { number, id, name, identity: None, handle })
    }

    pub fn ask(&self, question: EngineQuestion) {
        self.handle.ask(question);
    }

    pub fn end_game(&self, result: GameResult) {
        self.handle.end_game(result);
    }

    /// Its question is void: it stops thinking.
    pub fn stop(&self) {
        self.handle.stop();
    }
}

struct ServerEngine<F> {
    engines: Arc<dyn TableEngines>,
    id: String,
    variant: GameVariant,
    time: RealTime,
    tell: F,
}

impl<F: Fn(EngineNews)> EngineDriver for ServerEngine<F> {
    fn start(&mut self) -> Result<EngineInstance, String> {
        self.engines.start(&self.id, &self.variant)
    }

    fn ask(
        &mut self,
        engine: &mut EngineInstance,
        question: &EngineQuestion,
        asked_at: Nanos,
    ) -> Reply {
        // What it took to start it is its time.
        let mut request = question.request(self.time.now().saturating_sub(asked_at));
        limit(&mut request.limits, &mut request.patience);
        Reply { asked_at, ..engine.player.ask(&request, &self.time) }
    }

    fn tell(&mut self, news: EngineNews) {
        (self.tell)(news);
    }

    fn time(&self) -> &dyn Time {
        &self.time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_without_a_clock_has_a_budget_and_may_overrun_it() {
        let (mut limits, mut patience) = (Limits::default(), None);
        limit(&mut limits, &mut patience);
        assert_eq!((limits.hard, patience), (Some(BUDGET), Some(BUDGET + STALL)));
        let (mut limits, mut patience) =
            (Limits { hard: Some(1_000), ..Limits::default() }, Some(1_500));
        limit(&mut limits, &mut patience);
        assert_eq!((limits.hard, patience), (Some(1_000), Some(1_500)), "its clock");
    }
}
