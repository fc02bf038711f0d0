//! An engine of this computer that answers for the person on a seat.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tengen_arbiter::{Limits, Nanos};
use tengen_players::{GameSetup, Reply, Request, Time};
use tengen_rules::{Ask, Move, Point};

use crate::app::model::{EngineInstance, EngineProvider, GameVariant};
use crate::app::session::EngineOutput;
use crate::app::storage::worker_thread::JoinedThread;

type Interrupt = Arc<dyn Fn() + Send + Sync>;

/// How long an engine may overrun its time before it counts as hung.
const STALL: Nanos = 60_000_000_000;

/// A question that the engine is to answer.
pub(super) struct EngineTask {
    /// The number of the question, and of its game.
    pub question: u64,
    pub game: u64,
    pub setup: GameSetup,
    pub moves: Vec<Move>,
    pub ask: Ask,
    pub offered: Vec<Point>,
    pub fifth_moves: Option<(u8, u8)>,
    pub limits: Limits,
}

/// What came of a question.
pub(super) struct EngineAnswer {
    pub question: u64,
    /// The answer, or why there is none.
    pub reply: Result<Reply, String>,
}

/// An engine on a thread of its own.
pub(super) struct OwnEngine {
    // The thread ends when this is gone.
    tasks: Sender<EngineTask>,
    shared: Arc<Mutex<EngineWork>>,
    thread: JoinedThread,
}

#[derive(Default)]
struct EngineWork {
    /// The question that is to be answered; others are void.
    wanted: Option<u64>,
    /// Stops the engine that is thinking.
    working: Option<Interrupt>,
}

/// What the thread of an engine has.
pub(super) struct EngineContext {
    pub id: String,
    pub variant: GameVariant,
    pub provider: Arc<dyn EngineProvider>,
    pub output: Arc<EngineOutput>,
    pub time: Arc<dyn Time + Send + Sync>,
}

impl OwnEngine {
    /// Starts the thread; the engine is started with the first question. What comes of each is
    /// told on that thread.
    pub fn start(
        context: EngineContext,
        tell: impl Fn(EngineAnswer) + Send + 'static,
    ) -> OwnEngine {
        let (tasks, to_do) = channel();
        let shared = Arc::new(Mutex::new(EngineWork::default()));
        let of_thread = Arc::clone(&shared);
        let run = move || work(&to_do, &of_thread, &context, tell);
        let thread = JoinedThread::spawn("own engine", run).expect("the system has a thread left");
        OwnEngine { tasks, shared, thread }
    }

    /// Whether it was asked that question.
    pub fn is_asked(&self, question: u64) -> bool {
        lock(&self.shared).wanted == Some(question)
    }

    /// Asks a question, in place of any other.
    pub fn ask(&self, task: EngineTask) {
        self.forget();
        lock(&self.shared).wanted = Some(task.question);
        // The thread ends only when there are no more.
        let _ = self.tasks.send(task);
    }

    /// Stops the engine. Its thread, which ends soon, is not to be waited for by who holds what it
    /// may be waiting for.
    pub fn stop(self) -> JoinedThread {
        self.forget();
        self.thread
    }

    /// Makes the question void that it was asked.
    pub fn forget(&self) {
        let mut work = lock(&self.shared);
        work.wanted = None;
        if let Some(interrupt) = work.working.take() {
            interrupt();
        }
    }
}

/// No invariant spans a panic.
fn lock(shared: &Mutex<EngineWork>) -> MutexGuard<'_, EngineWork> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn work(
    tasks: &Receiver<EngineTask>,
    shared: &Mutex<EngineWork>,
    context: &EngineContext,
    tell: impl Fn(EngineAnswer),
) {
    let mut seated: Option<(EngineInstance, u64)> = None;
    for task in tasks {
        let question = task.question;
        if lock(shared).wanted != Some(question) {
            continue;
        }
        let reply = answer(&task, shared, context, &mut seated);
        let is_wanted = lock(shared).wanted == Some(question);
        // What was interrupted is not asked again.
        if !is_wanted || !matches!(&reply, Ok(Reply { outcome: Ok(Some(_)), .. })) {
            seated = None;
        }
        if is_wanted {
            tell(EngineAnswer { question, reply });
        }
    }
}

fn answer(
    task: &EngineTask,
    shared: &Mutex<EngineWork>,
    context: &EngineContext,
    seated: &mut Option<(EngineInstance, u64)>,
) -> Result<Reply, String> {
    if seated.is_none() {
        // No game has that number.
        *seated = Some((context.provider.start_engine(&context.id, &context.variant)?, 0));
    }
    let Some((instance, game)) = seated else { return Err(context.id.clone()) };
    {
        let mut work = lock(shared);
        if work.wanted != Some(task.question) {
            return Err(String::new());
        }
        work.working = Some(Arc::clone(&instance.interrupt));
    }
    if *game != task.game {
        instance.player.new_game(&task.setup).map_err(|fault| fault.detail)?;
        *game = task.game;
    }
    let request = Request {
        offered: &task.offered,
        fifth_moves: task.fifth_moves,
        limits: task.limits,
        patience: task.limits.hard.map(|hard| hard.saturating_add(STALL)),
        ..Request::new(&task.moves, task.ask)
    };
    let reply = context.output.ask(&mut *instance.player, &request, 1, &*context.time);
    lock(shared).working = None;
    if let Err(fault) = &reply.outcome {
        context.output.write(task.moves.len(), &fault.detail, true);
        return Err(fault.detail.clone());
    }
    Ok(reply)
}
