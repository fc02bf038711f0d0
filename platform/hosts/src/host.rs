//! The child process that hosts one engine, with the arbiter at the other end of two pipes. Also
//! what a WebAssembly engine needs to run in the arbiter's own process.

mod args;
mod builtin;
pub(crate) mod fetch_files;
mod frame_writer;
pub(crate) mod guest;
pub(crate) mod guest_session;
mod module_cache;
mod native;
#[cfg(unix)]
mod program;
mod serve;
pub(crate) mod services;
pub(crate) mod struct_fit;
pub(crate) mod wasm;
pub(crate) mod wine;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

pub(crate) use args::HostArgs;

use crate::platform::{self, HOST_COMMAND, Inside};
use crate::protocol::Unhosted;
use crate::protocol::wire::{answer, put_u32};
use crate::sandbox::{self, Sandbox, SandboxPolicy, WASM};
use crate::symbols::{SYMBOLS, print_functions};
use fetch_files::FetchFiles;
use frame_writer::FrameWriter;
use guest::LoadError;
use native::NativeGuest;
use serve::{send_sandbox, serve};
use services::HostServices;
use tengen_packages::EngineKind;
use wasm::{StopMethod, WasmGuest};

/// The most files of its own that an engine finds in its scratch folder.
const MOST_LINKS: usize = 1000;

/// Body of the hidden subcommand [`HOST_COMMAND`]: hosts one engine for the arbiter that started
/// this process. `args` are those after the subcommand. It must run first thing, before anything
/// reads stdin or prints.
pub fn host_main(args: impl Iterator<Item = OsString>) -> ExitCode {
    platform::name_process();
    let mut args = args.peekable();
    if args.next_if(|word| word == platform::REAPER).is_some() {
        return match platform::run_reaper(args) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::from(2),
        };
    }
    if args.next_if(|word| word == SYMBOLS).is_some() {
        let is_told = print_functions(args).is_ok();
        return if is_told { ExitCode::SUCCESS } else { ExitCode::from(2) };
    }
    if args.next_if(|word| word == platform::ZYGOTE).is_some() {
        sandbox::find_system();
        return match platform::run_zygote(args) {
            // This is a process that it has started.
            Ok(Some(args)) => host_by(args.into_iter()),
            Ok(None) => ExitCode::SUCCESS,
            Err(_) => ExitCode::from(2),
        };
    }
    host_by(args)
}

fn host_by(args: impl Iterator<Item = OsString>) -> ExitCode {
    let reason = match HostArgs::read(args) {
        Ok(args) => match host(&args) {
            Ok(()) => return ExitCode::SUCCESS,
            Err(error) => error.to_string(),
        },
        Err(reason) => reason,
    };
    // The process that started it may have closed its end.
    let _unheard = writeln!(io::stderr(), "{HOST_COMMAND}: {reason}");
    ExitCode::from(2)
}

fn host(args: &HostArgs) -> io::Result<()> {
    platform::close_others(args.net_ns);
    let mut sandbox = Sandbox::default();
    if !sandbox.tie_to_parent(args.parent) {
        return Err(io::Error::other("this command is for the program's own use"));
    }
    if args.debug {
        sandbox.leave_open();
        platform::allow_debuggers();
        announce(None)?;
        platform::wait_for_byte()?;
    } else {
        sandbox.leave_out(&args.left_out);
        sandbox.join_groups(&args.groups, &args.missing);
        if let Some(user) = args.user {
            sandbox.plan_user(user);
        }
        sandbox.plan_net(args.net_ns);
        sandbox.connect(args.report.as_ref());
        let entered = match &args.no_namespaces {
            None => sandbox.enter_namespaces(args.parent, announce),
            Some(reason) => sandbox.stay_outside(reason, announce),
        };
        if let Err(unhosted) = entered {
            return send_unhosted(&FrameWriter::new(platform::answers()?), &unhosted);
        }
    }
    platform::adopt_orphans();
    #[cfg(unix)]
    if args.kind.is_text() {
        return program::run(args, sandbox);
    }
    let pipes = platform::take_pipes()?;
    platform::default_signals();
    let writer = Arc::new(FrameWriter::new(pipes.answers));
    match run(args, pipes.requests, &writer, sandbox) {
        Ok(()) => Ok(()),
        Err(LoadError::Failed(fault)) => writer.fault(&fault),
        Err(LoadError::Unhosted(unhosted)) => send_unhosted(&writer, &unhosted),
        Err(LoadError::Refused(reason)) => {
            writer.put(answer::REFUSED, |out| out.extend_from_slice(reason.as_bytes()))
        }
    }
}

/// Tells the arbiter which processes go on in the place of this one.
fn announce(inside: Option<Inside>) -> io::Result<()> {
    FrameWriter::new(platform::answers()?).put(answer::STARTED, |out| {
        put_u32(out, inside.map_or(0, |inside| inside.init));
        put_u32(out, inside.map_or(0, |inside| inside.engine));
    })
}

/// Tells the arbiter why this process does not get as far as its engine.
fn send_unhosted(writer: &FrameWriter, unhosted: &Unhosted) -> io::Result<()> {
    writer.put(answer::UNHOSTED, |out| {
        put_u32(out, unhosted.is_for_namespaces.into());
        out.extend_from_slice(unhosted.reason.as_bytes());
    })
}

/// Closes the sandbox, loads the engine inside it, and serves until the pipe ends.
fn run(
    args: &HostArgs,
    requests: File,
    writer: &Arc<FrameWriter>,
    mut sandbox: Sandbox,
) -> Result<(), LoadError> {
    let is_wasm = args.kind == EngineKind::Wasm;
    let cache = args.cache.as_deref().filter(|_| is_wasm);
    let cache = cache.filter(|cache| tengen_packages::make_private(cache).is_ok());
    with_policy(args, is_wasm, |policy| sandbox.enter_world(policy, cache))?;
    sandbox.give_up_rights();
    let args = &args.seen_as(sandbox.shown());
    if !is_wasm {
        platform::report_crashes(&args.path);
    }
    let services = Arc::new(services(args, &requests, writer)?);
    if is_wasm {
        // The compiled module is written to the cache here, before files are forbidden.
        // What is to run in the arbiter's own process is compiled here too, where that can be
        // stopped.
        if args.for_inside {
            wasm::compile(StopMethod::Epoch, &args.path, args.cache.as_deref())?;
        }
        let module = wasm::compile(StopMethod::Kill, &args.path, args.cache.as_deref())?;
        // A module's memory reserves far more address space than it uses, and is bounded by itself.
        // It has no way to a file, and so no use for a folder.
        with_policy(args, false, |policy| sandbox.close(policy)).map_err(no_denial_listener)?;
        sandbox.hold(WASM);
        require_complete(args, &sandbox)?;
        send_sandbox(writer, &sandbox).map_err(no_arbiter)?;
        let guest = WasmGuest::load(&module, Arc::clone(&services), args.memory_mib, None)?;
        return serve(guest, &services, args, requests, writer);
    }
    enter_folder(args)?;
    with_policy(args, false, |policy| sandbox.close(policy)).map_err(no_denial_listener)?;
    require_complete(args, &sandbox)?;
    send_sandbox(writer, &sandbox).map_err(no_arbiter)?;
    let guest = match args.kind {
        EngineKind::Builtin => {
            NativeGuest::new(builtin::exports(&args.path)?, Arc::clone(&services))
        }
        _ => NativeGuest::load(&args.path, Arc::clone(&services))?,
    };
    serve(guest, &services, args, requests, writer)
}

/// Gives what a library or module may use. Before a module is compiled, its file is one of that.
fn with_policy<T>(
    args: &HostArgs,
    is_to_be_compiled: bool,
    enter: impl FnOnce(SandboxPolicy<'_>) -> T,
) -> T {
    let named = args.reads.iter().chain(&args.folder).map(PathBuf::as_path);
    let copies = &args.copies;
    if args.kind == EngineKind::Wasm {
        let named = named.filter(|path| *path != args.path);
        let module = is_to_be_compiled.then_some(args.path.as_path());
        let reads: Vec<_> = named.chain(module).collect();
        return enter(SandboxPolicy { reads: &reads, copies, ..SandboxPolicy::default() });
    }
    let library = (args.kind == EngineKind::Native).then_some(args.path.as_path());
    let reads: Vec<_> = library.into_iter().chain(named).collect();
    let writes =
        args.scratch.as_ref().map(|(scratch, mib)| (scratch.as_path(), u64::from(*mib) << 20));
    let memory_mib = args.memory_mib;
    let policy = SandboxPolicy { reads: &reads, writes, memory_mib, ..SandboxPolicy::default() };
    enter(SandboxPolicy { copies, ..policy })
}

/// What the engine may ask of the arbiter, and of its own files.
fn services(
    args: &HostArgs,
    requests: &File,
    writer: &Arc<FrameWriter>,
) -> Result<HostServices, LoadError> {
    let files = FetchFiles::new(&args.path, args.folder.as_deref(), &args.reads);
    let services = HostServices::new(files, Box::new(Arc::clone(writer)));
    if !args.may_move_now {
        return Ok(services);
    }
    Ok(services.with_move_now(requests.try_clone().map_err(no_arbiter)?))
}

fn no_arbiter(error: io::Error) -> Unhosted {
    Unhosted::new(format!("the arbiter does not listen: {error}"))
}

fn no_denial_listener(error: io::Error) -> Unhosted {
    Unhosted::new(format!("what the sandbox denies it cannot be reported: {error}"))
}

/// Goes where an engine finds its own files by their names: its folder, or its scratch folder, if
/// it has one, with links to them.
fn enter_folder(args: &HostArgs) -> Result<(), LoadError> {
    if let Some((scratch, _)) = &args.scratch {
        std::env::set_current_dir(scratch).map_err(|error| {
            Unhosted::new(format!("{} cannot be used: {error}", scratch.display()))
        })?;
        let inside = args.folder.iter().filter_map(|folder| folder.read_dir().ok()).flatten();
        let files = inside.flatten().map(|entry| entry.path()).chain(args.reads.iter().cloned());
        for file in files.filter(|file| *file != args.path).take(MOST_LINKS) {
            if let Some(name) = file.file_name() {
                // It finds them by their paths still.
                let _ = platform::link(&file, &scratch.join(name));
            }
        }
    } else if args.kind == EngineKind::Native
        && let Some(folder) = args.folder.as_deref().or(args.path.parent())
    {
        // Where the world is not its own, a folder may be closed to it, and then so are its files.
        let _ = std::env::set_current_dir(folder);
    }
    Ok(())
}

/// Refuses the engine before anything of it has run, if it must not run in a sandbox that lacks a
/// layer.
fn require_complete(args: &HostArgs, sandbox: &Sandbox) -> Result<(), LoadError> {
    args.missed(sandbox).map_or(Ok(()), |reason| Err(LoadError::Refused(reason)))
}
