use std::io::{ErrorKind, Read};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Instant;

use tengen_gomocup::LineBuffer;

use crate::event::ServerEvent;

/// The longest line that is read whole; a manager's longest is the path of INFO folder.
const LONGEST_LINE: usize = 64 << 10;

/// Reads the manager's lines on a thread of its own. Only the input can wake that thread, so
/// nothing waits for its end.
pub(crate) fn spawn(mut input: impl Read + Send + 'static, to: Sender<ServerEvent>) {
    thread::spawn(move || {
        let mut lines = LineBuffer::new(LONGEST_LINE);
        let mut bytes = [0; 8192];
        loop {
            match input.read(&mut bytes) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Ok(0) | Err(_) => break,
                Ok(count) => lines.push(&bytes[..count]),
            }
            let now = Instant::now();
            while let Some(line) = lines.pop() {
                if to.send(ServerEvent::Line(line.to_vec(), now)).is_err() {
                    return;
                }
            }
        }
        let rest = lines.rest();
        if !rest.is_empty() {
            let _ = to.send(ServerEvent::Line(rest.to_vec(), Instant::now()));
        }
        let _ = to.send(ServerEvent::Closed);
    });
}
