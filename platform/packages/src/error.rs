use std::fmt;
use std::io;
use std::path::PathBuf;

use super::{InspectError, ManifestError};

/// Something in the folder of engines that cannot be loaded, and why.
#[derive(Debug)]
pub struct Refusal {
    /// The file or folder.
    pub path: PathBuf,
    /// The id the engine would have had, where that is known.
    pub id: Option<String>,
    /// Why, and what to do.
    pub reason: Reason,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.reason)
    }
}

/// Why a file or folder is refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// It cannot be read.
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
    /// A packed archive.
    #[error("archives are not opened; unpack it into a folder of its own beside it")]
    Archive,
    /// A Gomocup brain.
    #[error("Gomocup brains are not supported; build the engine against tengen.h instead")]
    Brain,
    /// The library or module itself is at fault.
    #[error(transparent)]
    Library(#[from] InspectError),
    /// The manifest is at fault.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A file that is nothing an engine can be.
    #[error("not an engine: expected a .{here} library, a .wasm module or a folder")]
    NotAnEngine {
        /// The extension of this system's libraries.
        here: &'static str,
    },
    /// A folder with neither a manifest nor a library.
    #[error(
        "the folder holds neither engine.xml nor a library that can be loaded here (.{here} or \
         .wasm)"
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
    /// A manifest that has no library for this machine.
    #[error(
        "line {line}: engine `{id}` has no library for {os} on {arch}; add \
         <library os=\"{os}\" arch=\"{arch}\">",
        os = std::env::consts::OS, arch = std::env::consts::ARCH
    )]
    NoLibraryHere {
        /// The engine.
        id: String,
        /// The line of its element.
        line: u32,
    },
    /// An id that is taken.
    #[error("the id `{id}` is taken by {}; rename one of them", .first.display())]
    Duplicate {
        /// The id.
        id: String,
        /// The file or folder that has it.
        first: PathBuf,
    },
}

/// Why a folder of engines could not be read at all.
#[derive(Debug, thiserror::Error)]
pub enum DiscoverError {
    /// There is no such folder.
    #[error("there is no folder {}; create it and put engines there, or name another by --dir",
        .0.display())]
    Missing(PathBuf),
    /// It is there but cannot be read.
    #[error("the folder of engines {} cannot be read: {source}", .dir.display())]
    Unreadable {
        /// The folder.
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
    /// Neither an id in the folder nor a path.
    #[error("there is no engine `{name}` in {}, nor a file of that name{}", .dir.display(),
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
        .path.display(), .ids.join(", "), .dir.display()
    )]
    Several {
        /// The folder or manifest that was named.
        path: PathBuf,
        /// The engines in it.
        ids: Vec<String>,
        /// The folder of engines it lies in.
        dir: PathBuf,
    },
    /// The folder of engines cannot be read.
    #[error(transparent)]
    Discover(#[from] DiscoverError),
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
