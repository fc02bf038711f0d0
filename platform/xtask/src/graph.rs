//! What the crates of the workspace may depend on, and with which features.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use serde_json::Value;
use xshell::Shell;

use crate::process;

/// Crates that use nothing from outside either, tests and optional features apart.
const PURE: [&str; 6] = ["abi", "rules", "sdk", "arbiter", "gomocup", "stats"];

/// The crates that have a part of their own in a build with the server or the window; no large
/// crate depends on them.
const OWN_PART: [&str; 3] = ["tengen-lineup ", "tengen-link ", "tengen-web "];

/// The dependencies that the table of crates in `ARCHITECTURE.md` does not allow.
pub(crate) fn check(architecture: &str, metadata: &Value) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for package in metadata["packages"].as_array().context("cargo names no packages")? {
        let name = package["name"].as_str().context("a package has a name")?;
        let Some(allowed) = allowed(architecture, name, &package["manifest_path"]) else {
            faults.push(format!("{name}: say in ARCHITECTURE.md what it may depend on"));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let used = dependency["name"].as_str().context("a dependency has a name")?;
            let is_ours = dependency["path"].is_string();
            let is_allowed = allowed.contains(&short(used)) || allowed.contains(&"all");
            if dependency["kind"] == "dev" {
                // Tests may use what they like, but engine-sdk must stand alone.
                let [user, used_path] = [&package["manifest_path"], &dependency["path"]];
                if is_ours && is_in("/engine-sdk/", user) && !is_in("/engine-sdk/", used_path) {
                    faults.push(format!("{name} uses {used}, but engine-sdk knows no platform"));
                }
            } else if is_ours && !is_allowed {
                faults.push(format!("{name} uses {used}, which is the wrong way round"));
            } else if !is_ours && dependency["optional"] != true && PURE.contains(&short(name)) {
                faults.push(format!("{name} uses {used}, but takes nothing from outside"));
            }
        }
    }
    Ok(faults)
}

/// The last column of a crate's row, as words. A row with `*` is for all crates of a folder.
fn allowed<'a>(architecture: &'a str, name: &str, manifest: &Value) -> Option<Vec<&'a str>> {
    let cells = |row: &'a str| row.split('|').map(|cell| cell.trim().trim_matches('`'));
    let rows = architecture.lines().map(|row| cells(row).collect::<Vec<_>>());
    let mut rows = rows.filter(|cells| cells.len() == 6);
    let is_its_row = |cells: &Vec<&str>| match cells[1].strip_suffix('*') {
        Some(folder) => is_in(&format!("/{folder}"), manifest),
        None => cells[2] == name,
    };
    Some(rows.find(is_its_row)?[4].split([',', ' ']).collect())
}

fn short(name: &str) -> &str {
    name.strip_prefix("tengen-").unwrap_or(name)
}

fn is_in(folder: &str, path: &Value) -> bool {
    path.as_str().is_some_and(|path| path.replace('\\', "/").contains(folder))
}

/// Names the crates that get more features in a build with the window and the server than in one
/// without. They, and everything that depends on them, are compiled a second time when these are
/// added.
pub(crate) fn check_features(sh: &Shell) -> Result<Vec<String>> {
    // The window's dependencies differ from system to system; this is about Linux.
    if !cfg!(target_os = "linux") {
        return Ok(Vec::new());
    }
    let [with_window, without] = [crates(sh, "")?, crates(sh, "--no-default-features")?];
    let fault = |line| format!("Cargo.toml: `{line}` gets more features from the window; add them");
    let twice = without.difference(&with_window).filter(|line| {
        let is_own = |crate_name: &&str| line.starts_with(*crate_name);
        !OWN_PART.iter().any(is_own)
    });
    Ok(twice.map(fault).collect())
}

/// What the program depends on: each crate with its version and features.
fn crates(sh: &Shell, flags: &str) -> Result<BTreeSet<String>> {
    let tree = format!("tree --edges normal,build --prefix none {flags} --format");
    let lines = process::cargo(sh, &tree).arg("{p} {f}").read()?;
    let lines = lines.lines().skip(1).map(|line| line.trim_end_matches(" (*)").to_owned());
    Ok(lines.collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const TABLE: &str = "\
| folder | crate | contents | may depend on |
|---|---|---|---|
| `engine-sdk/rules` | `tengen-rules` | boards | nothing |
| `platform/arbiter` | `tengen-arbiter` | one game | rules |
| `platform/tournament` | `tengen-tournament` | events | rules, arbiter |
| `platform/cli` | `tengen` | the program | all of platform, sdk |
| `examples/*` | | engines | sdk |
";

    fn package(name: &str, folder: &str, uses: &[(&str, &str, &str)]) -> Value {
        let dependencies: Vec<Value> = uses
            .iter()
            .map(|(name, kind, folder)| {
                let path = (!folder.is_empty()).then(|| format!("/t/{folder}"));
                json!({ "name": name, "kind": (!kind.is_empty()).then_some(kind), "path": path })
            })
            .collect();
        let manifest = format!("/t/{folder}/Cargo.toml");
        json!({ "name": name, "manifest_path": manifest, "dependencies": dependencies })
    }

    fn faults(package: Value) -> Vec<String> {
        check(TABLE, &json!({ "packages": [package] })).expect("well-formed metadata")
    }

    #[test]
    fn the_wrong_way_round_is_found() {
        let hosts = ("tengen-hosts", "", "platform/hosts");
        let found = faults(package("tengen-tournament", "platform/tournament", &[hosts]));
        assert_eq!(found, ["tengen-tournament uses tengen-hosts, which is the wrong way round"]);
        let rules = ("tengen-rules", "", "engine-sdk/rules");
        assert_eq!(faults(package("tengen-arbiter", "platform/arbiter", &[rules])), [""; 0]);
        assert_eq!(faults(package("greedy", "examples/greedy", &[rules])).len(), 1);
        let kit = ("tengen-testkit", "dev", "platform/testkit");
        assert_eq!(faults(package("tengen-arbiter", "platform/arbiter", &[kit])), [""; 0]);
        assert_eq!(faults(package("tengen-rules", "engine-sdk/rules", &[kit])).len(), 1);
    }

    #[test]
    fn pure_crates_take_nothing_from_outside() {
        let serde =
            |kind| faults(package("tengen-rules", "engine-sdk/rules", &[("serde", kind, "")]));
        assert_eq!(serde("").len(), 1);
        assert_eq!(serde("dev"), [""; 0]);
    }

    #[test]
    fn a_new_crate_must_be_placed() {
        assert_eq!(faults(package("tengen-new", "platform/new", &[])).len(), 1);
        assert_eq!(
            faults(package("tengen", "", &[("tengen-hosts", "", "platform/hosts")])),
            [""; 0]
        );
    }
}
