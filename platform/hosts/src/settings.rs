//! How engines are hosted.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tengen_arbiter::Nanos;

use crate::platform;
use crate::{DebugStart, Dialects, HostError, Interrupt, LogTap, MoveNow};
use tengen_packages::{EngineKind, EngineSpec, RestartPolicy};

/// The margin of a text engine unless the event or the engine sets another: what Piskvork and
/// Gomocup's judge allow, on which such engines rely. Many make their tables in their first
/// search.
pub const TEXT_MARGIN: Nanos = 1_000_000_000;

/// Where WASM engines run. Native engines run in a child process in any case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WasmIsolation {
    /// In a child process, like every other engine.
    #[default]
    Child,
    /// In this process, stopped at its deadline by an epoch: for quick mass play.
    InProcess,
}

#[derive(Clone, Debug)]
pub struct HostSettings {
    /// The program that is started as `PROGRAM host-engine …` and there runs
    /// [`host_main`](crate::host_main).
    pub program: PathBuf,
    /// How long an engine may take to load, and again to get ready for each game.
    pub startup: Duration,
    /// Where WASM engines run.
    pub isolation: WasmIsolation,
    /// Whether engines without a setting of their own get a new process for each game.
    pub restart: RestartPolicy,
    /// Whether an engine is refused where its sandbox lacks a layer.
    pub require_sandbox: bool,
    /// The layers that are required then; an empty list means all.
    pub require_layers: Vec<String>,
    /// Layers of the sandbox that are not put up, so that it can be measured what they cost, and
    /// seen what the others hold.
    pub left_out: Vec<String>,
    /// Whether an engine may go on working while it is not asked.
    pub ponder: bool,
    /// Whether a text engine is sent the whole position for each move, instead of what is new.
    pub send_board: bool,
    /// Whether engines that answer at once share a CPU with the thread that asks them. Such threads
    /// are then bound and released as it suits.
    pub share_cpu: bool,
    /// Whether every thread that starts an engine lives until the last game is played. Then a
    /// process may play for any of them. Otherwise a process that another thread started is started
    /// again, because it would die with that thread.
    pub threads_stay: bool,
    /// The most MiB in an engine's scratch folder, in which it starts and may write files while it
    /// runs. Without it there is no folder and no file is written; but a text engine always has a
    /// folder, of [`HostSettings::TEXT_FOLDER`]. A WASM engine has none.
    pub folder_mib: Option<u32>,
    /// How many engines run at once. An engine without a memory limit may use its share of the
    /// machine's memory, so that none makes the kernel kill the others.
    pub engines_at_once: usize,
    /// Whether a text engine fails at any line that is no answer where one is due, instead of
    /// having its whole time for the answer.
    pub strict_protocol: bool,
    /// What was learnt of how text engines write the protocol. Clones share it.
    pub dialects: Dialects,
    /// The folder where compiled WASM modules are stored, and what text engines were seen to play;
    /// none compiles them each time, and forgets.
    pub cache: Option<PathBuf>,
    /// Asks one engine in a child process to answer before its time is over.
    pub move_now: Option<MoveNow>,
    /// Starts it for a debugger, without a sandbox.
    pub debug: Option<DebugStart>,
    /// The folder that a build may write, and run what it makes there: see [`build`](crate::build).
    pub builds_in: Option<PathBuf>,
    /// Whether an engine in Rust traces its panics, which takes it time.
    pub traces_panics: bool,
    /// Gets every line that goes to a text engine and comes from it.
    pub tap: Option<Arc<dyn LogTap>>,
    /// Stops everything that is hosted with these settings.
    pub interrupt: Interrupt,
}

impl HostSettings {
    /// How long an engine may take to start unless the settings say otherwise.
    pub const STARTUP: Duration = Duration::from_secs(10);

    /// The scratch folder of a text engine, in MiB, unless the settings say otherwise: Gomocup's.
    pub const TEXT_FOLDER: u32 = 70;

    /// The most MiB in the scratch folder of an engine of that kind, if it has one.
    pub(crate) fn folder_mib_of(&self, kind: EngineKind) -> Option<u32> {
        match kind {
            EngineKind::Wasm => None,
            kind if kind.is_text() => self.folder_mib.or(Some(HostSettings::TEXT_FOLDER)),
            _ => self.folder_mib,
        }
    }

    /// The memory of this machine that its processes may use together, in bytes, where that is
    /// known.
    pub fn machine_memory() -> Option<u64> {
        platform::memory()
    }

    /// The MiB that an engine without a limit of its own may use: three quarters of the memory,
    /// divided by the number of engines that run at once. Tengen and the system have the rest.
    pub(crate) fn memory_share(&self) -> Option<u32> {
        let share = platform::memory()? / 4 * 3 / self.engines_at_once.max(1) as u64;
        u32::try_from(share >> 20).ok()
    }

    /// Whether that engine gets a new process for each game.
    pub(crate) fn restart_of(&self, spec: &EngineSpec) -> RestartPolicy {
        spec.restart.unwrap_or(self.restart)
    }

    /// Whether an engine may share the CPU of the thread that asks it: one that works in several
    /// threads, or while another does, may not.
    pub(crate) fn shares_cpu(&self, spec: &EngineSpec) -> bool {
        self.share_cpu && !self.ponder && spec.threads.unwrap_or(1) <= 1
    }

    /// An engine as it is now and stays, whatever becomes of its files.
    ///
    /// # Errors
    /// When a file of it cannot be read, or is being written.
    pub fn enroll(&self, spec: EngineSpec) -> Result<EngineSpec, HostError> {
        Ok(spec.enrolled(self.cache.as_deref())?)
    }

    /// The usual settings, with `program` as the host of child processes.
    pub fn new(program: impl Into<PathBuf>) -> HostSettings {
        HostSettings {
            program: program.into(),
            startup: HostSettings::STARTUP,
            isolation: WasmIsolation::default(),
            restart: RestartPolicy::default(),
            require_sandbox: false,
            require_layers: Vec::new(),
            left_out: Vec::new(),
            ponder: false,
            send_board: false,
            share_cpu: false,
            threads_stay: false,
            folder_mib: None,
            engines_at_once: 2,
            strict_protocol: false,
            dialects: Dialects::default(),
            cache: Some(tengen_packages::user_cache()),
            move_now: None,
            debug: None,
            builds_in: None,
            traces_panics: false,
            tap: None,
            interrupt: Interrupt::new(),
        }
    }

    /// The usual settings, with the running program itself as the host of child processes: also
    /// when its file has been replaced meanwhile, as by a build.
    ///
    /// # Errors
    /// When the system cannot tell where this program lies.
    pub fn this_program() -> io::Result<HostSettings> {
        platform::this_program().map(HostSettings::new)
    }
}
