//! The console of a program on Windows.

use std::io;
use std::sync::OnceLock;
use std::thread;

use windows_sys::Win32::System::Console::{
    CTRL_CLOSE_EVENT, CTRL_LOGOFF_EVENT, CTRL_SHUTDOWN_EVENT, GetConsoleProcessList,
    SetConsoleCtrlHandler,
};
use windows_sys::core::BOOL;

static CLOSING: OnceLock<fn()> = OnceLock::new();

/// Calls `close` when the console is closed, the user logs off or the system shuts down. Before
/// this, `ctrlc` must have its own handler, which would let the program be ended at once.
///
/// # Errors
/// When the system does not allow it.
pub fn on_console_close(close: fn()) -> io::Result<()> {
    let _known = CLOSING.set(close);
    // SAFETY: the function is there as long as the program, and may be called by any thread.
    match unsafe { SetConsoleCtrlHandler(Some(handle), 1) } {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Whether the console was made for this program, which was then started by an icon and not in one.
pub fn is_own_console() -> bool {
    let mut processes = [0; 2];
    // SAFETY: so many numbers have room there.
    unsafe { GetConsoleProcessList(processes.as_mut_ptr(), processes.len() as u32) == 1 }
}

unsafe extern "system" fn handle(event: u32) -> BOOL {
    if !matches!(event, CTRL_CLOSE_EVENT | CTRL_LOGOFF_EVENT | CTRL_SHUTDOWN_EVENT) {
        return 0;
    }
    if let Some(close) = CLOSING.get() {
        close();
    }
    // The system ends the program when this returns, or some seconds later.
    loop {
        thread::park();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, CTRL_C_EVENT};

    use super::*;

    static CLOSED: AtomicBool = AtomicBool::new(false);

    #[test]
    fn closing_the_console_leaves_time_to_stop() {
        on_console_close(|| CLOSED.store(true, Ordering::SeqCst)).unwrap();
        for event in [CTRL_C_EVENT, CTRL_BREAK_EVENT] {
            // SAFETY: it may be called by any thread.
            assert_eq!(unsafe { handle(event) }, 0, "others handle it");
        }
        assert!(!CLOSED.load(Ordering::SeqCst));
        // SAFETY: as before.
        let closing = thread::spawn(|| unsafe { handle(CTRL_CLOSE_EVENT) });
        while !CLOSED.load(Ordering::SeqCst) {
            thread::yield_now();
        }
        assert!(!closing.is_finished(), "the system would end the program now");
    }
}
