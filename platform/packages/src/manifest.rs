use super::Kind;
use super::id;
use super::xml::{self, Element};

mod error;

pub use error::{ManifestError, ManifestProblem};

/// The largest manifest, in bytes.
pub(super) const MANIFEST_LIMIT: u64 = 64 * 1024;

const SYSTEMS: [&str; 4] = ["linux", "windows", "macos", "freebsd"];
const ARCHITECTURES: [&str; 8] =
    ["x86_64", "aarch64", "x86", "arm", "riscv64", "loongarch64", "powerpc64", "s390x"];

/// A library of a manifest; None stands for any system or architecture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LibraryFile {
    pub(super) os: Option<String>,
    pub(super) arch: Option<String>,
    pub(super) file: String,
    pub(super) line: u32,
}

/// An engine as its manifest declares it: read, but not yet looked for on the disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Declared {
    pub(super) id: String,
    pub(super) name: Option<String>,
    pub(super) kind: Kind,
    pub(super) libraries: Vec<LibraryFile>,
    pub(super) options: Vec<(String, String)>,
    pub(super) memory_mib: Option<u32>,
    pub(super) threads: Option<u32>,
    pub(super) line: u32,
}

impl Declared {
    /// The first library that fits this machine.
    pub(super) fn library_here(&self) -> Option<&LibraryFile> {
        let fits =
            |wanted: &Option<String>, here: &str| wanted.as_deref().is_none_or(|w| w == here);
        self.libraries.iter().find(|library| {
            fits(&library.os, std::env::consts::OS) && fits(&library.arch, std::env::consts::ARCH)
        })
    }
}

/// The ids of the engines that the bytes of a manifest declare, in its order. Nothing is looked for
/// on the disk.
///
/// # Errors
/// When it is no manifest, with the line and what is wrong there.
pub fn declared_ids(manifest: &[u8]) -> Result<Vec<String>, ManifestError> {
    Ok(parse(manifest)?.into_iter().map(|engine| engine.id).collect())
}

/// Reads a manifest, of which the caller passes one byte more than allowed where there is more.
pub(super) fn parse(bytes: &[u8]) -> Result<Vec<Declared>, ManifestError> {
    let fail = |problem| Err(ManifestError { line: 1, problem });
    if bytes.len() as u64 > MANIFEST_LIMIT {
        return fail(ManifestProblem::TooLarge);
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text),
        Err(error) => {
            let lines = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
            let line = 1 + u32::try_from(lines).expect("a manifest is bounded by 64 KiB");
            return Err(ManifestError { line, problem: ManifestProblem::Encoding });
        }
    };
    let root = xml::parse(text)?;
    if root.name != "engines" {
        return Err(root.unknown_element("at the root", "<engines>"));
    }
    root.allow_attributes(&[])?;
    root.no_text()?;
    if root.children.is_empty() {
        return Err(root.error(ManifestProblem::Empty { element: "engines", child: "engine" }));
    }
    root.children.iter().map(engine).collect()
}

fn engine(element: &Element) -> Result<Declared, ManifestError> {
    if element.name != "engine" {
        return Err(element.unknown_element("in <engines>", "<engine>"));
    }
    element.allow_attributes(&["id", "name", "kind"])?;
    element.no_text()?;
    let id = element.required("id")?;
    if !id::is_valid(id) {
        let expected = "up to 64 letters, digits and - _ . +, beginning with a letter or digit";
        return Err(element.bad_value("`id`", id, expected));
    }
    let kind = match element.required("kind")? {
        "native" => Kind::Native,
        "wasm" => Kind::Wasm,
        other => return Err(element.bad_value("`kind`", other, "native or wasm")),
    };
    let name = element.attribute("name").map(str::trim).filter(|name| !name.is_empty());
    if let Some(name) = name.filter(|name| name.chars().count() > 100) {
        return Err(element.bad_value("`name`", name, "at most 100 characters"));
    }
    let mut declared = Declared {
        id: id.to_owned(),
        name: name.map(str::to_owned),
        kind,
        libraries: Vec::new(),
        options: Vec::new(),
        memory_mib: None,
        threads: None,
        line: element.line,
    };
    let mut limited = false;
    for child in &element.children {
        match child.name.as_str() {
            "library" => add_library(&mut declared, child)?,
            "option" => add_option(&mut declared, child)?,
            "limits" if limited => return Err(child.twice("<limits>")),
            "limits" => {
                limited = true;
                limits(&mut declared, child)?;
            }
            _ => return Err(child.unknown_element("in <engine>", "<library>, <option>, <limits>")),
        }
    }
    if declared.libraries.is_empty() {
        return Err(element.error(ManifestProblem::Empty { element: "engine", child: "library" }));
    }
    Ok(declared)
}

fn add_library(declared: &mut Declared, element: &Element) -> Result<(), ManifestError> {
    // A module runs everywhere: a system or an architecture there would be a misunderstanding.
    element.allow_attributes(if declared.kind == Kind::Wasm { &[] } else { &["os", "arch"] })?;
    element.no_children()?;
    let os = element.one_of("os", &SYSTEMS)?;
    let arch = element.one_of("arch", &ARCHITECTURES)?;
    let file = element.text.trim().to_owned();
    if file.is_empty() {
        return Err(element.bad_value("<library>", "", "the name of a file in this folder"));
    }
    if declared.libraries.iter().any(|other| other.os == os && other.arch == arch) {
        return Err(element.twice("the library for the same system and architecture"));
    }
    declared.libraries.push(LibraryFile { os, arch, file, line: element.line });
    Ok(())
}

fn add_option(declared: &mut Declared, element: &Element) -> Result<(), ManifestError> {
    element.allow_attributes(&["name"])?;
    element.no_children()?;
    let name = element.required("name")?;
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Err(element.bad_value("`name`", name, "a word"));
    }
    if declared.options.iter().any(|(other, _)| other == name) {
        return Err(element.twice(&format!("the option `{name}`")));
    }
    declared.options.push((name.to_owned(), element.text.trim().to_owned()));
    Ok(())
}

fn limits(declared: &mut Declared, element: &Element) -> Result<(), ManifestError> {
    element.allow_attributes(&["memory-mib", "threads"])?;
    element.no_children()?;
    element.no_text()?;
    declared.memory_mib = element.number("memory-mib", 1 << 20)?;
    declared.threads = element.number("threads", 1024)?;
    Ok(())
}

/// What the manifest asks of an element, each a failure that names its line.
impl Element {
    fn error(&self, problem: ManifestProblem) -> ManifestError {
        ManifestError { line: self.line, problem }
    }

    fn unknown_element(&self, place: &str, allowed: &str) -> ManifestError {
        self.error(ManifestProblem::UnknownElement {
            name: self.name.clone(),
            place: place.to_owned(),
            allowed: allowed.to_owned(),
        })
    }

    fn bad_value(&self, what: &str, value: &str, expected: &str) -> ManifestError {
        self.error(ManifestProblem::BadValue {
            what: what.to_owned(),
            value: value.chars().take(100).collect(),
            expected: expected.to_owned(),
        })
    }

    fn twice(&self, what: &str) -> ManifestError {
        self.error(ManifestProblem::Twice(what.to_owned()))
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    fn required(&self, name: &'static str) -> Result<&str, ManifestError> {
        let element = || self.name.clone();
        self.attribute(name).ok_or_else(|| {
            self.error(ManifestProblem::MissingAttribute { element: element(), name })
        })
    }

    fn allow_attributes(&self, allowed: &[&str]) -> Result<(), ManifestError> {
        match self.attributes.iter().find(|(name, _)| !allowed.contains(&name.as_str())) {
            None => Ok(()),
            Some((name, _)) => Err(self.error(ManifestProblem::UnknownAttribute {
                element: self.name.clone(),
                name: name.clone(),
                allowed: if allowed.is_empty() { "none".to_owned() } else { allowed.join(", ") },
            })),
        }
    }

    fn no_text(&self) -> Result<(), ManifestError> {
        match self.text.trim() {
            "" => Ok(()),
            _ => Err(self.error(ManifestProblem::StrayText(self.name.clone()))),
        }
    }

    fn no_children(&self) -> Result<(), ManifestError> {
        match self.children.first() {
            None => Ok(()),
            Some(child) => Err(child.unknown_element(&format!("in <{}>", self.name), "no element")),
        }
    }

    fn one_of(&self, name: &str, allowed: &[&str]) -> Result<Option<String>, ManifestError> {
        match self.attribute(name) {
            Some(value) if !allowed.contains(&value) => {
                Err(self.bad_value(&format!("`{name}`"), value, &allowed.join(", ")))
            }
            value => Ok(value.map(str::to_owned)),
        }
    }

    fn number(&self, name: &str, most: u32) -> Result<Option<u32>, ManifestError> {
        let Some(value) = self.attribute(name) else { return Ok(None) };
        match value.parse() {
            Ok(number) if (1..=most).contains(&number) => Ok(Some(number)),
            _ => Err(self.bad_value(&format!("`{name}`"), value, &format!("1 to {most}"))),
        }
    }
}

#[cfg(test)]
mod tests;
