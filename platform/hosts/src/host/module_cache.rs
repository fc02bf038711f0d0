//! Compiled WASM modules on the disk, so that an engine is compiled once on a machine.

use std::fs;
use std::hash::Hash;
use std::io::{self, Write};
use std::path::Path;

use sha2::{Digest, Sha256};
use wasmtime::{Engine, Module};

use crate::digest::KeyHasher;
use tengen_files::AtomicFile;
use tengen_packages::make_private;

/// Bytes of the digest that a cached file starts with.
const DIGEST: usize = 32;

/// The compiled form of a module: read from the folder if it is there and undamaged, otherwise
/// compiled and stored there. A folder that cannot be used is ignored.
///
/// # Errors
/// When the bytes are no module, or none that this host runs.
pub(crate) fn module(
    engine: &Engine,
    wasm: &[u8],
    settings: &str,
    folder: Option<&Path>,
) -> wasmtime::Result<Module> {
    let place = folder.and_then(|folder| match make_private(folder) {
        Ok(()) => Some(folder.join(format!("{}.cwasm", key(engine, wasm, settings)))),
        Err(error) => {
            log::warn!("{}: not used for compiled modules: {error}", folder.display());
            None
        }
    });
    if let Some(module) = place.as_deref().and_then(|place| read(engine, place)) {
        return Ok(module);
    }
    let module = Module::new(engine, wasm)?;
    if let Some(place) = place
        && let Err(error) = write(&place, &module.serialize()?)
    {
        log::warn!("{}: compiled module not kept: {error}", place.display());
    }
    Ok(module)
}

/// What the compiled form depends on: the module, the compiler and its settings.
fn key(engine: &Engine, wasm: &[u8], settings: &str) -> String {
    let mut hasher = KeyHasher::new();
    engine.precompile_compatibility_hash().hash(&mut hasher);
    settings.hash(&mut hasher);
    wasm.hash(&mut hasher);
    hasher.key()
}

fn read(engine: &Engine, place: &Path) -> Option<Module> {
    let bytes = fs::read(place).ok()?;
    let (digest, compiled) = bytes.split_at_checked(DIGEST)?;
    if Sha256::digest(compiled)[..] != *digest {
        log::warn!("{}: damaged, compiled again", place.display());
        return None;
    }
    // SAFETY: the file lies where only this user writes, is whole by its digest, and was made by
    // `serialize` of the compiler that its name stands for.
    unsafe { Module::deserialize(engine, compiled) }.ok()
}

/// Writes the compiled form and, before it, its digest. No reader sees half a file.
fn write(place: &Path, compiled: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create(place)?;
    file.write_all(&Sha256::digest(compiled))?;
    file.write_all(compiled)?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// The shortest module there is.
    const EMPTY: &[u8] = b"\0asm\x01\0\0\0";

    fn only_file(folder: &Path) -> PathBuf {
        let files: Vec<_> =
            fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
        assert_eq!(files.len(), 1, "{files:?}");
        files[0].clone()
    }

    #[test]
    fn a_damaged_file_is_compiled_again() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("cache");
        let engine = Engine::default();
        module(&engine, EMPTY, "", Some(&folder)).unwrap();
        let place = only_file(&folder);
        let whole = fs::read(&place).unwrap();
        for damage in [&whole[..40], b"", &[&whole[..whole.len() - 1], b"x"].concat()] {
            fs::write(&place, damage).unwrap();
            assert!(read(&engine, &place).is_none());
            module(&engine, EMPTY, "", Some(&folder)).unwrap();
            assert_eq!(fs::read(only_file(&folder)).unwrap(), whole);
        }
    }

    #[test]
    fn other_settings_make_another_file() {
        let engine = Engine::default();
        assert_ne!(key(&engine, EMPTY, "a"), key(&engine, EMPTY, "b"));
        assert_ne!(key(&engine, EMPTY, "a"), key(&engine, b"", "a"));
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_where_others_write_is_not_used() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o777)).unwrap();
        module(&Engine::default(), EMPTY, "", Some(dir.path())).unwrap();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
