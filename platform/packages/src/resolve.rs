//! Finds the engine that a command line names.

use std::path::{Path, PathBuf};

use super::discover::{FileKind, Listing, NATIVE_EXTENSION, add_file, add_program, discover};
use super::folder::{self, MANIFEST};
use super::id;
use super::program;
use super::{
    BUILTINS, EngineKind, EngineSpec, ProgramError, Refusal, RefusalReason, ResolveError, command,
};

/// Finds the engine that a command line names: `builtin:NAME`, a text engine's `cmd:COMMAND` or
/// `sau:COMMAND`, an id in the folder `dir`, or a path to a library, a module, a folder or a
/// program, which is taken for a brain. A program that is named by its path has the files beside
/// it, unless it is in `dir` itself or another folder that is not its own, as one in which another
/// engine's program lies. An id goes before a
/// path; a name with a separator is always a path.
///
/// # Errors
/// [`ResolveError`] says what there is instead, or why what is there cannot be loaded.
pub fn resolve(name: &str, dir: &Path) -> Result<EngineSpec, ResolveError> {
    if let Some(builtin) = name.strip_prefix("builtin:") {
        return EngineSpec::builtin(builtin).ok_or_else(|| ResolveError::UnknownBuiltin {
            name: builtin.to_owned(),
            known: BUILTINS.iter().map(|known| format!("builtin:{known}")).collect(),
        });
    }
    if let Some(spec) = command(name, None, Some(dir)) {
        return spec.map_err(|problem| ResolveError::Command { name: name.to_owned(), problem });
    }
    let path = &program::with_ending(Path::new(name));
    let at_path = |path: &Path| {
        let spec = at_path(path)?.among(Some(dir));
        // A folder that is named is a package.
        Ok(if spec.path == path { spec.apart() } else { spec })
    };
    if name.contains(std::path::is_separator) && path.exists() {
        return at_path(path);
    }
    let listing = match discover(dir) {
        Ok(listing) => listing,
        Err(_) if path.exists() => return at_path(path),
        Err(error) => return Err(error.into()),
    };
    if let Some(engine) = listing.get(name) {
        return Ok(engine.clone());
    }
    let Listing { engines, refused } = listing;
    if let Some(refusal) = refused.into_iter().find(|refusal| is_meant(refusal, name)) {
        return Err(ResolveError::Refused(Box::new(refusal)));
    }
    if path.exists() {
        return at_path(path);
    }
    let known: Vec<String> = engines.into_iter().map(|engine| engine.id).collect();
    Err(ResolveError::Unknown {
        name: name.to_owned(),
        dir: dir.to_owned(),
        near: near(name, &known),
        known,
    })
}

/// Whether `name` means the refused file: by its id, file name or folder.
fn is_meant(refusal: &Refusal, name: &str) -> bool {
    let is_name = |path: &Path| path.file_name().is_some_and(|file| file == name);
    refusal.id.as_deref() == Some(name)
        || is_name(&refusal.path)
        || refusal.path.ends_with(MANIFEST) && refusal.path.parent().is_some_and(is_name)
}

fn at_path(path: &Path) -> Result<EngineSpec, ResolveError> {
    let mut listing = Listing::default();
    let folder = if path.ends_with(MANIFEST) { path.parent() } else { Some(path) };
    match folder {
        Some(folder) if folder.is_dir() => {
            folder::add(&mut listing, folder, &id::of_folder(folder));
        }
        // `engine.xml` alone is in the current folder.
        Some(folder) if folder == Path::new("") => {
            folder::add(&mut listing, Path::new("."), &id::of_folder(Path::new(".")));
        }
        _ => match FileKind::of(path) {
            FileKind::Nothing => add_program_at(&mut listing, path),
            _ => add_file(&mut listing, path.to_owned()),
        },
    }
    let Listing { mut engines, mut refused } = listing;
    match (engines.pop(), refused.pop()) {
        (Some(engine), _) if engines.is_empty() => Ok(engine),
        (Some(last), _) => {
            engines.push(last);
            let dir = folder.and_then(Path::parent).map_or_else(PathBuf::new, Path::to_owned);
            Err(ResolveError::Several {
                path: path.to_owned(),
                ids: engines.into_iter().map(|engine| engine.id).collect(),
                dir: if dir == Path::new("") { PathBuf::from(".") } else { dir },
            })
        }
        (None, Some(refusal)) => Err(ResolveError::Refused(Box::new(refusal))),
        (None, None) => Err(ResolveError::Refused(Box::new(Refusal {
            path: path.to_owned(),
            id: None,
            reason: RefusalReason::NotAnEngine { here: NATIVE_EXTENSION },
        }))),
    }
}

/// A program of any name is a brain, when it is named by its path.
fn add_program_at(listing: &mut Listing, path: &Path) {
    add_program(listing, path.to_owned(), EngineKind::Gomocup);
    // A text or a picture is not a bad program but another kind of file.
    listing.refused.retain(|refusal| {
        !matches!(refusal.reason, RefusalReason::Program(ProgramError::NoProgram))
    });
}

/// Ids within a third of their letters of the name, the nearest first.
fn near(name: &str, known: &[String]) -> Vec<String> {
    let mut near: Vec<(usize, &String)> = known
        .iter()
        .map(|id| (strsim::damerau_levenshtein(name, id), id))
        .filter(|(distance, id)| *distance <= (id.chars().count() / 3).max(1))
        .collect();
    near.sort();
    near.into_iter().take(3).map(|(_, id)| id.clone()).collect()
}
