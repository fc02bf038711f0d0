//! The program under the name of a brain: `pbrain-NAME` with a file `pbrain-NAME.args` beside it
//! is `tengen brain` with those arguments.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use anyhow::Context;

/// What the names of brains begin with.
pub(crate) const PREFIX: &str = "pbrain-";
/// What the name of the file with the arguments ends with, after the brain's name.
pub(crate) const EXTENSION: &str = "args";
/// The folder beside the brain that holds its engine.
pub(crate) const FOLDER: &str = "engines";

/// What is to be done instead of what was typed alone; None under another name, or without the
/// file.
///
/// # Errors
/// When the file is there and cannot be read.
pub(crate) fn arguments() -> anyhow::Result<Option<Vec<OsString>>> {
    let Ok(program) = std::env::current_exe() else { return Ok(None) };
    let name = program.file_stem().unwrap_or_default();
    let file = program.with_extension(EXTENSION);
    if !name.to_string_lossy().starts_with(PREFIX) || !file.exists() {
        return Ok(None);
    }
    let text = fs::read_to_string(&file)
        .with_context(|| format!("{}: cannot be read as text", file.display()))?;
    let folder = program.parent().unwrap_or(Path::new("")).join(FOLDER);
    let mut arguments: Vec<OsString> =
        vec![name.into(), "brain".into(), "--dir".into(), folder.into()];
    arguments.extend(lines(&text).map(OsString::from));
    arguments.extend(std::env::args_os().skip(1));
    Ok(Some(arguments))
}

/// The text of a file of arguments, one a line. The comment's lines may be any.
pub(crate) fn write(comment: &str, arguments: &[String]) -> String {
    let comment = comment.lines().map(|line| format!("# {line}\n"));
    comment.chain(arguments.iter().map(|argument| format!("{argument}\n"))).collect()
}

/// Whether the file would hold it: one line, which is no comment and is not empty.
pub(crate) fn can_hold(argument: &str) -> bool {
    lines(argument).eq([argument])
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_as_they_were_written() {
        let arguments = ["greedy", "--option", "Style=a b = c", "--reserve", "0.1"];
        let arguments: Vec<String> = arguments.map(str::to_owned).into();
        let text = write("two lines\nof comment", &arguments);
        assert_eq!(lines(&text).collect::<Vec<_>>(), arguments);
        assert!(arguments.iter().all(|argument| can_hold(argument)));
        for argument in ["", "#greedy", "a\nb", "a\n", "a\r\n"] {
            assert!(!can_hold(argument), "{argument:?}");
        }
    }
}
