use std::fmt::Debug;

/// Sees what is said with a text engine, word for word: for a log of it.
///
/// It is called on the thread that talks with the engine, behind the stamp of what was read or
/// after what was written had gone, so that no clock of the game counts it but that of an engine
/// that says more before its answer. It is to return soon.
pub trait LogTap: Send + Sync + Debug {
    /// Bytes that were written: whole lines.
    fn sent(&self, bytes: &[u8]);

    /// A line that was read, without its end, cut where it was too long.
    fn received(&self, line: &[u8]);
}
