use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::{Hurry, Interrupt};
use tengen_packages::{EngineSpec, Kind};

/// Where WASM engines run. Native engines run in a child process in any case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Isolation {
    /// In a child process, like every other engine.
    #[default]
    Child,
    /// In this process, stopped at its deadline by an epoch: for quick mass play.
    InProcess,
}

/// How engines are hosted.
#[derive(Clone, Debug)]
pub struct HostSettings {
    /// The program that is started as `PROGRAM host-engine …` and there runs
    /// [`host_main`](crate::host_main).
    pub program: PathBuf,
    /// How long an engine may take to load, and again to get ready for each game.
    pub startup: Duration,
    /// Where WASM engines run.
    pub isolation: Isolation,
    /// Whether an engine is started anew for every game.
    pub restart: bool,
    /// Whether an engine is refused where a wall around it does not hold.
    pub require_sandbox: bool,
    /// Whether an engine may go on working while it is not asked.
    pub ponder: bool,
    /// Whether a table and engines that answer at once share a CPU. The threads that ask them are
    /// then bound and released as it suits.
    pub share_cpu: bool,
    /// The most MiB in an engine's private folder, in which it starts and may write files while
    /// it runs; without it there is no folder, and no file is written, but by a text engine: that
    /// has one of [`HostSettings::TEXT_FOLDER`]. A WASM engine has none.
    pub folder_mib: Option<u32>,
    /// The folder where compiled WASM modules are kept; none compiles them each time.
    pub cache: Option<PathBuf>,
    /// Has one engine in a child process answer before its time.
    pub hurry: Option<Hurry>,
    /// Stops everything that is hosted with these settings.
    pub interrupt: Interrupt,
}

impl HostSettings {
    /// How long an engine may take to start unless the settings say otherwise.
    pub const STARTUP: Duration = Duration::from_secs(10);

    /// The private folder of a text engine, in MiB, unless the settings say otherwise: Gomocup's.
    pub const TEXT_FOLDER: u32 = 70;

    /// The most MiB in the private folder of an engine of that kind, if it has one.
    pub(crate) fn folder_mib_of(&self, kind: Kind) -> Option<u32> {
        match kind {
            Kind::Wasm => None,
            Kind::Gomocup | Kind::Sau => self.folder_mib.or(Some(HostSettings::TEXT_FOLDER)),
            Kind::Native | Kind::Builtin => self.folder_mib,
        }
    }

    /// Whether an engine may share the CPU of its table: one that works in several threads, or
    /// while another does, may not.
    pub(crate) fn shares_cpu(&self, spec: &EngineSpec) -> bool {
        self.share_cpu && !self.ponder && spec.threads.unwrap_or(1) <= 1
    }

    /// The usual settings, with `program` as the host of child processes.
    pub fn new(program: impl Into<PathBuf>) -> HostSettings {
        HostSettings {
            program: program.into(),
            startup: HostSettings::STARTUP,
            isolation: Isolation::default(),
            restart: false,
            require_sandbox: false,
            ponder: false,
            share_cpu: false,
            folder_mib: None,
            cache: Some(tengen_packages::user_cache()),
            hurry: None,
            interrupt: Interrupt::new(),
        }
    }

    /// The usual settings, with the running program itself as the host of child processes.
    ///
    /// # Errors
    /// When the system cannot tell where this program lies.
    pub fn this_program() -> io::Result<HostSettings> {
        std::env::current_exe().map(HostSettings::new)
    }
}
