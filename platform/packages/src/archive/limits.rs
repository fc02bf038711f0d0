//! How much an archive may hold. Gomocup allows an engine's folder 70 MB, so its engines fit.

/// The most bytes of an archive, packed and unpacked.
pub(super) const MOST_BYTES: u64 = 70 << 20;
/// The most bytes of one file, unpacked: it may be all that there is, such as a network's weights.
pub(super) const MOST_FILE_BYTES: u64 = MOST_BYTES;
/// The most entries, folders among them: each becomes a file in the user's cache.
pub(super) const MOST_ENTRIES: usize = 2000;
/// The most bytes that are read to learn what an archive holds: far more than [`MOST_ENTRIES`]
/// need, and little enough that a directory without end does no harm.
pub(super) const MOST_HEADER_BYTES: u64 = 4 << 20;
