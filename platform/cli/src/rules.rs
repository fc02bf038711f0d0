//! `tengen rules`: JSON lines in, JSON lines out.

use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args as ClapArgs;
use serde::Serialize;
use tengen_record::{ReadError, Replayer, answer_lines, forbidden_line, open_stream};

use crate::CommandOutcome;
use crate::report::tell;

/// How much is read at once: a million games are a gigabyte.
const BUFFER: usize = 128 << 10;

#[derive(Debug, ClapArgs)]
pub(crate) struct LinesArgs {
    /// Files of JSON lines [default: standard input]
    pub files: Vec<PathBuf>,
}

pub(crate) fn forbidden(args: &LinesArgs) -> anyhow::Result<CommandOutcome> {
    each_line(args, forbidden_line)
}

pub(crate) fn replay(args: &LinesArgs) -> anyhow::Result<CommandOutcome> {
    let mut replayer = Replayer::new();
    each_line(args, |line| replayer.answer(line))
}

/// Answers every line of the files, or of standard input. A bad line is answered too; it makes the
/// command fail when all is read.
fn each_line<A: Serialize>(
    args: &LinesArgs,
    mut answer: impl FnMut(&str) -> Result<A, ReadError>,
) -> anyhow::Result<CommandOutcome> {
    if args.files.is_empty() {
        return answer_all(io::stdin().lock(), Path::new("standard input"), &mut answer);
    }
    let mut outcome = CommandOutcome::Done;
    for path in &args.files {
        let file = open_stream(path).with_context(|| format!("{}: cannot be read", path.display()));
        if let CommandOutcome::Failed = answer_all(file?, path, &mut answer)? {
            outcome = CommandOutcome::Failed;
        }
    }
    Ok(outcome)
}

fn answer_all<A: Serialize>(
    input: impl Read,
    path: &Path,
    answer: &mut impl FnMut(&str) -> Result<A, ReadError>,
) -> anyhow::Result<CommandOutcome> {
    let input = BufReader::with_capacity(BUFFER, input);
    let answered = answer_lines(input, io::stdout().lock(), answer)
        .with_context(|| format!("while answering {}", path.display()))?;
    if answered.bad == 0 {
        return Ok(CommandOutcome::Done);
    }
    let (bad, lines) = (answered.bad, answered.lines);
    let path = path.display();
    tell(format_args!("tengen: {path}: {bad} of {lines} lines could not be read"));
    Ok(CommandOutcome::Failed)
}
