//! Checks the links between pages: each names a file that exists and, after `#`, a section of it,
//! and a page of the book links to no file outside the book.

use std::fs;

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
        for (target, section) in targets(line) {
            let file = match target {
                "" => PathBuf::from(path),
                target => resolve(&folder.join(target)),
            };
            let page = match target {
                "" => Some(text.to_owned()),
                target if target.ends_with(".md") => fs::read_to_string(&file).ok(),
                _ => None,
            };
            let has_section = |section| page.is_none_or(|page| has_section(&page, section));
            if !section.is_none_or(has_section) {
                let section = section.unwrap_or_default();
                faults.push(format!("{path}:{number}: no such section: {target}#{section}"));
            }
            if !target.is_empty() && !file.exists() {
                faults.push(format!("{path}:{number}: no such file: {target}"));
            } else if folder.starts_with(BOOK) && !file.starts_with(BOOK) {
                faults.push(format!("{path}:{number}: not a page of the book: {target}"));
            }
        }
    }
    faults
}

/// The files and sections that a line of Markdown links to, without addresses.
fn targets(line: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let links = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let files = links.filter(|link| !link.contains("://") && !link.is_empty());
    files.map(|link| match link.split_once('#') {
        Some((file, section)) => (file, Some(section)),
        None => (link, None),
    })
}

/// Whether a page has a section of this name: its words in small letters, with dashes between.
fn has_section(page: &str, section: &str) -> bool {
    // One that takes its text from another file has that file's sections.
    page.contains("{{#include") || page.lines().any(|line| slug(line).as_deref() == Some(section))
}

fn slug(line: &str) -> Option<String> {
    let title = line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#'))?;
    let letters = title.trim().chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        letter if letter.is_alphanumeric() || matches!(letter, '-' | '_') => Some(letter),
        _ => None,
    });
    Some(letters.flat_map(char::to_lowercase).collect())
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
        let expected = [("a.md", None), ("../b.md", Some("part")), ("", Some("d"))];
        assert_eq!(targets(line).collect::<Vec<_>>(), expected);
        assert_eq!(resolve(Path::new("docs/../src/./main.rs")), Path::new("src/main.rs"));
    }

    #[test]
    fn a_link_to_nothing_is_named() {
        let wrong = check("a.md", "one\n[two](no-such-file.md)\n```\n[x](y)\n```\n");
        assert_eq!(wrong, ["a.md:2: no such file: no-such-file.md"]);
        let page = "# A page, `tengen`\n[up](#a-page-tengen) and [down](#b)";
        assert_eq!(check("a.md", page), ["a.md:2: no such section: #b"]);
    }
}
