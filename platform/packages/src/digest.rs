//! SHA-256 of files, in hexadecimal digits.

use std::io::{self, Read};

use sha2::{Digest, Sha256};

/// The bytes of a digest in hexadecimal digits.
pub fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The digest of all that can be read, which need not fit into memory.
///
/// # Errors
/// When it cannot be read.
pub fn digest(mut file: impl Read) -> io::Result<String> {
    let mut digester = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex(&digester.finalize())),
            count => digester.update(&buffer[..count]),
        }
    }
}
