//! Checks the links between pages: each names a file that exists, and a page of the book links to
//! no file outside the book.

use std::path::{Component, Path, PathBuf};

/// The folder of the book.
const BOOK: &str = "docs";

/// The wrong links of a page, as `path:line: what`.
pub(crate) fn check(path: &str, text: &str) -> Vec<String> {
    let folder = Path::new(path).parent().unwrap_or(Path::new(""));
    let mut faults = Vec::new();
    let mut is_code = false;
    for (number, line) in (1..).zip(text.lines()) {
        is_code ^= line.starts_with("```");
        if is_code {
            continue;
        }
        for target in targets(line) {
            let file = resolve(&folder.join(target));
            if !file.exists() {
                faults.push(format!("{path}:{number}: no such file: {target}"));
            } else if folder.starts_with(BOOK) && !file.starts_with(BOOK) {
                faults.push(format!("{path}:{number}: not a page of the book: {target}"));
            }
        }
    }
    faults
}

/// The files that a line of Markdown links to, without addresses and without `#section`.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    let links = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let files = links.filter(|link| !link.contains("://"));
    files.filter_map(|link| link.split('#').next()).filter(|file| !file.is_empty())
}

/// The path without `..`.
fn resolve(path: &Path) -> PathBuf {
    let mut resolved = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(resolved.pop()),
            Component::CurDir => {}
            other => resolved.push(other),
        }
    }
    resolved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_in_links_and_addresses_are_not() {
        let line = "see [a](a.md), [b](../b.md#part), [c](https://example.org/c) and [d](#d)";
        assert_eq!(targets(line).collect::<Vec<_>>(), ["a.md", "../b.md"]);
        assert_eq!(resolve(Path::new("docs/../src/./main.rs")), Path::new("src/main.rs"));
    }

    #[test]
    fn a_link_to_nothing_is_named() {
        let wrong = check("a.md", "one\n[two](no-such-file.md)\n```\n[x](y)\n```\n");
        assert_eq!(wrong, ["a.md:2: no such file: no-such-file.md"]);
    }
}
