//! Names the engine that is built in by its sources: it is the same in every program that has
//! these, whatever system that is for and however it was compiled.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use sha2::{Digest, Sha256};

/// The crates that it consists of, in the workspace.
const CRATES: [&str; 6] = [
    "engine-sdk/abi",
    "engine-sdk/derive",
    "engine-sdk/random",
    "engine-sdk/rules",
    "engine-sdk/sdk",
    "examples/alphabeta",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let package = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let root = package.ancestors().nth(2).ok_or("the package lies in no workspace")?;
    let mut hash = Sha256::new();
    for name in CRATES {
        let sources = root.join(name).join("src");
        println!("cargo::rerun-if-changed={}", sources.display());
        add(&sources, name, &mut hash)?;
    }
    let hash: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    println!("cargo::rustc-env=TENGEN_BUILTIN_HASH={hash}");
    Ok(())
}

/// Adds a folder to the hash, which is called so: the names of what is in it, and the contents with
/// the line ends of Unix.
fn add(folder: &Path, name: &str, hash: &mut Sha256) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), format!("{name}/{}", entry.file_name().display()));
        if path.is_dir() {
            add(&path, &name, hash)?;
            continue;
        }
        let mut text = fs::read(&path)?;
        text.retain(|byte| *byte != b'\r');
        hash.update(format!("{name}\0{}\0", text.len()));
        hash.update(text);
    }
    Ok(())
}
