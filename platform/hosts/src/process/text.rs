//! What the process of a text engine needs besides questions and answers: waiting for lines that
//! may never come, and time to prepare.

use std::time::{Duration, Instant};

use tengen_arbiter::Nanos;
use tengen_packages::EngineSpec;

use super::{EngineLoss, EngineProcess, ExchangeError, MAX_MESSAGES, Running, TextProcess};
use crate::HostSettings;
use crate::protocol::{Protocol, TextEvent, TextProtocol};
use crate::watchdog::{Supervisor, Work};

/// The least time that an engine has for the answer to a line which it may leave unanswered.
const MIN_OPTIONAL: Duration = Duration::from_millis(500);
/// The longest wait for an engine that still works on it, or waits for a CPU.
const MAX_OPTIONAL: Duration = Duration::from_secs(3);
/// For how long it is watched to find that out.
const OBSERVED: Duration = Duration::from_millis(100);

impl TextProcess {
    /// The process of a text engine, which is still to be started.
    pub(crate) fn of_text(spec: EngineSpec, settings: HostSettings) -> TextProcess {
        let protocol = TextProtocol::new(spec.clone(), &settings);
        EngineProcess::new(spec, settings, protocol)
    }

    /// Sends the pending output, and waits at most `patience` for the result.
    pub(crate) fn exchange(&mut self, patience: Option<Duration>) -> Result<TextEvent, EngineLoss> {
        let origin = Instant::now();
        self.send(patience)?;
        self.wait_since(origin)
    }

    /// Waits for the result of what was sent at that moment.
    pub(crate) fn wait_since(&mut self, origin: Instant) -> Result<TextEvent, EngineLoss> {
        let now = || u64::try_from(origin.elapsed().as_nanos()).unwrap_or(Nanos::MAX);
        self.wait_for_event(now, 0).map(|(event, _)| event)
    }

    /// Sends the settings of the game that begins, and lets the process act on them before its
    /// clock starts: some engines take half a second to allocate their memory. An engine that takes
    /// no time for this gets them with its first question.
    pub(crate) fn prepare(&mut self) -> Result<(), EngineLoss> {
        if !self.idle_policy.may_prepare() {
            return Ok(());
        }
        self.protocol.dialogue.send_terms();
        if self.protocol.output().is_empty() {
            return Ok(());
        }
        let startup = self.settings.startup;
        self.send(Some(startup))?;
        if self.watchdog.disarm() {
            return Err(self.lose(ExchangeError::Late));
        }
        // It need not answer, so nothing that it does now is too late.
        self.idle_policy.wait_until_prepared(&self.watchdog, startup);
        self.idle_policy.answered(&self.watchdog, 0);
        Ok(())
    }

    /// As [`EngineProcess::resume`], and reads the lines since the last answer.
    pub(crate) fn resume_and_read(
        &mut self,
        patience: Option<Duration>,
    ) -> Result<bool, EngineLoss> {
        let is_charged = self.resume(patience);
        self.read_unasked().map_err(|error| self.lose(error))?;
        Ok(is_charged)
    }

    fn read_unasked(&mut self) -> Result<(), ExchangeError> {
        let mut messages = 0;
        loop {
            while let Some(event) = self.next_event()? {
                log::debug!("{} sent unasked: {event:?}", self.spec.id);
            }
            messages += self.protocol.take_message_bytes();
            if messages > MAX_MESSAGES {
                return Err(ExchangeError::Flood);
            }
            let Running { pipes, .. } = self.running.as_mut().ok_or(ExchangeError::Gone)?;
            if !pipes.is_readable_within(Duration::ZERO) {
                return Ok(());
            }
            match pipes.read(self.protocol.read_buffer()) {
                // That it has ended is seen when it is asked.
                0 => return Ok(()),
                count => self.protocol.received(count),
            }
        }
    }

    /// How long to wait for an answer that the engine may leave out: as long as starting it again
    /// would take.
    pub(crate) fn optional_patience(&self) -> Duration {
        let startup = self.settings.startup;
        (2 * self.protocol.ready_time).clamp(MIN_OPTIONAL.min(startup), startup)
    }

    /// As [`TextProcess::wait_for_event_within`], but if the engine is at work when the patience
    /// has run out, or waits for a CPU, this waits until it rests: only an engine that waits for
    /// its next line has left the answer out.
    pub(crate) fn wait_while_working(
        &mut self,
        patience: Duration,
    ) -> Result<Option<TextEvent>, EngineLoss> {
        let begun = Instant::now();
        let mut event = self.wait_for_event_within(patience.saturating_sub(OBSERVED))?;
        while event.is_none() {
            let before = self.watchdog.read(Supervisor::work);
            let since = Instant::now();
            event = self.wait_for_event_within(OBSERVED)?;
            let passed = since.elapsed();
            let is_over = begun.elapsed() >= MAX_OPTIONAL.max(patience);
            if event.is_some() || is_over || !self.has_worked_since(before, passed) {
                break;
            }
        }
        Ok(event)
    }

    /// Waits for an event that need not come; none after `patience`. The engine then runs on.
    pub(crate) fn wait_for_event_within(
        &mut self,
        patience: Duration,
    ) -> Result<Option<TextEvent>, EngineLoss> {
        let since = Instant::now();
        let read = self.read_event_within(since, patience);
        if let Ok(Some(TextEvent::Answer(_))) = &read {
            self.idle_policy.answered_unpaused(&self.watchdog);
        }
        read.map_err(|error| self.lose(error))
    }

    fn read_event_within(
        &mut self,
        since: Instant,
        patience: Duration,
    ) -> Result<Option<TextEvent>, ExchangeError> {
        let mut messages = 0;
        loop {
            let event = self.next_event_or_silence()?;
            messages += self.protocol.take_message_bytes();
            if messages > MAX_MESSAGES {
                return Err(ExchangeError::Flood);
            }
            if event.is_some() {
                return if self.watchdog.disarm() { Err(ExchangeError::Late) } else { Ok(event) };
            }
            let Running { pipes, .. } = self.running.as_mut().ok_or(ExchangeError::Gone)?;
            let left = patience.saturating_sub(since.elapsed());
            // One that never stops writing is not waited for longer.
            if left.is_zero() || !pipes.is_readable_within(left) {
                return Ok(None);
            }
            self.read()?;
        }
    }
}

impl<P: Protocol> EngineProcess<P> {
    /// As [`EngineProcess::next_event`]. Where it is in doubt whether more will come, this waits
    /// until more does, or the engine rests.
    pub(super) fn next_event_or_silence(&mut self) -> Result<Option<P::Event>, ExchangeError> {
        let event = self.next_event()?;
        if event.is_some() || !self.protocol.is_in_doubt() || self.goes_on()? {
            return Ok(event);
        }
        Ok(self.protocol.event_of_silence())
    }

    /// Waits until there is more to read, or the engine has ended. Gives false as soon as it rests
    /// instead.
    fn goes_on(&mut self) -> Result<bool, ExchangeError> {
        loop {
            let (before, since) = (self.watchdog.read(Supervisor::work), Instant::now());
            let Running { pipes, .. } = self.running.as_mut().ok_or(ExchangeError::Gone)?;
            if pipes.is_readable_within(OBSERVED) {
                return Ok(true);
            }
            if !self.has_worked_since(before, since.elapsed()) {
                return Ok(false);
            }
        }
    }

    /// Whether it has worked since then for half of the time that has passed.
    fn has_worked_since(&self, before: Option<Work>, passed: Duration) -> bool {
        let worked = before.zip(self.watchdog.read(Supervisor::work));
        let worked = worked.map_or(0, |(before, now)| now.since(&before));
        u128::from(worked) >= (passed.as_nanos() / 2).max(1)
    }
}
