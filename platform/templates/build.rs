//! Lists the sources of the SDK, so that the program carries them: a new engine in Rust builds
//! from a copy in its own folder, wherever it is.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

const CRATES: [&str; 5] = ["abi", "derive", "random", "rules", "sdk"];
/// What the crates inherit from the workspace.
const INHERITED: [&str; 2] = ["[workspace.package", "[workspace.lints"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let package = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let root = package.ancestors().nth(2).ok_or("the package lies in no workspace")?;
    let sdk = root.join("engine-sdk");
    println!("cargo::rerun-if-changed={}", sdk.display());
    println!("cargo::rerun-if-changed={}", root.join("Cargo.toml").display());
    let out = PathBuf::from(env::var("OUT_DIR")?);

    let mut files = Vec::new();
    for name in CRATES {
        let folder = sdk.join(name);
        list(&folder.join("src"), &mut files)?;
        files.push(folder.join("README.md"));
    }
    files.sort();
    let mut code = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(&sdk)?.to_str().ok_or("a path that is not UTF-8")?;
        let name = format!("sdk/{}", name.replace(std::path::MAIN_SEPARATOR, "/"));
        writeln!(code, "    ({name:?}, include_bytes!({file:?}).as_slice()),")?;
    }
    for (name, text) in manifests(root, &sdk)? {
        writeln!(code, "    (\"sdk/{name}\", {text:?}.as_bytes()),")?;
    }
    code.push(']');
    fs::write(out.join("sdk_files.rs"), code)?;
    Ok(())
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { list(&path, files)? } else { files.push(path) }
    }
    Ok(())
}

/// The manifests of the crates without what only their tests use, and one of a workspace of the
/// crates alone. Nothing from a registry is needed: the projects build without a network.
fn manifests(root: &Path, sdk: &Path) -> io::Result<Vec<(String, String)>> {
    let mut workspace = String::from("[workspace]\nresolver = \"3\"\n");
    workspace += &format!("members = {CRATES:?}\n\n[workspace.dependencies]\n");
    for name in CRATES {
        workspace += &format!("tengen-{name} = {{ path = {name:?} }}\n");
    }
    let whole = fs::read_to_string(root.join("Cargo.toml"))?;
    for (header, lines) in tables(&whole) {
        if INHERITED.iter().any(|inherited| header.starts_with(inherited)) {
            workspace += &format!("\n{header}\n{}", lines.concat());
        }
    }
    let mut manifests = vec![("Cargo.toml".to_owned(), workspace)];
    for name in CRATES {
        let mut manifest = String::new();
        for (header, mut lines) in tables(&fs::read_to_string(sdk.join(name).join("Cargo.toml"))?) {
            match header {
                "[dev-dependencies]" | "[[bench]]" | "[[example]]" => continue,
                "[dependencies]" => lines.retain(|line| line.starts_with("tengen-")),
                _ => {}
            }
            manifest += &format!("{header}\n");
            for line in lines {
                match line.split_once(" = [\"dep:") {
                    Some((feature, _)) => manifest += &format!("{feature} = []\n"),
                    None => manifest += line,
                }
            }
        }
        manifests.push((format!("{name}/Cargo.toml"), manifest));
    }
    Ok(manifests)
}

/// The tables of a manifest: their headers, and their lines.
fn tables(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut tables: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.split_inclusive('\n') {
        match tables.last_mut() {
            _ if line.starts_with('[') => tables.push((line.trim_end(), Vec::new())),
            Some((_, lines)) => lines.push(line),
            None => {}
        }
    }
    tables
}
