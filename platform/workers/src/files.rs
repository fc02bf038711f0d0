//! Files at the server, each under the SHA-256 of its contents.

use async_nats::jetstream::object_store::ObjectStore;
use sha2::{Digest, Sha256};
use tengen_packages::hex;
use tokio::io::AsyncReadExt;

/// The most bytes of a file: an engine has no more.
const MOST_BYTES: usize = 128 << 20;

/// Puts a file there, unless it is there already. Gives its name.
pub(crate) async fn put(store: &ObjectStore, bytes: &[u8]) -> Result<String, String> {
    let name = hex(&Sha256::digest(bytes));
    if store.info(&name).await.is_ok_and(|info| info.size == bytes.len()) {
        return Ok(name);
    }
    let mut source = bytes;
    store.put(name.as_str(), &mut source).await.map_err(|error| error.to_string())?;
    Ok(name)
}

/// Fetches a file and makes sure that it is the one of that name.
pub(crate) async fn get(store: &ObjectStore, name: &str) -> Result<Vec<u8>, String> {
    let object = store.get(name).await.map_err(|error| error.to_string())?;
    let size = object.info().size;
    if size > MOST_BYTES {
        return Err(format!("it has {size} bytes, and the most is {MOST_BYTES}"));
    }
    let mut bytes = Vec::with_capacity(size);
    let read = object.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes).await;
    read.map_err(|error| error.to_string())?;
    match hex(&Sha256::digest(&bytes)) == name {
        true => Ok(bytes),
        false => Err("its contents are not those that its name stands for".to_owned()),
    }
}
