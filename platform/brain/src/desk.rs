use std::io::{self, Read, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use tengen_gomocup::{About, Brain, Instruction};

use crate::clock::Clock;
use crate::event::{Event, Saying};
use crate::thinker::{Order, employ};
use crate::{Mind, Reins, reader};

/// What is kept of a question's time for the way of the answer, unless another reserve is set.
const RESERVE: Duration = Duration::from_millis(50);
/// How long a mind may take to answer when the input has ended: whoever pipes a question in reads
/// the answer.
const LAST_ANSWER: Duration = Duration::from_secs(3);
/// How long it may take to end.
const GRACE: Duration = Duration::from_secs(1);
/// How many lines may wait. A manager that writes without end while it waits for an answer is
/// none.
const BACKLOG: usize = 100_000;

/// How a brain came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Farewell {
    /// The manager said END, closed its end of the pipes, or is gone.
    Ended,
    /// The [`Door`] was closed.
    Interrupted,
    /// The manager wrote on and on while the brain thought.
    Flooded,
}

/// Where a mind and a manager come together.
#[derive(Debug)]
pub struct Desk {
    brain: Brain,
    clock: Clock,
    sender: Sender<Event>,
    events: Receiver<Event>,
    /// When the newest line was read.
    read_at: Instant,
    /// When the brain ends at the latest, once its input has.
    closes_at: Option<Instant>,
}

/// Ends a brain from another thread, as on Ctrl-C.
#[derive(Clone, Debug)]
pub struct Door(Sender<Event>);

impl Door {
    /// Ends the brain at once.
    pub fn close(&self) {
        // One that has ended needs no end.
        let _ = self.0.send(Event::Interrupt);
    }
}

impl Desk {
    /// A desk that answers ABOUT with this.
    pub fn new(about: About) -> Desk {
        let (sender, events) = mpsc::channel();
        Desk {
            brain: Brain::new(about),
            clock: Clock::new(RESERVE),
            sender,
            events,
            read_at: Instant::now(),
            closes_at: None,
        }
    }

    /// The same, which keeps that much of each question's time for the way of the answer; a tenth
    /// of what there is if that is less.
    pub fn with_reserve(self, reserve: Duration) -> Desk {
        Desk { clock: Clock::new(reserve), ..self }
    }

    /// What ends the brain.
    pub fn door(&self) -> Door {
        Door(self.sender.clone())
    }

    /// Serves a manager until it says END, is gone, or the door is closed. `make` makes the mind on
    /// its own thread, and `reins` hold it. The input is read on another thread, which may outlive
    /// this call.
    pub fn serve<M: Mind>(
        mut self,
        make: impl FnOnce() -> M + Send + 'static,
        reins: &dyn Reins,
        input: impl Read + Send + 'static,
        mut output: impl Write,
    ) -> Farewell {
        let orders = employ(make, self.sender.clone());
        reader::listen(input, self.sender.clone());
        let farewell = self.converse(&orders, reins, &mut output);
        drop(orders);
        reins.end();
        self.see_off();
        farewell
    }

    fn converse(
        &mut self,
        orders: &Sender<Order>,
        reins: &dyn Reins,
        output: &mut impl Write,
    ) -> Farewell {
        loop {
            while let Some(demand) = self.brain.poll() {
                let order = match demand {
                    Instruction::NewGame { size } => {
                        self.clock.new_game();
                        let rule = self.brain.rule();
                        Order::Start { rule, size, allowance: self.brain.allowance().clone() }
                    }
                    Instruction::Think(mut task) => {
                        reins.ease();
                        task.limits = self.clock.ask(&task, self.read_at, Instant::now());
                        Order::Think(task)
                    }
                    Instruction::Stop => {
                        reins.stop();
                        continue;
                    }
                    Instruction::End => return self.last_words(output),
                };
                if orders.send(order).is_err() {
                    self.brain.refuse("the engine has ended");
                }
            }
            let is_over = self.closes_at.is_some() && self.brain.is_idle();
            if self.write(output).is_err() || is_over {
                return Farewell::Ended;
            }
            match self.next() {
                Some(Event::Interrupt) => return Farewell::Interrupted,
                Some(event) => self.take(event, reins),
                None => return self.last_words(output),
            }
            if self.brain.backlog() > BACKLOG {
                return Farewell::Flooded;
            }
        }
    }

    /// The next event; none when it is time to go.
    fn next(&self) -> Option<Event> {
        let Some(closes_at) = self.closes_at else { return self.events.recv().ok() };
        let left = closes_at.saturating_duration_since(Instant::now());
        self.events.recv_timeout(left).ok()
    }

    fn take(&mut self, event: Event, reins: &dyn Reins) {
        match event {
            Event::Line(line, at) => {
                self.read_at = at;
                self.brain.receive(&line);
            }
            Event::Closed => {
                // What was asked is still answered, but nobody may be there to hear it.
                self.closes_at = Some(Instant::now() + LAST_ANSWER);
                reins.stop();
            }
            Event::Ready(Ok(())) => self.brain.ready(),
            Event::Ready(Err(reason)) => self.brain.refuse(&one_line(&reason)),
            Event::Thought(thought) => {
                self.clock.answered(Instant::now());
                match thought {
                    Ok(thought) => {
                        self.brain.report(&thought.report);
                        // Where there are no words for it, ERROR has been said.
                        let _ = self.brain.answer(&thought.answer);
                    }
                    Err(reason) => self.brain.refuse(&one_line(&reason)),
                }
            }
            Event::Said(Saying::Message(text)) => self.brain.message(&one_line(&text)),
            Event::Said(Saying::Debug(text)) => self.brain.debug(&one_line(&text)),
            Event::Said(Saying::Report(report)) => self.brain.report(&report),
            Event::Gone if !self.brain.is_idle() => self.brain.refuse("the engine has ended"),
            Event::Gone | Event::Interrupt => {}
        }
    }

    fn write(&mut self, output: &mut impl Write) -> io::Result<()> {
        let lines = self.brain.output();
        if lines.is_empty() {
            return Ok(());
        }
        output.write_all(lines)?;
        output.flush()?;
        let count = lines.len();
        self.brain.written(count);
        Ok(())
    }

    fn last_words(&mut self, output: &mut impl Write) -> Farewell {
        // The manager may well be gone.
        let _ = self.write(output);
        Farewell::Ended
    }

    /// Waits for the mind, but not for ever: one that heeds nothing ends with the process.
    fn see_off(&self) {
        let until = Instant::now() + GRACE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left) {
                Ok(Event::Gone)
                | Err(RecvTimeoutError::Disconnected | RecvTimeoutError::Timeout) => {
                    return;
                }
                Ok(_) => {}
            }
        }
    }
}

/// The text as one line: a manager takes each line for a reply of its own.
fn one_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" | ")
}
