//! A database of games is read, or refused with its line, and each of its games is one in SGF.

use tengen_record::formats::{rif, sgf};

use crate::errors::check_place;

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    for sheet in rif::read(text).take(100) {
        match sheet {
            Ok(sheet) => {
                let written = sgf::write(&sheet);
                let again = sgf::read(&written).next().expect("a game").expect("SGF is read");
                assert!(again.moves().eq(sheet.moves()), "{written}");
                assert_eq!(again.outcome, sheet.outcome, "{written}");
            }
            Err(unread) => check_place(text, &unread.error),
        }
    }
}
