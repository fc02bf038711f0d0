//! A child process that becomes a text engine: it closes the sandbox, reports its layers, and runs
//! the engine's program in its own place, with the arbiter's pipes as standard input and output.

use std::io::{self, Write};
use std::iter;
use std::path::{Path, PathBuf};

use super::frame_writer::FrameWriter;
use super::serve::{send_ready, send_sandbox};
use super::{HostArgs, no_denial_listener, require_complete, send_unhosted, wine};
use crate::ExportSet;
use crate::host::guest::LoadError;
use crate::platform;
use crate::protocol::Unhosted;
use crate::protocol::wire::answer;
use crate::sandbox::{Sandbox, SandboxPolicy};

/// What an engine is told if it asks for sockets and gets none.
const NO_SOCKETS: &str = "sockets of this machine are not allowed: they need mount_ns and net_ns \
                          (see `tengen doctor`), and engine files that do not lie in /tmp itself";

/// Does not return if all goes well, on systems where a program can replace the current one.
pub(super) fn run(args: &HostArgs, mut sandbox: Sandbox) -> io::Result<()> {
    platform::default_signals();
    let writer = FrameWriter::new(platform::answers()?);
    let entered =
        with_policy(args, |policy| sandbox.enter_world(policy, args.builds_in.as_deref()));
    if let Err(unhosted) = entered {
        return send_unhosted(&writer, &unhosted);
    }
    let args = &args.seen_as(sandbox.shown());
    let scratch = args.scratch.as_ref().map(|(scratch, _)| scratch.as_path());
    sandbox.give_up_rights();
    if args.local_sockets && !sandbox.keeps_sockets_inside() {
        // It ends in the engine's log, if that is still kept.
        let _unsaid = writeln!(io::stderr(), "{NO_SOCKETS}");
    }
    if let Some(home) = scratch.filter(|_| args.is_for_wine)
        && let Err(error) = wine::lay_prefix(home)
    {
        let told = format!("{}: no home for Wine: {error}", home.display());
        return send_unhosted(&writer, &Unhosted::new(told));
    }
    let gathered =
        scratch.filter(|scratch| args.folder.is_none() && link_files(&args.reads, scratch));
    if let Err(error) = with_policy(args, |policy| sandbox.close(policy)) {
        return send_unhosted(&writer, &no_denial_listener(error));
    }
    if let Err(LoadError::Refused(reason)) = require_complete(args, &sandbox) {
        return writer.put(answer::REFUSED, |out| out.extend_from_slice(reason.as_bytes()));
    }
    send_sandbox(&writer, &sandbox)?;
    send_ready(&writer, 0, ExportSet::default(), "")?;
    let error = platform::become_program(args.command(gathered));
    Err(io::Error::new(
        error.kind(),
        format!("{}: cannot be started: {error}", args.path.display()),
    ))
}

/// Gives what a program may use.
fn with_policy<T>(args: &HostArgs, enter: impl FnOnce(SandboxPolicy<'_>) -> T) -> T {
    let builds = args.builds_in.as_deref();
    let folder = args.folder.as_deref().filter(|folder| builds != Some(folder));
    let reads: Vec<_> = folder.into_iter().chain(args.reads.iter().map(PathBuf::as_path)).collect();
    let runs = args.runs.iter().map(PathBuf::as_path);
    let runs: Vec<_> = iter::once(args.path.as_path()).chain(runs).collect();
    let writes =
        args.scratch.as_ref().map(|(scratch, mib)| (scratch.as_path(), u64::from(*mib) << 20));
    enter(SandboxPolicy {
        reads: &reads,
        writes,
        builds,
        memory_mib: args.memory_mib,
        runs: Some(runs.as_slice()),
        local_sockets: args.local_sockets,
        copies: &args.copies,
    })
}

/// Links an engine's own files into its scratch folder by the names that they have: where others'
/// files lie beside them, it cannot be started there without seeing which. Gives whether that could
/// be done.
fn link_files(files: &[PathBuf], scratch: &Path) -> bool {
    files.iter().all(|file| {
        file.file_name().is_some_and(|name| match platform::link(file, &scratch.join(name)) {
            // A command may name two of one name.
            Err(error) => error.kind() == io::ErrorKind::AlreadyExists,
            Ok(()) => true,
        })
    })
}
