//! Checks the rules of this repository that the compiler does not check.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};
use xshell::{Shell, cmd};

use crate::graph;
use crate::items::{self, TypeNames};
use crate::links;
use crate::process;

const LONGEST_FILE: usize = 700;

/// What is wrong with some lines, and the words by which `git grep` finds them.
const LINES: [(&str, &str); 6] = [
    // A raw string cannot be folded without changing it.
    ("wider than 100 columns", r##"-e ^.{101} --and --not -e r#" -- *.rs"##),
    // Within an address or a longer path the same letters mean something else.
    ("a path of one machine", "-e (^|[^[:alnum:]./_}-])/(home|root|Users|work)/"),
    ("a placeholder", r"-e ^([^/]|/[^/])*(todo|unimplemented)!\( -- *.rs"),
    (
        "a source other than crates.io",
        "-e ^source --and --not -e \"registry\\+https://github.com/rust-lang/crates.io-index\" \
         -- *Cargo.lock",
    ),
    // It belongs around the ABI, and in engines that tests load for what they do wrong.
    (
        "unsafe code belongs in the ABI, the SDK, the hosts and engines of tests",
        r"-e ^([^/]|/[^/])*(unsafe[[:space:]](\{|fn|impl|trait|extern)|#\[unsafe\() -- *.rs
        :!engine-sdk/abi :!engine-sdk/sdk :!platform/hosts :!tests/engines",
    ),
    (
        "the crate must forbid unsafe code",
        r"-L -e ^#!\[forbid\(unsafe_code\)\] --
        engine-sdk/rules/src/lib.rs platform/arbiter/src/lib.rs platform/gomocup/src/lib.rs",
    ),
];

pub(crate) fn run(sh: &Shell) -> Result<()> {
    let architecture = sh.read_file("ARCHITECTURE.md")?;
    let mut faults = graph::check(&architecture, &process::metadata(sh)?)?;
    faults.extend(graph::check_features(sh)?);
    faults.extend(links::check_map("ARCHITECTURE.md", &architecture, Path::exists));
    faults.extend(check_lines(sh, "--untracked")?);
    let mut names = TypeNames::default();
    let files = cmd!(sh, "git ls-files -z --cached --others --exclude-standard").read()?;
    for path in files.split('\0').filter(|path| !path.is_empty()) {
        // A picture is none of ours, and a file may be deleted but not yet committed so.
        let Ok(text) = fs::read_to_string(path) else { continue };
        if is_too_long(path, &text) {
            faults.push(format!("{path}: longer than {LONGEST_FILE} lines; split it by its nouns"));
        }
        if path.ends_with(".md") {
            faults.extend(links::check(path, &text));
        }
        faults.extend(items::without_example(path, &text));
        names.read(path, &text);
    }
    faults.extend(names.faults(&architecture));
    for fault in &faults {
        eprintln!("{fault}");
    }
    let plural = if faults.len() == 1 { "" } else { "s" };
    ensure!(faults.is_empty(), "{} untidy place{plural}", faults.len());
    Ok(())
}

fn is_too_long(path: &str, text: &str) -> bool {
    // A schema is read by programs, as one file.
    let is_data = path.starts_with("tests/data/")
        || [".snap", "Cargo.lock", ".schema.json"].iter().any(|end| path.ends_with(end));
    !is_data && text.lines().count() > LONGEST_FILE
}

/// The untidy lines of some files, as `path:line: what`.
fn check_lines(sh: &Shell, files: &str) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for (what, words) in LINES {
        let search = cmd!(sh, "git grep {files} -nIE").args(words.split_whitespace());
        let found = search.env("LC_ALL", "C.UTF-8").ignore_status().output()?;
        let lines = String::from_utf8_lossy(&found.stdout);
        // `git grep` exits with 1 if it finds nothing.
        ensure!(matches!(found.status.code(), Some(0 | 1)), "git grep does not take `{words}`");
        faults.extend(lines.lines().map(|line| {
            let place: Vec<&str> = line.splitn(3, ':').take(2).collect();
            format!("{}: {what}", place.join(":"))
        }));
    }
    Ok(faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, text: &str) -> Vec<String> {
        let sh = Shell::new().unwrap();
        let folder = sh.create_temp_dir().unwrap();
        sh.change_dir(folder.path());
        sh.write_file(path, text).unwrap();
        check_lines(&sh, "--no-index").unwrap()
    }

    #[test]
    fn untidy_places_are_named_with_their_line() {
        let wide = format!("\n// {}", "ü".repeat(98));
        assert_eq!(check("a.rs", &wide), ["a.rs:2: wider than 100 columns"]);
        assert_eq!(check("a.rs", &wide[..wide.len() - 2]), [""; 0]);
        assert_eq!(check("a.rs", &format!("r#\"{wide}",)).len(), 1);
        assert_eq!(check("a.rs", &wide.replace("// ", "r#\"")), [""; 0]);
        assert_eq!(check("a.md", &wide), [""; 0]);
        let placeholder = format!("    {}(\"later\")", concat!("to", "do!"));
        assert_eq!(check("a.rs", &placeholder), ["a.rs:1: a placeholder"]);
        let long = "\n".repeat(701);
        assert!(is_too_long("a.md", &long) && !is_too_long("tests/data/a.json", &long));
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
        let registry = "registry+https://github.com/rust-lang/crates.io-index";
        assert_eq!(check("Cargo.lock", &line(registry)), [""; 0]);
        assert_eq!(check("Cargo.lock", &line("registry+https://example.org")).len(), 1);
    }
}
