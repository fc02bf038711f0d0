//! A reader of small, untrusted XML: only elements, attributes and text. Anything that could read a
//! file, grow or recurse is refused rather than ignored.

use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::reader::Reader;

use super::manifest::{ManifestError, ManifestProblem};

/// How deep elements may be nested. The manifest needs three.
const DEPTH_LIMIT: usize = 8;

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
    let mut lines = LineNumbers { text, offset: 0, line: 1 };
    if let Some(at) = text.find(is_forbidden) {
        return Err(damaged(lines.at(at), "it holds a control character"));
    }
    let mut reader = Reader::from_str(text);
    let mut tree = ElementStack::default();
    loop {
        let start = offset(reader.buffer_position());
        let event = match reader.read_event() {
            Ok(Event::Eof) => return tree.finish(lines.at(text.len())),
            Ok(event) => event,
            Err(error) => {
                let at = offset(reader.error_position()).max(start);
                return Err(damaged(lines.at(at), error));
            }
        };
        tree.take(event, lines.at(start))?;
    }
}

fn offset(position: u64) -> usize {
    usize::try_from(position).expect("a position within a text in memory")
}

fn damaged(line: u32, what: impl ToString) -> ManifestError {
    ManifestError { line, problem: ManifestProblem::Syntax(what.to_string()) }
}

/// The elements read so far.
#[derive(Default)]
struct ElementStack {
    /// From the root to the innermost.
    open: Vec<Element>,
    root: Option<Element>,
}

impl ElementStack {
    fn take(&mut self, event: Event<'_>, line: u32) -> Result<(), ManifestError> {
        let refuse = |problem| Err(ManifestError { line, problem });
        match event {
            Event::Start(tag) => self.start(element(&tag, line)?),
            Event::Empty(tag) => {
                self.start(element(&tag, line)?)?;
                self.end(line)
            }
            Event::End(_) => self.end(line),
            Event::Text(words) => self.text(&words.xml10_content(), line),
            Event::CData(words) => self.text(&words.xml10_content(), line),
            Event::GeneralRef(reference) => self.text(&resolve(&reference, line)?, line),
            Event::DocType(_) => refuse(ManifestProblem::Dtd),
            Event::PI(_) => refuse(ManifestProblem::Instruction),
            Event::Decl(declaration) => match declaration.encoding() {
                Some(Ok(name)) if !name.eq_ignore_ascii_case("utf-8") => {
                    refuse(ManifestProblem::Encoding)
                }
                _ => Ok(()),
            },
            Event::Comment(_) | Event::Eof => Ok(()),
        }
    }

    fn start(&mut self, element: Element) -> Result<(), ManifestError> {
        let line = element.line;
        if self.open.len() == DEPTH_LIMIT {
            return Err(ManifestError {
                line,
                problem: ManifestProblem::TooDeep { limit: DEPTH_LIMIT },
            });
        }
        if self.open.is_empty() && self.root.is_some() {
            return Err(damaged(line, format!("<{}> after the end of the root", element.name)));
        }
        self.open.push(element);
        Ok(())
    }

    fn end(&mut self, line: u32) -> Result<(), ManifestError> {
        let element = self.open.pop().ok_or_else(|| damaged(line, "an end tag too many"))?;
        match self.open.last_mut() {
            Some(parent) => parent.children.push(element),
            None => self.root = Some(element),
        }
        Ok(())
    }

    fn text(&mut self, words: &str, line: u32) -> Result<(), ManifestError> {
        match self.open.last_mut() {
            Some(element) => element.text.push_str(words),
            None if words.trim().is_empty() => {}
            None => return Err(damaged(line, "text outside the root element")),
        }
        Ok(())
    }

    fn finish(mut self, line: u32) -> Result<Element, ManifestError> {
        if let Some(Element { name, line: start, .. }) = self.open.pop() {
            return Err(damaged(line, format!("<{name}> of line {start} is never closed")));
        }
        self.root.ok_or_else(|| damaged(line, "there is no element"))
    }
}

fn element(tag: &BytesStart<'_>, line: u32) -> Result<Element, ManifestError> {
    let mut attributes = Vec::new();
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|error| damaged(line, error))?;
        let value = attribute
            .normalized_value(XmlVersion::Explicit1_0)
            .map_err(|error| damaged(line, error))?;
        if value.contains(is_forbidden) {
            let problem = ManifestProblem::Entity("a control character".to_owned());
            return Err(ManifestError { line, problem });
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
struct LineNumbers<'a> {
    text: &'a str,
    offset: usize,
    line: u32,
}

impl LineNumbers<'_> {
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
