//! The start of an engine's process. Whatever goes wrong before the first frame of the engine
//! itself is the machine's doing, and is tried again.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tengen_packages::{EngineKind, InspectError, RestartPolicy, inspect};

use super::engine_loss::{self, ExchangeError};
use super::host_args::host_args;
use super::pipes::Pipes;
use super::retry::retry;
use super::silence::SpokenSoFar;
use super::spawn::{begin, spawn};
use super::{EngineLoss, EngineProcess, MAX_MESSAGES, Running, environment};
use crate::HostError;
use crate::host::HostArgs;
use crate::host::wasm::DEFAULT_MEMORY_MIB;
use crate::platform::{
    self, EnvTag, Group, HOST_COMMAND, REPLACES_PROGRAMS, Reaper, UserNumber, Zygote,
};
use crate::protocol::wire::{Payload, Truncated, answer};
use crate::protocol::{
    FrameProtocol, HeldLayers, MessageTarget, Protocol, ProtocolError, Ready, Unhosted, read_ready,
    read_started, read_unhosted, receive_message,
};
use crate::sandbox::{LEFT_OUT, MACHINE_LAYERS, MOUNT_NS, PID_NS, SECCOMP};
use crate::watchdog::placement::{ThreadPlacement, with_placement};
use crate::watchdog::{ResourceLimits, ScratchDir, StopTarget, Supervisor};

/// The memory in which a module must be compiled.
const COMPILER_MIB: u32 = 1024;
/// How often a start is tried if the machine does not let the process get as far as its engine, and
/// how long to wait in between. A shortage is often over in a moment; one that lasts spoils the
/// game.
const TRIES: u32 = 4;
const INTERVAL: Duration = Duration::from_millis(50);

/// Why an engine's process is not ready.
enum StartError {
    /// It did not get as far as loading the engine, and that is the machine's doing.
    Unhosted(Unhosted),
    Exchange(ExchangeError),
}

impl<E: Into<ExchangeError>> From<E> for StartError {
    fn from(error: E) -> StartError {
        StartError::Exchange(error.into())
    }
}

impl From<Truncated> for ExchangeError {
    fn from(error: Truncated) -> ExchangeError {
        ProtocolError::from(error).into()
    }
}

/// What is known of this machine, by the program that hosts engines.
static MACHINE: Mutex<BTreeMap<PathBuf, MachineLayers>> = Mutex::new(BTreeMap::new());

/// What this machine gives to one host.
#[derive(Default)]
struct MachineLayers {
    /// The layers that engines have had, of those that depend on the machine alone.
    known: Vec<&'static str>,
    /// Why namespaces are not to be tried any more.
    no_namespaces: Option<String>,
}

impl MachineLayers {
    fn with<T>(host: &Path, read: impl FnOnce(&mut MachineLayers) -> T) -> T {
        let mut machine = MACHINE.lock().unwrap_or_else(PoisonError::into_inner);
        read(machine.entry(host.to_owned()).or_default())
    }

    /// The layers that engines have had and this one has not. A machine that is short of something
    /// for a moment gives fewer. If these are to be done without, it is `final`.
    fn lost(&mut self, ready: &Ready, is_final: bool) -> Vec<&'static str> {
        let lost: Vec<_> = self.known.iter().copied().filter(|layer| !ready.holds(layer)).collect();
        if is_final {
            self.known.retain(|layer| !lost.contains(layer));
        }
        for layer in MACHINE_LAYERS.into_iter().filter(|layer| ready.holds(layer)) {
            if !self.known.contains(&layer) {
                self.known.push(layer);
            }
        }
        lost
    }
}

/// Keeps engines from the memory of this process, from the first of them on.
fn hide_memory() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if let Err(reason) = platform::hide_memory() {
            log::debug!("other processes of this user may reach this one's memory: {reason}");
        }
    });
}

impl<P: Protocol> EngineProcess<P> {
    /// Starts a process, in place of the one before. Waits until the engine is ready, or until the
    /// process is about to become the engine's program.
    pub(crate) fn start(&mut self) -> Result<Ready, HostError> {
        self.stop();
        HostError::unless_as_enrolled(&self.spec)?;
        self.engine_log.clear();
        self.spoken = SpokenSoFar::default();
        self.sampler.reset();
        self.start_sample(Some(self.settings.startup));
        if P::RUNS_PROGRAM {
            // While this process is the only one in its own.
            platform::find_groups();
            self.start_reaper();
        }
        let ready = self.start_patiently()?;
        // A file may have been changed while it was started.
        HostError::unless_as_enrolled(&self.spec).inspect_err(|_| self.kill())?;
        self.has_started = true;
        self.reused_parts.keep(&ready, self.running.as_ref());
        self.watchdog.set_layers(|layer| ready.holds(layer));
        if ready.holds(MOUNT_NS) {
            self.watchdog.set_in_memory();
        }
        if let Some(Running { pipes, .. }) = self.running.as_mut().filter(|_| ready.holds(PID_NS)) {
            pipes.set_unheld();
        }
        if ready.holds(SECCOMP) {
            self.watchdog.set_confined(!P::RUNS_PROGRAM);
        } else if self.spec.kind == EngineKind::Native && !ready.holds(PID_NS) {
            self.start_reaper();
        }
        if !P::RUNS_PROGRAM {
            self.idle_policy.answered(&self.watchdog, 0);
        }
        Ok(ready)
    }

    /// Starts it again while the machine is short of what that takes.
    fn start_patiently(&mut self) -> Result<Ready, HostError> {
        let startup = self.settings.startup;
        let interrupt = self.settings.interrupt.clone();
        let mut tries = 1;
        loop {
            // Hundreds may be about to start when all are to stop.
            if self.watchdog.is_interrupted() {
                return Err(HostError::Interrupted { engine: self.spec.id.clone() });
            }
            self.protocol.restart();
            let spawn = || self.spawn().inspect_err(|_| self.kill());
            retry(startup, &interrupt, spawn).map_err(|source| self.unstarted(source))?;
            self.watchdog.arm_question(Instant::now(), Some(startup));
            let is_last = tries == TRIES;
            let what = match self.read_ready() {
                Ok(ready) => {
                    let lost =
                        match self.settings.left_out.is_empty() && self.settings.debug.is_none() {
                            true => self.machine(|machine| machine.lost(&ready, is_last)),
                            false => Vec::new(),
                        };
                    if lost.is_empty() || is_last {
                        if !lost.is_empty() {
                            let (id, lost) = (&self.spec.id, lost.join(", "));
                            log::warn!("{id}: the sandbox has lost {lost} since the last start");
                        }
                        return Ok(ready);
                    }
                    format!("its sandbox has no {}", lost.join(", "))
                }
                Err(StartError::Exchange(error)) => return Err(self.start_error(error)),
                Err(StartError::Unhosted(Unhosted { reason, is_for_namespaces })) => {
                    if self.watchdog.is_interrupted() {
                        self.kill();
                        return Err(HostError::Interrupted { engine: self.spec.id.clone() });
                    }
                    if is_for_namespaces {
                        self.machine(|machine| machine.no_namespaces = Some(reason.clone()));
                    }
                    reason
                }
            };
            self.kill();
            if is_last {
                return Err(self.unstarted(io::Error::other(what)));
            }
            log::debug!("{}: started again: {what}", self.spec.id);
            tries += 1;
            thread::sleep(INTERVAL);
        }
    }

    fn machine<T>(&self, read: impl FnOnce(&mut MachineLayers) -> T) -> T {
        MachineLayers::with(&self.settings.program, read)
    }

    /// That the machine does not let it start, which the engine is not to blame for.
    fn unstarted(&mut self, source: io::Error) -> HostError {
        self.cpu_stats.get_or_insert_default().short = true;
        HostError::Start { program: self.settings.program.clone(), source }
    }

    fn start_error(&mut self, error: ExchangeError) -> HostError {
        let engine = self.spec.id.clone();
        match self.lose(error) {
            EngineLoss::Refused(reason) => HostError::Refused { engine, reason },
            EngineLoss::Interrupted => HostError::Interrupted { engine },
            loss => {
                let step = if P::RUNS_PROGRAM { "start" } else { "load and describe itself" };
                HostError::Failed { engine, fault: self.fault(loss, step) }
            }
        }
    }

    /// Where nothing keeps an engine from starting processes, something must end those processes
    /// if this one is killed.
    fn start_reaper(&mut self) {
        if self.reaper.is_none() {
            self.reaper = Reaper::share(&self.settings.program);
        }
    }

    fn spawn(&mut self) -> io::Result<()> {
        let (spec, settings) = (&self.spec, &self.settings);
        let folder_mib = settings.folder_mib_of(spec.kind);
        let scratch = folder_mib.map(|_| self.reused_parts.take_scratch()).transpose()?;
        let folder = scratch.as_deref().map(ScratchDir::path);
        // The memory of a module is counted within, where it grows; here, what its compiler takes.
        let memory_mib = match spec.kind {
            EngineKind::Wasm => {
                Some(spec.memory_mib.unwrap_or(DEFAULT_MEMORY_MIB).saturating_add(COMPILER_MIB))
            }
            _ => spec.memory_mib,
        };
        let share_mib = settings.memory_share();
        let limits =
            ResourceLimits { memory_mib, share_mib, folder_mib, processes: spec.needs.processes };
        let is_out = |layer: &&str| settings.left_out.iter().any(|out| out == *layer);
        let (group, missing) = match platform::GROUP_LAYERS.iter().any(is_out) {
            true => {
                let missing = platform::GROUP_LAYERS.map(|layer| (layer, LEFT_OUT.to_owned()));
                (None, missing.to_vec())
            }
            false => platform::make_group(limits.of_group()),
        };
        // Other engines have no way to a file.
        let opens_files = spec.kind == EngineKind::Native || spec.kind.is_text();
        // A build looks for files everywhere, and says itself what it lacks.
        let opens_files = opens_files && settings.builds_in.is_none();
        let report = opens_files.then(|| self.engine_log.denials().begin()).flatten();
        let args = host_args(spec, settings, folder);
        let groups = group.iter().flat_map(Group::places).collect();
        let missing = missing.into_iter().map(|(layer, why)| (layer.to_owned(), why)).collect();
        let no_namespaces = self.machine(|machine| machine.no_namespaces.clone());
        let user = UserNumber::take();
        let args = HostArgs { report, groups, missing, no_namespaces, ..args };
        let is_for_wine = args.is_for_wine;
        let args = HostArgs { user: Some(user.get()), ..args };
        // Where no program takes the place of another, the engine's is started at once.
        let is_direct = P::RUNS_PROGRAM && !REPLACES_PROGRAMS;
        let mut command = match is_direct {
            true => args.command(None),
            false => {
                let mut command = platform::command(&settings.program);
                command.arg(HOST_COMMAND);
                args.write(&mut command);
                command
            }
        };
        environment::set(&mut command, folder, is_for_wine);
        if settings.traces_panics {
            environment::trace_panics(&mut command);
        }
        platform::give_group(&mut command);
        // A process inherits its parent's CPUs, and what it does first takes long.
        with_placement(ThreadPlacement::release);
        hide_memory();
        let env_tag = EnvTag::set(&mut command);
        // One that is started once only would take longer so.
        let is_repeated = self.has_started && settings.debug.is_none();
        self.zygote = is_repeated.then(|| Zygote::share(&settings.program)).flatten();
        let (zygote, net_ns) = (self.zygote.as_deref(), self.reused_parts.net_ns());
        let (child, input, output, errors) =
            spawn(&mut command, zygote, net_ns, limits.of_group(), is_direct)?;
        let number = child.id();
        let admitted = begin(&child, Some(&args).filter(|_| is_direct), settings)?;
        let read_from = Some(&input).filter(|_| P::RUNS_PROGRAM).and_then(platform::inode);
        let supervisor =
            Supervisor::new(child, limits, scratch.clone()).with_tag(env_tag).with_input(read_from);
        let watched = self.reaper.as_ref().map(|reaper| reaper.watch(number));
        let supervisor = supervisor.with_group(group).with_user(user).with_watched(watched);
        self.watchdog.replace(StopTarget::Child(Box::new(supervisor)));
        self.idle_policy.reset();
        self.engine_log.read_stderr(errors, Arc::clone(self.watchdog.slot()))?;
        if let Some(move_now) = settings.move_now.as_ref().filter(|_| !P::RUNS_PROGRAM) {
            move_now.attach(platform::duplicate(&input)?);
        }
        let pipes = Pipes::new(input, output);
        let starter = thread::current().id();
        self.running = Some(Running { pipes, starter, number, scratch, admitted });
        Ok(())
    }

    /// Waits for the frame that says what holds the engine.
    fn read_ready(&mut self) -> Result<Ready, StartError> {
        let running = self.running.as_mut().ok_or(ExchangeError::Gone)?;
        let Running { pipes, number, admitted, .. } = running;
        if let Some(admitted) = admitted.take() {
            self.watchdog.disarm();
            return admitted.map_err(|reason| ProtocolError::Refused(reason).into());
        }
        let target = MessageTarget { log: &self.engine_log, listener: self.listener.as_ref() };
        // No engine can have sent this one.
        let Ok((kind, payload)) = pipes.read_frame() else {
            return Err(StartError::Unhosted(self.gone_too_early()));
        };
        if kind == answer::UNHOSTED {
            return Err(StartError::Unhosted(read_unhosted(Payload(&payload))?));
        }
        if kind != answer::STARTED {
            receive_message(kind, &payload, answer::STARTED, &target)?;
            return Err(ExchangeError::Gone.into());
        }
        let inside = read_started(Payload(&payload))?;
        if !self.watchdog.adopt(inside) {
            return Err(ExchangeError::Gone.into());
        }
        if P::RUNS_PROGRAM || self.settings.restart_of(&self.spec) == RestartPolicy::On {
            self.reused_parts.started(inside);
        }
        if let Some(debug) = &self.settings.debug {
            debug.wait(*number);
            pipes.write(&[0])?;
        }
        let (mut messages, mut sandbox) = (0, None);
        loop {
            let frame = pipes.read_frame();
            // Nothing of an engine has run by then but what its module makes the compiler do.
            if frame.is_err() && sandbox.is_none() && self.spec.kind != EngineKind::Wasm {
                return Err(StartError::Unhosted(self.gone_too_early()));
            }
            let (kind, payload) = frame?;
            match (kind, sandbox.take()) {
                // As above.
                (answer::UNHOSTED, None) => {
                    return Err(StartError::Unhosted(read_unhosted(Payload(&payload))?));
                }
                (answer::SANDBOX, None) => {
                    sandbox = Some(HeldLayers::read(&mut Payload(&payload))?);
                    continue;
                }
                (answer::READY, Some(sandbox)) => {
                    let is_late = self.watchdog.disarm();
                    let ready = read_ready(Payload(&payload), sandbox)?;
                    return if is_late { Err(ExchangeError::Late.into()) } else { Ok(ready) };
                }
                (_, known) => sandbox = known,
            }
            receive_message(kind, &payload, answer::READY, &target)?;
            messages += payload.len() as u64;
            if messages > MAX_MESSAGES {
                return Err(ExchangeError::Flood.into());
            }
        }
    }

    /// What became of a process that has said nothing.
    fn gone_too_early(&mut self) -> Unhosted {
        let is_late = self.watchdog.disarm();
        self.running = None;
        let exit = engine_loss::kill_and_reap(&self.watchdog).and_then(|exit| exit.status);
        let reason = match exit {
            _ if is_late => format!("it did not begin within {:?}", self.settings.startup),
            Some(status) => {
                format!("it {} first", engine_loss::describe_exit(status, &self.spec.path))
            }
            None => "it is gone".to_owned(),
        };
        let reason = self.engine_log.with_last_words(reason);
        Unhosted::new(reason)
    }
}

impl EngineProcess<FrameProtocol> {
    /// Reads the symbols of the engine's file, which runs nothing of it, and only then starts it.
    pub(crate) fn inspect_and_start(&mut self) -> Result<Ready, HostError> {
        match inspect(&self.spec.path, self.spec.kind) {
            Ok(_) | Err(InspectError::Builtin) => self.start(),
            Err(error) => {
                let (engine, reason) = (self.spec.id.clone(), error.to_string());
                Err(HostError::Refused { engine, reason })
            }
        }
    }
}
