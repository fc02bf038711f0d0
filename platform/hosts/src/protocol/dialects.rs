//! What was learnt about how each text engine writes the protocol.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tengen_gomocup::{Dialect, LineEnd};
use tengen_packages::EngineSpec;

/// How the text engines hosted with the same settings write the protocol, as far as that was
/// learnt. An engine is tried once, however many of its processes play at once. Clones share it.
#[derive(Clone, Default)]
pub struct Dialects(Arc<Mutex<HashMap<String, Dialect>>>);

impl Dialects {
    pub(super) fn of(&self, spec: &EngineSpec) -> Dialect {
        let known = self.lock().get(&key(spec)).copied().unwrap_or_default();
        let set = spec.lf_alone.map(|lf| if lf { LineEnd::Lf } else { LineEnd::CrLf });
        Dialect { line_end: set.or(known.line_end), ..known }
    }

    pub(super) fn learn(&self, spec: &EngineSpec, dialect: Dialect) {
        let mut known = self.lock();
        let entry = known.entry(key(spec)).or_default();
        *entry = Dialect {
            line_end: dialect.line_end.or(entry.line_end),
            swap2: dialect.swap2.or(entry.swap2),
            // If it once did not, that counts, even if it once did.
            starts_again: match (dialect.starts_again, entry.starts_again) {
                (Some(learnt), Some(known)) => Some(learnt && known),
                (learnt, known) => learnt.or(known),
            },
        };
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Dialect>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One program may behave differently with other arguments.
fn key(spec: &EngineSpec) -> String {
    format!("{:?} {:?} {:?}", spec.path, spec.command(), spec.folder)
}

impl fmt::Debug for Dialects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Dialects").field(&*self.lock()).finish()
    }
}
