//! The layers of namespaces: the process that was started moves on into namespaces of its own,
//! where the kernel allows it, with root's rights or without.
//!
//! A process never changes its own number, so the one that was started only prepares. It then
//! starts two processes in its own place, as children of the arbiter: the first process of the new
//! namespace and the one that runs the engine. When the first one ends, the kernel ends all others
//! in its namespace.

use std::fs;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::time::{Duration, Instant};

use rustix::process::{DumpableBehavior, Signal, set_dumpable_behavior};
use rustix::thread::{CapabilitySet, capabilities};

use super::{LEFT_OUT, MOUNT_NS, NET_NS, PID_NS, Sandbox, rights};
use crate::platform::{self, Inside};
use crate::protocol::Unhosted;

/// It has its own list of users: its rights, if it gets any, are rights over nothing else.
const USER_NS: &str = "user_ns";
/// The layers that are only asked for, with the flag that asks for each. The last two are looked at
/// here again.
const LAYERS: [(&str, libc::c_int); 6] = [
    (NET_NS, libc::CLONE_NEWNET),
    ("ipc_ns", libc::CLONE_NEWIPC),
    ("uts_ns", libc::CLONE_NEWUTS),
    ("cgroup_ns", libc::CLONE_NEWCGROUP),
    (MOUNT_NS, libc::CLONE_NEWNS),
    (PID_NS, libc::CLONE_NEWPID),
];
/// What the first process of a namespace is called in a list of processes.
const NAME: &std::ffi::CStr = c"tengen-init";
/// How long to wait for a machine that is short of processes or memory, how long for one that is
/// short of namespaces, and how long between two tries.
const PATIENCE: Duration = Duration::from_secs(2);
const BRIEF_PATIENCE: Duration = Duration::from_millis(100);
const PAUSE: Duration = Duration::from_millis(10);

/// Moves on into namespaces. The arbiter hears by `announce` which processes those are that go on,
/// if they are others than this one, before one of them does. Comes back in the process that runs
/// the engine.
///
/// # Errors
/// When it must not go on, because it would not be known or would outlive the arbiter.
pub(super) fn enter(
    sandbox: &mut Sandbox,
    parent: u32,
    announce: impl FnOnce(Option<Inside>) -> io::Result<()>,
) -> Result<(), Unhosted> {
    let is_inside = match own_users()? {
        Users::Root => unshare_all(sandbox),
        Users::Own => {
            sandbox.hold(USER_NS);
            unshare_all(sandbox)
        }
        Users::None(reason) => {
            note_missing(sandbox, &reason);
            false
        }
    };
    if !is_inside {
        return Ok(announce(None)?);
    }
    let (told, tells) = io::pipe()?;
    let (waits, lets_go) = io::pipe()?;
    let Some(init) = start_sibling()? else { be_init(tells, waits, lets_go) };
    drop(tells);
    wait_for(told)?;
    // Both ask to die with the arbiter. Where it was gone before the first had asked, this ends
    // here, and the pipe with it.
    if !platform::is_parent(parent) {
        return Err(io::Error::other("the arbiter is gone").into());
    }
    let Some(engine) = start_sibling()? else {
        drop(lets_go);
        // It ends with the first process in any case.
        let _ = platform::die_with_parent();
        return Ok(wait_for(waits)?);
    };
    drop(waits);
    announce(Some(Inside { init, engine }))?;
    (&lets_go).write_all(&[0; 2])?;
    // SAFETY: this ends the process at once. Nothing of it is left to be written.
    unsafe { libc::_exit(0) }
}

/// Notes that the process stays in the namespaces of the arbiter.
pub(super) fn note_missing(sandbox: &mut Sandbox, reason: &str) {
    sandbox.note(USER_NS, Err(reason.to_owned()));
    let told = format!("it takes root, or a namespace of users: {reason}");
    LAYERS.iter().for_each(|(layer, _)| sandbox.note(layer, Err(told.clone())));
}

/// The rights with which namespaces can be made.
enum Users {
    /// Root's, which needs no others.
    Root,
    /// Those of root in a namespace of its own, where they are good for the other namespaces and
    /// for nothing else.
    Own,
    /// None, for that reason.
    None(String),
}

/// Gives a process without root's rights the rights to make namespaces.
///
/// # Errors
/// When it is in a namespace in which it has no user: it cannot leave that one.
fn own_users() -> Result<Users, Unhosted> {
    let own = match capabilities(None) {
        Ok(own) => own,
        Err(error) => return Ok(Users::None(error.to_string())),
    };
    if own.effective.contains(CapabilitySet::SYS_ADMIN) {
        return Ok(Users::Root);
    }
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    if let Err(error) = unshare(libc::CLONE_NEWUSER) {
        return Ok(Users::None(error.to_string()));
    }
    let map = |file: &str, line: &str| {
        let file = format!("/proc/self/{file}");
        fs::write(&file, line).map_err(|error| Unhosted {
            reason: format!("{file}: {error}"),
            is_for_namespaces: true,
        })
    };
    map("setgroups", "deny")?;
    map("uid_map", &format!("{user} {user} 1"))?;
    map("gid_map", &format!("{group} {group} 1"))?;
    Ok(Users::Own)
}

/// Gives whether the next process is the first of a new namespace of processes.
fn unshare_all(sandbox: &mut Sandbox) -> bool {
    let mut is_inside = false;
    for (layer, flag) in LAYERS {
        // There is no way back from that one, so what comes after it must be there.
        let outcome = match layer {
            _ if sandbox.is_left_out(layer) => Err(LEFT_OUT.to_owned()),
            PID_NS => can_move_on(),
            _ => Ok(()),
        };
        let kept = sandbox.net_ns.take_if(|_| layer == NET_NS && outcome.is_ok());
        let outcome = match kept.is_some_and(platform::enter_net_ns) {
            true => outcome,
            false => outcome.and_then(|()| unshare(flag).map_err(|error| error.to_string())),
        };
        is_inside = layer == PID_NS && outcome.is_ok();
        match (layer, outcome) {
            // What is to be seen there is still to be made.
            (MOUNT_NS, Ok(())) => sandbox.has_mounts = true,
            (layer, outcome) => sandbox.note(layer, outcome),
        }
    }
    is_inside
}

/// Whether this kernel has the calls by which other processes go on: it is asked for nothing.
fn can_move_on() -> Result<(), String> {
    let none = std::ptr::null::<u8>();
    // SAFETY: without arguments to read the first call is an error, but another one where it is
    // not there; the second closes what cannot be open.
    let (cloned, closed) = unsafe {
        let cloned = libc::syscall(libc::SYS_clone3, none, 0_usize);
        let error = io::Error::last_os_error().raw_os_error();
        (cloned < 0 && error == Some(libc::EINVAL), close_all_from(i32::MAX as u32))
    };
    if cloned && closed {
        Ok(())
    } else {
        Err("this kernel or container has no calls for it".to_owned())
    }
}

/// Closes every descriptor from that number on.
///
/// # Safety
/// No code of this process may use them any more.
unsafe fn close_all_from(first: u32) -> bool {
    // SAFETY: the caller's to see to.
    unsafe { libc::syscall(libc::SYS_close_range, first, u32::MAX, 0) == 0 }
}

/// Leaves a namespace for a new one. Waits if the machine is short of something for a moment.
fn unshare(flag: libc::c_int) -> io::Result<()> {
    patiently(|| {
        // SAFETY: this only changes what this process, which has one thread, shares with others.
        match unsafe { libc::unshare(flag) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    })
}

/// Tries again while the machine is short of processes or memory, or has no namespaces left: those
/// of processes that have ended go a little later.
fn patiently<T>(mut act: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    let since = Instant::now();
    loop {
        let error = match act() {
            Ok(done) => return Ok(done),
            Err(error) => error,
        };
        let patience = match error.raw_os_error() {
            Some(libc::EAGAIN | libc::ENOMEM) => PATIENCE,
            // There may be none at all.
            Some(libc::ENOSPC | libc::EUSERS) => BRIEF_PATIENCE,
            _ => return Err(error),
        };
        if since.elapsed() >= patience {
            return Err(error);
        }
        std::thread::sleep(PAUSE);
    }
}

/// Starts a process as this one is, as a child of this one's parent. Gives its number, and nothing
/// in the new process.
fn start_sibling() -> io::Result<Option<u32>> {
    patiently(platform::clone_sibling)
}

/// Body of the first process of a namespace of processes. It only has to exist.
fn be_init(tells: PipeWriter, waits: PipeReader, lets_go: PipeWriter) -> ! {
    let _ = rustix::thread::set_name(NAME);
    drop(lets_go);
    let is_wanted = platform::die_with_parent().is_ok()
        && (&tells).write_all(&[0]).is_ok()
        && wait_for(waits).is_ok();
    if is_wanted {
        // SAFETY: no code of this process uses a descriptor from here on, and none runs on a
        // signal. Orphans that end are not waited for.
        unsafe {
            libc::signal(libc::SIGCHLD, libc::SIG_IGN);
            close_all_from(0);
        }
        let _ = rights::no_new_privs();
        let _ = rights::none_at_all();
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
        // Undumpable, it may have lost that; a signal does not end it from inside.
        let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
        loop {
            // SAFETY: waits for a signal.
            unsafe { libc::pause() };
        }
    }
    // SAFETY: as above.
    unsafe { libc::_exit(0) }
}

/// Waits for a byte. An error where none will come.
fn wait_for(mut pipe: PipeReader) -> io::Result<()> {
    pipe.read_exact(&mut [0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortage_is_waited_for_and_nothing_else() {
        let tries = |error: i32, failures: u32| {
            let mut tried = 0;
            let done = patiently(|| {
                tried += 1;
                if tried > failures { Ok(()) } else { Err(io::Error::from_raw_os_error(error)) }
            });
            (tried, done.is_ok())
        };
        for short in [libc::EAGAIN, libc::ENOMEM, libc::ENOSPC] {
            assert_eq!(tries(short, 2), (3, true));
        }
        assert_eq!(tries(libc::EPERM, 2), (1, false));
        let (tried, is_done) = tries(libc::ENOSPC, u32::MAX);
        assert!(tried > 1 && !is_done, "a machine may have none");
    }
}
