//! `tengen engines new`: a project for an engine of one's own.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser as _;
use clap::{Args as ClapArgs, builder::PossibleValue};
use tengen_templates::{Project, ProjectError, ProjectLanguage};

use crate::{CommandOutcome, WrongUse, report};

#[derive(Debug, ClapArgs)]
pub(crate) struct NewArgs {
    /// The name of the engine: small letters, digits, - and _
    pub name: String,
    /// The language: rust, c, cpp, zig, assemblyscript or python
    #[arg(long, value_name = "LANGUAGE", default_value = "rust", value_parser = languages())]
    #[arg(hide_possible_values = true)]
    pub lang: ProjectLanguage,
    /// The folder to make the project's folder in
    #[arg(long = "in", value_name = "DIR", default_value = ".")]
    pub parent: PathBuf,
}

fn languages() -> impl clap::builder::TypedValueParser<Value = ProjectLanguage> {
    let names = ProjectLanguage::ALL.map(|language| PossibleValue::new(language.name()));
    PossibleValuesParser::new(names).try_map(|name| {
        let known = ProjectLanguage::ALL.into_iter().find(|language| language.name() == name);
        known.ok_or("unknown language")
    })
}

pub(crate) fn create(args: &NewArgs) -> anyhow::Result<CommandOutcome> {
    tengen_files::check_path(&args.parent.join(&args.name), None)
        .map_err(|error| WrongUse(error.into()))?;
    let project = tengen_templates::create(&args.parent, &args.name, args.lang);
    let project = project.map_err(|error| match error {
        ProjectError::Write { .. } => anyhow::Error::from(error),
        _ => WrongUse(error.into()).into(),
    })?;
    report::print(&next_steps(&project, args))?;
    Ok(CommandOutcome::Done)
}

/// What to type next.
fn next_steps(project: &Project, args: &NewArgs) -> String {
    let engine = format!("./{}", project.engine);
    let mut commands = vec![format!("cd {}", quoted(&project.folder))];
    commands.extend(project.build.map(str::to_owned));
    commands.push(project.test.to_owned());
    commands.push(format!("tengen engines check {engine}"));
    commands.push(format!("tengen match {engine} builtin:alphabeta --tc move=0.1 --games 10"));
    let commands: String = commands.iter().map(|command| format!("  {command}\n")).collect();
    format!(
        "Made an engine in {} in {}. To build it, test it and play:\n\n{commands}\nThen change how \
         it chooses its moves: {}\n",
        args.lang,
        project.folder.display(),
        project.folder.join(project.choose).display(),
    )
}

/// The path as a shell takes it; those of Windows know `"…"` alone, and a path holds none.
fn quoted(path: &Path) -> String {
    let path = path.strip_prefix(".").unwrap_or(path).display().to_string();
    let signs = if cfg!(windows) { r"-_.\/:" } else { "-_./" };
    let is_plain = |character: char| character.is_ascii_alphanumeric() || signs.contains(character);
    if path.chars().all(is_plain) {
        path
    } else if cfg!(windows) {
        format!("\"{path}\"")
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}
