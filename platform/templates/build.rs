//! Lists the sources of the SDK, so that the program carries them: a new engine in Rust builds
//! from a copy in its own folder, wherever it is.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

const CRATES: [&str; 4] = ["abi", "random", "rules", "sdk"];
/// What the crates inherit from the workspace.
const INHERITED: [&str; 2] = ["package", "lints"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../..").canonicalize()?;
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
    for (name, text) in manifests(&root, &sdk)? {
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

/// The manifests of the crates without their tests, and one of a workspace of the crates alone.
fn manifests(root: &Path, sdk: &Path) -> Result<Vec<(String, String)>, Box<dyn std::error::Error>> {
    let read = |path: PathBuf| -> Result<toml::Table, Box<dyn std::error::Error>> {
        Ok(fs::read_to_string(path)?.parse()?)
    };
    let whole = read(root.join("Cargo.toml"))?;
    let inherited = whole["workspace"].as_table().ok_or("no workspace")?;
    let mut workspace = toml::Table::new();
    workspace.insert("resolver".into(), "3".into());
    workspace.insert("members".into(), CRATES.to_vec().into());
    for key in INHERITED {
        workspace.insert(key.into(), inherited[key].clone());
    }
    let mut dependencies = toml::Table::new();
    for name in CRATES {
        let path = toml::Table::from_iter([("path".to_owned(), name.into())]);
        dependencies.insert(format!("tengen-{name}"), path.into());
    }
    workspace.insert("dependencies".into(), dependencies.into());
    let table = toml::Table::from_iter([("workspace".to_owned(), workspace.into())]);
    let mut manifests = vec![("Cargo.toml".to_owned(), toml::to_string(&table)?)];
    for name in CRATES {
        let mut manifest = read(sdk.join(name).join("Cargo.toml"))?;
        // Nothing from a registry is needed: the projects build without a network.
        for key in ["dev-dependencies", "bench"] {
            manifest.remove(key);
        }
        for feature in manifest.get_mut("features").and_then(|it| it.as_table_mut()).into_iter() {
            feature.iter_mut().for_each(|(_, needs)| *needs = toml::Value::Array(Vec::new()));
        }
        if let Some(dependencies) =
            manifest.get_mut("dependencies").and_then(|it| it.as_table_mut())
        {
            dependencies.retain(|name, _| name.starts_with("tengen-"));
        }
        manifests.push((format!("{name}/Cargo.toml"), toml::to_string(&manifest)?));
    }
    Ok(manifests)
}
