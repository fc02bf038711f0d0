//! The files of an engine that go into its package.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use tengen_hosts::EngineSpec;

use crate::WrongUse;

/// The files of an engine, by the names that they have in the folder of engines, so that the
/// engine has its id there too.
pub(super) fn of(spec: &EngineSpec) -> anyhow::Result<BTreeMap<String, PathBuf>> {
    let mut files = BTreeMap::new();
    match &spec.folder {
        Some(folder) => {
            let whole =
                dunce::canonicalize(folder).with_context(|| folder.display().to_string())?;
            let mut walk = PackageFiles { whole: &whole, files: &mut files };
            walk.folder(&whole, name_of(&whole)?)?;
        }
        None if spec.path.as_os_str().is_empty() => {}
        None => {
            files.insert(name_of(&spec.path)?, spec.path.clone());
        }
    }
    Ok(files)
}

/// A folder on its way into a package.
struct PackageFiles<'a> {
    /// The engine's folder, which its files may not lead out of.
    whole: &'a Path,
    files: &'a mut BTreeMap<String, PathBuf>,
}

impl PackageFiles<'_> {
    fn folder(&mut self, folder: &Path, called: String) -> anyhow::Result<()> {
        let shown = || folder.display().to_string();
        for entry in fs::read_dir(folder).with_context(shown)? {
            let path = entry.with_context(shown)?.path();
            let name = name_of(&path)?;
            if name.starts_with('.') {
                continue;
            }
            let called = format!("{called}/{name}");
            // A link is followed, but neither outwards nor upwards.
            let meant = dunce::canonicalize(&path).with_context(|| path.display().to_string())?;
            if !meant.starts_with(self.whole) || folder.starts_with(&meant) {
                return Err(refused(&path, "leads out of its folder"));
            }
            match fs::metadata(&meant).with_context(|| path.display().to_string())? {
                kind if kind.is_dir() => self.folder(&meant, called)?,
                kind if kind.is_file() => drop(self.files.insert(called, meant)),
                _ => return Err(refused(&path, "is neither a file nor a folder")),
            }
        }
        Ok(())
    }
}

fn name_of(path: &Path) -> anyhow::Result<String> {
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.filter(|name| !name.contains('\\'));
    Ok(name.ok_or_else(|| refused(path, "has a name that a package cannot store"))?.to_owned())
}

fn refused(path: &Path, problem: &str) -> anyhow::Error {
    WrongUse(anyhow!("{}: {problem}", path.display())).into()
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;
    use tengen_hosts::EngineKind;

    use super::*;

    fn spec(folder: &Path) -> EngineSpec {
        let bare = EngineSpec::bare(folder.join("a.so"), EngineKind::Native);
        EngineSpec { folder: Some(folder.to_owned()), ..bare }
    }

    fn names(spec: &EngineSpec) -> Vec<String> {
        of(spec).unwrap().into_keys().collect()
    }

    #[test]
    fn a_folder_is_packed_whole_and_a_bare_file_alone() {
        let folder = TempDir::new().unwrap();
        let package = folder.path().join("hoshi-1.2");
        fs::create_dir_all(package.join("weights/deep")).unwrap();
        for file in ["a.so", "engine.xml", "weights/one", "weights/deep/two", ".hidden"] {
            fs::write(package.join(file), file).unwrap();
        }
        let expected = ["a.so", "engine.xml", "weights/deep/two", "weights/one"];
        assert_eq!(names(&spec(&package)), expected.map(|name| format!("hoshi-1.2/{name}")));
        let bare = EngineSpec::bare(package.join("a.so"), EngineKind::Native);
        assert_eq!(names(&bare), ["a.so"]);
        assert!(names(&EngineSpec::builtin("alphabeta").unwrap()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_within() {
        let folder = TempDir::new().unwrap();
        let package = folder.path().join("hoshi");
        fs::create_dir_all(package.join("sub")).unwrap();
        fs::write(package.join("a.so"), "a").unwrap();
        let link = |to: &str, name: &str| {
            let _ = fs::remove_file(package.join("sub/link"));
            std::os::unix::fs::symlink(to, package.join(name)).unwrap();
        };
        link("../a.so", "sub/link");
        assert_eq!(names(&spec(&package)), ["hoshi/a.so", "hoshi/sub/link"]);
        for away in ["..", "../..", "../../other", "/dev/null"] {
            link(away, "sub/link");
            assert!(of(&spec(&package)).is_err(), "{away}");
        }
    }
}
