//! A connection to a server that is made again when it breaks.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tengen_web::play::messages::ServerMessage;

use super::network::{ConnectionProblem, NetworkEvent, OpenConnection, TableGuest, TableNetwork};
use crate::app::model::TableAddress;
use crate::app::session::shared_state::SharedState;
use crate::app::storage::worker_thread::JoinedThread;

/// How long the first wait before a new try is, and the longest.
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(15);
/// A connection that has lasted so long was a good one.
const LASTING: Duration = Duration::from_secs(30);

/// What happens on a connection.
pub(super) enum LinkEvent {
    /// It is being made.
    Connecting,
    /// It was made.
    Connected,
    /// The server says something.
    Message(Box<ServerMessage>),
    /// It cannot be made, or is broken; it will be tried again.
    Broken(String),
    /// It cannot be made, and is not tried again.
    Refused(String),
}

/// A connection on a thread of its own. Dropping it waits for the thread.
pub(super) struct ServerLink {
    shared: Arc<LinkShared>,
    _thread: JoinedThread,
}

/// What the thread shares with those who send.
pub(super) struct LinkShared {
    state: SharedState<LinkState>,
}

#[derive(Default)]
struct LinkState {
    arrived: VecDeque<(u64, NetworkEvent)>,
    connection: Option<Box<dyn OpenConnection>>,
    /// How many connections were made.
    made: u64,
    /// Whether to wait no longer before the next try.
    is_hurried: bool,
    /// Whether no more is to be tried.
    is_given_up: bool,
    is_ending: bool,
}

/// How long to wait before a new try: longer each time, until a connection lasts. A server that
/// greets and hangs up is not connected to all the time.
struct RetryWait(Duration);

impl RetryWait {
    /// The wait after a connection that lasted so long; none was made where that is none.
    fn after(&mut self, lasted: Option<Duration>) -> Duration {
        if lasted.is_some_and(|lasted| lasted >= LASTING) {
            self.0 = FIRST_WAIT;
        }
        let wait = self.0;
        self.0 = (wait * 2).min(LONGEST_WAIT);
        wait
    }
}

impl LinkShared {
    /// Sends a message, if there is a connection.
    pub fn send(&self, text: String) {
        if let Some(connection) = &self.state.lock().connection {
            connection.send(text);
        }
    }

    /// Tries again now.
    pub fn hurry(&self) {
        self.state.lock().is_hurried = true;
        self.state.notify();
    }

    /// Tries no more: what the server said is final.
    pub fn give_up(&self) {
        self.state.lock().is_given_up = true;
        self.state.notify();
    }
}

#[cfg(test)]
impl LinkShared {
    /// What sends by this connection, without a thread.
    pub fn over(connection: Box<dyn OpenConnection>) -> LinkShared {
        let state = LinkState { connection: Some(connection), ..LinkState::default() };
        LinkShared { state: SharedState::new(state) }
    }

    /// Whether it tries no more.
    pub fn has_given_up(&self) -> bool {
        self.state.lock().is_given_up
    }
}

impl ServerLink {
    /// Connects, on a thread, which tells what happens.
    pub fn start(
        network: Arc<dyn TableNetwork>,
        server: TableAddress,
        guest: TableGuest,
        tell: impl FnMut(LinkEvent, &LinkShared) + Send + 'static,
    ) -> ServerLink {
        let shared = Arc::new(LinkShared { state: SharedState::new(LinkState::default()) });
        let of_thread = Arc::clone(&shared);
        let run = move || run(&of_thread, &*network, &server, &guest, tell);
        let thread = JoinedThread::spawn("table", run).expect("the system has a thread left");
        ServerLink { shared, _thread: thread }
    }

    /// What can be sent by.
    pub fn shared(&self) -> &Arc<LinkShared> {
        &self.shared
    }
}

impl Drop for ServerLink {
    fn drop(&mut self) {
        self.shared.state.lock().is_ending = true;
        self.shared.state.notify();
    }
}

fn run(
    shared: &Arc<LinkShared>,
    network: &dyn TableNetwork,
    server: &TableAddress,
    guest: &TableGuest,
    mut tell: impl FnMut(LinkEvent, &LinkShared),
) {
    let mut wait = RetryWait(FIRST_WAIT);
    while !shared.is_over() {
        tell(LinkEvent::Connecting, shared);
        let (reason, lasted) = match connect(shared, network, server, guest) {
            Ok(number) => {
                let since = Instant::now();
                tell(LinkEvent::Connected, shared);
                let end = listen(shared, number, &mut tell);
                drop(shared.state.lock().connection.take());
                (end, Some(since.elapsed()))
            }
            Err(ConnectionProblem { reason, is_final: true }) => {
                tell(LinkEvent::Refused(reason), shared);
                return;
            }
            Err(problem) => (Some(problem.reason), None),
        };
        let Some(reason) = reason else { return };
        tell(LinkEvent::Broken(reason), shared);
        shared.rest(wait.after(lasted));
    }
}

/// Connects, and returns the number of the connection.
fn connect(
    shared: &Arc<LinkShared>,
    network: &dyn TableNetwork,
    server: &TableAddress,
    guest: &TableGuest,
) -> Result<u64, ConnectionProblem> {
    let number = {
        let mut state = shared.state.lock();
        state.made += 1;
        state.arrived.clear();
        state.made
    };
    let of_network = Arc::downgrade(shared);
    let tell = move |event| {
        let Some(shared) = of_network.upgrade() else { return };
        shared.state.lock().arrived.push_back((number, event));
        shared.state.notify();
    };
    let connection = network.connect(server, guest, Box::new(tell))?;
    shared.state.lock().connection = Some(connection);
    Ok(number)
}

/// Tells what comes until the connection breaks, and returns why; none when it is not to be made
/// again.
fn listen(
    shared: &LinkShared,
    number: u64,
    tell: &mut impl FnMut(LinkEvent, &LinkShared),
) -> Option<String> {
    loop {
        let idle = |state: &mut LinkState| {
            state.arrived.is_empty() && !state.is_ending && !state.is_given_up
        };
        let mut state = shared.state.wait_while(shared.state.lock(), idle);
        if state.is_ending || state.is_given_up {
            return None;
        }
        let arrived = state.arrived.pop_front();
        drop(state);
        match arrived {
            Some((of, event)) if of == number => match event {
                NetworkEvent::Text(text) => match ServerMessage::read(&text) {
                    Ok(message) => tell(LinkEvent::Message(Box::new(message)), shared),
                    Err(problem) => return Some(problem),
                },
                NetworkEvent::Closed(reason) => return Some(reason),
            },
            _ => {}
        }
    }
}

impl LinkShared {
    fn is_over(&self) -> bool {
        let state = self.state.lock();
        state.is_ending || state.is_given_up
    }

    /// Waits before the next try, unless it is to be made now.
    fn rest(&self, span: Duration) {
        let end = Instant::now() + span;
        let mut state = self.state.lock();
        while !state.is_ending && !state.is_given_up && !state.is_hurried {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            state = self.state.wait(state, Some(left));
        }
        state.is_hurried = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_greets_and_hangs_up_is_waited_for_longer_and_longer() {
        let mut wait = RetryWait(FIRST_WAIT);
        let short = Some(Duration::from_millis(3));
        let waits = [short, None, short, short, short, short, short].map(|lasted| {
            let wait = wait.after(lasted);
            wait.as_millis()
        });
        assert_eq!(waits, [500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
        assert_eq!(wait.after(Some(LASTING)), FIRST_WAIT, "that one was a connection");
        assert_eq!(wait.after(short), 2 * FIRST_WAIT);
    }
}
