//! Random texts that say what a client may do.

use std::io;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

/// The bytes of a key: 18 random ones cannot be guessed, and make 24 letters of base64 without
/// padding.
const KEY: usize = 18;
/// The bytes of a table's id. It only has to be unique: a private table also asks for a key.
const ID: usize = 8;
/// The longest word of a client that is compared with keys; a key has 24 letters.
const MOST_CHARACTERS: usize = 64;

/// What the holders of each key may do at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct TableKeys {
    pub host: String,
    pub invite: String,
    pub watch: String,
}

impl TableKeys {
    pub fn new() -> io::Result<TableKeys> {
        Ok(TableKeys { host: key()?, invite: key()?, watch: key()? })
    }
}

pub(super) fn key() -> io::Result<String> {
    random::<KEY>()
}

pub(super) fn table_id() -> io::Result<String> {
    // Letters and digits alone: it is the name of a file, too.
    Ok(random::<ID>()?.replace(['-', '_'], "x"))
}

fn random<const N: usize>() -> io::Result<String> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// Whether two texts are the same, in a time that does not depend on where they differ.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    one.len() == other.len()
        && one.bytes().zip(other.bytes()).fold(0, |odd, (a, b)| odd | (a ^ b)) == 0
}

/// Whether a client's word for a key may be one at all.
pub(super) fn is_plausible(key: &str) -> bool {
    !key.is_empty() && key.len() <= MOST_CHARACTERS
}
