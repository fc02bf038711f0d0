//! A type's name means one thing in the whole workspace.

use std::collections::BTreeMap;

/// The names that are written twice; `ARCHITECTURE.md` says why, at its end.
const TWICE: [&str; 18] = [
    "Cpus",
    "DenialListener",
    "Eight",
    "Engine",
    "EnvTag",
    "Functions",
    "Group",
    "Limits",
    "LiveListener",
    "LiveServer",
    "Name",
    "Readme",
    "Reaper",
    "SearchInfo",
    "StartedProcess",
    "UserNumber",
    "Watched",
    "Zygote",
];

const KINDS: [&str; 5] = ["struct ", "enum ", "trait ", "type ", "union "];

/// Where each type of the workspace is.
#[derive(Default)]
pub(crate) struct TypeNames(BTreeMap<String, Vec<String>>);

impl TypeNames {
    /// Notes the types of a file, those of tests apart.
    pub(crate) fn read(&mut self, path: &str, text: &str) {
        let is_test = path.starts_with("tests/")
            || ["/tests/", "/benches/", "templates/files/"]
                .iter()
                .any(|folder| path.contains(folder))
            || path.ends_with("/tests.rs");
        if !path.ends_with(".rs") || is_test {
            return;
        }
        let mut is_for_tests = false;
        // The line that ends a block of which no type counts.
        let mut end: Option<String> = None;
        for (number, line) in text.lines().enumerate() {
            if let Some(last) = &end {
                if line == last {
                    end = None;
                }
                continue;
            }
            let code = line.trim_start();
            if code == "#[cfg(test)]" {
                is_for_tests = true;
                continue;
            }
            let indent = &line[..line.len() - code.len()];
            let is_impl = ["impl ", "impl<"].iter().any(|word| code.starts_with(word))
                || code.contains("safe impl");
            if (is_for_tests || is_impl) && !code.starts_with('#') {
                if code.ends_with('{') || is_impl && !code.ends_with('}') {
                    end = Some(format!("{indent}}}"));
                }
                is_for_tests = false;
                continue;
            }
            if let Some(name) = type_name(code) {
                let place = format!("{path}:{}", number + 1);
                self.0.entry(name.to_owned()).or_default().push(place);
            }
        }
    }

    /// The names that mean two things, with their places.
    pub(crate) fn faults(&self) -> Vec<String> {
        let is_known = |name: &str| TWICE.contains(&name);
        let twice = self.0.iter().filter(|(name, places)| places.len() > 1 && !is_known(name));
        let fault = |(name, places): (&String, &Vec<String>)| {
            format!("{}: `{name}` is a type of {}, too", places[0], places[1..].join(" and "))
        };
        let single = |name: &&&str| self.0.get(**name).is_none_or(|places| places.len() < 2);
        let gone = TWICE.iter().filter(single);
        let gone = gone.map(|name| format!("platform/xtask/src/names.rs: `{name}` is there once"));
        twice.map(fault).chain(gone).collect()
    }
}

/// The name of the type that a line begins.
fn type_name(code: &str) -> Option<&str> {
    let code = match code.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.trim_start(),
        None => code,
    };
    let code = code.strip_prefix("unsafe ").unwrap_or(code);
    let rest = KINDS.iter().find_map(|kind| code.strip_prefix(kind))?;
    let end = rest.find(|sign: char| !sign.is_alphanumeric() && sign != '_')?;
    // An associated type of a trait, without a value.
    let is_associated = code.starts_with("type ") && !rest.contains('=');
    (end > 0 && !is_associated).then(|| &rest[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(files: &[(&str, &str)]) -> Vec<String> {
        let mut names = TypeNames::default();
        let once = TWICE.map(|name| format!("struct {name};\npub struct {name} {{\n"));
        names.read("known.rs", &once.concat());
        files.iter().for_each(|(path, text)| names.read(path, text));
        names.faults()
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
        let found = TypeNames::default().faults();
        assert_eq!(found.len(), TWICE.len());
        assert_eq!(found[0], "platform/xtask/src/names.rs: `Cpus` is there once");
    }
}
