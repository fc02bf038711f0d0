//! A record reads as it is written, and replays to its own result or says where it does not.

use tengen_record::{GameRecord, replay};

use crate::errors::check_line;

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let record = match GameRecord::from_json_line(text) {
        Ok(record) => record,
        Err(error) => return check_line(text, &error),
    };
    let written = record.to_json_line();
    assert!(!written.contains('\n'), "a record is one line");
    let again = GameRecord::from_json_line(&written);
    assert_eq!(again.as_ref(), Ok(&record), "{written}");
    match replay(&record) {
        Ok(result) => assert_eq!(result, record.result),
        Err(error) => assert!(error.index().is_none_or(|index| index < record.actions.len())),
    }
}
