//! A child that becomes a text engine: it puts up its walls, says which hold, and runs the engine's
//! program in its own place, with the arbiter's pipes as standard input and output.

use std::io;
use std::iter;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::outbox::Outbox;
use super::serve::say_ready;
use super::{Job, insist};
use crate::ExportSet;
use crate::guest::LoadError;
use crate::platform;
use crate::sandbox::{Reach, Walls};
use crate::wire::answer;

/// Does not come back when all goes well, where the system lets a program take another's place.
pub(super) fn run(job: &Job, mut walls: Walls) -> io::Result<()> {
    platform::close_others();
    platform::default_signals();
    let outbox = Outbox::new(platform::answers()?);
    walls.give_up_rights();
    let folder = job.folder.as_deref();
    let desk = job.desk.as_ref().map(|(desk, _)| desk.as_path());
    let gathered = desk.filter(|desk| folder.is_none() && gather(&job.reads, desk));
    let reads: Vec<_> = folder.into_iter().chain(job.reads.iter().map(PathBuf::as_path)).collect();
    let runs = job.runs.iter().map(PathBuf::as_path);
    let runs: Vec<_> = iter::once(job.path.as_path()).chain(runs).collect();
    let writes = job.desk.as_ref().map(|(desk, mib)| (desk.as_path(), u64::from(*mib) << 20));
    let reach =
        Reach { reads: &reads, writes, memory_mib: job.memory_mib, runs: Some(runs.as_slice()) };
    walls.close(reach, job.report.as_ref())?;
    if let Err(LoadError::Refused(reason)) = insist(job, &walls) {
        return outbox.put(answer::REFUSED, |out| out.extend_from_slice(reason.as_bytes()));
    }
    say_ready(&outbox, 0, ExportSet::default(), &walls, "")?;
    let mut command = Command::new(&job.path);
    command.args(&job.arguments);
    // Where nothing can be gathered, there are no walls either.
    if let Some(folder) = folder.or(gathered).or(job.path.parent()) {
        command.current_dir(folder);
    }
    if let Some(desk) = desk {
        command.env("TMPDIR", desk);
    }
    let error = platform::become_program(command);
    Err(io::Error::new(error.kind(), format!("{}: cannot be started: {error}", job.path.display())))
}

/// Makes an engine's own files be found in its private folder by the names that they have beside
/// it: where others' files lie beside it, it cannot be started there without seeing which. Gives
/// whether that could be done.
fn gather(files: &[PathBuf], desk: &Path) -> bool {
    files.iter().all(|file| {
        file.file_name().is_some_and(|name| match platform::link(file, &desk.join(name)) {
            // A command may name two of one name.
            Err(error) => error.kind() == io::ErrorKind::AlreadyExists,
            Ok(()) => true,
        })
    })
}
