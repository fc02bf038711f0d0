//! The command line that an engine and its settings make.

use std::path::{Path, PathBuf};

use tengen_packages::{EngineKind, EngineSpec, absolute_path};

use super::environment;
use crate::host::{HostArgs, wine};
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
        // The system looks for one without a folder.
        (_, Some((path, arguments))) if path.is_relative() => (path, arguments),
        (_, Some((path, arguments))) => (absolute_path(&path), arguments),
        _ => (absolute_path(&spec.path), Vec::new()),
    };
    let is_for_wine = is_for_wine(spec, &path);
    HostArgs {
        parent: std::process::id(),
        kind: spec.kind,
        path,
        arguments,
        folder: spec.folder.as_deref().map(absolute_path),
        reads: spec.reads.iter().map(|path| absolute_path(path)).collect(),
        copies: spec.enrolled.iter().flat_map(|files| files.copies.clone()).collect(),
        runs: match spec.kind.is_text() {
            true => spec.runnable().into_iter().chain(spec.installations()).collect(),
            false => Vec::new(),
        },
        report: None,
        cache: settings.cache.clone(),
        memory_mib: spec.memory_mib,
        scratch: scratch.map(Path::to_owned).zip(settings.folder_mib_of(spec.kind)),
        builds_in: settings.builds_in.clone(),
        groups: Vec::new(),
        missing: Vec::new(),
        no_namespaces: None,
        net_ns: None,
        user: None,
        require_sandbox: settings.require_sandbox,
        require_layers: settings.require_layers.clone(),
        local_sockets: spec.needs.local_sockets || is_for_wine,
        is_for_wine,
        debug: settings.debug.is_some(),
        left_out: settings.left_out.clone(),
        may_move_now: settings.move_now.is_some(),
        for_inside: settings.isolation == WasmIsolation::InProcess,
        options: spec.options.clone(),
    }
}

/// Whether the system's Wine runs that engine. A package gains nothing by giving its own program
/// that name: Wine is only looked for in the system's folders, not in the engine's.
fn is_for_wine(spec: &EngineSpec, program: &Path) -> bool {
    let is_own =
        spec.folder.as_deref().is_some_and(|folder| program.starts_with(absolute_path(folder)));
    let is_systems = program.is_relative() || environment::is_systems(program);
    spec.kind.is_text() && wine::is_wine(program) && is_systems && !is_own
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// The needs of Wine are given to Wine, and not to what an engine calls so.
    #[test]
    fn an_engine_is_not_wine_by_its_name() {
        let brain = tengen_packages::command("cmd:sh", None, None).unwrap().unwrap();
        let of = |program: &str, folder: Option<&str>| {
            let mut spec = brain.clone();
            spec.path = program.into();
            spec.folder = folder.map(Into::into);
            let args = host_args(&spec, &HostSettings::new("tengen"), None);
            assert_eq!(args.local_sockets, args.is_for_wine);
            args.is_for_wine
        };
        assert!(of("/usr/bin/wine", None) && of("/opt/wine/bin/wine64", None));
        assert!(!of("/own/x/wine", None) && !of("/tmp/wine64", Some("/tmp")));
        assert!(!of("/opt/engines/x/wine", Some("/opt/engines/x")));
    }
}
