//! `tengenw`: opens the window of the `tengen` beside it, without a console.
//!
//! A program of Windows is either for consoles or not. One that is gets a console whenever it has
//! none, and to leave that again makes it flash; one that is not cannot be waited for by a shell.
//! So `tengen` is one that is, and this is what a menu or an icon starts.

#![forbid(unsafe_code)]
#![windows_subsystem = "windows"]

use std::ffi::OsString;
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs, io};

fn main() -> ExitCode {
    let problem = match run(env::args_os().skip(1)) {
        Ok(None) => return ExitCode::SUCCESS,
        Ok(Some(told)) => told,
        Err(error) => format!("tengen cannot be started: {error}\n"),
    };
    show(&problem);
    ExitCode::FAILURE
}

/// Runs `tengen gui` with these arguments to its end, and gives what it said if it failed.
fn run(arguments: impl Iterator<Item = OsString>) -> io::Result<Option<String>> {
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
