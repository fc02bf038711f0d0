//! What the sandbox has denied an engine: paths, and system calls of a library.

#[cfg(target_os = "linux")]
mod channel;
#[cfg(target_os = "linux")]
mod file_call;
#[cfg(target_os = "linux")]
mod grants;
#[cfg(target_os = "linux")]
mod listener;
#[cfg(target_os = "linux")]
mod reporter;

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tengen_packages::shown;
use tengen_players::DENIED;

#[cfg(target_os = "linux")]
pub(super) use file_call::CALLS;
#[cfg(target_os = "linux")]
pub(super) use grants::Grants;
#[cfg(target_os = "linux")]
use listener::DenialListener;
#[cfg(target_os = "linux")]
pub(super) use reporter::{DenialReporter, OTHERS_GO};

/// How many paths are stored for one process, and for all of an engine's together.
const MOST: usize = 16;
/// How long to wait for the last denials of a process that has ended. Only a descendant that left
/// its group can delay them.
const PATIENCE: Duration = Duration::from_millis(200);

/// How a file was to be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only Linux reports denials"))]
pub(crate) enum AccessMode {
    Read,
    Write,
    Run,
}

/// What an engine tried to use and must not.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only Linux reports denials"))]
pub(crate) enum Denial {
    File {
        mode: AccessMode,
        path: PathBuf,
    },
    /// A system call of that name.
    Call(String),
}

impl std::fmt::Display for Denial {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Denial::Call(name) => write!(f, "the system call `{name}`"),
            Denial::File { mode, path } => {
                let use_of_it = match mode {
                    AccessMode::Read => "",
                    AccessMode::Write => " (to write)",
                    AccessMode::Run => " (to run)",
                };
                write!(f, "{}{use_of_it}", shown(path))
            }
        }
    }
}

/// The denials of an engine, from one process to the next.
#[derive(Default)]
pub(crate) struct Denials {
    state: Mutex<DenialState>,
    ended: Condvar,
}

#[derive(Default)]
struct DenialState {
    /// There from the first process on.
    denial_listener: Option<Arc<DenialListener>>,
    run: u64,
    of_this_run: Vec<Denial>,
    /// How many of them the game record has.
    reported: usize,
    of_all_runs: Vec<Denial>,
    /// Whether its calls are still being checked.
    is_open: bool,
}

/// Where a process reports its calls: the name of the socket, and its number there.
pub(crate) type ReportAddress = (String, u64);

impl Denials {
    /// A new process is about to be started. Gives where it is to report, if there is a listener.
    pub(crate) fn begin(self: &Arc<Denials>) -> Option<ReportAddress> {
        let mut state = self.state();
        state.run += 1;
        state.of_this_run.clear();
        (state.reported, state.is_open) = (0, false);
        if state.denial_listener.is_none() {
            state.denial_listener = DenialListener::share();
        }
        let denial_listener = Arc::clone(state.denial_listener.as_ref()?);
        let recorder = DenialRecorder { denials: Arc::downgrade(self), run: state.run };
        drop(state);
        Some(denial_listener.register(recorder))
    }

    /// The paths that the game record does not have yet, each as a line for it.
    pub(crate) fn take_new(&self) -> Vec<String> {
        let mut state = self.state();
        let fresh = state.of_this_run[state.reported..].iter();
        let lines = fresh.map(|denial| format!("{DENIED}{denial}")).collect();
        state.reported = state.of_this_run.len();
        lines
    }

    /// The paths that the process was denied which has ended, as text.
    pub(crate) fn of_the_dead(&self) -> Option<String> {
        let open = |state: &mut DenialState| state.is_open;
        let waited = self.ended.wait_timeout_while(self.state(), PATIENCE, open);
        in_words(&waited.unwrap_or_else(PoisonError::into_inner).0.of_this_run)
    }

    /// The paths that the engine was denied since it was first started, as text.
    pub(crate) fn of_all(&self) -> Option<String> {
        in_words(&self.state().of_all_runs)
    }

    fn state(&self) -> MutexGuard<'_, DenialState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Nothing is denied here.
#[cfg(not(target_os = "linux"))]
enum DenialListener {}

#[cfg(not(target_os = "linux"))]
impl DenialListener {
    fn share() -> Option<Arc<DenialListener>> {
        None
    }

    fn register(&self, _: DenialRecorder) -> ReportAddress {
        match *self {}
    }
}

/// Collects the denials of one process.
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only Linux reports denials"))]
pub(crate) struct DenialRecorder {
    denials: Weak<Denials>,
    run: u64,
}

#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only Linux reports denials"))]
impl DenialRecorder {
    /// From now on its calls are checked.
    pub(crate) fn open(&self) {
        self.with(|state| state.is_open = true);
    }

    /// Whether there is room for another denial.
    pub(crate) fn has_room(&self) -> bool {
        self.denials.upgrade().is_some_and(|denials| {
            let state = denials.state();
            state.run == self.run && state.of_this_run.len() < MOST
        })
    }

    /// Whether the other is for a process of the same engine.
    pub(crate) fn is_of_same_engine(&self, other: &DenialRecorder) -> bool {
        self.denials.ptr_eq(&other.denials)
    }

    pub(crate) fn note(&self, denial: Denial) {
        self.with(|state| {
            for list in [&mut state.of_this_run, &mut state.of_all_runs] {
                if list.len() < MOST && !list.contains(&denial) {
                    list.push(denial.clone());
                }
            }
        });
    }

    fn with(&self, change: impl FnOnce(&mut DenialState)) {
        let Some(denials) = self.denials.upgrade() else { return };
        let mut state = denials.state();
        // Another process may run by now.
        if state.run == self.run {
            change(&mut state);
            denials.ended.notify_all();
        }
    }
}

/// No more denials will come.
impl Drop for DenialRecorder {
    fn drop(&mut self) {
        self.with(|state| state.is_open = false);
    }
}

fn in_words(denials: &[Denial]) -> Option<String> {
    let words: Vec<_> = denials.iter().map(Denial::to_string).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorder(denials: &Arc<Denials>) -> DenialRecorder {
        let run = denials.state().run;
        DenialRecorder { denials: Arc::downgrade(denials), run }
    }

    fn denial(mode: AccessMode, path: &str) -> Denial {
        Denial::File { mode, path: path.into() }
    }

    #[test]
    fn each_path_is_told_once_and_those_of_a_former_process_no_more() {
        let denials = Arc::new(Denials::default());
        let first = recorder(&denials);
        first.open();
        first.note(denial(AccessMode::Read, "/a"));
        first.note(denial(AccessMode::Run, "/b"));
        assert_eq!(denials.take_new(), ["was denied /a", "was denied /b (to run)"]);
        first.note(Denial::Call("timer_create".to_owned()));
        assert_eq!(denials.take_new(), ["was denied the system call `timer_create`"]);
        first.note(denial(AccessMode::Read, "/a"));
        assert_eq!(denials.take_new(), [""; 0]);
        denials.state().run += 1;
        denials.state().of_this_run.clear();
        let second = recorder(&denials);
        first.note(denial(AccessMode::Read, "/late"));
        second.note(denial(AccessMode::Write, "/c"));
        drop(first);
        assert_eq!(
            denials.of_all().as_deref(),
            Some("/a, /b (to run), the system call `timer_create`, /c (to write)")
        );
    }

    #[test]
    fn of_many_paths_the_first_are_kept() {
        let denials = Arc::new(Denials::default());
        let recorder = recorder(&denials);
        for number in 0..100 {
            recorder.note(denial(AccessMode::Read, &format!("/{number}")));
        }
        assert!(!recorder.has_room());
        drop(recorder);
        let reported = denials.of_the_dead().expect("some were denied");
        assert_eq!(reported.split(", ").count(), MOST);
    }
}
