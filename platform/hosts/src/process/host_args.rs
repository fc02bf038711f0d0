//! The command line that an engine and its settings make.

use std::path::{Path, PathBuf};

use tengen_packages::{EngineKind, EngineSpec};

use crate::host::HostArgs;
use crate::{HostSettings, WasmIsolation};

/// The arguments for hosting that engine for this process.
pub(super) fn host_args(
    spec: &EngineSpec,
    settings: &HostSettings,
    scratch: Option<&Path>,
) -> HostArgs {
    let (path, arguments) = match (spec.kind, spec.command()) {
        (EngineKind::Builtin, _) => {
            (PathBuf::from(spec.id.strip_prefix("builtin:").unwrap_or(&spec.id)), Vec::new())
        }
        (_, Some(command)) => command,
        _ => (absolute(&spec.path), Vec::new()),
    };
    HostArgs {
        parent: std::process::id(),
        kind: spec.kind,
        path,
        arguments,
        folder: spec.folder.as_deref().map(absolute),
        reads: spec.reads.iter().map(|path| absolute(path)).collect(),
        runs: match spec.kind.is_text() {
            true => spec.runnable().into_iter().chain(spec.installations()).collect(),
            false => Vec::new(),
        },
        report: None,
        cache: settings.cache.clone(),
        memory_mib: spec.memory_mib,
        scratch: scratch.map(Path::to_owned).zip(settings.folder_mib_of(spec.kind)),
        groups: Vec::new(),
        missing: Vec::new(),
        require_sandbox: settings.require_sandbox,
        require_layers: settings.require_layers.clone(),
        debug: settings.debug.is_some(),
        may_move_now: settings.move_now.is_some(),
        for_inside: settings.isolation == WasmIsolation::InProcess,
        options: spec.options.clone(),
    }
}

/// The path from wherever the child goes.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
