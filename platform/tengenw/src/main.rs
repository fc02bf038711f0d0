//! `tengenw`: opens the window of the `tengen` beside it, without a console.
//!
//! A program of Windows is either for consoles or not. One that is gets a console whenever it has
//! none, and to leave that again makes it flash; one that is not cannot be waited for by a shell.
//! So `tengen` is one that is, and this is what a menu or an icon starts.
//!
//! The installer has it put their folder into the user's `PATH`, and take it out again: NSIS cuts
//! texts at 1,024 characters.

#![forbid(unsafe_code)]
#![windows_subsystem = "windows"]

use std::ffi::OsString;
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs, io};

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    if let [word, change] = &arguments[..]
        && word == "--path"
        && (change == "add" || change == "remove")
    {
        // The installer reports a failure: a silent one must not open a window for it.
        let is_changed = change_path(change == "add").is_ok();
        return if is_changed { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let problem = match run(arguments) {
        Ok(None) => return ExitCode::SUCCESS,
        Ok(Some(told)) => told,
        Err(error) => format!("tengen cannot be started: {error}\n"),
    };
    show(&problem);
    ExitCode::FAILURE
}

/// Runs `tengen gui` with these arguments to its end, and gives what it said if it failed.
fn run(arguments: Vec<OsString>) -> io::Result<Option<String>> {
    let program =
        env::current_exe()?.with_file_name("tengen").with_extension(env::consts::EXE_EXTENSION);
    let mut command = Command::new(program);
    command.arg("gui").args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
    #[cfg(windows)]
    {
        const CREATE_NO_WINDOW: u32 = 0x0800_0000;
        std::os::windows::process::CommandExt::creation_flags(&mut command, CREATE_NO_WINDOW);
    }
    let output = command.stderr(Stdio::piped()).output()?;
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok((!output.status.success()).then_some(told))
}

/// Puts this program's folder at the end of the user's `PATH`, or takes it out.
#[cfg(windows)]
fn change_path(is_added: bool) -> io::Result<()> {
    use windows_registry::CURRENT_USER;

    const PATH: &str = "Path";
    const NOT_FOUND: u32 = 0x8007_0002;
    let program = env::current_exe()?;
    let folder = program.parent().unwrap_or(&program).to_string_lossy();
    let key = CURRENT_USER.create("Environment")?;
    let path = match key.get_string(PATH) {
        Ok(path) => path,
        Err(error) if error.code().0 as u32 == NOT_FOUND => String::new(),
        Err(error) => return Err(error.into()),
    };
    let changed = changed_path(&path, &folder, is_added);
    if changed.is_empty() && !path.is_empty() {
        return Ok(key.remove_value(PATH)?);
    }
    // Names of variables in it stay names.
    Ok(key.set_expand_string(PATH, changed)?)
}

#[cfg(not(windows))]
fn change_path(_: bool) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// A `PATH` of Windows with that folder at its end, or without it.
#[cfg(any(windows, test))]
fn changed_path(path: &str, folder: &str, is_added: bool) -> String {
    let is_other = |part: &&str| !part.is_empty() && !part.eq_ignore_ascii_case(folder);
    let others = path.split(';').filter(is_other);
    others.chain(is_added.then_some(folder)).collect::<Vec<_>>().join(";")
}

/// Shows a text to a person who has no console.
fn show(text: &str) {
    if !cfg!(windows) {
        eprint!("{text}");
        return;
    }
    let path = env::temp_dir().join("tengen-error.txt");
    if fs::write(&path, text).is_ok() {
        let _shown = Command::new("notepad").arg(path).spawn();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_put_into_a_path_once_and_taken_out_alone() {
        let (old, folder) = (r"%USERPROFILE%\bin;;C:\a b", r"C:\Tengen");
        let added = changed_path(old, folder, true);
        assert_eq!(added, r"%USERPROFILE%\bin;C:\a b;C:\Tengen");
        assert_eq!(changed_path(&added.to_lowercase(), folder, true).matches("engen").count(), 1);
        assert_eq!(changed_path(&added, folder, false), r"%USERPROFILE%\bin;C:\a b");
        assert_eq!(changed_path("", folder, true), folder);
        assert_eq!(changed_path(folder, folder, false), "");
    }
}
