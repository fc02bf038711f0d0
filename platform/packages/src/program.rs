//! Whether a file is a program that can be started here, without starting it.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use object::read::{FileKind, Object, ReadCache};
use object::{Architecture, BinaryFormat};

use super::command::in_path;
use super::inspect::{HERE, NearReader, architecture_name};
use super::{open_file, platform};

/// Why a file cannot be started as a program on this machine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// A folder, a device or a pipe.
    #[error("not a plain file")]
    NotAFile,
    /// A Windows program on another system.
    #[error(
        "a Windows program{processor}; build it for {os}, or run it with Wine: name it as \
         `cmd:wine FILE`, or in an engine.xml as <program runner=\"wine\">",
        os = std::env::consts::OS
    )]
    Windows {
        /// As ` for x86_64`; empty where that is not known.
        processor: String,
    },
    /// A program of yet another system.
    #[error("{0}, which does not run on {os}; build it for {os} on {here}",
        os = std::env::consts::OS, here = std::env::consts::ARCH)]
    OtherSystem(String),
    #[error("is for {found}, this is {here}; build it for {here}", here = std::env::consts::ARCH)]
    OtherArchitecture { found: String },
    #[error("damaged: {0}; build or copy it again")]
    Damaged(String),
    /// Neither a program nor a script.
    #[error("{NO_PROGRAM}")]
    NoProgram,
    /// A program that another one runs, which is not there.
    #[error("needs `{0}`, which is in no folder of PATH; install it")]
    NoInterpreter(&'static str),
    /// A program that its file's rights forbid to start.
    #[error("not executable; make it so with chmod +x")]
    NotExecutable,
}

/// The endings of programs that others run, and what these are called.
const INTERPRETED: [(&str, &[&str]); 2] = [
    ("jar", &["java"]),
    // Python for Windows always brings `py`; `python` is in PATH only if the user asked for that.
    ("py", if cfg!(windows) { &["py", "python"] } else { &["python3", "python"] }),
];

const NO_PROGRAM: &str = if cfg!(windows) {
    "no program of Windows; name a script with what runs it, as `cmd:node FILE`, or in an \
     engine.xml as <program runner=\"node\">"
} else {
    "neither a program nor a script that begins with #!"
};

/// Looks at a file, of which no more than the headers are read.
pub(super) fn look(path: &Path) -> Result<(), ProgramError> {
    look_at_file(path)?;
    if cfg!(windows) && is_batch(path) {
        return Ok(());
    }
    examine(open_file(path)?)?;
    // After the kind: of a Windows program it matters more that it is one.
    if platform::is_executable(&fs::metadata(path)?) {
        Ok(())
    } else {
        Err(ProgramError::NotExecutable)
    }
}

/// The file that a name means as a program: on Windows, where the ending `.exe` is left out.
pub(super) fn with_ending(path: &Path) -> PathBuf {
    with_this_ending(path, std::env::consts::EXE_SUFFIX)
}

fn with_this_ending(path: &Path, ending: &str) -> PathBuf {
    let mut longer = path.as_os_str().to_owned();
    longer.push(ending);
    let longer = PathBuf::from(longer);
    if !path.exists() && longer.is_file() { longer } else { path.to_owned() }
}

/// What starts a file here: nothing but itself, or what runs files of its ending.
pub(super) fn starter(path: &Path) -> Result<Option<PathBuf>, ProgramError> {
    starter_among(path, in_path)
}

fn starter_among(
    path: &Path,
    find: impl Fn(&str) -> Option<PathBuf>,
) -> Result<Option<PathBuf>, ProgramError> {
    // A script that names its interpreter and is not executable is told what it lacks.
    let error = match look(path) {
        Ok(()) => return Ok(None),
        Err(error @ ProgramError::NoProgram) => error,
        Err(error) => return Err(error),
    };
    let ending = path.extension().unwrap_or_default();
    let is = |known: &str| ending.eq_ignore_ascii_case(known);
    let names = INTERPRETED.iter().find_map(|(known, names)| is(known).then_some(*names));
    let Some(names) = names else { return Err(error) };
    let found = names.iter().find_map(|name| find(name));
    found.map(Some).ok_or(ProgramError::NoInterpreter(names[0]))
}

/// Whether a file is a program, whether or not what runs it is here.
pub(super) fn is_program(path: &Path) -> bool {
    matches!(starter(path), Ok(_) | Err(ProgramError::NoInterpreter(_)))
}

/// Whether the shell of Windows runs it, which looks at its name alone.
fn is_batch(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    ["bat", "cmd"].iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// Looks only whether it is a file: what another program runs may be anything.
pub(super) fn look_at_file(path: &Path) -> Result<(), ProgramError> {
    // What is no file is reported as that, not as an unreadable file.
    match fs::metadata(path)?.is_file() {
        true => open_file(path).map(drop).map_err(ProgramError::from),
        false => Err(ProgramError::NotAFile),
    }
}

/// Whether these bytes begin a program that this machine can start.
///
/// # Errors
/// [`ProgramError`] says what they are instead.
pub fn examine(mut file: impl Read + Seek) -> Result<(), ProgramError> {
    let mut magic = Vec::new();
    file.by_ref().take(2).read_to_end(&mut magic)?;
    if magic == b"#!" && cfg!(unix) {
        return Ok(());
    }
    file.rewind()?;
    let data = ReadCache::new(NearReader::new(file));
    let (format, name) = match FileKind::parse(&data) {
        Ok(FileKind::Elf32 | FileKind::Elf64) => (BinaryFormat::Elf, "a Linux program (ELF)"),
        Ok(FileKind::Pe32 | FileKind::Pe64) => (BinaryFormat::Pe, "a Windows program"),
        // Several processors in one file: the system takes its own.
        Ok(FileKind::MachOFat32 | FileKind::MachOFat64) if HERE.0 == BinaryFormat::MachO => {
            return Ok(());
        }
        Ok(kind) => match kind {
            FileKind::MachO32 | FileKind::MachO64 => (BinaryFormat::MachO, "a macOS program"),
            FileKind::MachOFat32 | FileKind::MachOFat64 => {
                return Err(ProgramError::OtherSystem("a macOS program".to_owned()));
            }
            _ => return Err(ProgramError::NoProgram),
        },
        Err(_) if magic == b"MZ" => (BinaryFormat::Pe, "a Windows program"),
        Err(_) => return Err(ProgramError::NoProgram),
    };
    let program = object::File::parse(&data);
    if format != HERE.0 {
        let processor = program.map(|program| architecture_name(program.architecture()));
        let processor = processor.map(|name| format!(" for {name}")).unwrap_or_default();
        return Err(match format {
            BinaryFormat::Pe => ProgramError::Windows { processor },
            _ => ProgramError::OtherSystem(format!("{name}{processor}")),
        });
    }
    let program =
        program.map_err(|error: object::Error| ProgramError::Damaged(error.to_string()))?;
    let found = program.architecture();
    match starts(std::env::consts::ARCH, found, format) {
        true => Ok(()),
        false => Err(ProgramError::OtherArchitecture { found: architecture_name(found) }),
    }
}

/// Whether a system whose programs have this format, on this processor, starts programs for
/// `found`: 64-bit systems also start the 32-bit programs of their family, and Windows on ARM
/// those for other processors.
fn starts(here: &str, found: Architecture, format: BinaryFormat) -> bool {
    let foreign: &[Architecture] = match (here, format) {
        ("x86_64", _) => &[Architecture::I386],
        ("aarch64", BinaryFormat::Pe) => &[Architecture::I386, Architecture::X86_64],
        _ => &[],
    };
    foreign.contains(&found) || architecture_name(found) == here
}

/// What the system runs in a script's place: the program that its first line names.
pub fn interpreter(path: &Path) -> Option<PathBuf> {
    shebang(path)?.into_iter().next().map(PathBuf::from)
}

/// The words of the line that begins a script, after its `#!`: an interpreter and its arguments.
pub(super) fn shebang(path: &Path) -> Option<Vec<OsString>> {
    // No more of it counts on Linux (BINPRM_BUF_SIZE; execve(2)).
    const LINE: u64 = 256;
    let mut line = Vec::new();
    open_file(path).ok()?.take(LINE).read_to_end(&mut line).ok()?;
    let line = line.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let words = String::from_utf8_lossy(line);
    let words: Vec<_> = words.split_whitespace().map(OsString::from).collect();
    (!words.is_empty()).then_some(words)
}

#[cfg(test)]
mod tests;
