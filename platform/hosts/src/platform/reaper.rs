//! Ends the engines if the arbiter itself is killed. Its child processes die with it, but not the
//! processes they have started. Those are found by the control groups of the engines, by their
//! process groups, which no process can leave if system calls are filtered, and by the tag in their
//! environment. An engine may escape any one of these.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use super::escaped::{EnvTag, kill_found, session};
use super::unix::close_others;
use super::{HOST_COMMAND, give_group, groups, proc};
use crate::shared_instance::SharedInstance;

/// The word that makes a child a reaper: `PROGRAM host-engine --reaper SESSION NAME FOLDER…`, with
/// what the names of the arbiter's control groups begin with, and the folders in which they are.
pub(crate) const REAPER: &str = "--reaper";
/// What stands before the number of a process group that an engine has now, and has no more.
const BEGUN: char = '+';
const ENDED: char = '-';

/// A process beside this one, which ends what is left of the engines when this one is gone. It ends
/// with the last engine that may need it.
pub(crate) struct Reaper(Mutex<Child>);

/// A process group that ends with this one. It is forgotten when dropped.
pub(crate) struct Watched {
    reaper: Arc<Reaper>,
    group: u32,
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.reaper.tell(ENDED, self.group);
    }
}

impl Reaper {
    /// The reaper of this process. Without one, engines play all the same.
    pub(crate) fn share(program: &Path) -> Option<Arc<Reaper>> {
        static SHARED: SharedInstance<Reaper> = SharedInstance::new();
        let reaper = SHARED.get(|| Reaper::start(program));
        let program = program.display();
        reaper.inspect_err(|error| log::warn!("{program}: no reaper of engines: {error}")).ok()
    }

    fn start(program: &Path) -> io::Result<Reaper> {
        let mut command = super::command(program);
        command.args([HOST_COMMAND, REAPER, session(), &groups::own_name()]);
        command.args(groups::own_folders());
        // It ends with this process, however that ends.
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // Where this process is an engine itself, the reaper must outlive it.
        EnvTag::remove(&mut command);
        give_group(&mut command);
        command.spawn().map(|child| Reaper(Mutex::new(child)))
    }

    /// The process group of an engine ends with this process.
    pub(crate) fn watch(self: &Arc<Reaper>, group: u32) -> Watched {
        self.tell(BEGUN, group);
        Watched { reaper: Arc::clone(self), group }
    }

    fn tell(&self, what: char, group: u32) {
        let mut child = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Where it is gone, engines play all the same.
        let told = child.stdin.as_mut().map(|pipe| writeln!(pipe, "{what}{group}"));
        if let Some(Err(error)) = told {
            log::debug!("the reaper of engines does not listen: {error}");
        }
    }
}

impl Drop for Reaper {
    fn drop(&mut self) {
        let child = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = child.kill().and_then(|()| child.wait()) {
            log::error!("the reaper of engines was not stopped: {error}");
        }
    }
}

/// Body of a reaper: waits for the end of its pipe, and ends every engine of that session. The
/// words are those after [`REAPER`].
pub(crate) fn run_reaper(mut words: impl Iterator<Item = OsString>) -> io::Result<()> {
    let missing = || io::Error::from(io::ErrorKind::InvalidInput);
    let session = words.next().ok_or_else(missing)?;
    let name = words.next().and_then(|name| name.into_string().ok()).ok_or_else(missing)?;
    let folders: Vec<PathBuf> = words.map(PathBuf::from).collect();
    close_others(None);
    let mut process_groups = BTreeSet::new();
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        match (line.strip_prefix(BEGUN), line.strip_prefix(ENDED)) {
            (Some(group), _) => drop(group.parse().map(|group: u32| process_groups.insert(group))),
            (_, Some(group)) => drop(group.parse().map(|group: u32| process_groups.remove(&group))),
            _ => {}
        }
    }
    // A process that has left one of these has not left the others.
    kill_found(|| groups::processes_of(&name, &folders));
    kill_found(|| proc::all_in_groups(&process_groups));
    EnvTag::kill_session(&session);
    groups::remove_all_of(&name, &folders);
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::Command;

    use super::*;

    #[test]
    fn what_is_in_a_process_group_is_found_without_a_tag() {
        let mut child = Command::new("sleep").arg("60").process_group(0).spawn().unwrap();
        let watched = BTreeSet::from([child.id()]);
        assert_eq!(proc::all_in_groups(&watched), [child.id()]);
        kill_found(|| proc::all_in_groups(&watched));
        assert_eq!(child.wait().unwrap().signal(), Some(9));
        assert_eq!(proc::all_in_groups(&BTreeSet::new()), [0; 0]);
    }
}
