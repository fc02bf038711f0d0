//! The child process: one engine, and the arbiter at the other end of two pipes.

mod job;
mod outbox;
mod program;
mod serve;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

pub(crate) use job::Job;

use crate::builtin;
use crate::guest::LoadError;
use crate::native::NativeGuest;
use crate::platform;
use crate::sandbox::{Reach, WASM, Walls};
use crate::services::Services;
use crate::wasm::{self, Stopping, WasmGuest};
use crate::wire::answer;
use outbox::Outbox;
use serve::serve;
use tengen_packages::EngineKind;

/// The word that starts a child: `PROGRAM host-engine …`.
pub const HOST_COMMAND: &str = "host-engine";

/// Body of the hidden subcommand [`HOST_COMMAND`]: hosts one engine for the arbiter that started
/// this process. `args` are those after the subcommand. It must run first thing, before anything
/// reads stdin or prints.
pub fn host_main(args: impl Iterator<Item = OsString>) -> ExitCode {
    let mut args = args.peekable();
    if args.next_if(|word| word == platform::WARDEN).is_some() {
        let watched = args.next().map(|session| platform::keep_watch(&session));
        return if matches!(watched, Some(Ok(()))) { ExitCode::SUCCESS } else { ExitCode::from(2) };
    }
    let reason = match Job::read(args) {
        Ok(job) => match host(&job) {
            Ok(()) => return ExitCode::SUCCESS,
            Err(error) => error.to_string(),
        },
        Err(reason) => reason,
    };
    // Whoever started it may have closed its end.
    let _unheard = writeln!(io::stderr(), "{HOST_COMMAND}: {reason}");
    ExitCode::from(2)
}

fn host(job: &Job) -> io::Result<()> {
    let mut walls = Walls::default();
    if !walls.tie_to_parent(job.parent) {
        return Err(io::Error::other("this command is for the program's own use"));
    }
    if job.kind.is_text() {
        return program::run(job, walls);
    }
    let wires = platform::take_wires()?;
    platform::default_signals();
    let outbox = Arc::new(Outbox::new(wires.answers));
    let services = Services::new(job.folder.clone(), Box::new(Arc::clone(&outbox)));
    let services =
        if job.may_hurry { services.with_haste(wires.requests.try_clone()?) } else { services };
    match run(job, &Arc::new(services), wires.requests, &outbox, walls) {
        Ok(()) => Ok(()),
        Err(LoadError::Failed(fault)) => outbox.fault(&fault),
        Err(LoadError::Refused(reason)) => {
            outbox.put(answer::REFUSED, |out| out.extend_from_slice(reason.as_bytes()))
        }
    }
}

/// Puts up the walls, loads the engine behind them, and serves until the pipe ends.
fn run(
    job: &Job,
    services: &Arc<Services>,
    requests: File,
    outbox: &Outbox,
    mut walls: Walls,
) -> Result<(), LoadError> {
    walls.give_up_rights();
    let package = job.folder.as_deref();
    if job.kind == EngineKind::Wasm {
        // The compiled module is written to the cache here, before files are forbidden.
        // What is to run in the arbiter's own process is compiled here too, where that can be
        // stopped.
        if job.for_inside {
            wasm::compile(Stopping::Epoch, &job.path, job.cache.as_deref())?;
        }
        let module = wasm::compile(Stopping::Kill, &job.path, job.cache.as_deref())?;
        // A module's memory reserves far more address space than it uses, and is bounded by
        // itself. It has no way to a file, and so no use for a folder.
        let reads: Vec<_> = package.into_iter().collect();
        let reach = Reach { reads: &reads, writes: None, memory_mib: None, runs: None };
        walls.close(reach, None).map_err(unwatched)?;
        walls.hold(WASM);
        insist(job, &walls)?;
        let guest = WasmGuest::load(&module, Arc::clone(services), job.memory_mib, None)?;
        return serve(guest, services, job, &walls, requests, outbox);
    }
    sit_down(job)?;
    let library = (job.kind == EngineKind::Native).then_some(job.path.as_path());
    let named = job.reads.iter().map(PathBuf::as_path);
    let reads: Vec<_> = library.into_iter().chain(package).chain(named).collect();
    let writes = job.desk.as_ref().map(|(desk, mib)| (desk.as_path(), u64::from(*mib) << 20));
    let reach = Reach { reads: &reads, writes, memory_mib: job.memory_mib, runs: None };
    walls.close(reach, job.report.as_ref()).map_err(unwatched)?;
    insist(job, &walls)?;
    let guest = match job.kind {
        EngineKind::Builtin => NativeGuest::new(builtin::exports(&job.path)?, Arc::clone(services)),
        _ => NativeGuest::load(&job.path, Arc::clone(services))?,
    };
    serve(guest, services, job, &walls, requests, outbox)
}

fn unwatched(error: io::Error) -> LoadError {
    LoadError::Refused(format!("nobody hears what its walls deny it: {error}"))
}

/// Goes to the engine's private folder, where it has one.
fn sit_down(job: &Job) -> Result<(), LoadError> {
    let Some((desk, _)) = &job.desk else { return Ok(()) };
    std::env::set_current_dir(desk)
        .map_err(|error| LoadError::Refused(format!("{} cannot be used: {error}", desk.display())))
}

/// Refuses the engine before anything of it has run, if it must not run without every wall.
fn insist(job: &Job, walls: &Walls) -> Result<(), LoadError> {
    if !job.require_sandbox || walls.gaps().is_empty() {
        return Ok(());
    }
    let gaps: Vec<_> = walls.gaps().iter().map(ToString::to_string).collect();
    Err(LoadError::Refused(format!(
        "the sandbox is required, but lacks {}; repair that, or do not require it",
        gaps.join(", ")
    )))
}
