//! `tengen completions`: what a shell needs to complete the command line.

use std::io::Write;

use clap::{Args as ClapArgs, Command};

use crate::CommandOutcome;

#[derive(Debug, ClapArgs)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

pub(crate) fn print(args: &CompletionsArgs, mut tengen: Command) -> anyhow::Result<CommandOutcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut tengen, "tengen", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(CommandOutcome::Done)
}
