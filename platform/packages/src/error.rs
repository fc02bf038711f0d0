//! Why an engine is refused or not found.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::{
    ArchiveError, CommandLineError, InspectError, ManifestError, ProgramError, UnusableProgram,
    legible, shown,
};
use crate::path::file_name;

/// Something in the folder of engines that cannot be loaded, and why.
#[derive(Debug)]
pub struct Refusal {
    pub path: PathBuf,
    /// The id the engine would have had, where that is known.
    pub id: Option<String>,
    /// Why, and what to do.
    pub reason: RefusalReason,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", shown(&self.path), self.reason)
    }
}

/// Why a file or folder is refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RefusalReason {
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// A library for another operating system, by its extension.
    #[error("a .{extension} library is for another system; here native engines are .{here} files")]
    OtherSystem {
        /// The file's extension.
        extension: String,
        /// The extension of this system.
        here: &'static str,
    },
    /// An archive of another kind than zip.
    #[error("of archives only .zip is opened; unpack it into a folder of its own beside it")]
    Archive,
    #[error(transparent)]
    Zip(#[from] ArchiveError),
    /// A program that cannot be started here.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// A folder with brains, of which none can be started here.
    #[error("none of its programs can be started here: {}", first_reasons(.unfit))]
    NoProgramHere {
        /// The programs, each with its reason.
        unfit: Vec<UnusableProgram>,
    },
    /// The library or module itself is at fault.
    #[error(transparent)]
    Library(#[from] InspectError),
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A file that is nothing an engine can be.
    #[error("not an engine: expected a .{here} library, a .wasm module, a program or a folder")]
    NotAnEngine {
        /// The extension of this system's libraries.
        here: &'static str,
    },
    /// A folder with neither a manifest, a library nor a brain.
    #[error(
        "the folder holds neither engine.xml, nor a library that can be loaded here (.{here} or \
         .wasm), nor a program named pbrain-…"
    )]
    EmptyFolder {
        /// The extension of this system's libraries.
        here: &'static str,
    },
    /// A folder with several libraries and no manifest to choose among them.
    #[error(
        "the folder holds several libraries ({}) and no engine.xml; write one that names the \
         engines, or leave one library", .files.join(", ")
    )]
    ManyLibraries {
        /// Their file names.
        files: Vec<String>,
    },
    /// A manifest that has no library or program for this machine.
    #[error(
        "line {line}: engine `{id}` has no {code} for {os} on {arch}; add \
         <{code} os=\"{os}\" arch=\"{arch}\">",
        os = std::env::consts::OS, arch = std::env::consts::ARCH
    )]
    NoLibraryHere {
        id: String,
        line: u32,
        /// What it needs: `library` or `program`.
        code: &'static str,
    },
    /// An id that is taken.
    #[error("the id `{id}` is taken by {}; rename one of them", shown(.first))]
    Duplicate {
        id: String,
        /// The file or folder that has it.
        first: PathBuf,
    },
}

/// Why a folder of engines could not be read at all.
#[derive(Debug, thiserror::Error)]
pub enum DiscoverError {
    #[error("there is no folder {}; create it and put engines there, or name another by --dir",
        shown(.0))]
    Missing(PathBuf),
    /// It is there but cannot be read.
    #[error("the folder of engines {} cannot be read: {source}", shown(.dir))]
    Unreadable {
        dir: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// Why a name on the command line gave no engine.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// `builtin:` with a name that this program does not have.
    #[error("there is no builtin engine `{name}`; there is {}", .known.join(", "))]
    UnknownBuiltin {
        /// The name after `builtin:`.
        name: String,
        /// What there is, as it is to be typed.
        known: Vec<String>,
    },
    /// `cmd:` or `sau:` with a command that names no program.
    #[error("`{name}`: {problem}")]
    Command {
        /// The whole name.
        name: String,
        /// What is wrong with it.
        problem: CommandLineError,
    },
    /// Neither an id in the folder nor a path.
    #[error("there is no engine `{name}` in {}, nor a file of that name{}", shown(.dir),
        hint(.near, .known))]
    Unknown {
        /// What was asked for.
        name: String,
        /// The folder that was looked through.
        dir: PathBuf,
        /// Ids that differ by little, the nearest first.
        near: Vec<String>,
        /// Every id in the folder.
        known: Vec<String>,
    },
    /// It is there but cannot be loaded.
    #[error("{0}")]
    Refused(Box<Refusal>),
    /// A path to a folder that describes several engines.
    #[error(
        "{} describes several engines ({}); name one by its id, with --dir {}",
        shown(.path), .ids.join(", "), shown(.dir)
    )]
    Several {
        /// The folder or manifest that was named.
        path: PathBuf,
        /// The engines in it.
        ids: Vec<String>,
        /// The folder of engines it is in.
        dir: PathBuf,
    },
    /// The folder of engines cannot be read.
    #[error(transparent)]
    Discover(#[from] DiscoverError),
}

/// The reasons of the first programs; a package may hold dozens for other machines.
fn first_reasons(unfit: &[UnusableProgram]) -> String {
    const MOST: usize = 3;
    let reason =
        |unfit: &UnusableProgram| format!("{}: {}", legible(&file_name(&unfit.path)), unfit.reason);
    let reasons: Vec<_> = unfit.iter().take(MOST).map(reason).collect();
    let rest = match unfit.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    format!("{}{rest}", reasons.join("; "))
}

fn hint(near: &[String], known: &[String]) -> String {
    if !near.is_empty() {
        format!("; did you mean {}?", near.join(" or "))
    } else if known.is_empty() {
        "; the folder holds no engine that can be loaded (see `tengen engines list`)".to_owned()
    } else {
        format!("; there are {}", known.join(", "))
    }
}
