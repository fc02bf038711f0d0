//! The rules of this repository that a program can check and a compiler does not.

use std::fs;
use std::process::Command;

use anyhow::{Result, bail};

use crate::doc_examples;
use crate::features;
use crate::graph;
use crate::links;
use crate::names::TypeNames;
use crate::process;
use crate::workspace;

const LONGEST_FILE: usize = 700;
const WIDEST_LINE: usize = 100;

/// Where `unsafe` belongs: around the ABI, and in engines that tests load for what they do wrong.
const UNSAFE_FOLDERS: [&str; 4] =
    ["engine-sdk/abi/", "engine-sdk/sdk/", "platform/hosts/", "tests/engines/"];

/// Crates whose every file is free of `unsafe` by their own word.
const FORBID_UNSAFE: [&str; 3] =
    ["engine-sdk/rules/src/lib.rs", "platform/arbiter/src/lib.rs", "platform/gomocup/src/lib.rs"];

/// How paths begin that exist on one machine only. In halves, so that this file is tidy itself.
const MACHINE_PATHS: [&str; 4] =
    [concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/Us", "ers/"), concat!("/wo", "rk/")];

const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The task `tidy`.
pub(crate) fn run() -> Result<()> {
    let mut faults = graph::check(&workspace::metadata()?)?;
    faults.extend(features::check()?);
    let mut list = Command::new("git");
    list.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let files = process::output(&mut list)?;
    let mut names = TypeNames::default();
    for path in files.split('\0').filter(|path| !path.is_empty()) {
        // A picture is none of ours, and a file may be deleted but not yet committed so.
        if let Ok(text) = fs::read_to_string(path) {
            faults.extend(check(path, &text));
            names.read(path, &text);
            faults.extend(doc_examples::check(path, &text));
            if path.ends_with(".md") {
                faults.extend(links::check(path, &text));
            }
        }
    }
    faults.extend(names.faults());
    if faults.is_empty() {
        return Ok(());
    }
    for fault in &faults {
        eprintln!("{fault}");
    }
    bail!("{} untidy {}", faults.len(), if faults.len() == 1 { "place" } else { "places" })
}

/// What is untidy in one file, as `path:line: what`.
fn check(path: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if path.ends_with("Cargo.lock") {
        for (number, line) in numbered(text) {
            if line.starts_with("source = ") && !line.contains(REGISTRY) {
                faults.push(format!("{path}:{number}: a source other than crates.io"));
            }
        }
        return faults;
    }
    let is_data = path.starts_with("tests/data/") || path.ends_with(".snap");
    if !is_data && text.lines().count() > LONGEST_FILE {
        faults.push(format!("{path}: longer than {LONGEST_FILE} lines; split it by its nouns"));
    }
    for (number, line) in numbered(text) {
        if MACHINE_PATHS.iter().any(|start| names_path(line, start)) {
            faults.push(format!("{path}:{number}: a path of one machine"));
        }
        if path.ends_with(".rs") {
            faults.extend(check_rust(path, line).map(|what| format!("{path}:{number}: {what}")));
        }
    }
    if FORBID_UNSAFE.contains(&path) && !text.contains("#![forbid(unsafe_code)]") {
        faults.push(format!("{path}: the crate must forbid unsafe code"));
    }
    faults
}

fn check_rust(path: &str, line: &str) -> Option<String> {
    let code = line.split("//").next().unwrap_or_default();
    // A raw string cannot be folded without changing it.
    if line.chars().count() > WIDEST_LINE && !line.contains("r#\"") {
        Some(format!("wider than {WIDEST_LINE} columns"))
    } else if [concat!("to", "do!("), concat!("unimple", "mented!(")]
        .iter()
        .any(|m| code.contains(m))
    {
        Some("a placeholder".to_owned())
    } else if has_unsafe(code) && !UNSAFE_FOLDERS.iter().any(|folder| path.starts_with(folder)) {
        Some(format!("unsafe code belongs in {}", UNSAFE_FOLDERS.join(" ")))
    } else {
        None
    }
}

/// A block, function, implementation or attribute that is unsafe; not the word in a text.
fn has_unsafe(code: &str) -> bool {
    ["{", "fn ", "impl ", "trait ", "extern "]
        .iter()
        .any(|what| code.contains(&[concat!("un", "safe "), what].concat()))
        || code.contains(concat!("#[un", "safe("))
}

fn names_path(line: &str, start: &str) -> bool {
    // Within an address or a longer path the same letters mean something else.
    let inner = |c: char| c.is_alphanumeric() || matches!(c, '.' | '/' | '-' | '_' | '}');
    line.match_indices(start).any(|(at, _)| !line[..at].ends_with(inner))
}

fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(index, line)| (index + 1, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn untidy_places_are_named_with_their_line() {
        let wide = format!("\n// {}", "x".repeat(98));
        assert_eq!(check("a.rs", &wide), ["a.rs:2: wider than 100 columns"]);
        assert_eq!(check("a.md", &wide), [""; 0]);
        let long = "\n".repeat(701);
        assert_eq!(check("a.md", &long).len(), 1);
        assert_eq!(check("tests/data/a.json", &long), [""; 0]);
        let placeholder = format!("    {}(\"later\")", concat!("to", "do!"));
        assert_eq!(check("a.rs", &placeholder), ["a.rs:1: a placeholder"]);
    }

    #[test]
    fn unsafe_code_is_found_and_its_mention_is_not() {
        let block = format!("let x = {} {{ y }};", concat!("un", "safe"));
        assert_eq!(check("platform/cli/src/main.rs", &block).len(), 1);
        assert_eq!(check("platform/hosts/src/native.rs", &block), [""; 0]);
        assert_eq!(check("platform/cli/src/main.rs", &format!("// {block}")), [""; 0]);
        assert_eq!(check("engine-sdk/rules/src/color.rs", "#![forbid(unsafe_code)]"), [""; 0]);
        assert_eq!(check("engine-sdk/rules/src/lib.rs", "mod color;").len(), 1);
    }

    #[test]
    fn machine_paths_are_found_and_addresses_are_not() {
        let path = |line: &str| check("a.md", line).len();
        assert_eq!(path(concat!("see /ho", "me/me/x")), 1);
        assert_eq!(path(concat!("\"/wo", "rk/main\"")), 1);
        assert_eq!(path(concat!("https://example.org/wo", "rk/x")), 0);
    }

    #[test]
    fn the_lock_file_names_one_registry() {
        let line = |source: &str| format!("source = \"{source}\"\n");
        assert_eq!(check("Cargo.lock", &line(REGISTRY)), [""; 0]);
        assert_eq!(check("Cargo.lock", &line("registry+https://example.org")).len(), 1);
    }
}
