//! The server: it connects a thinker to a manager.

use std::io::{self, Read, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use tengen_gomocup::{About, Brain, Instruction};

use crate::clock::ThinkerClock;
use crate::event::{OutputLine, ServerEvent};
use crate::thinker_thread::{self, ThinkerCommand};
use crate::{StopHandle, Thinker, reader};

/// The time kept back from each question for sending the answer, unless another reserve is set.
const RESERVE: Duration = Duration::from_millis(50);
/// How long the thinker may take to answer after the input has ended: a question that was piped in
/// is still answered.
const LAST_ANSWER: Duration = Duration::from_secs(3);
/// How long the thinker's thread may take to end.
const GRACE: Duration = Duration::from_secs(1);
/// How many lines may wait to be handled. A manager never writes as many while it waits for an
/// answer.
const BACKLOG: usize = 100_000;

/// Why [`BrainServer::serve`] returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ServeEnd {
    /// The manager sent END, closed the pipes, or exited.
    Ended,
    /// [`ServerHandle::stop`] was called.
    Interrupted,
    /// The manager sent too many lines without waiting for an answer.
    Flooded,
}

/// Connects a [`Thinker`] to a Gomocup manager.
#[derive(Debug)]
pub struct BrainServer {
    brain: Brain,
    clock: ThinkerClock,
    sender: Sender<ServerEvent>,
    events: Receiver<ServerEvent>,
    /// When the newest line was read.
    read_at: Instant,
    /// The deadline for the last answer, once the input has ended.
    closes_at: Option<Instant>,
}

/// Stops a [`BrainServer`] from another thread, as on Ctrl-C.
#[derive(Clone, Debug)]
pub struct ServerHandle(Sender<ServerEvent>);

impl ServerHandle {
    /// Stops the server at once.
    pub fn stop(&self) {
        // A server that has ended need not be stopped.
        let _ = self.0.send(ServerEvent::Interrupt);
    }
}

impl BrainServer {
    pub fn new(about: About) -> BrainServer {
        let (sender, events) = mpsc::channel();
        BrainServer {
            brain: Brain::new(about),
            clock: ThinkerClock::new(RESERVE),
            sender,
            events,
            read_at: Instant::now(),
            closes_at: None,
        }
    }

    /// Sets how much of each question's time is kept back for sending the answer; never more than
    /// a tenth of the time.
    pub fn with_reserve(self, reserve: Duration) -> BrainServer {
        BrainServer { clock: ThinkerClock::new(reserve), ..self }
    }

    pub fn handle(&self) -> ServerHandle {
        ServerHandle(self.sender.clone())
    }

    /// Serves a manager until it sends END, exits, or the server is stopped. `make` creates the
    /// thinker on the thinker's thread, and `stop_handle` stops it. The input is read on another
    /// thread, which may outlive this call.
    pub fn serve<M: Thinker>(
        mut self,
        make: impl FnOnce() -> M + Send + 'static,
        stop_handle: &dyn StopHandle,
        input: impl Read + Send + 'static,
        mut output: impl Write,
    ) -> ServeEnd {
        let commands = thinker_thread::spawn(make, self.sender.clone());
        reader::spawn(input, self.sender.clone());
        let end = self.run_loop(&commands, stop_handle, &mut output);
        drop(commands);
        stop_handle.kill();
        self.wait_for_thread();
        end
    }

    fn run_loop(
        &mut self,
        commands: &Sender<ThinkerCommand>,
        stop_handle: &dyn StopHandle,
        output: &mut impl Write,
    ) -> ServeEnd {
        loop {
            while let Some(demand) = self.brain.poll() {
                let command = match demand {
                    Instruction::NewGame { size } => {
                        self.clock.new_game();
                        let rule = self.brain.rule();
                        ThinkerCommand::Start {
                            rule,
                            size,
                            allowance: self.brain.allowance().clone(),
                        }
                    }
                    Instruction::Think(mut task) => {
                        stop_handle.reset();
                        task.limits = self.clock.ask(&task, self.read_at, Instant::now());
                        ThinkerCommand::Think(task)
                    }
                    Instruction::Stop => {
                        stop_handle.stop();
                        continue;
                    }
                    Instruction::End => return self.finish(output),
                };
                if commands.send(command).is_err() {
                    self.brain.refuse("the engine has ended");
                }
            }
            let is_over = self.closes_at.is_some() && self.brain.is_idle();
            if self.write(output).is_err() || is_over {
                return ServeEnd::Ended;
            }
            match self.next() {
                Some(ServerEvent::Interrupt) => return ServeEnd::Interrupted,
                Some(event) => self.handle_event(event, stop_handle),
                None => return self.finish(output),
            }
            if self.brain.backlog() > BACKLOG {
                return ServeEnd::Flooded;
            }
        }
    }

    /// The next event; none when the deadline for the last answer has passed.
    fn next(&self) -> Option<ServerEvent> {
        let Some(closes_at) = self.closes_at else { return self.events.recv().ok() };
        let left = closes_at.saturating_duration_since(Instant::now());
        self.events.recv_timeout(left).ok()
    }

    fn handle_event(&mut self, event: ServerEvent, stop_handle: &dyn StopHandle) {
        match event {
            ServerEvent::Line(line, at) => {
                self.read_at = at;
                self.brain.receive(&line);
            }
            ServerEvent::Closed => {
                // The last question is still answered: a program may still read the output.
                self.closes_at = Some(Instant::now() + LAST_ANSWER);
                stop_handle.stop();
            }
            ServerEvent::Ready(Ok(())) => self.brain.ready(),
            ServerEvent::Ready(Err(reason)) => self.brain.refuse(&one_line(&reason)),
            ServerEvent::Answer(result) => {
                self.clock.answered(Instant::now());
                match result {
                    Ok(result) => {
                        self.brain.report(&result.report);
                        // An answer that the protocol cannot express has been reported as ERROR.
                        let _ = self.brain.answer(&result.answer);
                    }
                    Err(reason) => self.brain.refuse(&one_line(&reason)),
                }
            }
            ServerEvent::Output(OutputLine::Message(text)) => self.brain.message(&one_line(&text)),
            ServerEvent::Output(OutputLine::Debug(text)) => self.brain.debug(&one_line(&text)),
            ServerEvent::Output(OutputLine::SearchReport(report)) => self.brain.report(&report),
            ServerEvent::ThreadEnded if !self.brain.is_idle() => {
                self.brain.refuse("the engine has ended")
            }
            ServerEvent::ThreadEnded | ServerEvent::Interrupt => {}
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

    fn finish(&mut self, output: &mut impl Write) -> ServeEnd {
        // The manager may have exited.
        let _ = self.write(output);
        ServeEnd::Ended
    }

    /// Waits for the thinker's thread, up to a deadline: a thread that does not end is ended with
    /// the process.
    fn wait_for_thread(&self) {
        let until = Instant::now() + GRACE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left) {
                Ok(ServerEvent::ThreadEnded)
                | Err(RecvTimeoutError::Disconnected | RecvTimeoutError::Timeout) => {
                    return;
                }
                Ok(_) => {}
            }
        }
    }
}

/// The text as one line: a manager reads each line as a separate reply.
fn one_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" | ")
}
