//! A game line gets the same answer from a reader that reuses its memory, and from both the reader
//! for keys in any order and the fast reader for plain lines.

use serde_json::Value;
use tengen_record::{ReadError, ReplayAnswer, Replayer, replay_line};

use crate::errors::check_line;

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let once = replay_line(text);
    let mut replayer = Replayer::new();
    let before = r#"{"rule":"renju","actions":[{"seat":"first","move":"h8"},{"seat":"first"#;
    let _ = replayer.answer(before);
    assert_eq!(shown(replayer.answer(text)), shown(replay_line(text)), "{text}");
    match once {
        Err(error) => check_line(text, &error),
        // A remark is read by the slow reader alone, and lets the answer be.
        Ok(answer) => {
            let at = text.find('{').expect("an object") + 1;
            let is_record = serde_json::from_str::<Value>(text)
                .is_ok_and(|line| !line["format"].is_null() || !line["comment"].is_null());
            if !is_record {
                let remarked = format!("{}\"comment\":0,{}", &text[..at], &text[at..]);
                assert_eq!(shown(replay_line(&remarked)), shown(Ok(answer)), "{text}");
            }
        }
    }
}

fn shown(answer: Result<ReplayAnswer, ReadError>) -> Result<String, ReadError> {
    answer.map(|answer| serde_json::to_string(&answer).expect("answers are written in JSON"))
}
