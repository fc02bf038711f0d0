//! The files of an engine's package, as `tengen_fetch` reads them.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tengen_abi::status;
use tengen_packages::open_file;

/// The longest name of a file, in bytes.
const MAX_NAME: usize = 4096;
/// How many files stay open.
const MOST_OPEN: usize = 16;
/// How many files are named where one is missing.
const MOST_NAMED: usize = 8;

/// The files of an engine: those of its folder, or, where others' files lie there too, single ones.
/// What it has opened stays open, so that it is found once in a process and does not change.
#[derive(Default)]
pub(crate) struct FetchFiles {
    folder: Option<PathBuf>,
    single: Vec<PathBuf>,
    open: Mutex<Vec<(String, Arc<Mutex<File>>)>>,
}

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FetchFault {
    #[error(
        "{0}: the engine has no package: give it a folder of its own, or name its files like it"
    )]
    NoPackage(String),
    #[error("{0:?}: a name is relative to the package, without `..`, and has 1 to 4096 bytes")]
    Name(String),
    #[error("{name}: there is no such file in the package, which has {}", .there.join(", "))]
    Missing { name: String, there: Vec<String> },
    #[error("{0}: it leads out of the package")]
    Outside(String),
    #[error("{name}: it cannot be read: {source}")]
    Unreadable { name: String, source: io::Error },
}

impl FetchFault {
    /// What `tengen_fetch` answers.
    pub(crate) fn status(&self) -> i32 {
        match self {
            FetchFault::NoPackage(_) => status::UNSUPPORTED,
            FetchFault::Name(_) | FetchFault::Missing { .. } | FetchFault::Outside(_) => {
                status::ARGUMENT
            }
            FetchFault::Unreadable { .. } => status::INTERNAL,
        }
    }
}

impl FetchFiles {
    /// The files of an engine in that folder, or else these. The engine itself is none of them.
    pub(crate) fn new(engine: &Path, folder: Option<&Path>, single: &[PathBuf]) -> FetchFiles {
        let others = single.iter().filter(|path| path.as_path() != engine);
        FetchFiles {
            folder: folder.map(Path::to_owned),
            single: others.cloned().collect(),
            open: Mutex::default(),
        }
    }

    /// Reads a file from `offset` on, and gives the whole file's size.
    pub(crate) fn read(&self, name: &str, offset: u64, to: &mut [u8]) -> Result<i64, FetchFault> {
        let file = self.file(name)?;
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        read_at(&mut file, offset, to)
            .map_err(|source| FetchFault::Unreadable { name: name.to_owned(), source })
    }

    fn file(&self, name: &str) -> Result<Arc<Mutex<File>>, FetchFault> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, file)) = open.iter().find(|(known, _)| known == name) {
            return Ok(Arc::clone(file));
        }
        let path = self.find(name)?;
        let file = open_file(&path)
            .map_err(|source| FetchFault::Unreadable { name: name.to_owned(), source })?;
        let file = Arc::new(Mutex::new(file));
        if open.len() == MOST_OPEN {
            open.remove(0);
        }
        open.push((name.to_owned(), Arc::clone(&file)));
        Ok(file)
    }

    /// Where a file lies, links followed.
    fn find(&self, name: &str) -> Result<PathBuf, FetchFault> {
        if self.folder.is_none() && self.single.is_empty() {
            return Err(FetchFault::NoPackage(name.to_owned()));
        }
        let relative = Path::new(name);
        let is_plain = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        let first = relative.components().find(|part| *part != Component::CurDir);
        let first = first.filter(|_| relative.components().all(is_plain));
        let Some(first) = first.filter(|_| name.len() <= MAX_NAME) else {
            return Err(FetchFault::Name(name.chars().take(200).collect()));
        };
        let own = self.single.iter().find(|path| path.file_name() == Some(first.as_os_str()));
        // What the path must lie in, and the path.
        let (root, path) = match (&self.folder, own) {
            (Some(folder), _) => (folder.as_path(), folder.join(relative)),
            (None, Some(own)) => {
                (own.as_path(), own.parent().unwrap_or(Path::new("")).join(relative))
            }
            (None, None) => return Err(self.missing(name)),
        };
        let real =
            dunce::canonicalize(root).and_then(|root| Ok((root, dunce::canonicalize(&path)?)));
        match real {
            Ok((root, path)) if !path.starts_with(&root) => {
                Err(FetchFault::Outside(name.to_owned()))
            }
            Ok((_, path)) if path.is_file() => Ok(path),
            Ok(_) => Err(self.missing(name)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(self.missing(name)),
            Err(source) => Err(FetchFault::Unreadable { name: name.to_owned(), source }),
        }
    }

    fn missing(&self, name: &str) -> FetchFault {
        let listed = self.folder.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
        let paths = listed.flatten().map(|entry| entry.path()).chain(self.single.iter().cloned());
        let named = |path: PathBuf| Some(path.file_name()?.to_string_lossy().into_owned());
        let mut there: Vec<String> = paths.filter_map(named).collect();
        there.sort();
        if there.len() > MOST_NAMED {
            let more = there.len() - MOST_NAMED;
            there.truncate(MOST_NAMED);
            there.push(format!("{more} more"));
        }
        if there.is_empty() {
            there.push("no file".to_owned());
        }
        FetchFault::Missing { name: name.to_owned(), there }
    }
}

fn read_at(file: &mut File, offset: u64, to: &mut [u8]) -> io::Result<i64> {
    file.seek(SeekFrom::Start(offset))?;
    let mut rest = to;
    while !rest.is_empty() {
        let count = file.read(rest)?;
        if count == 0 {
            break;
        }
        rest = &mut rest[count..];
    }
    Ok(file.metadata()?.len().cast_signed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_own_package_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let package = dir.path().join("package");
        fs::create_dir(&package).unwrap();
        fs::write(package.join("weights"), b"0123456789").unwrap();
        fs::write(dir.path().join("secret"), b"secret").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("../secret", package.join("link")).unwrap();
        let files = FetchFiles::new(&package.join("x.so"), Some(&package), &[]);
        let mut to = [0; 4];
        assert_eq!((files.read("weights", 8, &mut to).unwrap(), &to), (10, b"89\0\0"));
        assert_eq!((files.read("./weights", 2, &mut to).unwrap(), &to), (10, b"2345"));
        let absolute = dir.path().join("secret");
        let long = "x".repeat(MAX_NAME + 1);
        for name in ["../secret", "link", ".", "", "none", absolute.to_str().unwrap(), &long] {
            let error = files.read(name, 0, &mut to).unwrap_err();
            assert_eq!(error.status(), status::ARGUMENT, "{name}: {error}");
        }
        let missing = files.read("none", 0, &mut to).unwrap_err().to_string();
        assert!(missing.contains("none: there is no such file"), "{missing}");
        assert!(missing.contains("weights"), "{missing}");
        let none = FetchFiles::default().read("weights", 0, &mut to).unwrap_err();
        assert_eq!(none.status(), status::UNSUPPORTED);
    }

    #[test]
    fn single_files_are_a_package_too() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir(at("x.data")).unwrap();
        for name in ["libx.so", "x.weights", "y.weights", "x.data/book"] {
            fs::write(at(name), name).unwrap();
        }
        let single = [at("libx.so"), at("x.weights"), at("x.data")];
        let files = FetchFiles::new(&at("libx.so"), None, &single);
        let mut to = [0; 64];
        assert_eq!(files.read("x.weights", 0, &mut to).unwrap(), 9);
        assert_eq!(files.read("x.data/book", 0, &mut to).unwrap(), 11);
        for name in ["y.weights", "libx.so", "x.data", "x.data/../y.weights"] {
            assert_eq!(files.read(name, 0, &mut to).unwrap_err().status(), status::ARGUMENT);
        }
        let alone = FetchFiles::new(&at("libx.so"), None, &[at("libx.so")]);
        assert_eq!(alone.read("x", 0, &mut to).unwrap_err().status(), status::UNSUPPORTED);
    }

    #[test]
    fn an_open_file_stays_what_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let weights = dir.path().join("weights");
        fs::write(&weights, b"first").unwrap();
        let files = FetchFiles::new(&dir.path().join("x.so"), Some(dir.path()), &[]);
        let mut to = [0; 5];
        files.read("weights", 0, &mut to).unwrap();
        fs::remove_file(&weights).unwrap();
        fs::write(&weights, b"other one").unwrap();
        assert_eq!((files.read("weights", 0, &mut to).unwrap(), &to), (5, b"first"));
    }
}
