//! Finds and reads engines in a folder: bare libraries, modules and brains, and folders with or
//! without a manifest `engine.xml`.
//!
//! [`discover`] reads a folder, [`resolve`] finds the one engine that a command line names. Neither
//! runs any file; zip archives are unpacked into the user's cache. A file that cannot be loaded
//! becomes a [`Refusal`] and never stops the others.
//!
//! # Ids
//!
//! An engine is named by its id. A manifest states it. Otherwise it is made from the name alone, so
//! that it does not depend on what else is in the folder:
//!
//! | file or folder | id |
//! |---|---|
//! | native library `libgreedy.so`, `greedy.dll` | `greedy`: the stem, without a leading `lib` |
//! | module `greedy.wasm` | `greedy-wasm`: the stem and `-wasm` |
//! | brain `pbrain-hoshi`, `pbrain-hoshi.exe` | `pbrain-hoshi`: the name, without `.exe` |
//! | folder `hoshi-1.2` with one library, or with brains | `hoshi-1.2`: the folder's name |
//! | archive `hoshi-1.2.zip` of such a folder | `hoshi-1.2`: the stem |
//! | command `cmd:python3 my.py`, `sau:./mine` | the command itself |
//! | linked into this program | `builtin:alphabeta` |
//!
//! Characters that have a meaning on a command line become `-`.

#![forbid(unsafe_code)]

mod archive;
mod bundle;
mod cache;
mod command;
mod description;
mod digest;
mod discover;
mod enrolled;
mod error;
mod files;
mod folder;
mod id;
mod inspect;
mod launch;
mod legible;
mod manifest;
mod missing_dlls;
mod path;
mod pick;
mod platform;
mod program;
mod resolve;
mod spec;
mod xml;

pub use archive::{Archive, ArchiveEntry, ArchiveError, ArchiveWriter, EntryProblem};
pub use bundle::{BundleError, has, system};
pub use cache::{make_private, user_cache};
pub use command::{CommandLineError, command, engine_file, is_command};
pub use description::{DescriptionError, EngineDescription, EngineOption, OptionKind, RuleSupport};
pub use digest::{digest, hex};
pub use discover::{Listing, discover};
pub use enrolled::{EnrollError, EnrolledFiles, FileStamp, absolute_path};
pub use error::{DiscoverError, Refusal, RefusalReason, ResolveError};
pub use files::LIBRARY_FOLDERS;
pub use inspect::{ExportedFunctions, InspectError, Signature, inspect, inspect_bytes};
pub use launch::{Launch, UnusableProgram};
pub use legible::{legible, shown};
pub use manifest::{ManifestError, ManifestProblem, declared_ids};
pub use missing_dlls::missing_dlls;
pub use pick::{Processor, pick};
pub use program::{ProgramError, examine, interpreter};
pub use resolve::resolve;
pub use spec::{BUILTINS, EngineKind, EngineNeeds, EngineSpec, RestartPolicy};
pub use tengen_files::open_file;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod test_folder;
#[cfg(test)]
mod tests;
#[cfg(all(test, unix))]
mod text_tests;
#[cfg(all(test, unix))]
mod zip_tests;
