//! Copies of what goes to an engine and comes from it.

use std::fmt::Debug;

/// Gets everything that is exchanged with a text engine, and what any engine prints: for a log.
///
/// It is called on the thread that talks with the engine, after the time of what was read was
/// taken, or after what was written had gone. No clock of the game counts it, except where an
/// engine writes more before its answer. It must return soon.
pub trait LogTap: Send + Sync + Debug {
    /// Bytes that were written: whole lines.
    fn sent(&self, bytes: &[u8]);

    /// A line that was read, without its end, cut where it was too long.
    fn received(&self, line: &[u8]);

    /// What the engine printed on its standard error, or said as a message where it has no lines:
    /// as it came, perhaps a part of a line. It is called on a thread of its own.
    fn printed(&self, _bytes: &[u8]) {}
}
