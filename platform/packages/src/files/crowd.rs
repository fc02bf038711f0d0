//! Whether other engines are in the folder of a program that is named by its path.

use std::fs;
use std::path::{Path, PathBuf};

use crate::discover::{self, FileKind};
use crate::path::file_name;
use crate::{EngineKind, ProgramError, pick, platform, program};

/// An opponent in the folder of a program, or of a file that its command names.
pub(super) fn opponent(opponents: &[PathBuf], own: &Path, folder: &Path) -> Option<PathBuf> {
    let folder = dunce::canonicalize(folder).ok()?;
    let lies_there = |path: &Path| {
        dunce::canonicalize(path).is_ok_and(|real| real.parent() == Some(folder.as_path()))
    };
    let is_other = |path: &&PathBuf| family(path) != family(own) && lies_there(path);
    opponents.iter().find(is_other).cloned()
}

/// For an opponent that is in none of these homes: its own folder, or only its file if the homes
/// are inside that folder.
pub(super) fn away(opponent: &Path, homes: &[PathBuf]) -> Option<PathBuf> {
    let real = |path: &Path| dunce::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let (file, homes) = (real(opponent), homes.iter().map(|home| real(home)).collect::<Vec<_>>());
    let folder = file.parent().filter(|folder| !homes.iter().any(|home| home == folder))?;
    let is_around = homes.iter().any(|home| home.starts_with(folder));
    Some(if is_around { file } else { folder.to_owned() })
}

/// The words that the programs of one engine have in common.
fn family(path: &Path) -> String {
    pick::family(&file_name(path))
}

/// A program beside this one that is another engine's: a brain by its name, or any program that is
/// no script, which may be this engine's tool. Programs for other leagues and processors are the
/// same engine.
pub(super) fn other_program(own: &Path, folder: &Path) -> Option<PathBuf> {
    let own_family = family(own);
    let is_for_windows =
        |path: &Path| matches!(program::look(path), Err(ProgramError::Windows { .. }));
    let runs_windows = is_for_windows(own);
    let is_other = |path: &PathBuf| {
        let is_brain = match FileKind::of(path) {
            FileKind::Engine(EngineKind::Gomocup) => true,
            FileKind::Nothing => false,
            _ => return false,
        };
        let Some(found) = fs::metadata(path).ok().filter(fs::Metadata::is_file) else {
            return false;
        };
        let may_start = match is_brain {
            true => program::is_program(path),
            false => platform::is_executable(&found) && program::look(path).is_ok(),
        };
        let is_program = may_start || runs_windows && is_for_windows(path);
        is_program && (is_brain || program::shebang(path).is_none()) && family(path) != own_family
    };
    let mut paths = discover::entries(folder).unwrap_or_default();
    paths.sort();
    paths.into_iter().find(is_other)
}
