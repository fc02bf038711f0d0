//! The folders of this user, and where engines are looked for.

use std::path::{Path, PathBuf};

/// The folder of engines in the current one, and in the folder of a program or of its data.
const ENGINES: &str = "engines";

/// The folder of engines where none is named: `engines` here, then that in the user's data folder,
/// then those that come with the program. The first that exists; else `engines` here.
pub(crate) fn engine_folder() -> PathBuf {
    let here = PathBuf::from(ENGINES);
    let candidates = data_folder().map(|data| data.join(ENGINES)).into_iter();
    let candidates = candidates.chain(with_program(ENGINES));
    let mut candidates = std::iter::once(here.clone()).chain(candidates);
    candidates.find(|folder| folder.is_dir()).unwrap_or(here)
}

/// The build for Windows, without window and server, that comes with a program that was handed out.
pub(crate) fn gomocup_program() -> Option<PathBuf> {
    with_program("gomocup/tengen.exe").into_iter().find(|path| path.is_file())
}

/// Where what comes with this program may be.
fn with_program(name: &str) -> Vec<PathBuf> {
    let program = std::env::current_exe().and_then(dunce::canonicalize).unwrap_or_default();
    beside(&program).map(|folder| folder.join(name)).collect()
}

/// The folders in which an installed program has what comes with it, an unpacked one of Windows,
/// and one that was built in the repository.
fn beside(program: &Path) -> impl Iterator<Item = PathBuf> {
    let above = |levels| program.ancestors().nth(levels).map(Path::to_owned);
    let installed = above(2).map(|folder| folder.join("lib/tengen"));
    let unpacked = above(1).filter(|_| cfg!(windows));
    let is_built_here = program.ancestors().nth(2).is_some_and(|folder| folder.ends_with("target"));
    let built = above(3).filter(|_| is_built_here);
    installed.into_iter().chain(unpacked).chain(built)
}

/// The data folder of this user, or none where the system has none.
pub(crate) fn data_folder() -> Option<PathBuf> {
    own_folder("XDG_DATA_HOME", ".local/share")
}

/// The configuration folder of this user.
#[cfg(feature = "gui")]
pub(crate) fn config_folder() -> Option<PathBuf> {
    own_folder("XDG_CONFIG_HOME", ".config")
}

/// The program's folder in one of the user's: by the variable, or in `HOME`, or where the system
/// has it.
fn own_folder(variable: &str, in_home: &str) -> Option<PathBuf> {
    let folder = |variable: &str| {
        std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
    };
    let shared = if cfg!(windows) {
        folder("APPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder(variable).or_else(|| folder("HOME").map(|home| home.join(in_home)))
    };
    shared.map(|shared| shared.join("tengen"))
}
