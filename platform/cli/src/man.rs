//! `tengen man`: manual pages, made from what `--help` says.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args as ClapArgs, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::CommandOutcome;

#[derive(Debug, ClapArgs)]
pub(crate) struct ManArgs {
    /// Write the pages of all commands to this folder, one file each
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

pub(crate) fn print(args: &ManArgs, tengen: Command) -> anyhow::Result<CommandOutcome> {
    let mut command = tengen.disable_help_subcommand(true);
    command.build();
    let Some(folder) = &args.out else {
        io::stdout().write_all(&page(&command)?)?;
        return Ok(CommandOutcome::Done);
    };
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    for command in with_subcommands(&command) {
        let path = folder.join(Man::new(command.clone()).get_filename());
        fs::write(&path, page(command)?).with_context(|| path.display().to_string())?;
    }
    Ok(CommandOutcome::Done)
}

fn with_subcommands(command: &Command) -> Vec<&Command> {
    let below = command.get_subcommands().flat_map(with_subcommands);
    std::iter::once(command).chain(below).collect()
}

/// The page of one command. Its examples keep their line breaks, which `Man::render` drops.
fn page(command: &Command) -> io::Result<Vec<u8>> {
    let source = concat!("tengen ", env!("CARGO_PKG_VERSION"));
    let page = Man::new(command.clone()).manual("Tengen").source(source);
    let mut out = Vec::new();
    page.render_title(&mut out)?;
    page.render_name_section(&mut out)?;
    page.render_synopsis_section(&mut out)?;
    page.render_description_section(&mut out)?;
    page.render_options_section(&mut out)?;
    if command.has_subcommands() {
        page.render_subcommands_section(&mut out)?;
    }
    if let Some(text) = command.get_after_help() {
        notes(&text.to_string()).to_writer(&mut out)?;
    }
    Ok(out)
}

/// What `--help` ends with.
fn notes(text: &str) -> Roff {
    let examples = ["Example: ", "Examples:\n"];
    let (heading, text) = match examples.iter().find_map(|start| text.strip_prefix(start)) {
        Some(examples) => ("EXAMPLES", examples),
        None => ("NOTES", text),
    };
    let mut section = Roff::new();
    section.control("SH", [heading]).control("nf", []);
    for line in text.lines() {
        section.text([roman(line.trim_end())]);
    }
    section.control("fi", []);
    section
}
