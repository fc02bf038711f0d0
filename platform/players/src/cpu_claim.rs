//! Which CPUs programs have bound their games to, so that no two choose the same.

/// A claim on a CPU that this program has bound a thread to. It ends when it is dropped, or when
/// the program ends in any way.
#[derive(Debug)]
pub struct CpuClaim {
    /// None where programs cannot know of each other.
    _name: Option<system::Name>,
}

impl CpuClaim {
    /// Claims a CPU; none where another program has it.
    pub fn take(cpu: usize) -> Option<CpuClaim> {
        CpuClaim::take_among("tengen", cpu)
    }

    fn take_among(programs: &str, cpu: usize) -> Option<CpuClaim> {
        match system::take(&format!("{programs}-cpu-{cpu}")) {
            Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => None,
            taken => Some(CpuClaim { _name: taken.ok() }),
        }
    }
}

/// A socket with an abstract name: it is in no folder, and the kernel frees the name when the
/// program ends.
#[cfg(target_os = "linux")]
mod system {
    use std::io;
    use std::os::linux::net::SocketAddrExt as _;
    use std::os::unix::net::{SocketAddr, UnixDatagram};

    pub(super) type Name = UnixDatagram;

    pub(super) fn take(name: &str) -> io::Result<Name> {
        UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(name)?)
    }
}

/// A locked file among the temporary ones: the system unlocks it when the program ends.
#[cfg(not(target_os = "linux"))]
mod system {
    use std::fs::{File, OpenOptions, TryLockError};
    use std::io;

    pub(super) type Name = File;

    pub(super) fn take(name: &str) -> io::Result<Name> {
        let path = std::env::temp_dir().join(format!("{name}.lock"));
        // What another program has locked is not to be changed.
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(io::ErrorKind::AddrInUse.into()),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cpu_has_one_owner_at_a_time() {
        let programs = format!("tengen-test-{}", std::process::id());
        let take = |cpu| CpuClaim::take_among(&programs, cpu);
        let first = take(3).unwrap();
        assert!(take(3).is_none(), "a name is taken once");
        assert!(take(4).is_some());
        drop(first);
        assert!(take(3).is_some());
    }
}
