//! A folder with one engine, or with a manifest.

use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use super::discover::{self, FileKind, Listing, NATIVE_EXTENSION};
use super::launch::{Launch, UnusableProgram};
use super::manifest::{self, MANIFEST_LIMIT, ManifestEngine, ManifestFile};
use super::path::file_name;
use super::{EngineKind, EngineSpec, ManifestError, ManifestProblem, ProgramError, RefusalReason};
use super::{command, inspect, open_file, program};

/// The manifest's file name.
pub(super) const MANIFEST: &str = "engine.xml";

/// Adds what a folder holds: the engines of its manifest, its brains as one engine, or its only
/// library.
///
/// `id` is for an engine without a manifest.
pub(super) fn add(listing: &mut Listing, folder: &Path, id: &str) {
    if !add_manifest(listing, folder) {
        add_only_library(listing, folder, id);
    }
}

/// Adds the engines of the manifest in a folder. Gives whether there is one.
pub(super) fn add_manifest(listing: &mut Listing, folder: &Path) -> bool {
    let manifest = folder.join(MANIFEST);
    // A manifest that is there but cannot be opened must not fall back to guessing.
    match fs::symlink_metadata(&manifest) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return false,
        _ => match read(&manifest) {
            Err(reason) => listing.refuse(manifest, None, reason),
            Ok(engines) => {
                for declared in engines {
                    add_declared(listing, folder, declared);
                }
            }
        },
    }
    true
}

/// The folder that an unpacked archive stands for: if it holds only one other folder, that one.
pub(super) fn within(unpacked: &Path) -> PathBuf {
    let only = |folder: &Path| {
        let entries = discover::entries(folder).ok()?;
        // What macOS adds to an archive.
        let mut own = entries.into_iter().filter(|path| !path.ends_with("__MACOSX"));
        let only = own.next().filter(|path| path.is_dir())?;
        own.next().is_none().then_some(only)
    };
    std::iter::successors(Some(unpacked.to_owned()), |folder| only(folder))
        .last()
        .expect("the first is there")
}

fn add_only_library(listing: &mut Listing, folder: &Path, name: &str) {
    let id = Some(name.to_owned());
    let mut paths = match discover::entries(folder) {
        Ok(paths) => paths,
        Err(error) => return listing.refuse(folder.to_owned(), id, error),
    };
    paths.sort();
    let mut libraries: Vec<(PathBuf, EngineKind)> = Vec::new();
    let mut brains = Vec::new();
    for path in paths {
        match FileKind::of(&path) {
            FileKind::Engine(kind) if kind.is_text() => brains.push(path),
            FileKind::Engine(kind) => libraries.push((path, kind)),
            _ => {}
        }
    }
    // Libraries beside a brain are its own.
    if !brains.is_empty() {
        return add_brains(listing, folder, name, brains);
    }
    match &libraries[..] {
        [] => listing.refuse(
            folder.to_owned(),
            id,
            RefusalReason::EmptyFolder { here: NATIVE_EXTENSION },
        ),
        [(path, kind)] => match inspect(path, *kind) {
            Ok(_) => listing.engines.push(EngineSpec {
                id: name.to_owned(),
                folder: Some(folder.to_owned()),
                ..EngineSpec::bare(path.clone(), *kind)
            }),
            Err(error) => listing.refuse(path.clone(), id, error),
        },
        several => {
            let files = several.iter().map(|(path, _)| file_name(path)).collect();
            listing.refuse(folder.to_owned(), id, RefusalReason::ManyLibraries { files });
        }
    }
}

/// The brains of a folder are one engine, built for several leagues and machines.
fn add_brains(listing: &mut Listing, folder: &Path, id: &str, brains: Vec<PathBuf>) {
    let id = id.to_owned();
    match launch(brains, program::starter) {
        Ok(launch) => listing.engines.push(EngineSpec {
            folder: Some(folder.to_owned()),
            ..EngineSpec::text(id, EngineKind::Gomocup, launch)
        }),
        Err(reason) => listing.refuse(folder.to_owned(), Some(id), reason),
    }
}

/// The programs that can be started here, by what `starter` says of each: those that start
/// themselves, or else those that are run as the first of them is.
fn launch(
    paths: Vec<PathBuf>,
    starter: impl Fn(&Path) -> Result<Option<PathBuf>, ProgramError>,
) -> Result<Launch, RefusalReason> {
    let (mut found, mut unfit) = (Vec::new(), Vec::new());
    for path in paths {
        match starter(&path) {
            Ok(runner) => found.push((runner, path)),
            Err(error) => unfit.push(UnusableProgram { path, reason: error.to_string() }),
        }
    }
    let itself = found.iter().find(|(runner, _)| runner.is_none());
    let Some((runner, _)) = itself.or(found.first()).cloned() else {
        return Err(RefusalReason::NoProgramHere { unfit });
    };
    let (used, others): (Vec<_>, Vec<_>) = found.into_iter().partition(|(by, _)| *by == runner);
    unfit.extend(others.into_iter().map(|(_, path)| UnusableProgram {
        path,
        reason: "not used: this folder has programs that are started in another way".to_owned(),
    }));
    let programs = used.into_iter().map(|(_, path)| path).collect();
    Ok(Launch { runner, programs, unfit, ..Launch::default() })
}

fn read(path: &Path) -> Result<Vec<ManifestEngine>, RefusalReason> {
    let mut bytes = Vec::new();
    open_file(path)?.take(MANIFEST_LIMIT + 1).read_to_end(&mut bytes)?;
    Ok(manifest::parse(&bytes)?)
}

fn add_declared(listing: &mut Listing, folder: &Path, declared: ManifestEngine) {
    let loaded = match declared.kind.is_text() {
        true => launch_declared(folder, &declared)
            .map(|launch| EngineSpec::text(declared.id.clone(), declared.kind, launch)),
        false => library(folder, &declared).map(|path| EngineSpec::bare(path, declared.kind)),
    };
    let named = |parts: &[ManifestFile]| -> Result<Vec<PathBuf>, (PathBuf, RefusalReason)> {
        let path = |part: &ManifestFile| inside(folder, &part.file, part.line);
        let paths: Result<_, _> = parts.iter().map(path).collect();
        paths.map_err(|error: ManifestError| (folder.join(MANIFEST), error.into()))
    };
    let loaded =
        loaded.and_then(|spec| Ok((spec, named(&declared.files)?, named(&declared.helpers)?)));
    match loaded {
        Err((path, reason)) => listing.refuse(path, Some(declared.id), reason),
        Ok((spec, files, helpers)) => listing.engines.push(EngineSpec {
            reads: files.into_iter().chain(helpers.iter().cloned()).collect(),
            helpers,
            id: declared.id,
            name: declared.name,
            folder: Some(folder.to_owned()),
            options: declared.options,
            memory_mib: declared.memory_mib,
            threads: declared.threads,
            needs: declared.needs,
            ..spec
        }),
    }
}

/// The first library that fits this machine; a refusal names the file at fault.
fn library(folder: &Path, declared: &ManifestEngine) -> Result<PathBuf, (PathBuf, RefusalReason)> {
    let manifest = || folder.join(MANIFEST);
    let code = declared.here().next().ok_or_else(|| (manifest(), nothing_here(declared)))?;
    let path = inside(folder, &code.file, code.line).map_err(|error| (manifest(), error.into()))?;
    match inspect(&path, declared.kind) {
        Ok(_) => Ok(path),
        Err(error) => Err((path, error.into())),
    }
}

fn nothing_here(declared: &ManifestEngine) -> RefusalReason {
    let code = if declared.kind.is_text() { "program" } else { "library" };
    RefusalReason::NoLibraryHere { id: declared.id.clone(), line: declared.line, code }
}

/// The programs for this machine that are started like the first one: directly, or by the same
/// runner.
fn launch_declared(
    folder: &Path,
    declared: &ManifestEngine,
) -> Result<Launch, (PathBuf, RefusalReason)> {
    let manifest = |reason| (folder.join(MANIFEST), reason);
    let first = declared.here().next().ok_or_else(|| manifest(nothing_here(declared)))?;
    let paths: Result<Vec<_>, _> = declared
        .here()
        .filter(|code| code.runner == first.runner)
        .map(|code| inside(folder, &code.file, code.line))
        .collect();
    let paths = paths.map_err(|error| manifest(error.into()))?;
    let runner = match &first.runner {
        None => None,
        Some(name) => Some(command::in_path(name).ok_or_else(|| {
            let problem = ManifestProblem::NoRunner(name.clone());
            manifest(ManifestError { line: first.line, problem }.into())
        })?),
    };
    let launch = match runner {
        None => launch(paths, program::starter),
        Some(runner) => {
            launch(paths, |path| program::look_at_file(path).map(|()| Some(runner.clone())))
        }
    };
    Ok(Launch { arguments: declared.arguments.clone(), ..launch.map_err(manifest)? })
}

/// The file's path, which neither its words nor a symbolic link may lead out of the folder.
fn inside(folder: &Path, file: &str, line: u32) -> Result<PathBuf, ManifestError> {
    let outside = |problem: fn(String) -> ManifestProblem| ManifestError {
        line,
        problem: problem(file.to_owned()),
    };
    // A backslash or a colon is a separator or a drive on another system: the same manifest must
    // mean the same everywhere.
    let plain =
        Path::new(file).components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
    if !plain || file.contains(['\\', ':']) {
        return Err(outside(ManifestProblem::PathLeavesFolder));
    }
    let path = folder.join(file);
    let real = dunce::canonicalize::<&Path>;
    match (real(folder), real(&path)) {
        (Ok(folder), Ok(file)) if file.starts_with(&folder) => Ok(path),
        (Ok(_), Ok(_)) => Err(outside(ManifestProblem::PathLeavesFolder)),
        _ => Err(outside(ManifestProblem::NoSuchFile)),
    }
}
