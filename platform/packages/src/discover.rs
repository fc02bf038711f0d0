//! Finds the engines of a folder.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::files::FolderNames;
use super::folder;
use super::id;
use super::launch::Launch;
use super::path::{file_name, folder_of};
use super::{DiscoverError, EngineKind, EngineSpec, Refusal, RefusalReason};
use super::{archive, cache, inspect, program};

/// The extension of this system's shared libraries, without the dot.
pub(super) const NATIVE_EXTENSION: &str = std::env::consts::DLL_EXTENSION;

/// The contents of a folder of engines.
#[derive(Debug, Default)]
pub struct Listing {
    /// The engines that can be started, in the order of their ids.
    pub engines: Vec<EngineSpec>,
    /// What is no engine for this machine, in the order of the file names.
    pub refused: Vec<Refusal>,
}

impl Listing {
    pub fn get(&self, id: &str) -> Option<&EngineSpec> {
        self.engines.iter().find(|engine| engine.id == id)
    }

    pub(super) fn refuse(
        &mut self,
        path: PathBuf,
        id: Option<String>,
        reason: impl Into<RefusalReason>,
    ) {
        self.refused.push(Refusal { path, id, reason: reason.into() });
    }
}

/// Lists the engines in a folder. Files that are no library, module, folder, brain or archive, and
/// names that start with a dot, are passed over in silence, as are those that are an engine's own.
/// A manifest in the folder itself describes what the names do not tell. A zip archive is unpacked
/// into the user's folder of caches, once, and taken for the folder it holds.
///
/// # Errors
/// Only when the folder itself cannot be read; its files are refused one by one.
pub fn discover(dir: &Path) -> Result<Listing, DiscoverError> {
    let mut paths = entries(dir).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => DiscoverError::Missing(dir.to_owned()),
        _ => DiscoverError::Unreadable { dir: dir.to_owned(), source },
    })?;
    paths.sort();
    let mut listing = Listing::default();
    folder::add_manifest(&mut listing, dir);
    let declared: Vec<_> = listing.engines.iter().flat_map(programs).collect();
    for path in paths.into_iter().filter(|path| !declared.contains(path)) {
        add(&mut listing, path);
    }
    let names = FolderNames::default();
    let own = |engine: EngineSpec| engine.among_others(Some(dir), &names);
    listing.engines = listing.engines.into_iter().map(own).collect();
    let is_own = |path: &PathBuf| listing.engines.iter().any(|engine| engine.reads.contains(path));
    listing.refused.retain(|refusal| !is_own(&refusal.path));
    Ok(refuse_duplicates(listing))
}

/// The libraries, modules and programs of an engine.
fn programs(engine: &EngineSpec) -> Vec<PathBuf> {
    let programs = engine.launch.iter().flat_map(|launch| launch.programs.iter());
    programs.chain([&engine.path]).chain(&engine.helpers).cloned().collect()
}

/// The visible entries of a folder.
pub(super) fn entries(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if !entry.file_name().to_string_lossy().starts_with('.') {
            paths.push(entry.path());
        }
    }
    Ok(paths)
}

/// What a file is by its name.
pub(super) enum FileKind {
    Engine(EngineKind),
    Archive,
    Other(RefusalReason),
    Nothing,
}

impl FileKind {
    pub(super) fn of(path: &Path) -> FileKind {
        let name = file_name(path).to_ascii_lowercase();
        match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
            "zip" => FileKind::Archive,
            "7z" | "rar" | "gz" | "tgz" | "xz" => FileKind::Other(RefusalReason::Archive),
            extension if extension == NATIVE_EXTENSION => FileKind::Engine(EngineKind::Native),
            "wasm" => FileKind::Engine(EngineKind::Wasm),
            _ if name.starts_with("pbrain-") => FileKind::Engine(EngineKind::Gomocup),
            extension @ ("so" | "dll" | "dylib") => FileKind::Other(RefusalReason::OtherSystem {
                extension: extension.to_owned(),
                here: NATIVE_EXTENSION,
            }),
            _ => FileKind::Nothing,
        }
    }
}

fn add(listing: &mut Listing, path: PathBuf) {
    match fs::metadata(&path) {
        Ok(metadata) if metadata.is_dir() => folder::add(listing, &path, &id::of_folder(&path)),
        Ok(_) => add_file(listing, path),
        Err(error) => listing.refuse(path, None, error),
    }
}

/// Adds a bare file by its name, or refuses it.
pub(super) fn add_file(listing: &mut Listing, path: PathBuf) {
    match FileKind::of(&path) {
        FileKind::Nothing => {}
        FileKind::Other(reason) => listing.refuse(path, None, reason),
        FileKind::Archive => add_archive(listing, path, &cache::cache_dir()),
        FileKind::Engine(kind) if kind.is_text() => add_program(listing, path, kind),
        FileKind::Engine(kind) => match inspect(&path, kind) {
            Ok(_) => listing.engines.push(EngineSpec::bare(path, kind)),
            Err(error) => {
                let id = id::of_file(&path, kind);
                listing.refuse(path, Some(id), error);
            }
        },
    }
}

/// Adds what an archive holds, unpacked into the cache, as if it were a folder.
pub(super) fn add_archive(listing: &mut Listing, path: PathBuf, cache_dir: &Path) {
    let id = id::of_archive(&path);
    let unpacked = match archive::unpack(&path, cache_dir) {
        Ok(unpacked) => unpacked,
        Err(error) => return listing.refuse(path, Some(id), error),
    };
    let folder = folder::within(&unpacked);
    let mut held = Listing::default();
    folder::add(&mut held, &folder, &id);
    let archive = |engine| EngineSpec { archive: Some(path.clone()), ..engine };
    listing.engines.extend(held.engines.into_iter().map(archive));
    listing.refused.extend(held.refused.into_iter().map(|refusal| {
        // The user knows the archive, not where it is unpacked.
        let shown = refusal.path.strip_prefix(&unpacked).map(|inner| path.join(inner));
        Refusal { path: shown.unwrap_or(refusal.path), ..refusal }
    }));
}

/// Adds a program, or refuses it. Its package is the folder that it is in.
pub(super) fn add_program(listing: &mut Listing, path: PathBuf, kind: EngineKind) {
    let id = id::of_file(&path, kind);
    match program::starter(&path) {
        Ok(runner) => {
            let folder = folder_of(&path).map(Path::to_owned);
            let launch = Launch { runner, ..Launch::of(vec![path]) };
            let spec = EngineSpec::text(id, kind, launch);
            listing.engines.push(EngineSpec { folder, ..spec });
        }
        Err(error) => listing.refuse(path, Some(id), error),
    }
}

fn refuse_duplicates(listing: Listing) -> Listing {
    let Listing { engines, refused } = listing;
    let mut kept = Listing { engines: Vec::new(), refused };
    let mut taken: HashMap<String, PathBuf> = HashMap::new();
    for engine in engines {
        if let Some(first) = taken.get(&engine.id) {
            let reason = RefusalReason::Duplicate { id: engine.id.clone(), first: first.clone() };
            kept.refuse(engine.path, Some(engine.id), reason);
        } else {
            taken.insert(engine.id.clone(), engine.path.clone());
            kept.engines.push(engine);
        }
    }
    kept.engines.sort_by(|one, other| one.id.cmp(&other.id));
    kept
}
