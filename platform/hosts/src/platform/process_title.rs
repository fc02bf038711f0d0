//! What other processes see as the command line and the environment of this one. The system put
//! them into its memory when its program was run; a copy of the process needs other ones there.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;
use std::ptr;

use super::proc::Stat;

/// How long each may be; what is longer is cut.
const ROOM: usize = 4096;

/// Where they lie in the memory of this process, each from its first byte to behind its last.
pub(super) struct ProcessTitle {
    arguments: Option<(usize, usize)>,
    environment: Option<(usize, usize)>,
}

impl ProcessTitle {
    /// Leaves room in both for what is to stand there later, and nothing else in the environment.
    pub(super) fn leave_room(command: &mut Command) {
        let room = " ".repeat(ROOM);
        command.arg(&room).env_clear().env("ROOM", room);
    }

    /// That of this process, which was run with room for it.
    pub(super) fn of_this_process() -> ProcessTitle {
        // By its number it would be another one where /proc is that of other processes.
        let stat = Stat::read("/proc/self/stat");
        let place = |first: usize| {
            let (start, end) = stat.as_ref()?.field(first).zip(stat.as_ref()?.field(first + 1))?;
            (end > start && start > 0).then_some((start, end))
        };
        ProcessTitle { arguments: place(48), environment: place(50) }
    }

    /// Puts these there. A program that has read the arguments or the environment of this process
    /// before by reference must not use them any more.
    pub(super) fn set(&self, arguments: &[OsString], environment: &[(OsString, OsString)]) {
        let own = [super::HOST_COMMAND.as_bytes()].into_iter();
        let arguments: Vec<_> = own.chain(arguments.iter().map(|one| one.as_bytes())).collect();
        let variables = environment.iter();
        let variables: Vec<_> = variables
            .map(|(name, value)| [name.as_bytes(), b"=", value.as_bytes()].concat())
            .collect();
        fill(self.arguments, &arguments.join(&0));
        fill(self.environment, &variables.join(&0));
    }
}

/// Puts bytes in a place, and zeros behind them.
fn fill(place: Option<(usize, usize)>, bytes: &[u8]) {
    let Some((start, end)) = place else { return };
    // The last byte stays zero: so the system knows where it ends.
    let room = end - start - 1;
    let length = bytes.len().min(room);
    let start = ptr::with_exposed_provenance_mut::<u8>(start);
    // SAFETY: the system has put the arguments and the environment of this process there, on the
    // stack, beyond all that its code uses. It may be written, and nothing refers to it any more.
    unsafe {
        ptr::copy_nonoverlapping(bytes.as_ptr(), start, length);
        ptr::write_bytes(start.add(length), 0, room + 1 - length);
    }
}
