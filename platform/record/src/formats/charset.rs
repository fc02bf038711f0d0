//! Bytes as text.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use crate::ReadError;

/// Reads UTF-8, with its mark at the beginning or without.
///
/// # Errors
/// At the first byte that is not.
pub fn utf8(bytes: &[u8]) -> Result<&str, ReadError> {
    let bytes = bytes.strip_prefix(MARK).unwrap_or(bytes);
    str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count() as u64;
        let begin = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let message = "this is not UTF-8; convert the file to UTF-8 first";
        ReadError::of_column(before.len() - begin + 1, message).in_line(line)
    })
}

/// Reads UTF-8, or whatever it is as Western European text: every byte is a letter there. This is
/// for texts in which only names are not plain ASCII.
pub fn any(bytes: &[u8]) -> Cow<'_, str> {
    utf8(bytes).map_or_else(|_| WINDOWS_1252.decode_without_bom_handling(bytes).0, Cow::Borrowed)
}

/// Reads SGF: UTF-8 if it can be, whatever `CA` says; otherwise the charset that `CA` names; and
/// without one Latin-1, as FF\[4\] has it.
///
/// # Errors
/// When `CA` names no charset that is known, or another than the text is in.
pub fn sgf(bytes: &[u8]) -> Result<Cow<'_, str>, ReadError> {
    if let Ok(text) = utf8(bytes) {
        return Ok(Cow::Borrowed(text));
    }
    let wrong = |message: String| ReadError::of_field("CA", message);
    let label = charset(bytes);
    let encoding = match label {
        None => WINDOWS_1252,
        Some(label) => Encoding::for_label(label).ok_or_else(|| {
            let label = String::from_utf8_lossy(label).escape_debug().to_string();
            wrong(format!("`{label}` is no known charset; convert the file to UTF-8 first"))
        })?,
    };
    if encoding == UTF_8 {
        return utf8(bytes).map(Cow::Borrowed);
    }
    let (text, damaged) = encoding.decode_without_bom_handling(bytes);
    if damaged {
        let name = encoding.name();
        return Err(wrong(format!("the text is not {name}; convert the file to UTF-8 first")));
    }
    Ok(text)
}

const MARK: &[u8] = b"\xef\xbb\xbf";

/// What the first `CA` says, near the beginning.
fn charset(bytes: &[u8]) -> Option<&[u8]> {
    let bytes = &bytes[..bytes.len().min(4096)];
    let begin = 3 + bytes.windows(3).position(|window| window == b"CA[")?;
    let length = bytes[begin..].iter().position(|byte| *byte == b']')?;
    Some(&bytes[begin..begin + length])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sgf_is_read_in_the_charset_it_is_in() {
        assert_eq!(sgf("\u{feff}(;CA[GBK]C[天元])".as_bytes()).unwrap(), "(;CA[GBK]C[天元])");
        assert_eq!(sgf(b"(;CA[GB2312]C[\xcc\xec\xd4\xaa])").unwrap(), "(;CA[GB2312]C[天元])");
        assert_eq!(sgf(b"(;CA[Shift_JIS]C[\x93\x56\x8c\xb3])").unwrap(), "(;CA[Shift_JIS]C[天元])");
        assert_eq!(sgf(b"(;PB[Soos\xf5rv])").unwrap(), "(;PB[Soosõrv])");
        let wrong = |bytes: &[u8]| sgf(bytes).unwrap_err().to_string();
        assert!(wrong(b"(;CA[Klingon]C[\xff])").starts_with("CA: `Klingon` is no known charset"));
        assert!(wrong(b"(;CA[GBK]C[\xff\xff])").starts_with("CA: the text is not GBK"));
        assert!(wrong(b"(;CA[UTF-8]\nC[\xff])").starts_with("line 2, column 3: this is not UTF-8"));
    }

    #[test]
    fn every_byte_is_some_letter() {
        assert_eq!(any("天元".as_bytes()), "天元");
        assert_eq!(any(b"Soos\xf5rv"), "Soosõrv");
    }
}
