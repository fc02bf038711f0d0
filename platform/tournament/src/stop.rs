use std::sync::atomic::{AtomicBool, Ordering};

/// A request to stop an event, made from any thread. What was told is saved; games that are being
/// played are given up, and played again when the event is resumed.
#[derive(Debug, Default)]
pub struct Stop {
    requested: AtomicBool,
}

impl Stop {
    /// Not requested yet.
    pub const fn new() -> Stop {
        Stop { requested: AtomicBool::new(false) }
    }

    /// Requests it. Whatever happens to a player after this is no result: set it before the players
    /// are interrupted.
    pub fn request(&self) {
        self.requested.store(true, Ordering::SeqCst);
    }

    /// Whether it was requested.
    pub fn is_requested(&self) -> bool {
        self.requested.load(Ordering::SeqCst)
    }
}
