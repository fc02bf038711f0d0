//! A game tree reads back as it is written; any other text is refused with a place.

use tengen_record::formats::sgf;

use crate::errors::check_place;

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    for game in sgf::read(text).of_any_game() {
        match game {
            Ok(sheet) => {
                let written = sgf::write(&sheet);
                let again: Vec<_> = sgf::read(&written).collect();
                assert_eq!(again[0], Ok(sheet), "{written}");
                // A result that is not understood is kept, and said each time.
                let unread = again[1..].iter().all(|more| {
                    more.as_ref().is_err_and(|more| more.error.field.as_deref() == Some("RE"))
                });
                assert!(unread, "{written}");
            }
            Err(unread) => check_place(text, &unread.error),
        }
    }
}
