//! A file is a program that this machine starts, or refused with a reason; a script by its mark.

use std::io::Cursor;

use tengen_packages::examine;

pub(crate) fn check(bytes: &[u8]) {
    let verdict = |bytes: &[u8]| examine(Cursor::new(bytes)).map_err(|error| error.to_string());
    let seen = verdict(bytes);
    assert!(seen.as_ref().err().is_none_or(|reason| !reason.is_empty()));
    assert_eq!(verdict(bytes), seen);
    if cfg!(unix) {
        assert_eq!(verdict(&[b"#!", bytes].concat()), Ok(()));
    }
}
