//! The files of an engine in one piece, to be sent to another machine: a zip archive that holds,
//! in folders called 0, 1 and so on, each file or folder that is the engine's own.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use super::archive::{Archive, ArchiveError, ArchiveWriter, beside, remove, write};
use super::command::in_path;
use super::enrolled::{FileList, FileNature, Kept, keep, name_of, roots};
use super::program::{shebang, starter};
use super::{EngineKind, EngineSpec, Launch, cache, open_file, platform};

/// The system and the processor that this program is made for: `linux-x86_64`.
pub fn system() -> String {
    format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)
}

/// Whether this machine has what an engine needs, as [`EngineSpec::needs`] names it.
pub fn has(need: &str) -> bool {
    need == system() || in_path(need).is_some()
}

/// Why an engine cannot be sent to another machine, or what was sent is not taken.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    #[error(
        "a command cannot be sent: its words mean something on this machine alone; put the program \
         with its files into a folder with an engine.xml"
    )]
    Command,
    #[error("`{}` in it cannot be sent: it is a link; put the file itself there", super::shown(.0))]
    Link(PathBuf),
    #[error("`{}` in it cannot be sent: its name is not UTF-8", super::shown(.0))]
    Name(PathBuf),
    #[error("it has too much to be sent: the most is 70 MiB in 2,000 files")]
    TooMuch,
    #[error("{}: {source}", super::shown(path))]
    Files { path: PathBuf, source: io::Error },
    #[error("what was sent {0}")]
    Archive(#[from] ArchiveError),
}

impl EngineSpec {
    /// Its files in one piece; empty for an engine that is linked into this program. The same files
    /// make the same bytes.
    ///
    /// # Errors
    /// When it is an engine that only this machine can start, or a file cannot be read.
    pub fn bundle(&self) -> Result<Vec<u8>, BundleError> {
        if self.kind == EngineKind::Builtin {
            return Ok(Vec::new());
        }
        if self.typed_in.is_some() {
            return Err(BundleError::Command);
        }
        let failed = |(path, source)| BundleError::Files { path, source };
        let list = FileList::read(&roots(self), &self.strangers).map_err(failed)?;
        let list = list.filter(|list| list.live.is_empty()).ok_or(BundleError::TooMuch)?;
        let mut archive = ArchiveWriter::default();
        for file in &list.files {
            let unnamed = || BundleError::Name(file.path.clone());
            let mut name = format!("{}/{}", file.root, name_of(&list.roots[file.root]));
            for part in &file.name {
                name = format!("{name}/{}", part.to_str().ok_or_else(unnamed)?);
            }
            let put = match &file.nature {
                FileNature::Link(_) => return Err(BundleError::Link(file.path.clone())),
                FileNature::Folder => archive.put_folder(&name),
                FileNature::File => open_file(&file.path).and_then(|mut source| {
                    let mut bytes = Vec::new();
                    let is_program = platform::is_executable(&source.metadata()?);
                    io::Read::read_to_end(&mut source, &mut bytes)?;
                    archive.put(&name, &bytes, is_program)
                }),
            };
            put.map_err(|source| failed((file.path.clone(), source)))?;
        }
        let bytes = archive.finish().map_err(|source| failed((self.path.clone(), source)))?;
        // What another machine would refuse is not sent.
        Archive::read(&bytes)?;
        Ok(bytes)
    }

    /// What a machine must have to play it: a system, as [`system`] names it, or a program on its
    /// PATH. An engine that needs nothing plays anywhere.
    pub fn needs(&self) -> BTreeSet<String> {
        let name_of = |path: &Path| Some(path.file_stem()?.to_str()?.to_owned());
        let need = match (self.kind, &self.launch) {
            (EngineKind::Wasm | EngineKind::Builtin, _) => None,
            (EngineKind::Native, _) | (_, None) => Some(system()),
            (_, Some(Launch { runner: Some(runner), .. })) => name_of(runner),
            (_, Some(_)) => match starter(&self.path) {
                Ok(Some(interpreter)) => name_of(&interpreter),
                _ => match shebang(&self.path) {
                    // What `env` starts is what is needed.
                    Some(words) => {
                        let mut names = words.iter().filter_map(|word| name_of(Path::new(word)));
                        names.find(|name| name != "env" && !name.starts_with('-'))
                    }
                    None => Some(system()),
                },
            },
        };
        need.into_iter().collect()
    }

    /// Takes in the files of an engine that were sent, as copies in this cache. Gives the digest
    /// that [`EngineSpec::kept`] finds them by.
    ///
    /// # Errors
    /// When they are damaged or too much, or cannot be written.
    pub fn take_in(bundle: &[u8], caches: &Path) -> Result<String, BundleError> {
        let failed = |(path, source)| BundleError::Files { path, source };
        let mut archive = Archive::read(bundle)?;
        cache::make_private(caches).map_err(|source| failed((caches.to_owned(), source)))?;
        let unpacked = beside(&caches.join("sent"));
        let unwritten = |source| ArchiveError::Cache { folder: caches.to_owned(), source };
        // The folder is what a full disk is told by.
        let unkept = |error| match error {
            ArchiveError::Unwritten(source) => failed((caches.to_owned(), source)),
            error => BundleError::from(error),
        };
        let kept = write(&mut archive, &unpacked, unwritten).map_err(unkept).and_then(|()| {
            let mut roots = Vec::new();
            for place in 0.. {
                let Ok(entries) = std::fs::read_dir(unpacked.join(place.to_string())) else {
                    break;
                };
                roots.extend(entries.flatten().map(|entry| entry.path()));
            }
            let list = FileList::read(&roots, &[]).map_err(failed)?.ok_or(BundleError::TooMuch)?;
            match keep(&list, caches).map_err(failed)? {
                Kept::Copy(copy) => Ok(copy.digest),
                Kept::Changed(path) => {
                    Err(failed((path, io::Error::other("it was changed while it was copied"))))
                }
            }
        });
        if unpacked.exists() {
            remove(&unpacked);
        }
        kept
    }
}
