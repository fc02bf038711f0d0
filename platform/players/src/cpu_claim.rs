//! Which CPUs the programs of a user have bound their games to, so that no two choose the same.

use std::fs::{self, File, TryLockError};
use std::path::PathBuf;

/// That this program has bound something to a CPU; until it is dropped, or the program ends in
/// whatever way.
#[derive(Debug)]
pub struct CpuClaim {
    /// Locked. None where no file can be, and nobody knows of each other.
    _file: Option<File>,
}

impl CpuClaim {
    /// Claims a CPU; none where another program has it.
    pub fn take(cpu: usize) -> Option<CpuClaim> {
        CpuClaim::take_in(folder(), cpu)
    }

    fn take_in(folder: PathBuf, cpu: usize) -> Option<CpuClaim> {
        let path = folder.join(format!("cpu-{cpu}"));
        let is_plain = || fs::symlink_metadata(&path).map_or(true, |there| there.is_file());
        let opened = fs::create_dir_all(&folder).ok().filter(|()| is_plain());
        let file = opened.and_then(|()| File::options().create(true).append(true).open(&path).ok());
        match file.as_ref().map(File::try_lock) {
            Some(Err(TryLockError::WouldBlock)) => None,
            _ => Some(CpuClaim { _file: file }),
        }
    }
}

/// A folder of the user's own. It is empty but for the files that are locked.
fn folder() -> PathBuf {
    std::env::temp_dir().join(format!("tengen-cpus-{}", user()))
}

#[cfg(unix)]
fn user() -> u32 {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").map_or(0, |process| process.uid())
}

#[cfg(not(unix))]
fn user() -> u32 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cpu_has_one_owner_at_a_time() {
        let folder = std::env::temp_dir().join(format!("tengen-claims-{}", std::process::id()));
        let take = |cpu| CpuClaim::take_in(folder.clone(), cpu);
        let first = take(3).unwrap();
        assert!(take(3).is_none(), "a lock is that of an open file");
        assert!(take(4).is_some());
        drop(first);
        assert!(take(3).is_some());
        fs::remove_dir_all(&folder).unwrap();
        let nowhere = PathBuf::from("/proc/self/nowhere");
        assert!(CpuClaim::take_in(nowhere, 0).is_some(), "without files nobody is kept out");
    }
}
