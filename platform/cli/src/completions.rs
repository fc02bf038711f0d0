//! `tengen completions`: what a shell needs to complete the command line.

use std::io::Write;

use clap::CommandFactory;

use crate::CommandOutcome;
use crate::args::{Args, CompletionsArgs};

pub(crate) fn print(args: &CompletionsArgs) -> anyhow::Result<CommandOutcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "tengen", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(CommandOutcome::Done)
}
