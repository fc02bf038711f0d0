//! A child that becomes a text engine: it puts up its walls, says which hold, and runs the engine's
//! program in its own place, with the arbiter's pipes as standard input and output.

use std::io;
use std::iter;
use std::path::PathBuf;
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
    let named = job.reads.iter().map(PathBuf::as_path);
    let reads: Vec<_> = iter::once(job.path.as_path()).chain(folder).chain(named).collect();
    let writes = job.desk.as_ref().map(|(desk, mib)| (desk.as_path(), u64::from(*mib) << 20));
    walls.close(Reach { reads: &reads, writes, memory_mib: job.memory_mib, runs: true });
    if let Err(LoadError::Refused(reason)) = insist(job, &walls) {
        return outbox.put(answer::REFUSED, |out| out.extend_from_slice(reason.as_bytes()));
    }
    say_ready(&outbox, 0, ExportSet::default(), &walls, "")?;
    let mut command = Command::new(&job.path);
    command.args(&job.arguments);
    let desk = job.desk.as_ref().map(|(desk, _)| desk.as_path());
    if let Some(folder) = folder.or(desk) {
        command.current_dir(folder);
    }
    if let Some(desk) = desk {
        command.env("TMPDIR", desk);
    }
    let error = platform::become_program(command);
    Err(io::Error::new(error.kind(), format!("{}: cannot be started: {error}", job.path.display())))
}
