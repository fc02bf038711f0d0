//! Reads the manifest `engine.xml`.

use super::id;
use super::xml::{self, Element};
use super::{EngineKind, EngineNeeds};

mod element;
mod error;

pub use error::{ManifestError, ManifestProblem};

/// The largest manifest, in bytes.
pub(super) const MANIFEST_LIMIT: u64 = 64 * 1024;

/// The most processes that an engine may ask for: the limit of every engine.
const MOST_PROCESSES: u32 = 64;

/// Systems and architectures in the words of [`std::env::consts`], with which they are compared.
const SYSTEMS: [&str; 4] = ["linux", "windows", "macos", "freebsd"];
const ARCHITECTURES: [&str; 8] =
    ["x86_64", "aarch64", "x86", "arm", "riscv64", "loongarch64", "powerpc64", "s390x"];

/// A library or program of a manifest; None stands for any system or architecture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ManifestProgram {
    pub(super) os: Option<String>,
    pub(super) arch: Option<String>,
    /// What runs the program, by its name in PATH.
    pub(super) runner: Option<String>,
    pub(super) file: String,
    pub(super) line: u32,
}

/// A file beside a library or program that a manifest names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ManifestFile {
    pub(super) file: String,
    pub(super) line: u32,
}

/// An engine as its manifest declares it: read, but not yet looked for on the disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ManifestEngine {
    pub(super) id: String,
    pub(super) name: Option<String>,
    pub(super) kind: EngineKind,
    /// Libraries of an engine that is loaded, or programs of a text engine.
    pub(super) codes: Vec<ManifestProgram>,
    pub(super) arguments: Vec<String>,
    /// Files and folders that it reads, where its folder is not its own.
    pub(super) files: Vec<ManifestFile>,
    /// Programs that it may start.
    pub(super) helpers: Vec<ManifestFile>,
    pub(super) options: Vec<(String, String)>,
    pub(super) memory_mib: Option<u32>,
    pub(super) threads: Option<u32>,
    pub(super) needs: EngineNeeds,
    pub(super) line: u32,
}

impl ManifestEngine {
    /// The libraries or programs that fit this machine, in the manifest's order.
    pub(super) fn here(&self) -> impl Iterator<Item = &ManifestProgram> {
        let fits =
            |wanted: &Option<String>, here: &str| wanted.as_deref().is_none_or(|w| w == here);
        self.codes.iter().filter(move |code| {
            fits(&code.os, std::env::consts::OS) && fits(&code.arch, std::env::consts::ARCH)
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

/// Reads a manifest. If it is too long, the caller passes one byte more than allowed.
pub(super) fn parse(bytes: &[u8]) -> Result<Vec<ManifestEngine>, ManifestError> {
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

fn engine(element: &Element) -> Result<ManifestEngine, ManifestError> {
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
        "native" => EngineKind::Native,
        "wasm" => EngineKind::Wasm,
        "gomocup" => EngineKind::Gomocup,
        "sau" => EngineKind::Sau,
        other => {
            return Err(element.bad_value("`kind`", other, "native, wasm, gomocup or sau"));
        }
    };
    let name = element.attribute("name").map(str::trim).filter(|name| !name.is_empty());
    if let Some(name) = name.filter(|name| name.chars().count() > 100) {
        return Err(element.bad_value("`name`", name, "at most 100 characters"));
    }
    let mut declared = ManifestEngine {
        id: id.to_owned(),
        name: name.map(str::to_owned),
        kind,
        codes: Vec::new(),
        arguments: Vec::new(),
        files: Vec::new(),
        helpers: Vec::new(),
        options: Vec::new(),
        memory_mib: None,
        threads: None,
        needs: EngineNeeds::default(),
        line: element.line,
    };
    let (mut limited, mut allowed) = (false, false);
    let (code, others) = match kind.is_text() {
        true => ("program", "<program>, <argument>, <file>, <helper>, <option>, <limits>, <allow>"),
        false => ("library", "<library>, <file>, <option>, <limits>"),
    };
    for child in &element.children {
        match child.name.as_str() {
            name if name == code => add_code(&mut declared, child)?,
            "argument" if kind.is_text() => add_argument(&mut declared, child)?,
            "file" => declared.files.push(part(child)?),
            "helper" if kind.is_text() => declared.helpers.push(part(child)?),
            "option" => add_option(&mut declared, child)?,
            "allow" if allowed => return Err(child.twice("<allow>")),
            "allow" if kind.is_text() => {
                allowed = true;
                allow(&mut declared, child)?;
            }
            "limits" if limited => return Err(child.twice("<limits>")),
            "limits" => {
                limited = true;
                limits(&mut declared, child)?;
            }
            _ => {
                let place = format!("in an <engine> of kind {kind}");
                return Err(child.unknown_element(&place, others));
            }
        }
    }
    if declared.codes.is_empty() {
        return Err(element.error(ManifestProblem::Empty { element: "engine", child: code }));
    }
    Ok(declared)
}

fn add_code(declared: &mut ManifestEngine, element: &Element) -> Result<(), ManifestError> {
    element.allow_attributes(match declared.kind {
        EngineKind::Gomocup | EngineKind::Sau => &["os", "arch", "runner"],
        // A module runs everywhere: a system or an architecture there would be a misunderstanding.
        EngineKind::Wasm => &[],
        EngineKind::Native | EngineKind::Builtin => &["os", "arch"],
    })?;
    element.no_children()?;
    let os = element.one_of("os", &SYSTEMS)?;
    let arch = element.one_of("arch", &ARCHITECTURES)?;
    let runner = element.attribute("runner").map(str::to_owned);
    if let Some(runner) = runner.as_deref().filter(|runner| !is_command(runner)) {
        let expected = "the name of a program in PATH, as wine or python3";
        return Err(element.bad_value("`runner`", runner, expected));
    }
    let file = file(element)?;
    let is_text = declared.kind.is_text();
    let is_same = |other: &ManifestProgram| (&other.os, &other.arch) == (&os, &arch);
    // Of programs for the same machine the event picks one by its name.
    if !is_text && declared.codes.iter().any(is_same) {
        return Err(element.twice("the library for the same system and architecture"));
    }
    declared.codes.push(ManifestProgram { os, arch, runner, file, line: element.line });
    Ok(())
}

fn part(element: &Element) -> Result<ManifestFile, ManifestError> {
    element.allow_attributes(&[])?;
    element.no_children()?;
    Ok(ManifestFile { file: file(element)?, line: element.line })
}

/// The file that the text of an element names.
fn file(element: &Element) -> Result<String, ManifestError> {
    match element.text.trim() {
        "" => {
            let what = format!("<{}>", element.name);
            Err(element.bad_value(&what, "", "the name of a file in this folder"))
        }
        file => Ok(file.to_owned()),
    }
}

/// Whether it is the bare name of a program, without a path or an argument.
fn is_command(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+');
    text.starts_with(|c: char| c.is_ascii_alphanumeric()) && text.chars().all(is_part)
}

fn add_argument(declared: &mut ManifestEngine, element: &Element) -> Result<(), ManifestError> {
    element.allow_attributes(&[])?;
    element.no_children()?;
    if element.text.contains(char::is_control) {
        return Err(element.bad_value("<argument>", &element.text, "one line of text"));
    }
    declared.arguments.push(element.text.clone());
    Ok(())
}

fn add_option(declared: &mut ManifestEngine, element: &Element) -> Result<(), ManifestError> {
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

fn limits(declared: &mut ManifestEngine, element: &Element) -> Result<(), ManifestError> {
    element.allow_attributes(&["memory-mib", "threads"])?;
    element.no_children()?;
    element.no_text()?;
    declared.memory_mib = element.number("memory-mib", 1 << 20)?;
    declared.threads = element.number("threads", 1024)?;
    Ok(())
}

fn allow(declared: &mut ManifestEngine, element: &Element) -> Result<(), ManifestError> {
    element.allow_attributes(&["processes", "memory", "sockets"])?;
    element.no_children()?;
    element.no_text()?;
    let memory = element.attribute("memory").map(|text| {
        let expected = "a size with its unit, as 350MiB or 2GiB";
        mebibytes(text).ok_or_else(|| element.bad_value("`memory`", text, expected))
    });
    declared.needs = EngineNeeds {
        processes: element.number("processes", MOST_PROCESSES)?,
        memory_mib: memory.transpose()?,
        local_sockets: element.one_of("sockets", &["local"])?.is_some(),
    };
    Ok(())
}

/// A size in MiB or GiB.
fn mebibytes(text: &str) -> Option<u32> {
    let units = [("MiB", 1), ("GiB", 1024)];
    let (number, factor) =
        units.iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)))?;
    let mib = number.parse::<u32>().ok()?.checked_mul(*factor)?;
    (1..=1 << 20).contains(&mib).then_some(mib)
}

#[cfg(test)]
mod tests;
