//! Names of files that every system has. Windows forbids the most: what it takes, the others take.

use std::io;
use std::path::{Component, Path};

/// The longest name, in the units of Windows. File systems of Linux take as many bytes.
const NAME_LIMIT: usize = 255;
/// The longest path on Windows, without the zero at its end, for programs that know no others: the
/// database and many engines.
const PATH_LIMIT: usize = 259;
/// Names that are devices on Windows, with any ending.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// What is wrong with the name of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NameProblem {
    #[error("is empty")]
    Empty,
    /// `..` or the like.
    #[error("leads out of its folder or in circles")]
    Leaves,
    /// A control character, a colon, or another that some systems refuse.
    #[error("has a character that no file name should have")]
    Character,
    /// Windows drops it, and so takes one name for another.
    #[error("ends with a blank or a dot")]
    End,
    /// As `NUL` or `com1.txt`.
    #[error("is a device on Windows")]
    Device,
    #[error("is too long")]
    TooLong,
}

/// Whether a file may have this name on every system.
///
/// # Errors
/// [`NameProblem`] says what is wrong with it.
///
/// ```
/// assert!(tengen_files::check_name("天元 1.2.exe").is_ok());
/// let problem = tengen_files::check_name("Con.txt").unwrap_err();
/// assert_eq!(problem.to_string(), "is a device on Windows");
/// ```
pub fn check_name(name: &str) -> Result<(), NameProblem> {
    if name.is_empty() {
        return Err(NameProblem::Empty);
    }
    if matches!(name, "." | "..") {
        return Err(NameProblem::Leaves);
    }
    if name.contains(|c: char| c.is_control() || r#"/\:*?"<>|"#.contains(c)) {
        return Err(NameProblem::Character);
    }
    if name.encode_utf16().count() > NAME_LIMIT {
        return Err(NameProblem::TooLong);
    }
    if name.ends_with(['.', ' ']) {
        return Err(NameProblem::End);
    }
    if is_device(name) { Err(NameProblem::Device) } else { Ok(()) }
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let numbered = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
    let is_port = numbered.is_some_and(|rest| {
        let mut digits = rest.chars();
        matches!((digits.next(), digits.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
    });
    is_port || DEVICES.contains(&stem.as_str())
}

/// Refuses a path under which Windows would make nothing, or something of another name; on Windows
/// alone. `room` is how much longer the paths below it get, of which some are used by programs that
/// know no long ones; None where there are no such.
///
/// # Errors
/// Of the kind [`InvalidFilename`](io::ErrorKind::InvalidFilename); the text names the name and
/// says what is wrong with it.
pub fn check_path(path: &Path, room: Option<usize>) -> io::Result<()> {
    if cfg!(windows) { check_as_windows(path, room) } else { Ok(()) }
}

fn check_as_windows(path: &Path, room: Option<usize>) -> io::Result<()> {
    let refusal = |told: String| Err(io::Error::new(io::ErrorKind::InvalidFilename, told));
    for component in path.components() {
        let Component::Normal(name) = component else { continue };
        let name = name.to_string_lossy();
        if let Err(problem) = check_name(&name) {
            return refusal(format!(
                "the name `{}` {problem}; choose another",
                name.escape_debug()
            ));
        }
    }
    let Some(room) = room else { return Ok(()) };
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let length = absolute.to_string_lossy().encode_utf16().count();
    let most = PATH_LIMIT.saturating_sub(room);
    if length > most {
        return refusal(format!(
            "the path has {length} characters, and Windows takes {most} there; choose a shorter one"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_on_every_system() {
        let longest = "天".repeat(NAME_LIMIT);
        for name in ["a", "b.c", "pbrain-天元_15.exe", "a b", ".hidden", "com", "con-a", &longest]
        {
            assert_eq!(check_name(name), Ok(()), "{name:?}");
        }
        let long = "x".repeat(NAME_LIMIT + 1);
        let cases = [
            ("", NameProblem::Empty),
            (".", NameProblem::Leaves),
            ("..", NameProblem::Leaves),
            ("a/b", NameProblem::Character),
            (r"a\b", NameProblem::Character),
            ("a:stream", NameProblem::Character),
            ("what?", NameProblem::Character),
            ("a\u{1b}[2J", NameProblem::Character),
            ("a\0b", NameProblem::Character),
            ("a.", NameProblem::End),
            ("a ", NameProblem::End),
            ("... ", NameProblem::End),
            ("NUL", NameProblem::Device),
            ("con.txt", NameProblem::Device),
            ("Com1.tar.gz", NameProblem::Device),
            ("lpt²", NameProblem::Device),
            ("aux .h", NameProblem::Device),
            (&long, NameProblem::TooLong),
        ];
        for (name, problem) in cases {
            assert_eq!(check_name(name), Err(problem), "{name:?}");
        }
    }

    #[test]
    fn a_path_is_refused_by_the_name_in_it() {
        let refusal = |path: &str| {
            check_as_windows(Path::new(path), Some(40)).map_err(|error| error.to_string())
        };
        for path in ["event1", "/王 小明/../a", "./x/y.z"] {
            assert_eq!(refusal(path), Ok(()), "{path}");
        }
        let cases = [
            ("events/what?/1", "the name `what?` has a character"),
            ("/events/Nul", "the name `Nul` is a device on Windows; choose another"),
            ("events /1", "the name `events ` ends with a blank or a dot"),
        ];
        for (path, told) in cases {
            let refusal = refusal(path).unwrap_err();
            assert!(refusal.starts_with(told), "{refusal}");
        }
        let root = if cfg!(windows) { "C:/yy" } else { "/yyyy" };
        let long = format!("{root}/{}", ["x"; 107].join("/"));
        assert_eq!(long.len(), PATH_LIMIT - 40);
        assert_eq!(refusal(&long), Ok(()));
        let long = format!("{long}z");
        let told = refusal(&long).unwrap_err();
        assert!(told.contains("the path has 220 characters, and Windows takes 219"), "{told}");
        assert!(check_as_windows(Path::new(&long), None).is_ok());
        assert_eq!(check_path(Path::new("what?"), None).is_err(), cfg!(windows));
    }
}
