//! Tries a start again while the machine is short of processes, memory or descriptors.

use std::io::{self, ErrorKind};
use std::thread;
use std::time::{Duration, Instant};

use crate::watchdog::Interrupt;

/// How long to wait before the next try.
const INTERVAL: Duration = Duration::from_millis(20);

/// Starts a process. Tries again while the machine is short of processes, memory or descriptors for
/// a moment: that is no fault of the engine.
///
/// # Errors
/// The last one, where it has another reason, or patience ends, or everything is interrupted.
pub(crate) fn retry(
    patience: Duration,
    interrupt: &Interrupt,
    mut start: impl FnMut() -> io::Result<()>,
) -> io::Result<()> {
    let since = Instant::now();
    loop {
        let Err(error) = start() else { return Ok(()) };
        if !is_short(&error) || since.elapsed() > patience || interrupt.is_raised() {
            return Err(error);
        }
        thread::sleep(INTERVAL);
    }
}

/// Whether the machine, or this process, has too few of something at the moment.
fn is_short(error: &io::Error) -> bool {
    #[cfg(unix)]
    if matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE)) {
        return true;
    }
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::OutOfMemory)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    /// How many tries a start takes that fails so many times, and whether it succeeds.
    fn tries(failures: u32, kind: ErrorKind, patience: Duration, is_over: bool) -> (u32, bool) {
        let interrupt = Interrupt::new();
        if is_over {
            interrupt.raise();
        }
        let mut tried = 0;
        let started = retry(patience, &interrupt, || {
            tried += 1;
            if tried > failures { Ok(()) } else { Err(kind.into()) }
        });
        (tried, started.is_ok())
    }

    #[test]
    fn a_shortage_is_waited_for_and_nothing_else() {
        let short = ErrorKind::WouldBlock;
        assert_eq!(tries(0, short, LONG, false), (1, true));
        assert_eq!(tries(2, short, LONG, false), (3, true));
        assert_eq!(tries(2, ErrorKind::NotFound, LONG, false), (1, false));
        assert_eq!(tries(u32::MAX, short, LONG, true), (1, false));
        #[cfg(unix)]
        assert!(is_short(&io::Error::from_raw_os_error(libc::EMFILE)), "other games end");
        let (tried, started) = tries(u32::MAX, short, Duration::from_millis(1), false);
        assert!((1..=2).contains(&tried) && !started);
    }
}
