//! `tengen engines package`: writes an engine and this program as a Gomocup zip.

mod files;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::Args as ClapArgs;
use tengen_hosts::package::ArchiveWriter;
use tengen_hosts::{EngineKind, EngineSpec, HostError, probe};

use crate::flags::{FolderArgs, HostingArgs};
use crate::output_target::OutputTarget;
use crate::user_folders::gomocup_program;
use crate::{CommandOutcome, WrongUse, packed};

#[derive(Debug, ClapArgs)]
pub(crate) struct PackageArgs {
    /// The engine: its id, its path, or builtin:NAME
    pub engine: String,
    /// The file to write; - is standard output [default: pbrain-NAME.zip]
    #[arg(long, value_name = "FILE.zip")]
    pub out: Option<PathBuf>,
    /// The name of the Gomocup engine [default: the engine's id]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// The build of tengen to pack [default: the one for Windows beside this]
    ///
    /// It may be one for any system. A library is packed with this program itself by default: it
    /// plays on no other system.
    #[arg(long, value_name = "FILE")]
    pub program: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub folder: FolderArgs,
    #[command(flatten)]
    pub hosting: HostingArgs,
}

pub(crate) fn package(args: &PackageArgs) -> anyhow::Result<CommandOutcome> {
    let spec = args.folder.find(&args.engine)?;
    if spec.kind.is_text() {
        let (engine, kind) = (&args.engine, spec.kind);
        let problem = anyhow!("{engine}: is a {kind} engine already; zip its files as they are");
        return Err(WrongUse(problem).into());
    }
    let name = name(args, &spec)?;
    let out = args.out.clone().unwrap_or_else(|| format!("{}{name}.zip", packed::PREFIX).into());
    let arguments = arguments(args, &spec)?;
    let program = program(args, &spec)?;
    try_out(args, spec.clone())?;

    let stem = format!("{}{name}{}", packed::PREFIX, program.suffix());
    let mut archive = ArchiveWriter::default();
    archive
        .put(&format!("{stem}{}", program.extension()), &program.bytes, true)
        .with_context(|| format!("packing {stem}"))?;
    let comment = format!(
        "{stem} is tengen {}, which plays the engine in the folder {}\n\
         as a Gomocup engine. Keep these files together.\n\
         The following lines are arguments of `tengen brain`, one a line.",
        env!("CARGO_PKG_VERSION"),
        packed::FOLDER
    );
    let told = packed::write(&comment, &arguments);
    archive.put(&format!("{stem}.{}", packed::EXTENSION), told.as_bytes(), false)?;
    for (name, path) in files::of(&spec)? {
        let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
        archive.put(&format!("{}/{name}", packed::FOLDER), &bytes, false)?;
    }
    let unpacked = archive.unpacked();
    let bytes = archive.finish()?;
    let mut target = OutputTarget::create(&out, args.force)?;
    target.write(&bytes)?;
    target.finish()?;
    let [packed, unpacked] = [bytes.len(), unpacked].map(|bytes| bytes as f64 / 1e6);
    let sizes = format_args!("{packed:.1} MB, unpacked {unpacked:.1} MB");
    crate::report::tell(format_args!("{}: {stem}, {sizes}", out.display()));
    Ok(CommandOutcome::Done)
}

/// The brain's name, which becomes that of a file.
fn name(args: &PackageArgs, spec: &EngineSpec) -> anyhow::Result<String> {
    let name = match &args.name {
        Some(name) => name.as_str(),
        None => spec.id.rsplit(':').next().unwrap_or(&spec.id),
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    if name.is_empty() || name.len() > 64 || !name.chars().all(is_plain) {
        let problem = "expected 1 to 64 letters, digits and - _ . +";
        return Err(WrongUse(anyhow!("--name {name}: {problem}")).into());
    }
    // What follows a dot would be taken for the extension.
    Ok(name.replace('.', "-"))
}

/// What `tengen brain` will be told.
fn arguments(args: &PackageArgs, spec: &EngineSpec) -> anyhow::Result<Vec<String>> {
    let mut arguments = vec![spec.id.clone()];
    arguments.extend(args.hosting.arguments());
    match arguments.iter().find(|argument| !packed::can_hold(argument)) {
        Some(argument) => {
            let problem = "an argument in a package must be one line that does not begin with #";
            Err(WrongUse(anyhow!("{argument:?}: {problem}")).into())
        }
        None => Ok(arguments),
    }
}

/// Starts the engine once with the options that it will have.
fn try_out(args: &PackageArgs, spec: EngineSpec) -> anyhow::Result<()> {
    match probe(&args.hosting.over(spec)?, &args.hosting.settings()?) {
        Ok(_) => Ok(()),
        Err(error @ HostError::Failed { .. }) => Err(error.into()),
        Err(error) => Err(WrongUse(error.into()).into()),
    }
}

/// The program that will host the engine.
struct HostProgram {
    bytes: Vec<u8>,
    is_windows: bool,
    /// Whether it is for 64-bit Windows, which a name for Gomocup tells.
    is_win64: bool,
}

impl HostProgram {
    fn new(bytes: Vec<u8>) -> HostProgram {
        let at = |from: usize, count: usize| bytes.get(from..from + count);
        // The header of a Windows program lies where the one of DOS says.
        let header = at(0x3c, 4)
            .filter(|_| bytes.starts_with(b"MZ"))
            .map(|place| u32::from_le_bytes([place[0], place[1], place[2], place[3]]) as usize)
            .filter(|&place| at(place, 4) == Some(b"PE\0\0"));
        let is_win64 = header.is_some_and(|place| at(place + 4, 2) == Some(&[0x64, 0x86]));
        HostProgram { is_windows: header.is_some(), is_win64, bytes }
    }

    fn suffix(&self) -> &'static str {
        if self.is_win64 { "64" } else { "" }
    }

    fn extension(&self) -> &'static str {
        if self.is_windows { ".exe" } else { "" }
    }
}

fn program(args: &PackageArgs, spec: &EngineSpec) -> anyhow::Result<HostProgram> {
    let is_for_windows = spec.kind != EngineKind::Native || cfg!(windows);
    let for_gomocup = gomocup_program().filter(|_| is_for_windows);
    let (path, is_own) = match args.program.clone().or(for_gomocup) {
        Some(path) => (path, false),
        None => (std::env::current_exe().context("cannot find the path of this program")?, true),
    };
    let bytes = fs::read(&path).map_err(|error| {
        let error = anyhow!("{}: cannot be read: {error}", path.display());
        if is_own { error } else { WrongUse(error).into() }
    })?;
    // The hidden command is a word that every build of this program holds.
    let word = tengen_hosts::HOST_COMMAND.as_bytes();
    if !is_own && !holds(&bytes, word) {
        return Err(WrongUse(anyhow!("{}: is not a build of tengen", path.display())).into());
    }
    Ok(HostProgram::new(bytes))
}

fn holds(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|window| window == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn windows_program(machine: [u8; 2]) -> Vec<u8> {
        let mut bytes = vec![0; 0x80];
        bytes[..2].copy_from_slice(b"MZ");
        bytes[0x3c] = 0x40;
        bytes[0x40..0x44].copy_from_slice(b"PE\0\0");
        bytes[0x44..0x46].copy_from_slice(&machine);
        bytes
    }

    #[test]
    fn a_program_is_named_for_the_system_it_is_for() {
        let parts = |bytes: Vec<u8>| {
            let program = HostProgram::new(bytes);
            (program.suffix(), program.extension())
        };
        assert_eq!(parts(windows_program([0x64, 0x86])), ("64", ".exe"));
        assert_eq!(parts(windows_program([0x4c, 0x01])), ("", ".exe"));
        assert_eq!(parts(b"\x7fELF".to_vec()), ("", ""));
        assert_eq!(parts(b"MZ".to_vec()), ("", ""));
        let mut cut = windows_program([0x64, 0x86]);
        cut.truncate(0x42);
        assert_eq!(parts(cut), ("", ""));
    }
}
