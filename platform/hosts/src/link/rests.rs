use tengen_arbiter::Nanos;

use crate::watchdog::Watched;

/// An answer that took this long is worth two signals: they cost a hundredth of it.
const LONG: Nanos = 1_000_000;
/// Of quicker answers, every so many is followed by a look at what the engine does until its next
/// question.
const AUDIT: u32 = 16;
/// The CPU time, in nanoseconds, that it may use until then: it has an answer to finish writing,
/// and a pipe to go back to.
const REST: u64 = 100_000;

/// Keeps an engine from working while it is not asked.
///
/// Its process is stopped as soon as an answer that took long is read, and continued before the
/// next question. Two signals a move are too much for engines that answer at once, and those have
/// nothing to gain: they are left alone, and their CPU time is looked at, here after every so many
/// answers and from the watchdog's patrol all along. One that was ever seen to work unasked is
/// stopped after every answer.
pub(crate) struct Rests {
    ponder: bool,
    answers: u32,
    /// The CPU time at the last answer, if that is looked at.
    used: Option<u64>,
}

impl Rests {
    /// With `ponder` an engine may work as it likes.
    pub(crate) fn new(ponder: bool) -> Rests {
        Rests { ponder, answers: 0, used: None }
    }

    /// Begins anew, with another process.
    pub(crate) fn renew(&mut self) {
        *self = Rests::new(self.ponder);
    }

    /// The engine has answered after so long.
    pub(crate) fn begin(&mut self, watched: &Watched, spent: Nanos) {
        if self.ponder {
            return;
        }
        self.answers = self.answers.wrapping_add(1);
        if spent < LONG && self.answers.is_multiple_of(AUDIT) {
            self.used = watched.cpu_time();
        }
        watched.rest(spent >= LONG);
    }

    /// The engine is about to be asked.
    pub(crate) fn end(&mut self, watched: &Watched) {
        if self.ponder {
            return;
        }
        if let Some(before) = self.used.take()
            && watched.cpu_time().is_some_and(|after| after > before + REST)
        {
            watched.tighten();
        }
        watched.ask();
    }
}
