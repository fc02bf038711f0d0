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
    fn a_link_to_nothing_is_named() {
        let wrong = check("a.md", "one\n[two](no-such-file.md)\n```\n[x](y)\n```\n");
        assert_eq!(wrong, ["a.md:2: no such file: no-such-file.md"]);
        let page = "# A page, `tengen`\n[up](#a-page-tengen) and [down](#b)";
        assert_eq!(check("a.md", page), ["a.md:2: no such section: #b"]);
    }
}
