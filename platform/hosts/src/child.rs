//! The child process: one engine, and the arbiter at the other end of two pipes.

mod job;
mod outbox;
mod serve;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;
use std::sync::Arc;

pub(crate) use job::Job;

use crate::builtin;
use crate::guest::LoadError;
use crate::native::NativeGuest;
use crate::package::Kind;
use crate::platform;
use crate::services::Services;
use crate::wasm::{self, Stopping, WasmGuest};
use crate::wire::answer;
use outbox::Outbox;
use serve::serve;

/// The word that starts a child: `PROGRAM host-engine …`.
pub const HOST_COMMAND: &str = "host-engine";

/// Body of the hidden subcommand [`HOST_COMMAND`]: hosts one engine for the arbiter that started
/// this process. `args` are those after the subcommand. It must run first thing, before anything
/// reads stdin or prints.
pub fn host_main(args: impl Iterator<Item = OsString>) -> ExitCode {
    let reason = match Job::read(args) {
        Ok(job) => match host(&job) {
            Ok(()) => return ExitCode::SUCCESS,
            Err(error) => error.to_string(),
        },
        Err(reason) => reason,
    };
    eprintln!("{HOST_COMMAND}: {reason}");
    ExitCode::from(2)
}

fn host(job: &Job) -> io::Result<()> {
    let mut layers = Vec::new();
    if !platform::tie_to_parent(job.parent, &mut layers) {
        return Err(io::Error::other("this command is for the program's own use"));
    }
    let wires = platform::take_wires()?;
    platform::default_signals();
    let outbox = Arc::new(Outbox::new(wires.answers));
    let services = Services::new(job.folder.clone(), Box::new(Arc::clone(&outbox)));
    match run(job, &Arc::new(services), wires.requests, &outbox, layers) {
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
    requests: std::fs::File,
    outbox: &Outbox,
    mut layers: Vec<&'static str>,
) -> Result<(), LoadError> {
    // A module's memory reserves far more address space than it uses, and is bounded by itself.
    platform::confine(job.memory_mib.filter(|_| job.kind != Kind::Wasm), &mut layers);
    if job.kind == Kind::Wasm {
        // The compiled module is written to the cache here, before files are forbidden.
        let module = wasm::compile(Stopping::Kill, &job.path, job.cache.as_deref())?;
        platform::forbid_files(&mut layers);
        layers.push("wasm");
        let guest = WasmGuest::load(&module, Arc::clone(services), job.memory_mib, None)?;
        return serve(guest, services, job, &layers, requests, outbox);
    }
    platform::forbid_files(&mut layers);
    let guest = match job.kind {
        Kind::Builtin => NativeGuest::new(builtin::exports(&job.path)?, Arc::clone(services)),
        _ => NativeGuest::load(&job.path, Arc::clone(services))?,
    };
    serve(guest, services, job, &layers, requests, outbox)
}
