//! What is wrong in a manifest, and on which line.

/// What is wrong in a manifest, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ManifestError {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong there.
    pub problem: ManifestProblem,
}

/// What is wrong at one line of a manifest.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestProblem {
    /// Larger than 64 KiB.
    #[error("the file is larger than 64 KiB")]
    TooLarge,
    /// Not UTF-8.
    #[error("the file must be encoded in UTF-8")]
    Encoding,
    /// A document type definition.
    #[error("a DTD (<!DOCTYPE>) is not allowed; remove it")]
    Dtd,
    /// A processing instruction.
    #[error("a processing instruction (<?...?>) is not allowed; remove it")]
    Instruction,
    /// An entity beyond the five predefined.
    #[error("{0} is not allowed; only &lt; &gt; &amp; &quot; &apos; and numbered characters are")]
    Entity(String),
    /// Elements in elements beyond all need.
    #[error("elements are nested more than {limit} deep")]
    TooDeep {
        /// The bound.
        limit: usize,
    },
    /// Not well-formed XML.
    #[error("damaged XML: {0}")]
    Syntax(String),
    /// An element that does not belong there.
    #[error("<{name}> does not belong {place}; allowed: {allowed}")]
    UnknownElement {
        /// The element.
        name: String,
        /// Where it stands.
        place: String,
        /// What may stand there.
        allowed: String,
    },
    /// An attribute that the element does not have.
    #[error("<{element}> has no attribute `{name}`; allowed: {allowed}")]
    UnknownAttribute {
        /// The element.
        element: String,
        /// The attribute.
        name: String,
        /// What the element has.
        allowed: String,
    },
    /// An attribute that is needed.
    #[error("<{element}> needs the attribute `{name}`")]
    MissingAttribute {
        /// The element.
        element: String,
        /// The attribute.
        name: &'static str,
    },
    /// A value out of its range.
    #[error("`{value}` is not a value of {what}; expected {expected}")]
    BadValue {
        /// What the value is of.
        what: String,
        /// What stands there.
        value: String,
        /// What may stand there.
        expected: String,
    },
    /// Words where only elements belong.
    #[error("text directly inside <{0}>; only elements belong there")]
    StrayText(String),
    /// The same thing said twice.
    #[error("{0} is given twice")]
    Twice(String),
    /// A manifest or an engine without what it is for.
    #[error("<{element}> holds no <{child}>")]
    Empty {
        /// The element.
        element: &'static str,
        /// What it lacks.
        child: &'static str,
    },
    /// A path that leads out of the package.
    #[error("`{0}` leads out of the engine's folder; name a file inside it")]
    PathLeavesFolder(String),
    /// A runner that is not there.
    #[error("there is no program `{0}` in the folders of PATH to run the engine with; install it")]
    NoRunner(String),
    /// A library that is not there.
    #[error("there is no file `{0}` in the engine's folder")]
    NoSuchFile(String),
}
