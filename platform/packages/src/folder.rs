use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use super::discover::{self, Guise, Listing, NATIVE_EXTENSION};
use super::id;
use super::manifest::{self, Declared, LibraryFile, MANIFEST_LIMIT};
use super::{EngineSpec, Kind, ManifestError, ManifestProblem, Reason, inspect};

/// The manifest's file name.
pub(super) const MANIFEST: &str = "engine.xml";

/// Adds what a folder holds: the engines of its manifest, or its only library.
pub(super) fn add(listing: &mut Listing, folder: &Path) {
    let manifest = folder.join(MANIFEST);
    // A manifest that is there but cannot be opened must not fall back to guessing.
    match fs::symlink_metadata(&manifest) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => add_only_library(listing, folder),
        _ => match read(&manifest) {
            Err(reason) => listing.refuse(manifest, None, reason),
            Ok(engines) => {
                for declared in engines {
                    add_declared(listing, folder, declared);
                }
            }
        },
    }
}

fn add_only_library(listing: &mut Listing, folder: &Path) {
    let id = Some(id::of_folder(folder));
    let mut paths = match discover::entries(folder) {
        Ok(paths) => paths,
        Err(error) => return listing.refuse(folder.to_owned(), id, error),
    };
    paths.sort();
    let mut libraries: Vec<(PathBuf, Kind)> = Vec::new();
    for path in paths {
        if let Guise::Engine(kind) = Guise::of(&path) {
            libraries.push((path, kind));
        }
    }
    match &libraries[..] {
        [] => listing.refuse(folder.to_owned(), id, Reason::EmptyFolder { here: NATIVE_EXTENSION }),
        [(path, kind)] => match inspect(path, *kind) {
            Ok(_) => listing.engines.push(EngineSpec {
                id: id::of_folder(folder),
                folder: Some(folder.to_owned()),
                ..EngineSpec::bare(path.clone(), *kind)
            }),
            Err(error) => listing.refuse(path.clone(), id, error),
        },
        several => {
            let files = several.iter().map(|(path, _)| file_name(path)).collect();
            listing.refuse(folder.to_owned(), id, Reason::ManyLibraries { files });
        }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn read(path: &Path) -> Result<Vec<Declared>, Reason> {
    // Anything but a plain file could block for ever or have no end.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a plain file").into());
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MANIFEST_LIMIT + 1).read_to_end(&mut bytes)?;
    Ok(manifest::parse(&bytes)?)
}

fn add_declared(listing: &mut Listing, folder: &Path, declared: Declared) {
    let manifest = folder.join(MANIFEST);
    let Some(library) = declared.library_here() else {
        let reason = Reason::NoLibraryHere { id: declared.id.clone(), line: declared.line };
        return listing.refuse(manifest, Some(declared.id), reason);
    };
    let path = match inside(folder, library) {
        Ok(path) => path,
        Err(error) => return listing.refuse(manifest, Some(declared.id), error),
    };
    if let Err(error) = inspect(&path, declared.kind) {
        return listing.refuse(path, Some(declared.id), error);
    }
    listing.engines.push(EngineSpec {
        id: declared.id,
        name: declared.name,
        kind: declared.kind,
        path,
        folder: Some(folder.to_owned()),
        options: declared.options,
        memory_mib: declared.memory_mib,
        threads: declared.threads,
    });
}

/// The library's path, which neither its words nor a symbolic link may lead out of the folder.
fn inside(folder: &Path, library: &LibraryFile) -> Result<PathBuf, ManifestError> {
    let outside = |problem: fn(String) -> ManifestProblem| ManifestError {
        line: library.line,
        problem: problem(library.file.clone()),
    };
    // A backslash or a colon is a separator or a drive on another system: the same manifest must
    // mean the same everywhere.
    let plain = Path::new(&library.file)
        .components()
        .all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
    if !plain || library.file.contains(['\\', ':']) {
        return Err(outside(ManifestProblem::PathLeavesFolder));
    }
    let path = folder.join(&library.file);
    let real = |path: &Path| path.canonicalize();
    match (real(folder), real(&path)) {
        (Ok(folder), Ok(file)) if file.starts_with(&folder) => Ok(path),
        (Ok(_), Ok(_)) => Err(outside(ManifestProblem::PathLeavesFolder)),
        _ => Err(outside(ManifestProblem::NoSuchFile)),
    }
}
