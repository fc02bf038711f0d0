//! A manifest reads the same with a byte order mark, and any other text is refused with a line that
//! it has.

use tengen_packages::declared_ids;

pub(crate) fn check(bytes: &[u8]) {
    let read = declared_ids(bytes);
    let mark = "\u{feff}".as_bytes();
    if !bytes.starts_with(mark) && bytes.len() < 1 << 15 {
        assert_eq!(declared_ids(&[mark, bytes].concat()), read);
    }
    match read {
        Ok(ids) => assert!(!ids.is_empty() && ids.iter().all(|id| !id.is_empty())),
        Err(error) => {
            let lines = 1 + bytes.iter().filter(|byte| **byte == b'\n').count();
            assert!((1..=lines).contains(&(error.line as usize)), "{error}");
        }
    }
}
