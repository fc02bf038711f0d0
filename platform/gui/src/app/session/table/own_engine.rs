//! An engine of this computer that answers for the person on a seat.

use std::sync::Arc;

use tengen_arbiter::Nanos;
use tengen_lineup::EngineProvider;
use tengen_players::{
    EngineDriver, EngineHandle, EngineInstance, EngineNews, EngineQuestion, EngineThread,
    GameVariant, Reply, Request, Time,
};
use tengen_rules::BySeat;

use super::turn_time::TurnTime;
use crate::app::session::EngineOutput;
use crate::app::storage::worker_thread::JoinedThread;

/// How long an engine may overrun its time before it counts as hung.
const STALL: Nanos = 60_000_000_000;

/// What came of a question.
pub(super) struct EngineAnswer {
    pub question: u64,
    /// The answer, or why there is none.
    pub reply: Result<Reply, String>,
}

/// An engine on a thread of its own.
pub(super) struct OwnEngine {
    // The thread ends when this is gone.
    handle: EngineHandle,
    thread: JoinedThread,
}

/// What the thread of an engine has.
pub(super) struct EngineContext<F> {
    pub id: String,
    pub variant: GameVariant,
    pub provider: Arc<dyn EngineProvider>,
    /// Where it writes, by the seat that it answers on: seats are exchanged between games.
    pub outputs: BySeat<Arc<EngineOutput>>,
    pub time: Arc<dyn Time + Send + Sync>,
    /// What comes of each question is told here, on that thread.
    pub tell: F,
}

impl OwnEngine {
    /// Starts the thread; the engine is started with the first question.
    pub fn start(context: EngineContext<impl Fn(EngineAnswer) + Send + 'static>) -> OwnEngine {
        let (handle, work) = EngineThread::new(context);
        let thread = JoinedThread::spawn("own engine", move || work.run());
        OwnEngine { handle, thread: thread.expect("the system has a thread left") }
    }

    /// Whether it was asked that question.
    pub fn is_asked(&self, question: u64) -> bool {
        self.handle.is_asked(question)
    }

    /// Asks a question, in place of any other. Its limits are what there is of time: how much of it
    /// an answer may take is reckoned when the engine is ready ([`TurnTime`]).
    pub fn ask(&self, question: EngineQuestion) {
        self.handle.ask(question);
    }

    /// Stops the engine. Its thread, which ends soon, is not to be waited for while something is
    /// held that it may be waiting for.
    pub fn stop(self) -> JoinedThread {
        self.thread
    }

    /// Makes the question void that it was asked.
    pub fn forget(&self) {
        self.handle.stop();
    }
}

impl<F: Fn(EngineAnswer)> EngineDriver for EngineContext<F> {
    fn start(&mut self) -> Result<EngineInstance, String> {
        self.provider.start(&self.id, &self.variant)
    }

    fn ask(
        &mut self,
        engine: &mut EngineInstance,
        question: &EngineQuestion,
        asked_at: Nanos,
    ) -> Reply {
        // The clock ran while the engine was started.
        let started = self.time.now().saturating_sub(asked_at);
        let limits = TurnTime::of(&question.limits, &question.setup.time)
            .after(started)
            .limits(&question.limits);
        let request = Request {
            offered: &question.offered,
            fifth_moves: question.fifth_moves,
            limits,
            patience: limits.hard.map(|hard| hard.saturating_add(STALL)),
            ..Request::new(&question.moves, question.ask)
        };
        let output = &self.outputs[question.setup.seat];
        let reply = output.ask(&mut *engine.player, &request, 1, &*self.time);
        if let Err(fault) = &reply.outcome {
            output.write(question.moves.len(), &fault.detail, true);
        }
        reply
    }

    fn tell(&mut self, news: EngineNews) {
        let (question, reply) = match news {
            EngineNews::Started(_) | EngineNews::Ready { .. } | EngineNews::Unready { .. } => {
                return;
            }
            EngineNews::Failed { question, reason, .. } => (question, Err(reason)),
            EngineNews::Answered { question, reply, .. } => (question, Ok(*reply)),
        };
        (self.tell)(EngineAnswer { question, reply });
    }

    fn time(&self) -> &dyn Time {
        &*self.time
    }
}
