//! An opening suite reads the same in either notation that it is written in.

use tengen_record::formats::{Notation, suite};
use tengen_rules::Rule;

use crate::bytes::ByteChoices;
use crate::errors::check_place;

pub(crate) fn check(bytes: &[u8]) {
    let mut bytes = ByteChoices(bytes);
    let (rule, size) = (bytes.one_of(&Rule::ALL), bytes.size());
    let Ok(text) = str::from_utf8(bytes.0) else { return };
    match suite::read(text, rule, size) {
        Ok(positions) => {
            for notation in [Notation::Pos, Notation::Offset] {
                let written = suite::write(&positions, notation, size);
                assert_eq!(suite::read(&written, rule, size).as_ref(), Ok(&positions), "{written}");
            }
        }
        Err(error) => check_place(text, &error),
    }
}
