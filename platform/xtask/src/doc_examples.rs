//! Counts the public items of the SDK whose documentation has no example.
//!
//! Types, traits, functions, macros and type aliases need one. Exempt are
//!
//! - constants, and modules of constants: their value is the example;
//! - error types: what they say is shown where they arise;
//! - methods and fields: the example of their type shows what they are for;
//! - what is hidden from the documentation.

/// The crates that this holds for.
const CRATES: [&str; 4] = [
    "engine-sdk/abi/src/",
    "engine-sdk/random/src/",
    "engine-sdk/rules/src/",
    "engine-sdk/sdk/src/",
];
/// Where a macro makes structs of their fields.
const STRUCTS: &str = "engine-sdk/abi/src/structs.rs";
const KINDS: [&str; 6] = ["struct ", "enum ", "trait ", "type ", "union ", "fn "];

/// The items of a file without an example, as `path:line: what`.
pub(crate) fn check(path: &str, text: &str) -> Vec<String> {
    if !CRATES.iter().any(|folder| path.starts_with(folder)) {
        return Vec::new();
    }
    let (mut faults, mut doc, mut before) = (Vec::new(), Doc::default(), String::new());
    for (number, line) in (1..).zip(text.lines()) {
        // A struct of the ABI is written inside of a macro.
        let made = line.strip_prefix("    ").filter(|_| path == STRUCTS);
        let (line, is_made) = match made {
            Some(inner) if inner.starts_with("///") => (inner, false),
            Some(inner) if inner.ends_with('{') && inner.starts_with(char::is_uppercase) => {
                (inner, true)
            }
            _ => (line, false),
        };
        if let Some(words) = line.strip_prefix("///") {
            doc.has_example |= words.trim_start().starts_with("```");
        } else if line.starts_with("#[") || is_inside_attribute(&before, line) {
            doc.is_hidden |= line.contains("doc(hidden)");
            doc.is_exported |= line.contains("macro_export");
        } else {
            let item = if is_made { Some(name(line)) } else { item(line, doc.is_exported) };
            if let Some(item) = item.filter(|_| !doc.has_example && !doc.is_hidden) {
                faults.push(format!("{path}:{number}: {item} has no example in its documentation"));
            }
            doc = Doc::default();
        }
        line.clone_into(&mut before);
    }
    faults
}

/// What stands above an item.
#[derive(Default)]
struct Doc {
    has_example: bool,
    is_hidden: bool,
    is_exported: bool,
}

/// A line of an attribute that goes over several.
fn is_inside_attribute(before: &str, line: &str) -> bool {
    let goes_on = before.starts_with("#[") && !before.ends_with(']');
    goes_on || line.starts_with(")]")
}

/// The public item of a module that begins on this line and needs an example.
fn item(line: &str, is_exported: bool) -> Option<&str> {
    if let Some(rest) = line.strip_prefix("macro_rules! ") {
        return is_exported.then(|| name(rest));
    }
    let mut rest = line.strip_prefix("pub ")?;
    for word in ["const ", "unsafe ", "extern \"C\" "] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    let name = KINDS.iter().find_map(|kind| rest.strip_prefix(kind)).map(name)?;
    (!name.ends_with("Error")).then_some(name)
}

fn name(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<String> {
        check("engine-sdk/sdk/src/x.rs", text)
    }

    #[test]
    fn items_without_an_example_are_named() {
        let text = "/// A thing.\n#[derive(Clone)]\npub struct Thing {\n    pub field: u8,\n}\n";
        assert_eq!(
            faults(text),
            ["engine-sdk/sdk/src/x.rs:3: Thing has no example in its documentation"]
        );
        assert_eq!(check("platform/cli/src/x.rs", text), [""; 0]);
        let made = "fields! {\n    /// One game.\n    Game {\n        size: u32,\n    }\n}\n";
        assert_eq!(check(STRUCTS, made).len(), 1);
        assert_eq!(faults("/// Does.\npub const fn does() {}").len(), 1);
        assert_eq!(faults("/// Makes.\n#[macro_export]\nmacro_rules! make {").len(), 1);
    }

    #[test]
    fn what_has_one_or_needs_none_is_not() {
        let example =
            "/// A thing.\n///\n/// ```\n/// x();\n/// ```\n#[derive(Clone)]\npub struct Thing;";
        assert_eq!(faults(example), [""; 0]);
        let exempt = "/// Wrong.\npub enum ThingError {}\n/// One.\npub const ONE: u8 = 1;\n\
                      /// Inside.\npub(crate) struct Inner;\n#[doc(hidden)]\npub fn hidden() {}\n\
                      /// Not exported.\nmacro_rules! own {";
        assert_eq!(faults(exempt), [""; 0]);
    }
}
