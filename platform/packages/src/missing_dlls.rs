//! Which DLLs keep a program or library of Windows from starting: the system names none of them.

use std::collections::BTreeSet;
use std::env;
use std::io::Read;
use std::path::{Path, PathBuf};

use object::read::Object;
use object::{Architecture, BinaryFormat};

use super::open_file;

/// The most bytes that are read of a program.
const MOST_BYTES: u64 = 256 << 20;
/// What begins the names of DLLs that are no files: the system makes them.
const OF_THE_SYSTEM: [&str; 2] = ["api-ms-", "ext-ms-"];

/// The DLLs that a file of Windows needs, or one of its DLLs beside it, and that Windows finds in
/// no folder: not where the file is, not among its own, not in one of PATH. Empty where none is
/// missing, or the file is not one of Windows.
pub fn missing_dlls(file: &Path) -> Vec<String> {
    let Some((architecture, _)) = needed_dlls(file) else { return Vec::new() };
    let root = env::var_os("SystemRoot").map_or_else(|| r"C:\Windows".into(), PathBuf::from);
    let is_narrow = cfg!(target_pointer_width = "64") && architecture == Architecture::I386;
    let mut folders =
        vec![root.join(if is_narrow { "SysWOW64" } else { "System32" }), root.join("System"), root];
    folders.extend(env::var_os("PATH").iter().flat_map(env::split_paths));
    missing_in(file, &folders)
}

/// The same with these folders beside the file's own.
fn missing_in(file: &Path, folders: &[PathBuf]) -> Vec<String> {
    let own = file.parent().unwrap_or("".as_ref());
    let mut missing = BTreeSet::new();
    let (mut seen, mut next) = (BTreeSet::new(), vec![file.to_owned()]);
    while let Some(file) = next.pop() {
        for name in needed_dlls(&file).into_iter().flat_map(|(_, names)| names) {
            let small = name.to_ascii_lowercase();
            let is_made = OF_THE_SYSTEM.iter().any(|begin| small.starts_with(begin));
            if is_made || !seen.insert(small) {
                continue;
            }
            if own.join(&name).is_file() {
                next.push(own.join(&name));
            } else if !folders.iter().any(|folder| folder.join(&name).is_file()) {
                missing.insert(name);
            }
        }
    }
    missing.into_iter().collect()
}

/// The processor that a file of Windows is for, and the DLLs that it names.
fn needed_dlls(file: &Path) -> Option<(Architecture, BTreeSet<String>)> {
    let mut bytes = Vec::new();
    open_file(file).ok()?.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
    let program = object::File::parse(&*bytes).ok()?;
    if program.format() != BinaryFormat::Pe {
        return None;
    }
    let imports = program.imports().ok()?;
    let name = |library: &[u8]| String::from_utf8_lossy(library).into_owned();
    Some((program.architecture(), imports.iter().map(|import| name(import.library())).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{PE_X64, pe};

    #[test]
    fn what_is_nowhere_is_named_and_what_is_somewhere_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("system")).unwrap();
        let needs =
            ["KERNEL32.dll", "api-ms-win-crt-heap-l1-1-0.dll", "libstdc++-6.dll", "own.dll"];
        std::fs::write(at("pbrain-x.exe"), pe(PE_X64, &needs)).unwrap();
        std::fs::write(at("system/KERNEL32.dll"), "").unwrap();
        std::fs::write(at("own.dll"), pe(PE_X64, &["libgomp-1.dll", "KERNEL32.dll"])).unwrap();
        let missing = |name: &str| missing_in(&at(name), &[at("system")]);
        assert_eq!(missing("pbrain-x.exe"), ["libgomp-1.dll", "libstdc++-6.dll"]);
        std::fs::write(at("libstdc++-6.dll"), pe(PE_X64, &["own.dll"])).unwrap();
        std::fs::write(at("libgomp-1.dll"), "no DLL").unwrap();
        assert!(missing("pbrain-x.exe").is_empty());
        assert!(missing("libgomp-1.dll").is_empty() && missing("absent").is_empty());
    }
}
