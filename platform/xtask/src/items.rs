//! What the Rust of this repository declares: a type's name means one thing in the whole workspace,
//! and the public items of the SDK have an example in their documentation.

use std::collections::BTreeMap;

/// Where a macro makes structs of their fields.
const STRUCTS: &str = "engine-sdk/abi/src/structs.rs";
const MADE: &str = "made by a macro";
const TYPES: [&str; 5] = ["struct ", "enum ", "trait ", "type ", "union "];
const MACRO: &str = "macro_rules! ";

/// What a line of Rust declares.
struct Item<'a> {
    line: usize,
    indent: usize,
    kind: &'static str,
    name: &'a str,
    is_public: bool,
    /// What stands above it: documentation and attributes.
    above: String,
}

/// The items of a file, those of tests and of implementations apart.
fn items(text: &str) -> Vec<Item<'_>> {
    let (mut items, mut above, mut is_open) = (Vec::new(), String::new(), false);
    let mut lines = (1..).zip(text.lines());
    while let Some((line, whole)) = lines.next() {
        let code = whole.trim_start();
        let (indent, _) = whole.split_at(whole.len() - code.len());
        let is_attribute = code.starts_with("#[") || is_open;
        is_open = is_attribute && !code.ends_with(']');
        if is_attribute || code.starts_with("///") {
            above += code;
            continue;
        }
        let is_impl = ["impl ", "impl<"].iter().any(|word| code.starts_with(word))
            || code.contains("safe impl");
        if !is_impl && !above.contains("#[cfg(test)]") {
            items.extend(Item::read(line, indent.len(), code, &above));
        } else if code.ends_with('{') || is_impl && !code.ends_with('}') {
            let end = format!("{indent}}}");
            lines.find(|(_, line)| *line == end);
        }
        above.clear();
    }
    items
}

impl Item<'_> {
    fn read<'a>(line: usize, indent: usize, code: &'a str, above: &str) -> Option<Item<'a>> {
        let (mut is_public, mut rest) = match code.strip_prefix("pub") {
            Some(rest) if rest.starts_with('(') => (false, rest.split_once(") ")?.1),
            Some(rest) => (true, rest.trim_start()),
            None => (false, code),
        };
        for word in ["const ", "unsafe ", "extern \"C\" "] {
            rest = rest.strip_prefix(word).unwrap_or(rest);
        }
        let mut kinds = TYPES.into_iter().chain(["fn ", MACRO]);
        let kind = match kinds.find(|kind| rest.starts_with(kind)) {
            // An associated type of a trait, without a value.
            Some("type ") if !rest.contains('=') => return None,
            Some(kind) => kind,
            None if code.starts_with(char::is_uppercase) && code.ends_with(" {") => MADE,
            None => return None,
        };
        is_public |= kind == MADE || kind == MACRO && above.contains("macro_export");
        rest = rest.strip_prefix(kind).unwrap_or(rest);
        let end = rest.find(|sign: char| !sign.is_alphanumeric() && sign != '_')?;
        let (name, above) = (&rest[..end], above.to_owned());
        (end > 0).then_some(Item { line, indent, kind, name, is_public, above })
    }
}

/// The public items of a file of the SDK without an example, as `path:line: what`.
///
/// Types, traits, functions, macros and type aliases need one. Exempt are
///
/// - constants, and modules of constants: their value is the example;
/// - error types: what they say is shown where they arise;
/// - methods and fields: the example of their type shows what they are for;
/// - what is hidden from the documentation.
pub(crate) fn without_example(path: &str, text: &str) -> Vec<String> {
    let folders: Vec<&str> = path.split('/').collect();
    let ["engine-sdk", "abi" | "random" | "rules" | "sdk", "src", ..] = folders[..] else {
        return Vec::new();
    };
    let needs_one = |item: &Item<'_>| match item.kind {
        MADE => path == STRUCTS && item.indent == 4,
        _ => item.indent == 0 && item.is_public && !item.name.ends_with("Error"),
    };
    let lacks_one =
        |item: &Item<'_>| ["/// ```", "doc(hidden)"].iter().all(|what| !item.above.contains(what));
    let lacking = items(text).into_iter().filter(|item| needs_one(item) && lacks_one(item));
    let fault = |Item { line, name, .. }: Item<'_>| {
        format!("{path}:{line}: {name} has no example in its documentation")
    };
    lacking.map(fault).collect()
}

/// Where each type of the workspace is.
#[derive(Default)]
pub(crate) struct TypeNames(BTreeMap<String, Vec<String>>);

impl TypeNames {
    /// Notes the types of a file, those of tests apart.
    pub(crate) fn read(&mut self, path: &str, text: &str) {
        let is_test = path.starts_with("tests/")
            || ["/tests/", "/benches/", "templates/files/"].iter().any(|part| path.contains(part))
            || path.ends_with("/tests.rs");
        if !path.ends_with(".rs") || is_test {
            return;
        }
        for item in items(text).into_iter().filter(|item| TYPES.contains(&item.kind)) {
            let place = format!("{path}:{}", item.line);
            self.0.entry(item.name.to_owned()).or_default().push(place);
        }
    }

    /// The names that mean two things, with their places, and those of the list at the end of
    /// `ARCHITECTURE.md`, which says why they are there twice, that no longer are.
    pub(crate) fn faults(&self, architecture: &str) -> Vec<String> {
        let list = architecture.split_once("\nA type's name, ").map_or("", |(_, list)| list);
        let quoted = list.split('`').skip(1).step_by(2);
        let known: Vec<&str> = quoted.filter(|name| name.starts_with(char::is_uppercase)).collect();
        let twice = self.0.iter().filter(|(_, places)| places.len() > 1);
        let unknown = twice.clone().filter(|(name, _)| !known.contains(&name.as_str()));
        let fault = |(name, places): (&String, &Vec<String>)| {
            format!("{}: `{name}` is a type of {}, too", places[0], places[1..].join(" and "))
        };
        let gone = known.iter().filter(|known| !twice.clone().any(|(name, _)| name == *known));
        let gone = gone.map(|name| format!("ARCHITECTURE.md: `{name}` is there once"));
        unknown.map(fault).chain(gone).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lacking(text: &str) -> Vec<String> {
        without_example("engine-sdk/sdk/src/x.rs", text)
    }

    #[test]
    fn items_without_an_example_are_named() {
        let text = "/// A thing.\n#[derive(Clone)]\npub struct Thing {\n    pub field: u8,\n}\n";
        assert_eq!(
            lacking(text),
            ["engine-sdk/sdk/src/x.rs:3: Thing has no example in its documentation"]
        );
        assert_eq!(without_example("platform/cli/src/x.rs", text), [""; 0]);
        let made = "fields! {\n    /// One game.\n    Game {\n        size: u32,\n    }\n}\n";
        assert_eq!(without_example(STRUCTS, made).len(), 1);
        assert_eq!(lacking("/// Does.\npub const fn does() {}").len(), 1);
        assert_eq!(lacking("/// Makes.\n#[macro_export]\nmacro_rules! make {").len(), 1);
    }

    #[test]
    fn what_has_one_or_needs_none_is_not() {
        let example =
            "/// A thing.\n///\n/// ```\n/// x();\n/// ```\n#[derive(Clone)]\npub struct Thing;";
        assert_eq!(lacking(example), [""; 0]);
        let exempt = "/// Wrong.\npub enum ThingError {}\n/// One.\npub const ONE: u8 = 1;\n\
                      /// Inside.\npub(crate) struct Inner;\n#[doc(hidden)]\npub fn hidden() {}\n\
                      /// Not exported.\nmacro_rules! own {";
        assert_eq!(lacking(exempt), [""; 0]);
    }

    const KNOWN: &str =
        "`Other` is not listed.\n\nA type's name, public, is\n\n- `Key` of `x.rs`\n";

    fn faults(files: &[(&str, &str)]) -> Vec<String> {
        let mut names = TypeNames::default();
        names.read("known.rs", "struct Key;\npub struct Key {\n");
        files.iter().for_each(|(path, text)| names.read(path, text));
        names.faults(KNOWN)
    }

    #[test]
    fn a_name_of_two_types_is_found_wherever_they_are() {
        let one = "pub(in crate::app) struct Desk<'a> {\n}\n";
        let two = "mod inner {\n    enum Desk {}\n}\n";
        let found = faults(&[("a/one.rs", one), ("b/two.rs", two)]);
        assert_eq!(found, ["a/one.rs:1: `Desk` is a type of b/two.rs:2, too"]);
    }

    #[test]
    fn types_of_tests_and_associated_types_do_not_count() {
        let one = "struct Desk;\nimpl Iterator for Desk {\n    type Item = u8;\n}\n\
                   trait Find {\n    type Item;\n}\n";
        let two = "impl<T> Iterator for Pen<T>\nwhere\n    T: Copy,\n{\n    type Item = u8;\n}\n\
                   #[cfg(test)]\nmod tests {\n    struct Desk;\n}\n";
        let files =
            [("a/one.rs", one), ("b/two.rs", two), ("b/tests/all.rs", one), ("b/tests.rs", one)];
        assert_eq!(faults(&files), [""; 0]);
    }

    #[test]
    fn a_name_that_is_no_longer_there_twice_is_taken_off_the_list() {
        let found = TypeNames::default().faults(KNOWN);
        assert_eq!(found, ["ARCHITECTURE.md: `Key` is there once"]);
    }
}
