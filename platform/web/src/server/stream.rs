//! The news of an event, as server-sent events.
//!
//! <https://html.spec.whatwg.org/multipage/server-sent-events.html>

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::HeaderMap;
use futures_util::stream::unfold;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;

use super::hub::{Hub, Message};
use super::limits::Admitted;
use super::listen::until;

/// How often something is sent, so that a connection that is gone is found.
const ALIVE: Duration = Duration::from_secs(15);
/// What is sent then: a comment.
const NOTHING: &[u8] = b":\n\n";

/// Where a viewer is.
struct Viewer {
    hub: Arc<Hub>,
    waiting: std::vec::IntoIter<Message>,
    news: Receiver<Message>,
    over: watch::Receiver<bool>,
    /// The number of the last message that it has.
    last: u64,
    /// Counts it as long as it is there.
    _counted: Arc<Admitted>,
}

/// Everything from now on, beginning with all that is there. A viewer that comes back and says what
/// it had last gets what it missed; one that is too slow gets everything anew.
///
/// Viewers share the bytes of every message, so that many of them need no more memory than one.
pub(super) fn stream(hub: Arc<Hub>, headers: &HeaderMap, counted: Arc<Admitted>) -> Body {
    let last = headers.get("last-event-id").and_then(|id| last_of(id.to_str().ok()?, hub.run));
    let (waiting, news) = hub.join(last);
    let over = hub.over();
    let (waiting, last) = (waiting.into_iter(), last.unwrap_or_default());
    let viewer = Viewer { hub, waiting, news, over, last, _counted: counted };
    let messages = unfold(viewer, |mut viewer| async move {
        let bytes = match tokio::time::timeout(ALIVE, viewer.next()).await {
            Ok(message) => message?.bytes,
            Err(_) => Bytes::from_static(NOTHING),
        };
        Some((Ok::<_, Infallible>(bytes), viewer))
    });
    Body::from_stream(messages)
}

impl Viewer {
    /// The next message; none when the server ends.
    async fn next(&mut self) -> Option<Message> {
        loop {
            if let Some(message) = self.waiting.next() {
                self.last = message.number;
                return Some(message);
            }
            // What was sent before the end comes before it.
            let news = tokio::select! {
                biased;
                news = self.news.recv() => news,
                () = until(&mut self.over) => return None,
            };
            match news {
                Ok(message) if message.number > self.last => {
                    self.last = message.number;
                    return Some(message);
                }
                Ok(message) if message.number == Message::PASSING => return Some(message),
                Ok(_) => {}
                Err(RecvError::Lagged(_)) => {
                    let (anew, news) = self.hub.join(None);
                    (self.waiting, self.news) = (anew.into_iter(), news);
                }
                Err(RecvError::Closed) => return None,
            }
        }
    }
}

/// The number of a message, if it is one of this run of the server.
fn last_of(id: &str, run: u64) -> Option<u64> {
    let (of, number) = id.split_once('-')?;
    (of.parse() == Ok(run)).then(|| number.parse().ok())?
}
