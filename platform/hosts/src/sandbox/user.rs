//! The layer of users: an engine that root starts runs as a user of its own, which no other process
//! has. Then no engine can signal another, read its memory or change its files, whatever other
//! layers hold.

use std::fs;
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, fchown, lchown};
use std::path::Path;

use rustix::fd::{AsFd, BorrowedFd};
use rustix::process::{DumpableBehavior, getppid, set_dumpable_behavior};
use rustix::stdio::{stderr, stdin, stdout};
use rustix::thread::{
    CapabilitySet, Gid, Uid, capabilities, set_keep_capabilities, set_thread_groups,
    set_thread_res_gid, set_thread_res_uid,
};

use super::SandboxPolicy;
use crate::platform;

/// What it takes to become another user and to give it its folder.
pub(super) const CHANGES: CapabilitySet =
    CapabilitySet::SETUID.union(CapabilitySet::SETGID).union(CapabilitySet::CHOWN);
/// What the arbiter, which has the same rights, needs to watch a process of another user and to end
/// it, and to remove its files.
const WATCHES: CapabilitySet = CapabilitySet::KILL
    .union(CapabilitySet::SYS_PTRACE)
    .union(CapabilitySet::SYS_NICE)
    .union(CapabilitySet::DAC_OVERRIDE);
/// The right of every user to run a file.
const OTHERS_RUN: u32 = 0o001;

/// What it takes to renew the limits of such a process.
const RENEWS: CapabilitySet = CapabilitySet::SYS_RESOURCE;
/// The users and groups that there are, each range by its first number here, its first number
/// outside, and how many they are. All of them, unless this is a container.
const MAPS: [&str; 2] = ["/proc/self/uid_map", "/proc/self/gid_map"];

/// Whether this process, which has given up nothing yet, may become the user of that number.
pub(super) fn may_change(user: u32) -> Result<(), String> {
    let own = capabilities(None).map_err(|error| error.to_string())?.effective;
    if !rustix::process::geteuid().is_root() {
        return Err("only root can start a process as another user".to_owned());
    }
    let lacks = CHANGES.union(WATCHES).difference(own);
    if let Some((name, _)) = lacks.iter_names().next() {
        return Err(format!("root has no CAP_{name} here"));
    }
    let is_there = |map: &str| fs::read_to_string(map).is_ok_and(|map| is_mapped(&map, user));
    match MAPS.into_iter().all(is_there) {
        true => Ok(()),
        false => Err(format!("this container has no user and group {user}")),
    }
}

fn is_mapped(map: &str, user: u32) -> bool {
    map.lines().any(|line| {
        let numbers: Vec<u32> = line.split_whitespace().flat_map(str::parse).collect();
        let [first, _, count] = numbers[..] else { return false };
        user.checked_sub(first).is_some_and(|place| place < count)
    })
}

/// Whether the arbiter may renew the limits of the process when that is another user's: it has the
/// rights that this one still has.
pub(super) fn can_be_renewed() -> bool {
    capabilities(None).is_ok_and(|own| own.effective.contains(RENEWS))
}

/// Becomes the user of that number, which owns the folder that it may write in.
pub(super) fn change(user: u32, policy: SandboxPolicy<'_>) -> Result<(), String> {
    if let Some(runs) = policy.runs {
        runs.iter().try_for_each(|path| others_run(path))?;
    }
    let parent = getppid();
    become_user(user, policy).map_err(|error| {
        // It is still this user that is to write there.
        let own = rustix::process::geteuid().as_raw();
        for folder in own_folders(policy) {
            let _ = give(folder, own);
        }
        format!("user {user}: {error}")
    })?;
    // The change took that with it.
    platform::die_with_parent()?;
    if getppid() == parent { Ok(()) } else { Err("the arbiter is gone".to_owned()) }
}

fn become_user(user: u32, policy: SandboxPolicy<'_>) -> io::Result<()> {
    for folder in own_folders(policy) {
        give(folder, user)?;
    }
    // By these names programs open their own pipes once more.
    for pipe in [stdin(), stdout(), stderr()] {
        own_pipe(pipe, user)?;
    }
    let (own_user, own_group) = (Uid::from_raw(user), Gid::from_raw(user));
    set_thread_groups(&[])?;
    set_thread_res_gid(own_group, own_group, own_group)?;
    set_keep_capabilities(true)?;
    set_thread_res_uid(own_user, own_user, own_user)?;
    set_keep_capabilities(false)?;
    // No process may look into one that changed its user, not even into itself.
    set_dumpable_behavior(DumpableBehavior::Dumpable)?;
    Ok(())
}

/// The folders that it may write in.
fn own_folders(policy: SandboxPolicy<'_>) -> impl Iterator<Item = &Path> {
    policy.writes.map(|(folder, _)| folder).into_iter().chain(policy.builds)
}

/// Gives a folder to a user, with all that has been laid down in it.
fn give(folder: &Path, user: u32) -> io::Result<()> {
    lchown(folder, Some(user), Some(user))?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => give(&entry.path(), user)?,
            false => lchown(entry.path(), Some(user), Some(user))?,
        }
    }
    Ok(())
}

/// Makes a pipe the user's; what is no pipe belongs to others.
fn own_pipe(pipe: BorrowedFd<'_>, user: u32) -> io::Result<()> {
    let file = fs::File::from(pipe.try_clone_to_owned()?);
    if file.metadata()?.file_type().is_fifo() {
        fchown(file.as_fd(), Some(user), Some(user))?;
    }
    Ok(())
}

/// A program that only its owner may run cannot be run by another user.
fn others_run(path: &Path) -> Result<(), String> {
    let file = fs::metadata(path).map_err(|error| format!("{}: {error}", path.display()))?;
    if file.is_file() && file.mode() & 0o111 != 0 && file.mode() & OTHERS_RUN == 0 {
        let path = path.display();
        return Err(format!("{path} can be run by its owner alone; chmod o+x {path}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;

    use super::*;

    const OTHER_USER: u32 = 0x7654_3210;

    #[test]
    fn a_program_for_its_owner_alone_is_known_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("engine");
        fs::write(&path, "").unwrap();
        for (mode, is_fine) in [(0o700, false), (0o750, false), (0o755, true), (0o600, true)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(others_run(&path).is_ok(), is_fine, "{mode:o}");
        }
    }

    #[test]
    fn a_container_has_few_users() {
        let all = "         0          0 4294967295\n";
        assert!(is_mapped(all, 0) && is_mapped(all, OTHER_USER));
        let few = "0 1000 1\n1 100000 65536\n";
        assert!(is_mapped(few, 0) && is_mapped(few, 65536));
        assert!(!is_mapped(few, 65537) && !is_mapped(few, OTHER_USER) && !is_mapped("", 0));
    }

    #[test]
    fn another_user_reaches_no_process() {
        if let Err(reason) = may_change(OTHER_USER) {
            println!("skipped: {reason}");
            return;
        }
        let mut again = Command::new(std::env::current_exe().unwrap());
        let name = "sandbox::user::tests::again_as_another_user";
        again.args(["--ignored", "--exact", "--nocapture", "--test-threads=1", name]);
        let output = again.output().unwrap();
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && told.contains("1 passed"), "{told}");
    }

    #[test]
    #[ignore = "run by the test before"]
    fn again_as_another_user() {
        let folder = tempfile::tempdir().unwrap();
        let policy = SandboxPolicy { writes: Some((folder.path(), 1)), ..SandboxPolicy::default() };
        fs::create_dir(folder.path().join("inside")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("inside/link")).unwrap();
        change(OTHER_USER, policy).unwrap();
        for path in ["inside", "inside/link"].map(|name| folder.path().join(name)) {
            assert_eq!(fs::symlink_metadata(&path).unwrap().uid(), OTHER_USER, "{path:?}");
        }
        assert_eq!(fs::metadata("/etc/passwd").unwrap().uid(), 0);
        super::super::rights::none_at_all().unwrap();
        assert_eq!(rustix::process::geteuid().as_raw(), OTHER_USER);
        let parent = getppid().unwrap();
        let killed = rustix::process::test_kill_process(parent);
        assert_eq!(killed, Err(rustix::io::Errno::PERM));
        let number = parent.as_raw_pid();
        for file in ["environ", "mem", "maps", "fd"] {
            let path = format!("/proc/{number}/{file}");
            let opened = fs::File::open(&path).and_then(|_| fs::read_dir(&path).map(drop));
            assert_eq!(opened.unwrap_err().kind(), io::ErrorKind::PermissionDenied, "{path}");
        }
    }
}
