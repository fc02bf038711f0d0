//! A reader of small, untrusted XML: elements, attributes and text, and nothing else of the
//! language. What could read a file, grow or recurse is refused rather than ignored.

use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::reader::Reader;

use super::manifest::{ManifestError, ManifestProblem};

/// How deep elements may lie in each other. The manifest needs three.
const DEPTH_LIMIT: usize = 8;

/// One element.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) name: String,
    /// The line of its start tag, from 1.
    pub(super) line: u32,
    pub(super) attributes: Vec<(String, String)>,
    /// The text directly inside, entities resolved.
    pub(super) text: String,
    pub(super) children: Vec<Element>,
}

/// Reads a document into its root element.
pub(super) fn parse(text: &str) -> Result<Element, ManifestError> {
    let mut lines = Lines { text, offset: 0, line: 1 };
    if let Some(at) = text.find(is_forbidden) {
        return Err(ManifestError {
            line: lines.at(at),
            problem: ManifestProblem::Syntax("it holds a control character".to_owned()),
        });
    }
    let mut reader = Reader::from_str(text);
    let mut open: Vec<Element> = Vec::new();
    let mut root: Option<Element> = None;
    loop {
        let start = usize::try_from(reader.buffer_position()).unwrap_or(text.len());
        let event = reader.read_event();
        let event = match event {
            Ok(event) => event,
            Err(error) => {
                let at = usize::try_from(reader.error_position()).unwrap_or(text.len());
                let problem = ManifestProblem::Syntax(error.to_string());
                return Err(ManifestError { line: lines.at(at.max(start)), problem });
            }
        };
        let line = lines.at(start);
        let fail = |problem| Err(ManifestError { line, problem });
        match event {
            Event::Start(tag) | Event::Empty(tag) if root.is_some() && open.is_empty() => {
                return fail(ManifestProblem::Syntax(format!(
                    "<{}> after the end of the root element",
                    tag.name().as_ref()
                )));
            }
            Event::Start(tag) => {
                if open.len() == DEPTH_LIMIT {
                    return fail(ManifestProblem::TooDeep { limit: DEPTH_LIMIT });
                }
                open.push(element(&tag, line)?);
            }
            Event::Empty(tag) => close(element(&tag, line)?, &mut open, &mut root),
            Event::End(_) => match open.pop() {
                Some(element) => close(element, &mut open, &mut root),
                None => return fail(ManifestProblem::Syntax("an end tag too many".to_owned())),
            },
            Event::Text(words) => {
                append(&words.xml10_content(), line, &mut open)?;
            }
            Event::CData(words) => append(&words.xml10_content(), line, &mut open)?,
            Event::GeneralRef(reference) => {
                append(&resolve(&reference, line)?, line, &mut open)?;
            }
            Event::DocType(_) => return fail(ManifestProblem::Dtd),
            Event::PI(_) => return fail(ManifestProblem::Instruction),
            Event::Decl(declaration) => {
                if let Some(Ok(encoding)) = declaration.encoding()
                    && !encoding.eq_ignore_ascii_case("utf-8")
                {
                    return fail(ManifestProblem::Encoding);
                }
            }
            Event::Comment(_) => {}
            Event::Eof => break,
        }
    }
    let line = lines.at(text.len());
    if let Some(element) = open.pop() {
        let problem = ManifestProblem::Syntax(format!(
            "<{}> of line {} is never closed",
            element.name, element.line
        ));
        return Err(ManifestError { line, problem });
    }
    root.ok_or(ManifestError {
        line,
        problem: ManifestProblem::Syntax("there is no element".to_owned()),
    })
}

fn close(element: Element, open: &mut [Element], root: &mut Option<Element>) {
    match open.last_mut() {
        Some(parent) => parent.children.push(element),
        None => *root = Some(element),
    }
}

fn append(words: &str, line: u32, open: &mut [Element]) -> Result<(), ManifestError> {
    match open.last_mut() {
        Some(element) => element.text.push_str(words),
        None if words.trim().is_empty() => {}
        None => {
            let problem = ManifestProblem::Syntax("text outside the root element".to_owned());
            return Err(ManifestError { line, problem });
        }
    }
    Ok(())
}

fn element(tag: &BytesStart<'_>, line: u32) -> Result<Element, ManifestError> {
    let fail = |problem| ManifestError { line, problem };
    let mut attributes = Vec::new();
    for attribute in tag.attributes() {
        let attribute =
            attribute.map_err(|error| fail(ManifestProblem::Syntax(error.to_string())))?;
        let value = attribute
            .normalized_value(XmlVersion::Explicit1_0)
            .map_err(|error| fail(ManifestProblem::Syntax(error.to_string())))?;
        if value.contains(is_forbidden) {
            return Err(fail(ManifestProblem::Entity("a control character".to_owned())));
        }
        attributes.push((attribute.key.as_ref().to_owned(), value.into_owned()));
    }
    let name = tag.name().as_ref().to_owned();
    Ok(Element { name, line, attributes, text: String::new(), children: Vec::new() })
}

/// The five predefined entities and numbered characters; there is no other without a DTD.
fn resolve(reference: &BytesRef<'_>, line: u32) -> Result<String, ManifestError> {
    let name = reference.xml10_content();
    let character = match reference.resolve_char_ref() {
        Ok(Some(character)) => Some(character.to_string()).filter(|c| !c.contains(is_forbidden)),
        Ok(None) => resolve_predefined_entity(&name).map(str::to_owned),
        Err(_) => None,
    };
    let problem = || ManifestProblem::Entity(format!("&{name};"));
    character.ok_or_else(|| ManifestError { line, problem: problem() })
}

fn is_forbidden(character: char) -> bool {
    character.is_control() && !matches!(character, '\t' | '\n' | '\r')
}

/// Counts lines forwards, once over the text.
struct Lines<'a> {
    text: &'a str,
    offset: usize,
    line: u32,
}

impl Lines<'_> {
    fn at(&mut self, offset: usize) -> u32 {
        let offset = offset.min(self.text.len());
        if offset > self.offset {
            let passed = &self.text.as_bytes()[self.offset..offset];
            let lines = passed.iter().filter(|byte| **byte == b'\n').count();
            self.line += u32::try_from(lines).expect("a manifest is bounded by 64 KiB");
            self.offset = offset;
        }
        self.line
    }
}
