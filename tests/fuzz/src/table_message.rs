//! A message to a server of tables, or of an event with remote engines, is read, or refused with
//! words that may be shown. What was read is written so that it reads back the same. The same holds
//! for a message of a server.

use serde::Serialize;
use serde_json::Value;
use tengen_link::messages::{Heard, MOST_BYTES, Numbered, ServerMessage, read_message};

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    match read_message(text) {
        Ok(read) => {
            assert!(text.len() <= MOST_BYTES, "{} bytes", text.len());
            let value: Value = serde_json::from_str(text).expect("what was read is JSON");
            let written = match &read {
                (id, Heard::Server(message)) => value_of(&Numbered { message, id: *id }),
                (id, Heard::Table(message)) => value_of(&Numbered { message, id: *id }),
            };
            for again in [&value, &written] {
                // A character may be longer than its escape, and what has a default is written.
                let text = again.to_string();
                if text.len() <= MOST_BYTES && is_exact(again) {
                    assert_eq!(read_message(&text).as_ref(), Ok(&read), "{text}");
                }
            }
        }
        Err(bad) => assert!(!bad.problem.is_empty(), "{text}"),
    }
    match ServerMessage::read(text) {
        Err(_) => {}
        // What this version cannot read of a message is never sent.
        Ok(Numbered { message: ServerMessage::Unreadable(unread), .. }) => {
            assert!(!unread.problem.is_empty(), "{text}");
        }
        Ok(answer) => {
            let value = value_of(&answer);
            let written = value.to_string();
            let again =
                ServerMessage::read(&written).unwrap_or_else(|bad| panic!("{written}: {bad}"));
            if is_exact(&value) {
                assert_eq!(value_of(&again), value);
            }
        }
    }
}

fn value_of(message: &impl Serialize) -> Value {
    serde_json::to_value(message).expect("a message is written")
}

/// Whether no number in it is a fraction, which is read as nearly as may be.
fn is_exact(value: &Value) -> bool {
    match value {
        Value::Number(number) if number.is_f64() => {
            number.as_f64().is_some_and(|number| number.fract() == 0.0 && number.abs() < 1e15)
        }
        Value::Array(values) => values.iter().all(is_exact),
        Value::Object(values) => values.values().all(is_exact),
        _ => true,
    }
}
