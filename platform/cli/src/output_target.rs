//! Files that are written whole or not at all.

use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use tengen_files::AtomicFile;

use crate::WrongUse;

pub(crate) enum OutputTarget {
    Standard(BufWriter<Stdout>),
    /// A file that appears whole or not at all.
    File(AtomicFile, PathBuf),
}

impl OutputTarget {
    /// `-` is standard output. An existing file is overwritten only with `force`; a device or a
    /// pipe is written into.
    pub(crate) fn create(path: &Path, force: bool) -> anyhow::Result<OutputTarget> {
        if is_stream(path) {
            return Ok(OutputTarget::Standard(BufWriter::new(io::stdout())));
        }
        let shown = path.display();
        if path.is_dir() {
            return Err(WrongUse(anyhow!("{shown}: is a folder; name a file")).into());
        }
        if path.exists() && !force && !tengen_files::is_stream(path) {
            let problem = "exists already; use --force to overwrite it";
            return Err(WrongUse(anyhow!("{shown}: {problem}")).into());
        }
        let file =
            AtomicFile::create(path).with_context(|| format!("{shown}: cannot be written"))?;
        Ok(OutputTarget::File(file, path.to_owned()))
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let written = match self {
            OutputTarget::Standard(output) => output.write_all(bytes),
            OutputTarget::File(file, _) => file.write_all(bytes),
        };
        written.with_context(|| self.problem())
    }

    /// Gives the file its name.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        let problem = self.problem();
        let finished = match self {
            OutputTarget::Standard(mut output) => output.flush(),
            OutputTarget::File(file, _) => file.finish_on_disk(),
        };
        finished.context(problem)
    }

    /// Gives the file its name, and leaves it to the system when it is on the disk.
    pub(crate) fn finish_soon(self) -> anyhow::Result<()> {
        let problem = self.problem();
        match self {
            OutputTarget::File(file, _) => file.finish().context(problem),
            standard => standard.finish(),
        }
    }

    fn problem(&self) -> String {
        match self {
            OutputTarget::Standard(_) => "standard output: cannot be written".to_owned(),
            OutputTarget::File(_, path) => format!("{}: cannot be written", path.display()),
        }
    }
}

pub(crate) fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}
