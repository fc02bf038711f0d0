//! The environment of an engine's process: the same small one for every engine, and nothing of the
//! arbiter's own, which may hold secrets.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;

use crate::host::wine;

/// Where programs are that belong to the system.
const SYSTEM: [&str; 7] = ["/bin", "/sbin", "/usr", "/opt", "/nix", "/gnu", "/run/current-system"];
/// The search path where the arbiter's own has none of these.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";
/// The language of every engine, so that all write numbers and text alike.
const LANGUAGE: &str = "C.UTF-8";
/// The home of an engine that has no folder. It is not there.
const NO_HOME: &str = "/nonexistent";
/// Whether an engine in Rust traces its panics, where the user of this program asks for that. It
/// takes time that counts as the engine's, so no other engine gets it.
const TRACE: &str = "RUST_BACKTRACE";
/// What programs of Windows and their runtimes do not start without, and nothing of the user's.
const WINDOWS: [&str; 14] = [
    "CommonProgramFiles",
    "ComSpec",
    "NUMBER_OF_PROCESSORS",
    "OS",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROCESSOR_IDENTIFIER",
    "ProgramData",
    "ProgramFiles",
    "ProgramFiles(x86)",
    "ProgramW6432",
    "SystemDrive",
    "SystemRoot",
    "windir",
];
/// Where a program of Windows looks for a folder to write in.
const WINDOWS_FOLDERS: [&str; 5] = ["APPDATA", "LOCALAPPDATA", "TEMP", "TMP", "USERPROFILE"];

/// Gives the process that the command starts its environment, in place of the one it would inherit.
pub(super) fn set(command: &mut Command, scratch: Option<&Path>, is_for_wine: bool) {
    command.env_clear();
    let own = std::env::var_os("PATH").unwrap_or_default();
    if cfg!(windows) {
        let kept = WINDOWS.iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
        command.envs(kept).env("PATH", own);
    } else {
        command.env("PATH", search_path(&own));
    }
    command.env("LANG", LANGUAGE);
    if let Some(trace) = std::env::var_os(TRACE) {
        command.env(TRACE, trace);
    }
    command.env("HOME", scratch.map_or(OsStr::new(NO_HOME), Path::as_os_str));
    if let Some(scratch) = scratch {
        command.env("TMPDIR", scratch);
        if cfg!(windows) {
            command.envs(WINDOWS_FOLDERS.map(|name| (name, scratch)));
        }
    }
    if is_for_wine {
        command.envs(wine::VARIABLES);
    }
}

/// Lets an engine in Rust trace its panics, for a client that waits for that.
pub(super) fn trace_panics(command: &mut Command) {
    command.env(TRACE, "1");
}

/// Whether that is where programs of the system are.
pub(super) fn is_systems(path: &Path) -> bool {
    SYSTEM.iter().any(|system| path.starts_with(system))
}

/// The folders of a search path that are the system's.
fn search_path(own: &OsStr) -> OsString {
    let kept = std::env::split_paths(own).filter(|path| is_systems(path));
    let kept = std::env::join_paths(kept);
    kept.ok().filter(|kept| !kept.is_empty()).unwrap_or_else(|| PATH.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn the_search_path_is_the_systems() {
        let path = |own: &str| search_path(OsStr::new(own)).into_string().unwrap();
        assert_eq!(path("/mine/bin:/usr/bin::relative:/opt/java/bin"), "/usr/bin:/opt/java/bin");
        assert_eq!(path("/mine/secret"), PATH);
        assert_eq!(path(""), PATH);
    }

    #[test]
    fn nothing_else_is_inherited() {
        let mut command = Command::new("engine");
        command.env("SECRET_TOKEN", "x");
        set(&mut command, Some(Path::new("/scratch")), false);
        let mut names: Vec<_> = command.get_envs().map(|(name, _)| name.to_owned()).collect();
        let windows = WINDOWS.iter().chain(&WINDOWS_FOLDERS);
        names.retain(|name| name != TRACE && !windows.clone().any(|windows| name == windows));
        assert_eq!(names, ["HOME", "LANG", "PATH", "TMPDIR"]);
    }
}
