//! A message to a server of tables, or of an event with remote engines, is read, or refused with
//! words that may be shown; what is read is read again the same from the JSON of its own value.

use serde_json::Value;
use tengen_web::play::protocol::{BadMessage, MOST_BYTES, read_message};
use tengen_web::play::team_protocol::read_team_message;

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    check_reader(text, read_message);
    check_reader(text, read_team_message);
}

/// A message, with the number that its client gave it.
type Read<T> = Result<(Option<u64>, T), BadMessage>;

fn check_reader<T: PartialEq + std::fmt::Debug>(text: &str, reader: fn(&str) -> Read<T>) {
    match reader(text) {
        Ok(read) => {
            assert!(text.len() <= MOST_BYTES, "{} bytes", text.len());
            let value: Value = serde_json::from_str(text).expect("what was read is JSON");
            let again = value.to_string();
            // A sign may be longer than its escape, and a fraction is read as nearly as may be.
            if again.len() <= MOST_BYTES && !text.contains("margin") {
                assert_eq!(reader(&again).as_ref(), Ok(&read), "{again}");
            }
        }
        Err(bad) => assert!(!bad.problem.is_empty(), "{text}"),
    }
}
