//! A game tree reads back as it is written; any other text is refused with a place.

use tengen_record::formats::sgf;

use crate::errors::check_place;

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    for game in sgf::read(text) {
        match game {
            Ok(sheet) => {
                let written = sgf::write(&sheet);
                let again: Vec<_> = sgf::read(&written).collect();
                assert_eq!(again, [Ok(sheet)], "{written}");
            }
            Err(error) => check_place(text, &error),
        }
    }
}
