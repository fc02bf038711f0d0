//! Engines of WebAssembly, through wasmtime. They run in a child, which is killed at its deadline,
//! or in the arbiter's own process, which stops them there by an epoch.

mod guest;
mod imports;
mod limits;
mod memory;
mod wasi;

use std::io::Read;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use tengen_arbiter::Failure;
use tengen_packages::open_file;
use tengen_players::Fault;
use tengen_random::Random;
use wasmtime::{Config, Engine, Module, OptLevel, Trap, WasmBacktrace};

pub(crate) use guest::WasmGuest;
pub(crate) use limits::DEFAULT_MEMORY_MIB;

use super::guest::LoadError;
use super::module_cache;
use super::services::HostServices;
use crate::watchdog::Slot;
use limits::WasmLimits;

/// The most calls of a trap that are told, the innermost first.
const MOST_CALLS: usize = 8;
/// The longest name of one, in characters: the names are the module's.
const LONGEST_NAME: usize = 200;
/// Stack for an engine's own frames, beside its linear memory.
const STACK: usize = 1 << 20;

/// How an engine that does not return is stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StopMethod {
    Kill,
    Epoch,
}

impl StopMethod {
    /// As it names the settings of the compiler.
    const fn name(self) -> &'static str {
        match self {
            StopMethod::Kill => "kill",
            StopMethod::Epoch => "epoch",
        }
    }

    /// The one compiler and runtime of this process for engines that stop so.
    ///
    /// # Errors
    /// When this machine cannot run compiled WebAssembly.
    pub(crate) fn engine(self) -> Result<Engine, LoadError> {
        static ENGINES: [OnceLock<Result<Engine, String>>; 2] = [const { OnceLock::new() }; 2];
        let engine = ENGINES[self as usize].get_or_init(|| {
            let mut config = Config::new();
            config
                .epoch_interruption(self == StopMethod::Epoch)
                .cranelift_opt_level(OptLevel::Speed)
                .relaxed_simd_deterministic(true)
                .wasm_memory64(false)
                .wasm_multi_memory(false)
                // Images are files to the system, and a child may write none.
                .memory_init_cow(self == StopMethod::Epoch)
                // The sandbox of a child does not hold threads that it started before.
                .parallel_compilation(self == StopMethod::Epoch)
                .max_wasm_stack(STACK);
            Engine::new(&config).map_err(|error| describe(&error))
        });
        engine.clone().map_err(LoadError::Refused)
    }
}

/// Compiles a module, or takes it from the cache.
pub(crate) fn compile(
    stop_method: StopMethod,
    path: &Path,
    folder: Option<&Path>,
) -> Result<Module, LoadError> {
    let mut wasm = Vec::new();
    let read = open_file(path).and_then(|mut file| file.read_to_end(&mut wasm));
    read.map_err(|error| {
        LoadError::Refused(format!("{} cannot be read: {error}", path.display()))
    })?;
    let engine = stop_method.engine()?;
    module_cache::module(&engine, &wasm, stop_method.name(), folder).map_err(|error| {
        LoadError::Refused(format!("it is no module that runs here: {}", describe(&error)))
    })
}

/// What the host stores beside an engine's memory.
struct GuestState {
    services: Arc<HostServices>,
    /// The slot with this engine's deadline, if epochs stop it.
    slot: Option<Arc<Slot>>,
    bounds: WasmLimits,
    random: Random,
    memory: Option<wasmtime::Memory>,
}

/// An error with all its causes on one line.
fn describe(error: &wasmtime::Error) -> String {
    let causes: Vec<_> = error.chain().map(ToString::to_string).collect();
    causes.join(": ").replace('\n', " ")
}

/// What it means that a call did not return.
fn fault(error: &wasmtime::Error, state: &GuestState) -> Fault {
    if state.bounds.refused() {
        let detail = format!("went over its memory of {}, then trapped", state.bounds);
        return Fault { failure: Failure::ResourceLimit, detail };
    }
    let mut detail = match error.downcast_ref::<Trap>() {
        Some(trap) => format!("trapped: {trap}"),
        None => format!("trapped: {}", error.root_cause()),
    };
    if let Some(trace) = error.downcast_ref::<WasmBacktrace>() {
        let names = trace.frames().iter().filter_map(|frame| frame.func_name());
        let names = names.map(|name| {
            let name = format!("{:#}", rustc_demangle::demangle(name));
            name.chars().take(LONGEST_NAME).collect::<String>()
        });
        // How a panic goes about it says nothing of why.
        let is_known = |name: &String| {
            ["std::", "core::", "alloc::", "__rust", "rust_"]
                .iter()
                .any(|foreign| name.starts_with(foreign))
        };
        let names: Vec<_> = names.filter(|name| !is_known(name)).take(MOST_CALLS).collect();
        if !names.is_empty() {
            detail += &format!(" in {}", names.join(", called by "));
        }
    }
    Fault { failure: Failure::Crash, detail }
}
