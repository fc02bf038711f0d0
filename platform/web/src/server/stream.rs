//! What is new of an event, as server-sent events.
//!
//! <https://html.spec.whatwg.org/multipage/server-sent-events.html>

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{Stream, unfold};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::hub::{Hub, Message};

/// How often something is sent, so that a connection that is gone is found.
const ALIVE: Duration = Duration::from_secs(15);

/// Where a viewer is.
struct Viewer {
    hub: Arc<Hub>,
    waiting: std::vec::IntoIter<Arc<Message>>,
    news: Receiver<Arc<Message>>,
    /// The number of the last message that it has.
    last: u64,
}

/// Everything from now on, beginning with all that is there. A viewer that comes back and says what
/// it had last gets what it missed; one that is too slow gets everything anew.
pub(super) fn stream(
    hub: Arc<Hub>,
    headers: &HeaderMap,
) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
    let last = headers.get("last-event-id").and_then(|id| last_of(id.to_str().ok()?, hub.run));
    let (waiting, news) = hub.join(last);
    let viewer = Viewer { hub, waiting: waiting.into_iter(), news, last: last.unwrap_or_default() };
    let messages = unfold(viewer, |mut viewer| async move {
        let message = viewer.next().await?;
        viewer.last = message.number;
        let id = format!("{}-{}", viewer.hub.run, message.number);
        let event = Event::default().id(id).event(message.event).data(&message.data);
        Some((Ok(event), viewer))
    });
    Sse::new(messages).keep_alive(KeepAlive::new().interval(ALIVE))
}

impl Viewer {
    /// The next message; none when the server ends.
    async fn next(&mut self) -> Option<Arc<Message>> {
        loop {
            if let Some(message) = self.waiting.next() {
                return Some(message);
            }
            match self.news.recv().await {
                Ok(message) if message.number > self.last => return Some(message),
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
