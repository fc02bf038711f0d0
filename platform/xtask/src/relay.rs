//! Compiles for tests that run under Wine: from there no program of this machine can be started and
//! waited for.

use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::thread;

use anyhow::{Context, Result};
use serde_json::Value;
use xshell::Shell;

use crate::cross_system::{CrossSystem, HOME};
use crate::windows::WINE_FOLDER;

/// Compiles C for each connection, as long as this program runs. Returns the address.
pub(crate) fn listen(system: CrossSystem, compiler: &'static str) -> Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let system = Arc::new(system);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let system = Arc::clone(&system);
            thread::spawn(move || {
                let mut stream = stream?;
                // A test that hears nothing takes its engine for compiled.
                let problem = match compile(&mut stream, &system, compiler) {
                    Ok(problem) => problem,
                    Err(error) => format!("{error:#}"),
                };
                stream.write_all(problem.as_bytes())
            });
        }
    });
    Ok(address)
}

/// Reads a folder and words, and compiles. Gives what went wrong; nothing where all is well.
fn compile(stream: &mut TcpStream, system: &CrossSystem, compiler: &str) -> Result<String> {
    let question: Value = serde_json::from_str(&io::read_to_string(stream)?)?;
    let folder = unix_path(question["folder"].as_str().context("a folder is missing")?);
    let words = question["words"].as_array().context("words are missing")?;
    let words = words.iter().filter_map(Value::as_str).map(unix_path);
    let sh = Shell::new()?;
    let command =
        system.command(&sh, &PathBuf::from(folder), [compiler.to_owned()].into_iter().chain(words));
    let output = Command::from(command).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let problem = format!("{compiler} failed ({})\n{said}", output.status);
    Ok(if output.status.success() { String::new() } else { problem })
}

/// A word in which a path of Wine is this system's: only paths have a drive, or begin at its root.
fn unix_path(word: &str) -> String {
    let plain = word.strip_prefix(r"\\?\").unwrap_or(word);
    match plain.split_once(':') {
        Some((drive, rest)) if rest.starts_with(['/', '\\']) && drive.len() == 1 => {
            let is_root = drive.eq_ignore_ascii_case("z");
            let drive = if is_root { [""; 4] } else { [HOME, "/", WINE_FOLDER, "/drive_c"] };
            drive.concat() + &rest.replace('\\', "/")
        }
        None if word.starts_with('/') => word.replace('\\', "/"),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_wine_are_those_of_the_system() {
        assert_eq!(unix_path(r"Z:\srv\a b.c"), "/srv/a b.c");
        assert_eq!(
            unix_path(r"\\?\C:\users\x\y.dll"),
            format!("{HOME}/{WINE_FOLDER}/drive_c/users/x/y.dll")
        );
        assert_eq!(unix_path(r"/srv/x/../y\z.c"), "/srv/x/../y/z.c");
        assert_eq!(unix_path(r#"-DLOOP_IN="a:b""#), r#"-DLOOP_IN="a:b""#);
    }
}
