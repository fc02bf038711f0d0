//! A library is the same tree after it is written and read again, and from then on the same bytes;
//! any other bytes are refused.

use tengen_record::formats::renlib;

pub(crate) fn check(bytes: &[u8]) {
    match renlib::read(bytes) {
        Ok(sheet) => {
            let written = renlib::write(&sheet).expect("what was a library can be one");
            let again = renlib::read(&written).expect("what was written can be read");
            assert_eq!(again.tree.len(), sheet.tree.len());
            assert!(again.moves().eq(sheet.moves()));
            assert_eq!(renlib::write(&again), Ok(written));
        }
        Err(error) => assert!(error.message.starts_with("byte "), "{error}"),
    }
}
