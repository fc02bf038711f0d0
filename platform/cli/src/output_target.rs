//! Files that are written whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use crate::WrongUse;

/// Where output goes: a file that appears whole or not at all, or standard output.
pub(crate) struct OutputTarget {
    output: Box<dyn Write>,
    file: Option<TempFile>,
}

/// A file under another name, removed unless it is finished.
struct TempFile {
    file: File,
    path: PathBuf,
    becomes: PathBuf,
}

impl Drop for TempFile {
    fn drop(&mut self) {
        // Once it has its own name, there is nothing left under this one.
        let _ignored = fs::remove_file(&self.path);
    }
}

impl OutputTarget {
    /// `-` is standard output. An existing file is overwritten only with `force`.
    pub(crate) fn create(path: &Path, force: bool) -> anyhow::Result<OutputTarget> {
        if is_stream(path) {
            return Ok(OutputTarget { output: Box::new(BufWriter::new(io::stdout())), file: None });
        }
        let shown = path.display();
        if path.is_dir() {
            return Err(WrongUse(anyhow!("{shown}: is a folder; name a file")).into());
        }
        if path.exists() && !force {
            let problem = "exists already; use --force to overwrite it";
            return Err(WrongUse(anyhow!("{shown}: {problem}")).into());
        }
        let mut name = OsString::from(path);
        name.push(format!(".{}.unfinished", std::process::id()));
        let unfinished = PathBuf::from(name);
        let file =
            File::create_new(&unfinished).with_context(|| format!("{shown}: cannot be written"))?;
        let output = file.try_clone().with_context(|| format!("{shown}: cannot be written"))?;
        let file = TempFile { file, path: unfinished, becomes: path.to_owned() };
        Ok(OutputTarget { output: Box::new(BufWriter::new(output)), file: Some(file) })
    }

    /// Adds to it.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let written = self.output.write_all(bytes);
        written.with_context(|| format!("{}: cannot be written", self.name()))
    }

    /// Gives the file its name.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        let cannot = format!("{}: cannot be written", self.name());
        self.output.flush().with_context(|| cannot.clone())?;
        if let Some(file) = &self.file {
            let renamed = file.file.sync_all().and_then(|()| fs::rename(&file.path, &file.becomes));
            renamed.context(cannot)?;
        }
        Ok(())
    }

    fn name(&self) -> String {
        let file = self.file.as_ref();
        file.map_or("standard output".to_string(), |file| file.becomes.display().to_string())
    }
}

/// Whether that names standard input or output.
pub(crate) fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}
