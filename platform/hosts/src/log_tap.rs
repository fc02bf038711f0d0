//! A tap on the lines of a text engine.

use std::fmt::Debug;

/// Gets everything that is exchanged with a text engine: for a log of it.
///
/// It is called on the thread that talks with the engine, after the time of what was read was
/// taken, or after what was written had gone. No clock of the game counts it, except where an
/// engine writes more before its answer. It must return soon.
pub trait LogTap: Send + Sync + Debug {
    /// Bytes that were written: whole lines.
    fn sent(&self, bytes: &[u8]);

    /// A line that was read, without its end, cut where it was too long.
    fn received(&self, line: &[u8]);
}
