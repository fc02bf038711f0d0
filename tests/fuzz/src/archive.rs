//! A zip archive unpacks to what its directory says, inside one folder and within bounds, or not at
//! all; and twice to the same.

use std::collections::HashSet;
use std::path::{Component, Path};

use tengen_packages::{Archive, ArchiveError};

pub(crate) fn check(bytes: &[u8]) {
    let mut archive = match Archive::read(bytes) {
        Ok(archive) => archive,
        Err(error) => return assert!(!error.to_string().contains(char::is_control), "{error}"),
    };
    let entries = archive.entries().to_vec();
    let mut paths = HashSet::new();
    for entry in &entries {
        let path = Path::new(&entry.path);
        assert!(path.components().all(|part| matches!(part, Component::Normal(_))), "{path:?}");
        assert!(paths.insert(entry.path.to_lowercase()), "{path:?} is there twice");
    }
    let total: u64 = entries.iter().map(|entry| entry.size).sum();
    assert!(total <= 70 << 20 && entries.len() <= 2000);
    // A megabyte packs into a few bytes, and unpacking it again and again would be slow.
    if total > 1 << 16 {
        return;
    }
    for (place, entry) in entries.iter().enumerate() {
        let (first, second) = (pour(&mut archive, place), pour(&mut archive, place));
        assert_eq!(first.as_ref().ok(), second.as_ref().ok());
        match first {
            Ok(bytes) => assert_eq!(bytes.len() as u64, entry.size),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

fn pour(archive: &mut Archive<'_>, place: usize) -> Result<Vec<u8>, ArchiveError> {
    let mut bytes = Vec::new();
    archive.pour(place, &mut bytes).map(|()| bytes)
}
