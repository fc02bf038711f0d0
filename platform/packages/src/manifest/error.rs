//! What is wrong in a manifest, and on which line.

/// What is wrong in a manifest, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ManifestError {
    /// The line, from 1.
    pub line: u32,
    pub problem: ManifestProblem,
}

/// What is wrong at one line of a manifest.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestProblem {
    #[error("the file is larger than 64 KiB")]
    TooLarge,
    #[error("the file must be encoded in UTF-8")]
    Encoding,
    #[error("a DTD (<!DOCTYPE>) is not allowed; remove it")]
    Dtd,
    #[error("a processing instruction (<?...?>) is not allowed; remove it")]
    Instruction,
    /// An entity beyond the five predefined.
    #[error("{0} is not allowed; only &lt; &gt; &amp; &quot; &apos; and numbered characters are")]
    Entity(String),
    #[error("elements are nested more than {limit} deep")]
    TooDeep { limit: usize },
    #[error("damaged XML: {0}")]
    Syntax(String),
    #[error("<{name}> does not belong {place}; allowed: {allowed}")]
    UnknownElement { name: String, place: String, allowed: String },
    #[error("<{element}> has no attribute `{name}`; allowed: {allowed}")]
    UnknownAttribute {
        element: String,
        name: String,
        /// What the element has.
        allowed: String,
    },
    #[error("<{element}> needs the attribute `{name}`")]
    MissingAttribute { element: String, name: &'static str },
    /// A value out of its range.
    #[error("`{value}` is not a value of {what}; expected {expected}")]
    BadValue {
        /// What the value is of.
        what: String,
        /// What stands there.
        value: String,
        expected: String,
    },
    /// Words where only elements belong.
    #[error("text directly inside <{0}>; only elements belong there")]
    StrayText(String),
    #[error("{0} is given twice")]
    Twice(String),
    /// A manifest or an engine without what it is for.
    #[error("<{element}> holds no <{child}>")]
    Empty { element: &'static str, child: &'static str },
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
