//! The thread that a thinker runs on.

use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use tengen_gomocup::{Allowance, SearchTask};
use tengen_rules::{Rule, Size};

use crate::event::ServerEvent;
use crate::{ThinkResult, Thinker, ThinkerGame, ThinkerOutput};

#[derive(Debug)]
pub(crate) enum ThinkerCommand {
    /// Prepare for a game, as far as it is known.
    Start { rule: Rule, size: Size, allowance: Allowance },
    /// Answer a question.
    Think(Box<SearchTask>),
}

/// A thinker on its own thread, and the state of its game.
struct ThinkerThread<M> {
    thinker: M,
    output: ThinkerOutput,
    ready: Option<ThinkerGame>,
    /// The game as known from its questions; none before the first.
    game: Option<ThinkerGame>,
}

/// Starts a thread and creates the thinker on it. It ends when the commands end.
pub(crate) fn spawn<M: Thinker>(
    make: impl FnOnce() -> M + Send + 'static,
    to: Sender<ServerEvent>,
) -> Sender<ThinkerCommand> {
    let (sender, commands) = mpsc::channel();
    thread::spawn(move || {
        let end = ThreadEnd(to);
        let output = ThinkerOutput(end.0.clone());
        ThinkerThread { thinker: make(), output, ready: None, game: None }.work(&commands, &end.0);
    });
    sender
}

/// Reports the end of the thread, even after a panic.
struct ThreadEnd(Sender<ServerEvent>);

impl Drop for ThreadEnd {
    fn drop(&mut self) {
        let _ = self.0.send(ServerEvent::ThreadEnded);
    }
}

impl<M: Thinker> ThinkerThread<M> {
    fn work(mut self, commands: &Receiver<ThinkerCommand>, to: &Sender<ServerEvent>) {
        for command in commands {
            let event = match command {
                ThinkerCommand::Start { rule, size, allowance } => {
                    self.game = None;
                    ServerEvent::Ready(self.start(rule, size, &allowance))
                }
                ThinkerCommand::Think(task) => ServerEvent::Answer(self.think(&task)),
            };
            if to.send(event).is_err() {
                break;
            }
        }
    }

    /// Prepares before the rule is known for certain, so that no clock runs meanwhile.
    fn start(&mut self, rule: Rule, size: Size, allowance: &Allowance) -> Result<(), String> {
        let known = [rule].into_iter().chain(Rule::ALL);
        let playable = known.into_iter().find(|&rule| self.thinker.plays(rule, size));
        let rule = playable.ok_or_else(|| format!("does not play on a board of {size}"))?;
        self.prepare(ThinkerGame::unasked(rule, size, allowance))
    }

    fn think(&mut self, task: &SearchTask) -> Result<ThinkResult, String> {
        if !self.thinker.plays(task.rule, task.size) {
            return Err(format!("does not play {} on a board of {}", task.rule, task.size));
        }
        let game = ThinkerGame::of(task, self.game.as_ref());
        self.game = Some(game.clone());
        self.prepare(game)?;
        let result = self.thinker.think(task, &self.output);
        if result.is_err() {
            self.ready = None;
        }
        result
    }

    fn prepare(&mut self, game: ThinkerGame) -> Result<(), String> {
        if self.ready.as_ref() == Some(&game) && self.game.is_some() {
            return Ok(());
        }
        self.ready = None;
        self.thinker.new_game(&game)?;
        self.ready = Some(game);
        Ok(())
    }
}
