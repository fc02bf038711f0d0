//! What the program logs: on standard error what a person has to know, in a file what happened.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process;
use std::sync::{Mutex, PoisonError};

use env_logger::Logger;
use env_logger::fmt::ConfigurableFormat;
use log::{Level, LevelFilter, Log, Metadata, Record};
use tengen_hosts::package::legible;
use tengen_lineup::NOTICE;

#[cfg(feature = "workers")]
use crate::args::TestCommand;
use crate::args::{CliCommand, TournamentCommand};
use crate::report;
use crate::user_folders::data_folder;

/// The variable with what is shown on standard error, as in `TENGEN_LOG=info`.
const VARIABLE: &str = "TENGEN_LOG";
/// The file begins anew when it has so many bytes, and so many earlier ones are kept. Crates that
/// do this either panic without a folder or know of one process alone.
const MOST_BYTES: u64 = 1 << 20;
const KEPT: u32 = 4;

/// Begins to log. What is for people is told as it is, however little else is. Commands that run
/// for long also keep a file, in the data folder of this user.
pub(crate) fn start(command: &CliCommand) {
    // What the client of NATS comes to is said in the program's own words.
    let default = match command {
        CliCommand::Serve(_) => "warn,async_nats=off,tengen_web::play=info",
        _ => "warn,async_nats=off",
    };
    let shown = env_logger::Builder::from_env(env_logger::Env::new().filter_or(VARIABLE, default))
        .filter_module(NOTICE, LevelFilter::Info)
        .target(env_logger::Target::Pipe(Box::<LogOutput>::default()))
        .format(|to, record| match (record.target() == NOTICE, record.level()) {
            (true, Level::Warn) => writeln!(to, "tengen: warning: {}", record.args()),
            (true, _) => writeln!(to, "tengen: {}", record.args()),
            (false, _) => ConfigurableFormat::default().format(to, record),
        })
        .build();
    let folder = if is_long(command) { data_folder() } else { None };
    let kept = folder.map(|data| RotatedFile { path: data.join("log/tengen.log"), file: None });
    let most = if kept.is_some() { KeptLog::LEVEL.max(shown.filter()) } else { shown.filter() };
    let log = ProgramLog { shown, kept: kept.map(|file| KeptLog(Mutex::new(file))) };
    // Nothing else of the program sets one.
    if log::set_boxed_logger(Box::new(log)).is_ok() {
        log::set_max_level(most);
    }
}

/// Whether a command plays games, or lets them be played, for as long as a person wishes.
fn is_long(command: &CliCommand) -> bool {
    use CliCommand::{Gui, Match, Play, Serve, Tournament};
    match command {
        Gui(_) | Match(_) | Play(_) | Serve(_) => true,
        #[cfg(feature = "workers")]
        CliCommand::Test(command) => matches!(command, TestCommand::Run(_)),
        Tournament(command) => {
            matches!(command, TournamentCommand::Run(_) | TournamentCommand::Resume(_))
        }
        _ => false,
    }
}

struct ProgramLog {
    shown: Logger,
    kept: Option<KeptLog>,
}

impl Log for ProgramLog {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.shown.enabled(metadata) || self.kept.as_ref().is_some_and(|kept| kept.takes(metadata))
    }

    fn log(&self, record: &Record<'_>) {
        self.shown.log(record);
        if let Some(kept) = self.kept.as_ref().filter(|kept| kept.takes(record.metadata())) {
            kept.write(record);
        }
    }

    fn flush(&self) {
        self.shown.flush();
    }
}

/// The log in a file: what happened to games, tables and connections, and what went wrong.
struct KeptLog(Mutex<RotatedFile>);

impl KeptLog {
    const LEVEL: LevelFilter = LevelFilter::Info;

    fn takes(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= KeptLog::LEVEL && metadata.target().starts_with("tengen")
    }

    fn write(&self, record: &Record<'_>) {
        let moment = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ");
        let text = record.args().to_string();
        let text = legible(&text);
        let line = format!("{moment} {:<5} {} {text}\n", record.level(), process::id());
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Without room on the disk there is nowhere to say so: what is shown goes on.
        let _unkept = file.write(&line);
    }
}

/// A file that begins anew when it is large. Several processes may write to it.
struct RotatedFile {
    path: PathBuf,
    file: Option<File>,
}

impl RotatedFile {
    fn write(&mut self, line: &str) -> io::Result<()> {
        let is_full = |file: &File| file.metadata().is_ok_and(|known| known.len() >= MOST_BYTES);
        if self.file.as_ref().is_some_and(is_full) {
            self.file = None;
        }
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(RotatedFile::open(&self.path)?),
        };
        // One call, so that lines of other processes come before or after it.
        file.write_all(line.as_bytes())
    }

    fn open(path: &PathBuf) -> io::Result<File> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        // Another process may have begun it anew meanwhile.
        if fs::metadata(path).is_ok_and(|known| known.len() >= MOST_BYTES) {
            let older = |number: u32| path.with_extension(format!("{number}.log"));
            for number in (1..KEPT).rev() {
                // There need not be so many yet.
                let _missing = fs::rename(older(number), older(number + 1));
            }
            fs::rename(path, older(1))?;
        }
        File::options().append(true).create(true).open(path)
    }
}

/// What is logged, told like everything else.
#[derive(Default)]
struct LogOutput(Vec<u8>);

impl Write for LogOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend(bytes);
        while let Some(end) = self.0.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.0.drain(..=end).collect();
            report::tell(format_args!("{}", String::from_utf8_lossy(&line).trim_end()));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_file_begins_anew_and_the_oldest_goes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log/tengen.log");
        let [mut own, mut other] = [(); 2].map(|()| RotatedFile { path: path.clone(), file: None });
        let line = "x".repeat(usize::try_from(MOST_BYTES).unwrap() / 2) + "\n";
        for _ in 0..8 {
            own.write(&line).unwrap();
            other.write(&line).unwrap();
        }
        let size = |name: &str| fs::metadata(folder.path().join("log").join(name)).unwrap().len();
        for name in ["tengen.log", "tengen.1.log", "tengen.2.log", "tengen.3.log", "tengen.4.log"] {
            assert!((line.len() as u64..MOST_BYTES + line.len() as u64).contains(&size(name)));
        }
        assert!(!folder.path().join("log/tengen.5.log").exists());
    }
}
