//! What an engine is: its description, its sandbox, and what it plays.

mod observed_support;
mod remembered;
mod side_by_side;
mod text;

use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::process::EngineProcess;
use crate::protocol::{FrameProtocol, Ready};
use crate::sandbox::{IN_PROCESS, WASM};
use crate::{
    EngineDescription, Export, ExportSet, HostError, HostSettings, SandboxGap, WasmIsolation,
};
use tengen_packages::{EngineKind, EngineSpec, digest, hex, open_file};
pub use tengen_players::GameVariant;
use tengen_rules::Procedure;

pub use observed_support::ObservedSupport;
pub use remembered::{MachineWalls, probe_all};
pub use side_by_side::side_by_side;
pub(crate) use text::probe_text;

/// Which engine is built in: the hash of its sources, which programs for several systems share.
const BUILTIN_HASH: &str = env!("TENGEN_BUILTIN_HASH");

/// What an engine says of itself, and its sandbox.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Probe {
    pub kind: EngineKind,
    pub description: EngineDescription,
    /// The minor version of its ABI; the major is 1.
    pub abi_minor: u32,
    /// The optional functions it has. One without [`crate::Export::Decide`] is not eligible for an
    /// opening that asks decisions.
    pub exports: ExportSet,
    /// The layers of the sandbox that held on this machine.
    pub layers: Vec<String>,
    /// Those that did not.
    pub gaps: Vec<SandboxGap>,
    /// The SHA-256 of its file, in hexadecimal digits; of the whole program for a builtin engine.
    pub hash: String,
    /// What a text engine has shown that it plays, now and before; nothing of other engines, which
    /// say it.
    pub observed: ObservedSupport,
}

impl Probe {
    pub(crate) fn new(
        kind: EngineKind,
        ready: Ready,
        description: EngineDescription,
        hash: String,
    ) -> Probe {
        Probe {
            kind,
            description,
            abi_minor: ready.minor,
            exports: ready.exports,
            layers: ready.layers,
            gaps: ready.gaps,
            hash,
            observed: ObservedSupport::default(),
        }
    }

    /// Whether the engine answers what that opening procedure asks beside moves. A text engine is
    /// asked nothing beside them but what the words of its protocol are for, and in the procedures
    /// that bind a move it does not know where it may move.
    pub fn answers(&self, opening: Procedure) -> bool {
        if self.kind.is_text() {
            return self.description.openings.iter().any(|known| known == opening.name());
        }
        !opening.asks() || opening.asks_moves_alone() || self.exports.has(Export::Decide)
    }
}

/// Starts an engine in a child process, asks what it is, and ends it.
///
/// # Errors
/// When the engine's file cannot be read, is refused, or misbehaves while it is loaded.
pub fn probe(spec: &EngineSpec, settings: &HostSettings) -> Result<Probe, HostError> {
    probe_as(spec, settings, None)
}

/// The same, before games of one sort: a text engine is asked whether it plays those, and nothing
/// that does not matter in them.
///
/// # Errors
/// As [`probe`], and [`HostError::UnusableProgram`] where it does not play them.
pub fn probe_for(
    spec: &EngineSpec,
    settings: &HostSettings,
    variant: &GameVariant,
) -> Result<Probe, HostError> {
    probe_as(spec, settings, Some(variant))
}

fn probe_as(
    spec: &EngineSpec,
    settings: &HostSettings,
    variant: Option<&GameVariant>,
) -> Result<Probe, HostError> {
    let hash = engine_hash(spec)?;
    if spec.kind.is_text() {
        let store =
            |observed: ObservedSupport| observed.merge_stored(settings.cache.as_deref(), &hash);
        return match probe_text(spec, settings, variant) {
            Ok((ready, description, observed)) => {
                let observed = store(observed);
                Ok(Probe { observed, ..Probe::new(spec.kind, ready, description, hash) })
            }
            Err((error, observed)) => {
                store(observed);
                Err(error)
            }
        };
    }
    let is_inside = spec.kind == EngineKind::Wasm && settings.isolation == WasmIsolation::InProcess;
    if is_inside && settings.require_sandbox {
        let reason = "the sandbox is required, but in the arbiter's own process there is none \
                      beside WebAssembly itself; isolate it in a child";
        return Err(HostError::Refused { engine: spec.id.clone(), reason: reason.to_owned() });
    }
    let mut process = EngineProcess::new(spec.clone(), settings.clone(), FrameProtocol::new());
    let mut ready = process.inspect_and_start()?;
    drop(process);
    if is_inside {
        // It is asked in a child, but will play without one.
        ready.layers = vec![WASM.to_owned(), IN_PROCESS.to_owned()];
        ready.gaps.clear();
    }
    // An engine that is half understood would play what it cannot: all rules, where it named one.
    let description = EngineDescription::parse(&ready.description).map_err(|error| {
        HostError::Refused { engine: spec.id.clone(), reason: error.to_string() }
    })?;
    Ok(Probe::new(spec.kind, ready, description, hash))
}

/// The SHA-256, in hexadecimal, of what an engine is made of: two that have the same are the same
/// engine. It is not started.
///
/// # Errors
/// When a file of it cannot be read.
pub fn engine_hash(spec: &EngineSpec) -> Result<String, HostError> {
    let read = |path: &Path| {
        hash_file(path).map_err(|source| HostError::Read { path: path.to_owned(), source })
    };
    if spec.kind.is_text() {
        return program_hash(spec, read);
    }
    match spec.kind {
        EngineKind::Builtin => Ok(BUILTIN_HASH.to_owned()),
        _ => read(&spec.path),
    }
}

/// The hash of a program; where its command line names files beside it, as the script that it runs,
/// that of all their hashes.
fn program_hash(
    spec: &EngineSpec,
    read: impl Fn(&Path) -> Result<String, HostError>,
) -> Result<String, HostError> {
    let (_, arguments) = spec.command().unwrap_or_default();
    let folder = spec.folder.as_deref().unwrap_or(Path::new(""));
    let named = arguments.iter().map(|argument| folder.join(argument));
    let others: Vec<_> = named.filter(|path| path.is_file() && *path != spec.path).collect();
    let mut hash = read(&spec.path)?;
    for path in others {
        hash.push_str(&read(&path)?);
        hash = hex(&Sha256::digest(&hash));
    }
    Ok(hash)
}

fn hash_file(path: &Path) -> io::Result<String> {
    digest(open_file(path)?)
}
