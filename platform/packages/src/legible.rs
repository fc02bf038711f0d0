//! Texts of strangers made safe to show.

use std::borrow::Cow;
use std::path::Path;

/// A text for people to read on one line: whatever a terminal would obey, a line end or a character
/// that turns the order of others around is escaped as in Rust, `\n` or `\u{1b}`. A stranger chose
/// the names of files, and what an engine says of itself.
///
/// ```
/// use tengen_packages::legible;
///
/// assert_eq!(legible("pbrain-天元"), "pbrain-天元");
/// assert_eq!(legible("\u{1b}[2Jhoshi\n"), "\\u{1b}[2Jhoshi\\n");
/// ```
pub fn legible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_odd) {
        return Cow::Borrowed(text);
    }
    let escaped = |sign: char| {
        let odd = is_odd(sign).then(|| sign.escape_default());
        let plain = (!is_odd(sign)).then_some(sign);
        odd.into_iter().flatten().chain(plain)
    };
    Cow::Owned(text.chars().flat_map(escaped).collect())
}

/// A path, as [`legible`] as a text.
pub fn shown(path: &Path) -> String {
    legible(&path.to_string_lossy()).into_owned()
}

/// Whether a character does something else than to be seen where it stands.
fn is_odd(sign: char) -> bool {
    let turns = matches!(sign, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}');
    let ends_line = matches!(sign, '\u{2028}' | '\u{2029}');
    turns || ends_line || sign.is_control() && sign != '\t'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seen_stays_and_what_is_not_is_named() {
        for plain in ["", "engines/hoshi 1.2.so", "天元 é \\ ' \"", "a\tb"] {
            assert_eq!(legible(plain), plain);
        }
        assert_eq!(legible("a\nb\r\0"), "a\\nb\\r\\u{0}");
        assert_eq!(legible("\u{9b}31m\u{7f}"), "\\u{9b}31m\\u{7f}");
        assert_eq!(legible("gpj\u{202e}so.天"), "gpj\\u{202e}so.天");
        assert_eq!(shown(Path::new("up\n/down")), "up\\n/down");
    }

    #[test]
    #[cfg(unix)]
    fn a_name_that_is_no_text_is_shown_as_far_as_it_is() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        assert_eq!(shown(Path::new(OsStr::from_bytes(b"a\xff\x1bb"))), "a\u{fffd}\\u{1b}b");
    }
}
