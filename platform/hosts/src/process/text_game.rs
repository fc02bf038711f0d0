//! How a game begins with a text engine: some accept no line that ends with CR LF, and some play
//! only one game.

use std::time::Instant;

use tengen_arbiter::Failure;
use tengen_gomocup::{GameTerms, NewGameResult};
use tengen_players::Fault;

use super::{EngineLoss, TextProcess};
use crate::protocol::TextEvent;

/// The part of the start time after which a silent brain counts as one that did not understand the
/// line.
const SILENT: u32 = 4;

impl TextProcess {
    /// Waits until a process has told its name, where its protocol has it do so.
    pub(crate) fn introduce(&mut self) -> Result<(), EngineLoss> {
        if self.protocol.kind.untold_boards.is_some() {
            self.protocol.dialogue.ask_about();
            let startup = self.settings().startup;
            self.exchange(Some(startup))?;
        }
        Ok(())
    }

    /// Begins a game. Gives whether that can be done with this process.
    pub(crate) fn begin_game(&mut self, terms: &GameTerms) -> Result<bool, EngineLoss> {
        self.protocol.heed_others();
        if self.protocol.dialogue.new_game(terms) == NewGameResult::StartAgain {
            return Ok(false);
        }
        if !self.protocol.dialogue.is_waiting() {
            return Ok(true);
        }
        if self.protocol.dialogue.awaits_next_game() {
            return self.wait_for_next_game();
        }
        let refused = match self.wait_for_start() {
            Err(EngineLoss::Fault(fault)) if fault.failure == Failure::ProtocolError => fault,
            started => return started,
        };
        // It may take no line that ends with CR LF: the number in START is none to it.
        if !self.protocol.dialogue.try_lf() {
            return Err(EngineLoss::Fault(refused));
        }
        self.start().map_err(|error| EngineLoss::Fault(error.into_fault()))?;
        self.protocol.dialogue.new_game(terms);
        match self.wait_for_start() {
            Err(EngineLoss::Fault(_) | EngineLoss::Late) => {
                self.protocol.dialogue.use_cr_lf();
                Err(EngineLoss::Fault(refused))
            }
            started => started,
        }
    }

    /// Waits for the answer to START. To a brain that is silent for long it is sent again with LF
    /// alone, if it has never understood a line.
    fn wait_for_start(&mut self) -> Result<bool, EngineLoss> {
        let (begun, startup) = (Instant::now(), self.settings().startup);
        self.send(Some(startup))?;
        let mut event = None;
        if self.protocol.dialogue.dialect().is_some_and(|known| known.line_end.is_none()) {
            event = self.wait_for_event_within(startup / SILENT)?;
            if event.is_none() && self.protocol.dialogue.try_lf() {
                self.protocol.dialogue.repeat_start();
                self.send(Some(startup.saturating_sub(begun.elapsed())))?;
            }
        }
        let event = match event {
            Some(event) => event,
            None => self.wait_since(begun)?,
        };
        self.protocol.ready_time = begun.elapsed();
        is_ready(&event)
    }

    /// Waits for the OK to another game, which a brain need not begin: as long as to start it again
    /// would take.
    fn wait_for_next_game(&mut self) -> Result<bool, EngineLoss> {
        self.send(Some(self.settings().startup))?;
        match self.wait_while_working(self.optional_patience()) {
            Ok(Some(event)) => is_ready(&event),
            Ok(None) | Err(EngineLoss::Late) => {
                self.protocol.dialogue.needs_new_process();
                // It would be told END and waited for again.
                self.kill();
                Ok(false)
            }
            Err(loss) => Err(loss),
        }
    }
}

fn is_ready(event: &TextEvent) -> Result<bool, EngineLoss> {
    match event {
        TextEvent::Ready => Ok(true),
        TextEvent::StartAgain => Ok(false),
        event => Err(EngineLoss::Fault(unexpected(event))),
    }
}

pub(crate) fn unexpected(event: &TextEvent) -> Fault {
    let detail = format!("said what it was not asked for: {event:?}");
    Fault { failure: Failure::ProtocolError, detail }
}
