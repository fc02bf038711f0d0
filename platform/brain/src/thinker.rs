use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use tengen_gomocup::{Allowance, SearchTask};
use tengen_rules::{Rule, Size};

use crate::event::Event;
use crate::{Game, Mind, Thought, Voice};

/// What a mind is to do.
#[derive(Debug)]
pub(crate) enum Order {
    /// To get ready for a game, as far as it is known.
    Start { rule: Rule, size: Size, allowance: Allowance },
    /// To answer.
    Think(Box<SearchTask>),
}

/// A mind on its thread, and what it has been told.
struct Thinker<M> {
    mind: M,
    voice: Voice,
    /// The game the mind is ready for.
    ready: Option<Game>,
    /// The game as its questions have made it known; none before the first.
    game: Option<Game>,
}

/// Makes a mind on a thread of its own. It ends with the orders.
pub(crate) fn employ<M: Mind>(
    make: impl FnOnce() -> M + Send + 'static,
    to: Sender<Event>,
) -> Sender<Order> {
    let (sender, orders) = mpsc::channel();
    thread::spawn(move || {
        let leave = Leave(to);
        let voice = Voice(leave.0.clone());
        Thinker { mind: make(), voice, ready: None, game: None }.work(&orders, &leave.0);
    });
    sender
}

/// Tells that the thread ends, be it by a panic.
struct Leave(Sender<Event>);

impl Drop for Leave {
    fn drop(&mut self) {
        let _ = self.0.send(Event::Gone);
    }
}

impl<M: Mind> Thinker<M> {
    fn work(mut self, orders: &Receiver<Order>, to: &Sender<Event>) {
        for order in orders {
            let event = match order {
                Order::Start { rule, size, allowance } => {
                    self.game = None;
                    Event::Ready(self.start(rule, size, &allowance))
                }
                Order::Think(task) => Event::Thought(self.think(&task)),
            };
            if to.send(event).is_err() {
                break;
            }
        }
    }

    /// Gets ready before the rule is certain, so that the clock does not run for that.
    fn start(&mut self, rule: Rule, size: Size, allowance: &Allowance) -> Result<(), String> {
        let known = [rule].into_iter().chain(Rule::ALL);
        let playable = known.into_iter().find(|&rule| self.mind.plays(rule, size));
        let rule = playable.ok_or_else(|| format!("does not play on a board of {size}"))?;
        self.prepare(Game::unasked(rule, size, allowance))
    }

    fn think(&mut self, task: &SearchTask) -> Result<Thought, String> {
        if !self.mind.plays(task.rule, task.size) {
            return Err(format!("does not play {} on a board of {}", task.rule, task.size));
        }
        let game = Game::of(task, self.game.as_ref());
        self.game = Some(game.clone());
        self.prepare(game)?;
        let thought = self.mind.think(task, &self.voice);
        if thought.is_err() {
            self.ready = None;
        }
        thought
    }

    fn prepare(&mut self, game: Game) -> Result<(), String> {
        if self.ready.as_ref() == Some(&game) && self.game.is_some() {
            return Ok(());
        }
        self.ready = None;
        self.mind.new_game(&game)?;
        self.ready = Some(game);
        Ok(())
    }
}
