use std::sync::atomic::{AtomicBool, Ordering};

/// A request to stop an event, made from any thread. What was told is saved; games that are being
/// played are given up, and played again when the event is resumed. A milder one lets them be
/// played to their ends, and no other be begun.
#[derive(Debug, Default)]
pub struct Stop {
    requested: AtomicBool,
    closing: AtomicBool,
}

impl Stop {
    /// Not requested yet.
    pub const fn new() -> Stop {
        Stop { requested: AtomicBool::new(false), closing: AtomicBool::new(false) }
    }

    /// Requests it. Whatever happens to a player after this is no result: set it before the players
    /// are interrupted.
    pub fn request(&self) {
        self.requested.store(true, Ordering::SeqCst);
    }

    /// Requests that no further game be begun; those that are being played go on to their ends.
    pub fn close(&self) {
        self.closing.store(true, Ordering::SeqCst);
    }

    /// Whether no further game is to be begun.
    pub fn is_closing(&self) -> bool {
        self.closing.load(Ordering::SeqCst)
    }

    pub fn is_requested(&self) -> bool {
        self.requested.load(Ordering::SeqCst)
    }
}
