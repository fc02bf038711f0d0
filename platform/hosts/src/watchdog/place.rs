use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Target, Ward, Watched};
use crate::placement::Table;
use crate::platform::Cpus;

/// On every CPU that it may use.
const ANYWHERE: usize = usize::MAX;

/// The CPU that an engine's process is bound to, if it is.
///
/// It is the table's, as long as the engine answers at once. One that is asked for longer than from
/// one look of the patrol to the next searches, and goes where there is room.
pub(super) struct Place {
    cpu: AtomicUsize,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    /// The question that was open at the last look of the patrol.
    question: Option<u64>,
    /// The CPUs to go back to.
    home: Option<Cpus>,
}

impl Place {
    pub(super) fn new() -> Place {
        Place { cpu: AtomicUsize::new(ANYWHERE), seen: Mutex::default() }
    }

    /// A new process is bound to none.
    pub(super) fn renew(&self) {
        self.cpu.store(ANYWHERE, Ordering::SeqCst);
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a child go anywhere that is bound and has been asked since before the last look.
    pub(super) fn look(&self, ward: &Ward, question: Option<u64>) {
        if self.cpu.load(Ordering::SeqCst) == ANYWHERE {
            return;
        }
        let mut seen = self.seen();
        if question.is_some() && seen.question == question {
            if let Some(home) = seen.home {
                ward.give(&home);
            }
            self.cpu.store(ANYWHERE, Ordering::SeqCst);
        }
        seen.question = question;
    }
}

impl Watched {
    /// Puts a child, which is about to be asked, where the table is.
    pub(crate) fn join(&self, table: &Table) {
        let place = &self.slot.place;
        let cpu = table.cpu().unwrap_or(ANYWHERE);
        if place.cpu.load(Ordering::SeqCst) == cpu {
            return;
        }
        let target = self.slot.target();
        let (Target::Child(ward), Some(home)) = (&*target, table.home()) else { return };
        *place.seen() = Seen { question: None, home: Some(home) };
        ward.give(&table.cpu().and_then(Cpus::one).unwrap_or(home));
        place.cpu.store(cpu, Ordering::SeqCst);
    }
}
