//! Digests, as the names and checks of files.

use std::hash::Hasher;
use std::io;

use sha2::{Digest, Sha256};
use tengen_packages::hex;

/// Makes the name of a file of all that its contents depend on.
pub(crate) struct KeyHasher(Sha256);

impl KeyHasher {
    pub(crate) fn new() -> KeyHasher {
        KeyHasher(Sha256::new())
    }

    /// The name.
    pub(crate) fn key(self) -> String {
        hex(&self.0.finalize())
    }
}

impl io::Write for KeyHasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        0 // The whole digest is taken instead.
    }
}
