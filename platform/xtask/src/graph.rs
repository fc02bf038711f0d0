//! Who may use whom among the crates of the workspace.

use anyhow::{Context, Result};
use serde_json::Value;

/// Each crate and those of the workspace it may use, tests apart.
const USES: [(&str, &[&str]); 28] = [
    ("tengen-abi", &[]),
    ("tengen-derive", &[]),
    ("tengen-files", &[]),
    ("tengen-random", &[]),
    ("tengen-rules", &[]),
    ("tengen-sdk", &["tengen-abi", "tengen-derive", "tengen-random", "tengen-rules"]),
    ("alphabeta", &["tengen-sdk"]),
    ("greedy", &["tengen-sdk"]),
    ("nnue", &["tengen-sdk"]),
    ("faulty", &["tengen-abi", "tengen-rules"]),
    ("instant", &["tengen-abi"]),
    ("spinner", &["tengen-sdk"]),
    ("tengen-arbiter", &["tengen-rules"]),
    ("tengen-gomocup", &["tengen-rules", "tengen-arbiter"]),
    ("tengen-brain", &["tengen-rules", "tengen-arbiter", "tengen-gomocup"]),
    ("tengen-record", &["tengen-rules", "tengen-arbiter", "tengen-files"]),
    ("tengen-stats", &[]),
    ("tengen-pairing", &["tengen-random"]),
    ("tengen-templates", &[]),
    ("tengen-packages", &["tengen-abi", "tengen-rules", "tengen-files"]),
    ("tengen-players", &["tengen-random", "tengen-rules", "tengen-arbiter"]),
    (
        "tengen-hosts",
        &[
            "tengen-abi",
            "tengen-random",
            "tengen-rules",
            "tengen-sdk",
            "tengen-arbiter",
            "tengen-files",
            "tengen-gomocup",
            "tengen-packages",
            "tengen-players",
            "alphabeta",
        ],
    ),
    // Not the hosts: a simulated event links no WASM compiler.
    (
        "tengen-tournament",
        &[
            "tengen-random",
            "tengen-rules",
            "tengen-arbiter",
            "tengen-files",
            "tengen-pairing",
            "tengen-players",
            "tengen-record",
            "tengen-stats",
        ],
    ),
    // Not the hosts either: the program hands it the players. Of the server it takes the tables
    // that the window hosts and joins.
    (
        "tengen-gui",
        &[
            "tengen-rules",
            "tengen-arbiter",
            "tengen-files",
            "tengen-players",
            "tengen-record",
            "tengen-stats",
            "tengen-tournament",
            "tengen-web",
        ],
    ),
    (
        "tengen-web",
        &[
            "tengen-rules",
            "tengen-arbiter",
            "tengen-files",
            "tengen-players",
            "tengen-record",
            "tengen-stats",
            "tengen-tournament",
        ],
    ),
    ("tengen-testkit", &["tengen-random", "tengen-rules", "tengen-arbiter", "tengen-players"]),
    // Not the hosts: what is fuzzed is built anew with coverage, and a WASM compiler takes minutes.
    (
        "tengen-fuzz",
        &[
            "tengen-abi",
            "tengen-rules",
            "tengen-arbiter",
            "tengen-gomocup",
            "tengen-packages",
            "tengen-record",
            "tengen-tournament",
            "tengen-web",
        ],
    ),
    ("xtask", &["tengen-random"]),
];

/// Crates that use nothing from outside either, tests apart.
const PURE: [&str; 6] = [
    "tengen-abi",
    "tengen-rules",
    "tengen-sdk",
    "tengen-arbiter",
    "tengen-gomocup",
    "tengen-stats",
];

/// What `cargo metadata` shows of the wrong direction. The program `tengen` may use everything.
pub(crate) fn check(metadata: &Value) -> Result<Vec<String>> {
    let packages = metadata["packages"].as_array().context("cargo names no packages")?;
    let mut faults = Vec::new();
    for package in packages {
        let name = package["name"].as_str().context("a package has a name")?;
        let Some((_, allowed)) = USES.iter().find(|(known, _)| *known == name) else {
            if name != "tengen" {
                faults.push(format!("{name}: say in platform/xtask/src/graph.rs what it may use"));
            }
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let used = dependency["name"].as_str().context("a dependency has a name")?;
            let is_ours = dependency["path"].is_string();
            if dependency["kind"] == "dev" {
                // Tests may use what they like, but engine-sdk must stand alone.
                if is_ours && is_of_sdk(package) && !is_of_sdk(dependency) {
                    faults.push(format!("{name} uses {used}, but engine-sdk knows no platform"));
                }
            } else if is_ours && !allowed.contains(&used) {
                faults.push(format!("{name} uses {used}, which is the wrong way round"));
            } else if !is_ours && PURE.contains(&name) {
                faults.push(format!("{name} uses {used}, but takes nothing from outside"));
            }
        }
    }
    Ok(faults)
}

fn is_of_sdk(package: &Value) -> bool {
    ["manifest_path", "path"]
        .iter()
        .filter_map(|key| package[*key].as_str())
        .any(|path| path.replace('\\', "/").contains("/engine-sdk/"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

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
        check(&json!({ "packages": [package] })).expect("well-formed metadata")
    }

    #[test]
    fn the_wrong_way_round_is_found() {
        let hosts = ("tengen-hosts", "", "platform/hosts");
        let found = faults(package("tengen-tournament", "platform/tournament", &[hosts]));
        assert_eq!(found, ["tengen-tournament uses tengen-hosts, which is the wrong way round"]);
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
