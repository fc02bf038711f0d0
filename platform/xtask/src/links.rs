//! Checks the links between pages: each names a file that exists and, after `#`, a section of it,
//! and a page of the book links to no file outside the book.

use std::fs;
use std::path::Path;

/// The folder of the book.
const BOOK: &str = "docs";

/// The wrong links of a page, as `path:line: what`.
pub(crate) fn check(path: &str, text: &str) -> Vec<String> {
    let folder = Path::new(path).parent().unwrap_or(Path::new(""));
    let mut faults = Vec::new();
    let mut is_code = false;
    for (number, line) in (1..).zip(text.lines()) {
        is_code ^= line.starts_with("```");
        for (target, section) in targets(line).filter(|_| !is_code) {
            let file = folder.join(target);
            let page = match target {
                "" => Some(text.to_owned()),
                _ if target.ends_with(".md") => fs::read_to_string(&file).ok(),
                _ => None,
            };
            let fault = if !target.is_empty() && !file.exists() {
                format!("no such file: {target}")
            } else if !section.is_none_or(|name| page.is_none_or(|page| has_section(&page, name))) {
                format!("no such section: {target}#{}", section.unwrap_or_default())
            } else if folder == Path::new(BOOK) && target.starts_with("..") {
                format!("not a page of the book: {target}")
            } else {
                continue;
            };
            faults.push(format!("{path}:{number}: {fault}"));
        }
    }
    faults
}

/// The paths in the tables of a page that lie neither there nor below `platform`: the map of
/// `ARCHITECTURE.md` leads to files that were moved.
pub(crate) fn check_map(path: &str, text: &str, is_there: impl Fn(&Path) -> bool) -> Vec<String> {
    let rows = (1..).zip(text.lines()).filter(|(_, line)| line.starts_with('|'));
    let named = rows.flat_map(|(number, line)| {
        let names = line.split('`').skip(1).step_by(2);
        names
            .filter(|name| name.contains('/') && !name.contains([' ', '*']))
            .flat_map(move |name| expanded(name).into_iter().map(move |name| (number, name)))
    });
    let is_missing =
        |name: &str| !is_there(Path::new(name)) && !is_there(&Path::new("platform").join(name));
    let missing = named.filter(|(_, name)| is_missing(name));
    missing.map(|(number, name)| format!("{path}:{number}: no such path: {name}")).collect()
}

/// `a/{b,c}.rs` is `a/b.rs` and `a/c.rs`.
fn expanded(name: &str) -> Vec<String> {
    let Some((before, rest)) = name.split_once('{') else { return vec![name.to_owned()] };
    let Some((parts, after)) = rest.split_once('}') else { return vec![name.to_owned()] };
    parts.split(',').map(|part| format!("{before}{part}{after}")).collect()
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
    let is_kept = |sign: &char| sign.is_alphanumeric() || matches!(sign, ' ' | '-' | '_');
    let title: String = title.trim().chars().filter(is_kept).collect();
    Some(title.to_lowercase().replace(' ', "-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_in_links_and_addresses_are_not() {
        let line = "see [a](a.md), [b](../b.md#part), [c](https://example.org/c) and [d](#d)";
        let expected = [("a.md", None), ("../b.md", Some("part")), ("", Some("d"))];
        assert_eq!(targets(line).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_path_of_the_map_that_is_not_there_is_named() {
        let is_there = |path: &Path| {
            ["engine-sdk/a.rs", "platform/b/c.rs"].iter().any(|known| path == Path::new(known))
        };
        let map = "`no/row.rs`\n| a | `engine-sdk/a.rs`, `b/{c,d}.rs`, a `word`, `cargo a/b` |\n";
        assert_eq!(check_map("A.md", map, is_there), ["A.md:2: no such path: b/d.rs"]);
    }

    #[test]
    fn a_link_to_nothing_is_named() {
        let wrong = check("a.md", "one\n[two](no-such-file.md)\n```\n[x](y)\n```\n");
        assert_eq!(wrong, ["a.md:2: no such file: no-such-file.md"]);
        let page = "# A page, `tengen`\n[up](#a-page-tengen) and [down](#b)";
        assert_eq!(check("a.md", page), ["a.md:2: no such section: #b"]);
    }
}
