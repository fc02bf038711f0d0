//! Which files are an engine's own. It may read these besides the system's.
//!
//! The folder that a program is in is its package, which it may read whole; a library or module
//! that is found as a single file has the files named like it. Two kinds of folders are no package,
//! because they hold files of more than one engine: the folder of engines, and a folder that is
//! obviously for other things, such as a home folder. Nor is the folder of a program named by its
//! path if another engine's program is in it too. In these, an engine's own files are those named
//! like it, and those that a manifest names. A link is followed only to the engine's own files and
//! to the system's libraries.

use std::cell::RefCell;
use std::env;
use std::ffi::OsString;
use std::iter;
use std::path::{Path, PathBuf};

mod crowd;
mod links;

pub use links::LIBRARY_FOLDERS;

use super::discover::{self, FileKind};
use super::path::{absolute, file_name, folder_of};
use super::{EngineKind, EngineSpec, command, id, pick, program, shown};

/// Folders of the system that hold more than one program each.
const GENERAL: [&str; 16] = [
    "/Applications",
    "/Library",
    "/System",
    "/Users",
    "/Volumes",
    "/dev/shm",
    "/home",
    "/media",
    "/mnt",
    "/opt",
    "/root",
    "/srv",
    "/tmp",
    "/usr",
    "/var",
    "/var/tmp",
];
/// Folders of the system in which, however deep, no engine is kept.
const SYSTEM: [&str; 8] = ["/bin", "/boot", "/etc", "/lib", "/proc", "/run", "/sbin", "/sys"];
/// Folders of a home that hold what comes along.
const OF_A_HOME: [&str; 3] = ["Desktop", "Documents", "Downloads"];
/// What scripts run that are no more than a line or two.
const INTERPRETERS: [&str; 8] =
    ["python3", "python", "java", "mono", "dotnet", "node", "ruby", "wine"];
/// The names of folders that interpreters are installed in.
const INSTALLED: [&str; 3] = ["bin", "shims", "Scripts"];

impl EngineSpec {
    /// The engine with its own files alone, where its folder holds others' too, or is `dir`, the
    /// folder of engines.
    pub(super) fn among(self, dir: Option<&Path>) -> EngineSpec {
        self.among_others(dir, &FolderNames::default())
    }

    /// The same for one of several engines, for which a folder is read once.
    pub(super) fn among_others(mut self, dir: Option<&Path>, names: &FolderNames) -> EngineSpec {
        let is_shared = |folder: &Path| is_shared(folder, dir);
        if self.typed_in.is_some() {
            let base = self.folder.clone().unwrap_or_default();
            let named = self.launch.iter().flat_map(|launch| &launch.arguments);
            let named = named.filter(|word| !word.is_empty());
            let paths: Vec<_> = named.map(|word| absolute(&base.join(word))).collect();
            for path in paths {
                let parent = path.parent().filter(|_| path.is_file());
                match parent {
                    Some(parent) if is_shared(parent) => self.read_like(&path, names),
                    Some(parent) => self.reads.push(parent.to_owned()),
                    None if path.is_dir() && !is_shared(&path) => self.reads.push(path),
                    None => {}
                }
            }
        }
        if let Some(folder) = self.folder.take_if(|folder| is_shared(folder)) {
            self.shed(&folder, names);
        } else if self.folder.is_none()
            && matches!(self.kind, EngineKind::Native | EngineKind::Wasm)
        {
            // A single file, whatever lies beside it.
            self.read_like(&self.path.clone(), names);
        }
        self.sorted()
    }

    /// What is named by its path, without the folders in which another engine's program lies too.
    pub(super) fn apart(self) -> EngineSpec {
        self.without_folders_of(crowd::other_program)
    }

    /// The engine without the folders that also hold files of its opponents; `opponents` are those
    /// files, as [`engine_file`] finds them.
    ///
    /// [`engine_file`]: super::engine_file
    pub fn apart_from(self, opponents: &[PathBuf]) -> EngineSpec {
        let mut spec = self.without_folders_of(|own, at| crowd::opponent(opponents, own, at));
        // Further down in its folders they may lie, and it does not see them.
        let homes: Vec<_> = spec.named_files().into_iter().map(|(_, home)| home).collect();
        spec.strangers = opponents.iter().filter_map(|other| crowd::away(other, &homes)).collect();
        spec
    }

    fn without_folders_of(mut self, find: impl Fn(&Path, &Path) -> Option<PathBuf>) -> EngineSpec {
        for (file, folder) in self.named_files() {
            let is_open = self.folder.as_ref() == Some(&folder) || self.reads.contains(&folder);
            let Some(other) = is_open.then(|| find(&file, &folder)).flatten() else { continue };
            self.unread.push(format!(
                "{}: {} is another engine's, so this is no folder of its own; give it one, name \
                 its files like it, or name them in an engine.xml",
                shown(&folder),
                file_name(&other)
            ));
            let names = FolderNames::default();
            self.reads.retain(|path| *path != folder);
            if self.folder.take_if(|own| *own == folder).is_some() {
                self.shed(&folder, &names);
            }
            for (file, _) in self.named_files().into_iter().filter(|(_, other)| *other == folder) {
                self.read_like(&file, &names);
            }
        }
        self.sorted()
    }

    /// Its program and the files that its command names, each with the folder that it lies in.
    fn named_files(&self) -> Vec<(PathBuf, PathBuf)> {
        let base = self.typed_in.as_ref().map(|_| self.folder.clone().unwrap_or_default());
        let words = self.launch.iter().flat_map(|launch| &launch.arguments);
        let words = words.filter(|word| !word.is_empty());
        let words =
            base.iter().flat_map(|base| words.clone().map(|word| absolute(&base.join(word))));
        let files = iter::once(self.path.clone()).chain(words).filter(|path| path.is_file());
        let with_folder = |file: PathBuf| {
            let folder = folder_of(&file)?.to_owned();
            Some((file, folder))
        };
        files.filter_map(with_folder).collect()
    }

    fn sorted(mut self) -> EngineSpec {
        self.reads.sort();
        self.reads.dedup();
        self.unread.sort();
        self.unread.dedup();
        self
    }

    /// Reads what is named like one of its files, but for links that lead elsewhere.
    fn read_like(&mut self, file: &Path, names: &FolderNames) {
        for path in named_like(file, names) {
            match links::leads_out(&path, file, names) {
                Some(target) if path != file => self.unread.push(format!(
                    "{}: a link to {}, which is not followed; copy that file here in its place",
                    shown(&path),
                    shown(&target)
                )),
                _ => self.reads.push(path),
            }
        }
    }

    /// Keeps of that folder only what is the engine's own.
    fn shed(&mut self, folder: &Path, names: &FolderNames) {
        let programs = self.launch.iter().flat_map(|launch| launch.programs.clone());
        for program in programs.chain(iter::once(self.path.clone())).collect::<Vec<_>>() {
            match program.parent() {
                Some(parent) if parent == folder => self.read_like(&program, names),
                // A manifest may name one further down.
                Some(parent) if parent.starts_with(folder) => self.reads.push(parent.to_owned()),
                _ => {}
            }
        }
        let Some(launch) = self.launch.as_mut().filter(|_| self.typed_in.is_some()) else { return };
        for word in &mut launch.arguments {
            make_absolute(word, folder);
        }
    }

    /// Everything that the engine may read besides the system's files, its library or program
    /// first. For an enrolled engine these are the originals of its copies.
    pub fn readable(&self) -> Vec<PathBuf> {
        let own = iter::once(&self.path).chain(&self.folder).chain(&self.reads);
        let mut all: Vec<PathBuf> = Vec::new();
        for path in own.filter(|path| !path.as_os_str().is_empty()) {
            let path = self.enrolled.as_ref().map_or(path.clone(), |files| files.original_of(path));
            if !all.iter().any(|known| path.starts_with(known)) {
                all.push(path);
            }
        }
        all
    }

    /// Where a program's interpreter is installed, if the system's folders do not have it: one
    /// found in PATH, one that a manifest names, and those that a script may mean, in its first
    /// line or further down.
    pub fn installations(&self) -> Vec<PathBuf> {
        if let Some(files) = &self.enrolled {
            return files.installations.clone();
        }
        let Some((program, _)) = self.command() else { return Vec::new() };
        let has_runner = self.launch.as_ref().is_some_and(|launch| launch.runner.is_some());
        let mut found = Vec::new();
        let mut add = |program: PathBuf| {
            found.extend(dunce::canonicalize(&program).ok().and_then(|path| installation(&path)));
            found.extend(installation(&program));
            found.push(program);
        };
        if self.typed_in.is_some() || has_runner {
            add(program.clone());
        }
        if let Some(words) = program::shebang(&program) {
            // A script of the shell starts most of them by name.
            let usual = INTERPRETERS.iter().filter_map(|name| command::in_path(name));
            find_interpreter(words).into_iter().chain(usual).for_each(add);
        }
        found
    }

    /// The programs that it may run beside those of the system: its own, those that its manifest
    /// calls helpers, and those that its command line names.
    pub fn runnable(&self) -> Vec<PathBuf> {
        let own = self.launch.iter().flat_map(|launch| &launch.programs);
        let mut all: Vec<_> = own.chain(&self.helpers).map(|path| absolute(path)).collect();
        if self.typed_in.is_some() {
            let (_, arguments) = self.command().unwrap_or_default();
            let base = self.folder.clone().unwrap_or_default();
            let named = arguments.iter().map(|word| absolute(&base.join(word)));
            all.extend(named.filter(|path| path.is_file()));
        }
        all
    }
}

/// Makes a word of a command line that names something in `folder` valid from any folder.
pub(super) fn make_absolute(word: &mut String, folder: &Path) {
    let path = absolute(&folder.join(&*word));
    if let Some(path) = path.to_str().filter(|_| !word.is_empty() && path.exists()) {
        path.clone_into(word);
    }
}

/// Whether interpreters are installed in that folder, rather than engines.
pub(super) fn is_for_interpreters(folder: &Path) -> bool {
    INSTALLED.iter().any(|name| folder.ends_with(name))
}

/// Whether a folder has more than one engine's files.
fn is_shared(folder: &Path, dir: Option<&Path>) -> bool {
    let real = |path: &Path| dunce::canonicalize(path).unwrap_or_else(|_| absolute(path));
    let folder = real(folder);
    let holds = |inner: Option<PathBuf>| inner.is_some_and(|path| real(&path).starts_with(&folder));
    let home = env::home_dir().filter(|home| !home.as_os_str().is_empty());
    let in_home = home.iter().flat_map(|home| OF_A_HOME.map(|name| home.join(name)));
    folder.parent().is_none()
        || dir.is_some_and(|dir| real(dir) == folder)
        || GENERAL.iter().any(|general| folder == real(Path::new(general)))
        || SYSTEM.iter().any(|system| folder.starts_with(real(Path::new(system))))
        || in_home.into_iter().any(|general| real(&general) == folder)
        || holds(home)
        || holds(Some(env::temp_dir()))
        || env::var_os("PATH").is_some_and(|path| env::split_paths(&path).any(|p| p == folder))
}

/// What is beside a file and is named like it: `pbrain-x` has `pbrain-x.ini` and the folder
/// `pbrain-x.data`, `libx.so` and `x.wasm` have `x.weights`, but none has another engine's program.
pub(super) fn named_like(file: &Path, names: &FolderNames) -> Vec<PathBuf> {
    let own = file_name(file);
    let begins = begins(file);
    let Some(folder) = folder_of(file) else { return Vec::new() };
    let is_other_program = |path: &Path| {
        let FileKind::Engine(kind) = FileKind::of(path) else { return false };
        let is_other = id::of_file(path, kind) != id::of_file(file, kind);
        is_other && (!kind.is_text() || program::is_program(path))
    };
    let others = begins.iter().flat_map(|begin| names.beginning(folder, begin));
    let others = others.filter(|path| file_name(path) != own && !is_other_program(path));
    iter::once(file.to_owned()).chain(others).collect()
}

/// How the names begin of what is named like a file.
fn begins(file: &Path) -> Vec<String> {
    let own = file_name(file);
    let is_library =
        matches!(FileKind::of(file), FileKind::Engine(EngineKind::Native | EngineKind::Wasm));
    let stem = match own.rsplit_once('.') {
        Some((stem, _)) if is_library => stem,
        _ => pick::stem(&own),
    };
    // A library may have the name of its engine, or that with `lib` before it.
    let bare = stem.strip_prefix("lib").filter(|bare| is_library && !bare.is_empty());
    iter::once(stem).chain(bare).map(|name| format!("{name}.")).collect()
}

/// The contents of the folder that was asked for last, in order of names: each of many engines in a
/// folder asks for the files named like it.
#[derive(Default)]
pub(super) struct FolderNames(RefCell<Option<NamedPaths>>);

/// A folder, and what is in it by its names.
type NamedPaths = (PathBuf, Vec<(String, PathBuf)>);

impl FolderNames {
    fn beginning(&self, folder: &Path, begin: &str) -> Vec<PathBuf> {
        let mut known = self.0.borrow_mut();
        let is_known = known.as_ref().is_some_and(|(known, _)| known == folder);
        if !is_known {
            let paths = discover::entries(folder).unwrap_or_default().into_iter();
            let mut all: Vec<_> = paths.map(|path| (file_name(&path), path)).collect();
            all.sort();
            *known = Some((folder.to_owned(), all));
        }
        let all = known.iter().flat_map(|(_, all)| {
            let first = all.partition_point(|(name, _)| name.as_str() < begin);
            all[first..].iter().take_while(|(name, _)| name.starts_with(begin))
        });
        all.map(|(_, path)| path.clone()).collect()
    }
}

/// The folder that a program in `bin` or the like was installed in, as a virtual environment of
/// Python's; none where a user keeps more than programs.
fn installation(program: &Path) -> Option<PathBuf> {
    let root = program.parent().filter(|folder| is_for_interpreters(folder))?.parent()?;
    let home = env::home_dir();
    let is_private = home.is_some_and(|home| home.starts_with(root)) || root.ends_with(".local");
    (!is_private && root.parent().is_some()).then(|| root.to_owned())
}

/// The interpreter that the first line of a script means: a script cannot open a folder of its
/// choice by that, only one in PATH or a virtual environment.
fn find_interpreter(words: Vec<OsString>) -> Option<PathBuf> {
    let program = PathBuf::from(words.first()?);
    if program.ends_with("env") {
        let mut rest = words.iter().skip(1);
        let name = rest.find(|word| {
            word.to_str().is_some_and(|word| !word.starts_with('-') && !word.contains('='))
        })?;
        return command::in_path(name.to_str()?);
    }
    let is_environment =
        installation(&program).is_some_and(|root| root.join("pyvenv.cfg").is_file());
    let is_in_path = program.file_name().and_then(|name| command::in_path(name.to_str()?));
    (is_environment || is_in_path.as_ref() == Some(&program)).then_some(program)
}

#[cfg(all(test, unix))]
mod tests;
