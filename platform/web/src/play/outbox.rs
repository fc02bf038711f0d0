//! What waits to be sent to one client.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Utf8Bytes;
use tokio::sync::Notify;

/// The messages that may wait for a client, and their bytes.
const MOST_WAITING: usize = 256;
const MOST_BYTES: usize = 512 * 1024;

/// What waits for a client. A client that is too slow loses what it has not taken of a table, and
/// gets the whole table anew.
#[derive(Default)]
pub(super) struct Outbox {
    state: Mutex<Waiting>,
    ready: Notify,
}

#[derive(Default)]
struct Waiting {
    queue: VecDeque<(Option<String>, Utf8Bytes)>,
    bytes: usize,
    behind: BTreeSet<String>,
    is_closed: bool,
}

/// What is to be done next for a client.
pub(super) enum Next {
    Send(Utf8Bytes),
    /// Show it these tables anew.
    Anew(Vec<String>),
    /// Say good-bye.
    Close,
}

impl Outbox {
    /// Adds a message, of one table if it belongs to one.
    pub fn push(&self, table: Option<&str>, text: Utf8Bytes) {
        let mut state = self.lock();
        if state.is_closed {
            return;
        }
        let is_full = state.queue.len() >= MOST_WAITING || state.bytes >= MOST_BYTES;
        match table {
            Some(table) if is_full => {
                state.queue.retain(|(of, _)| of.as_deref() != Some(table));
                state.bytes = state.queue.iter().map(|(_, text)| text.len()).sum();
                state.behind.insert(table.to_owned());
            }
            // Messages of no table are small; a client that does not even read those is gone.
            None if is_full => state.is_closed = true,
            _ => {
                state.bytes += text.len();
                state.queue.push_back((table.map(str::to_owned), text));
            }
        }
        drop(state);
        self.ready.notify_one();
    }

    /// Ends the connection once everything has been sent.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.ready.notify_one();
    }

    pub async fn next(&self) -> Next {
        loop {
            {
                let mut state = self.lock();
                if let Some((_, text)) = state.queue.pop_front() {
                    state.bytes = state.bytes.saturating_sub(text.len());
                    return Next::Send(text);
                }
                if state.is_closed {
                    return Next::Close;
                }
                if !state.behind.is_empty() {
                    return Next::Anew(std::mem::take(&mut state.behind).into_iter().collect());
                }
            }
            self.ready.notified().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_slow_client_gets_a_table_anew() {
        let outbox = Outbox::default();
        for number in 0..MOST_WAITING + 5 {
            outbox.push(Some("a"), format!("{number}").into());
        }
        outbox.push(None, "error".into());
        // The earlier messages of the table are dropped; what the client is told now is new again.
        let mut sent = 0;
        loop {
            match outbox.next().await {
                Next::Send(_) => sent += 1,
                Next::Anew(tables) => break assert_eq!(tables, ["a"]),
                Next::Close => panic!("it is not closed"),
            }
        }
        assert!(sent < 10, "{sent}");
        outbox.close();
        assert!(matches!(outbox.next().await, Next::Close));
    }
}
