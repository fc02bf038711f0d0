//! Files at the server, each under the SHA-256 of its contents.

use async_nats::jetstream::object_store::ObjectStore;
use async_nats::jetstream::stream::{DirectGetError, DirectGetErrorKind, Stream};
use sha2::{Digest, Sha256};
use tengen_packages::hex;

use crate::bus::FILES;
use crate::coordinator::AGAIN;

/// The most bytes of a file: an engine has no more.
const MOST_BYTES: usize = 128 << 20;
/// How often what the server does not answer is asked.
const TRIES: u32 = 5;

/// Where the server keeps them.
#[derive(Clone)]
pub(crate) struct FileStore {
    pub objects: ObjectStore,
    /// The same, in parts.
    pub parts: Stream,
}

/// Puts a file there, unless it is there already. Gives its name.
pub(crate) async fn put(store: &FileStore, bytes: &[u8]) -> Result<String, String> {
    let name = hex(&Sha256::digest(bytes));
    if store.objects.info(&name).await.is_ok_and(|info| info.size == bytes.len()) {
        return Ok(name);
    }
    let mut source = bytes;
    let put = store.objects.put(name.as_str(), &mut source).await;
    put.map_err(|error| error.to_string())?;
    Ok(name)
}

/// Fetches a file and makes sure that it is the one of that name. Each part is asked for: what
/// sends them on its own could be told to send them to any subject, so that workers have no right
/// to it.
pub(crate) async fn get(store: &FileStore, name: &str) -> Result<Vec<u8>, String> {
    let info = store.objects.info(name).await.map_err(|error| error.to_string())?;
    if info.size > MOST_BYTES {
        return Err(format!("it has {} bytes, and the most is {MOST_BYTES}", info.size));
    }
    let subject = format!("$O.{FILES}.C.{}", info.nuid);
    let mut bytes = Vec::with_capacity(info.size);
    let mut next = 1;
    while bytes.len() < info.size {
        let part = next_message(&store.parts, &subject, next).await;
        let (sequence, part) = part.map_err(|error| error.to_string())?;
        next = sequence + 1;
        bytes.extend_from_slice(&part);
    }
    match hex(&Sha256::digest(&bytes)) == name {
        true => Ok(bytes),
        false => Err("its contents are not those that its name stands for".to_owned()),
    }
}

/// The first message of a subject from a sequence number on.
async fn next_message(
    stream: &Stream,
    subject: &str,
    from: u64,
) -> Result<(u64, bytes::Bytes), DirectGetError> {
    let mut tries = 1;
    loop {
        match stream.direct_get_next_for_subject(subject, Some(from)).await {
            Ok(message) => return Ok((message.sequence, message.payload)),
            Err(error) if error.kind() == DirectGetErrorKind::NotFound || tries == TRIES => {
                return Err(error);
            }
            Err(_) => tokio::time::sleep(AGAIN).await,
        }
        tries += 1;
    }
}
