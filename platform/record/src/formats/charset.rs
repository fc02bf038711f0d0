//! Bytes as text.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE};
use memchr::memmem;

use crate::ReadError;

/// A text, and what is uncertain about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecodedText<'a> {
    pub text: Cow<'a, str>,
    /// Which charset was guessed, and why; or where bytes stand that are no letters.
    pub doubt: Option<ReadError>,
}

/// Reads UTF-8, with its mark at the beginning or without.
///
/// # Errors
/// At the first byte that is not.
pub fn utf8(bytes: &[u8]) -> Result<&str, ReadError> {
    let bytes = bytes.strip_prefix(MARK).unwrap_or(bytes);
    str::from_utf8(bytes).map_err(|error| {
        not_utf8(bytes, error.valid_up_to(), "this is not UTF-8; convert the file to UTF-8 first")
    })
}

fn not_utf8(bytes: &[u8], at: usize, message: &str) -> ReadError {
    let before = &bytes[..at];
    let line = 1 + before.iter().filter(|byte| **byte == b'\n').count() as u64;
    let begin = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    ReadError::of_column(at - begin + 1, message).in_line(line)
}

/// Reads a text of any charset. UTF-16 and UTF-8 are known by their bytes, whatever the text says;
/// otherwise it is in the charset that an SGF property `CA` names; and without one in that which a
/// guess finds most likely. Bytes that are no letters become `�`.
pub fn decode(bytes: &[u8]) -> DecodedText<'_> {
    if let Some((encoding, mark)) = utf16(bytes) {
        return damaged(&bytes[mark..], encoding, None);
    }
    let told = charset(bytes);
    let japanese = || memmem::find(bytes, b"\x1b$").is_some();
    let bytes = bytes.strip_prefix(MARK).unwrap_or(bytes);
    match str::from_utf8(bytes) {
        Ok(text) if !japanese() => return DecodedText { text: text.into(), doubt: None },
        Err(error) if is_mostly_utf8(bytes) => {
            let message = "these bytes are not UTF-8, as the rest is: they are shown as \u{fffd}";
            let doubt = Some(not_utf8(bytes, error.valid_up_to(), message));
            return DecodedText { text: String::from_utf8_lossy(bytes), doubt };
        }
        _ => {}
    }
    let known = told.and_then(Encoding::for_label);
    if let Some(encoding) = known.filter(|encoding| *encoding != UTF_8) {
        // The last letter may have been cut off with the rest of a file.
        let whole = (0..4).filter_map(|cut| bytes.get(..bytes.len().checked_sub(cut)?));
        let mut read = whole.map(|bytes| encoding.decode_without_bom_handling(bytes));
        if let Some((text, _)) = read.find(|(_, damaged)| !damaged) {
            return DecodedText { text, doubt: None };
        }
    }
    let encoding = guess(bytes);
    let name = encoding.name();
    let message = match told {
        None => format!("no charset is told; read as {name}, which is a guess"),
        Some(label) => {
            let label = String::from_utf8_lossy(label).escape_debug().to_string();
            let what = if known.is_some() { "the text is not" } else { "no known charset is" };
            format!("{what} `{label}`; read as {name}, which is a guess")
        }
    };
    damaged(bytes, encoding, Some(ReadError::of_field("CA", message)))
}

/// White space, and the characters with which older systems end or fill up a text.
pub(super) fn is_space(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\0' | '\u{1a}' | '\u{feff}')
}

/// The text alone, for one in which a wrong guess matters little.
pub fn any(bytes: &[u8]) -> Cow<'_, str> {
    decode(bytes).text
}

const MARK: &[u8] = b"\xef\xbb\xbf";

/// A text of which some bytes may be no letters.
fn damaged<'a>(
    bytes: &'a [u8],
    encoding: &'static Encoding,
    doubt: Option<ReadError>,
) -> DecodedText<'a> {
    let (text, damaged) = encoding.decode_without_bom_handling(bytes);
    let message = || format!("some bytes are not {}: they are shown as \u{fffd}", encoding.name());
    let doubt = doubt.or_else(|| damaged.then(|| ReadError::of_text(message())));
    DecodedText { text, doubt }
}

/// Which UTF-16 it is, and the length of its mark. Without a mark, every other byte of a text that
/// is mostly ASCII is 0.
fn utf16(bytes: &[u8]) -> Option<(&'static Encoding, usize)> {
    match Encoding::for_bom(bytes) {
        Some((encoding, _)) if encoding == UTF_8 => return None,
        Some(found) => return Some(found),
        None => {}
    }
    let (pairs, _) = bytes[..bytes.len().min(4096)].as_chunks::<2>();
    let zeros = |place: usize| pairs.iter().filter(|pair| pair[place] == 0).count();
    let (high, low) = (zeros(0), zeros(1));
    let many = |count: usize| count > 0 && count * 4 >= pairs.len();
    match (many(high), many(low)) {
        (true, false) => Some((UTF_16BE, 0)),
        (false, true) => Some((UTF_16LE, 0)),
        _ => None,
    }
}

/// Whether many letters are UTF-8, and few bytes are not: a text that was cut within a letter, or
/// put together by a program that counts bytes.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let (mut letters, mut wrong) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        letters += chunk.valid().chars().filter(|letter| letter.len_utf8() > 2).count();
        wrong += usize::from(!chunk.invalid().is_empty());
    }
    letters >= 4 * wrong
}

/// What the first `CA` says, near the beginning.
fn charset(bytes: &[u8]) -> Option<&[u8]> {
    let bytes = &bytes[..bytes.len().min(4096)];
    let begin = 3 + memmem::find(bytes, b"CA[")?;
    let length = bytes[begin..].iter().position(|byte| *byte == b']')?;
    Some(bytes[begin..begin + length].trim_ascii())
}

/// The most likely charset of a text that is neither UTF-8 nor UTF-16, by its first mebibyte.
pub(crate) fn guess(bytes: &[u8]) -> &'static Encoding {
    let bytes = &bytes[..bytes.len().min(1 << 20)];
    let holds_words = |encoding: &&'static Encoding| {
        let text = encoding.decode_without_bom_handling(bytes).0;
        WORDS.iter().any(|word| text.contains(word))
    };
    if let Some(encoding) = [GBK, BIG5, SHIFT_JIS, EUC_KR, EUC_JP].into_iter().find(holds_words) {
        return encoding;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    let guessed = detector.guess(None, Utf8Detection::Deny);
    // Two letters alone are more often a Chinese name than one of the charsets that share its
    // bytes.
    let letters = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    let chinese = || !GBK.decode_without_bom_handling(bytes).1;
    if letters <= 4 && [EUC_KR, EUC_JP].contains(&guessed) && chinese() { GBK } else { guessed }
}

/// Words of games, which tell a charset even in a text too short for statistics.
const WORDS: [&str; 25] = [
    "黑胜",
    "白胜",
    "黑方",
    "白方",
    "和棋",
    "先手",
    "后手",
    "五子棋",
    "连珠",
    "黑勝",
    "白勝",
    "後手",
    "和局",
    "連珠",
    "黒勝",
    "黒番",
    "白番",
    "引分",
    "引き分け",
    "五目",
    "흑승",
    "백승",
    "무승부",
    "오목",
    "렌주",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn in_charset(label: &str, text: &str) -> Vec<u8> {
        let encoding = Encoding::for_label(label.as_bytes()).unwrap();
        let (bytes, _, unmapped) = encoding.encode(text);
        assert!(!unmapped, "{text} in {label}");
        bytes.into_owned()
    }

    fn sure(bytes: &[u8]) -> String {
        let decoded = decode(bytes);
        assert_eq!(decoded.doubt, None, "{}", decoded.text);
        decoded.text.into_owned()
    }

    #[test]
    fn a_text_is_read_in_the_charset_it_says() {
        assert_eq!(sure("\u{feff}(;CA[GBK]C[天元])".as_bytes()), "(;CA[GBK]C[天元])");
        for label in ["GB2312", "gb18030", "Big5", "Shift_JIS", "EUC-KR", "EUC-JP", "ISO-2022-JP"] {
            let text = format!("(;CA[{label}]C[天元])");
            assert_eq!(sure(&in_charset(label, &text)), text);
        }
        assert_eq!(sure(b"(;CA[GBK]C[\xcc\xec\xd4"), "(;CA[GBK]C[天", "a letter is cut");
    }

    #[test]
    fn utf16_is_known_by_its_bytes() {
        let text = "(;GM[4]SZ[15]PB[北京队];B[hh])";
        for mark in ["", "\u{feff}"] {
            let units: Vec<u16> = format!("{mark}{text}").encode_utf16().collect();
            let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            assert_eq!((sure(&little).as_str(), sure(&big).as_str()), (text, text));
        }
        assert_eq!(sure(b"(;B[hh])\0\0\0\0\0\0\0\0"), "(;B[hh])\0\0\0\0\0\0\0\0");
    }

    #[test]
    fn a_guess_is_right_and_said() {
        for (label, names) in [
            ("GBK", "PB[北京队]PW[弈心]"),
            ("GBK", "PB[李四]PW[b]"),
            ("GBK", "PB[曹冬]PW[张三]"),
            ("GBK", "PB[a]PW[b]RE[白胜]"),
            ("Big5", "PB[林皇羽]PW[台北隊]"),
            ("Big5", "PB[a]PW[b]RE[黑勝]"),
            ("Shift_JIS", "PB[中村茂]PW[長谷川一人]"),
            ("Shift_JIS", "PB[a]PW[b]RE[黒勝ち]"),
            ("EUC-KR", "PB[홍길동]PW[김철수]"),
            ("EUC-KR", "PB[a]PW[b]RE[흑승]"),
            ("windows-1252", "PB[Ants Soosõrv]PW[Göran Åström]"),
            ("windows-1250", "PB[Tomáš Dvořák]PW[Jiří Šedivý]"),
            ("windows-1251", "PB[Никонов Константин]PW[b]"),
        ] {
            let text = format!("(;FF[4]GM[4]SZ[15]{names};B[hh];W[hg])");
            let bytes = in_charset(label, &text);
            let decoded = decode(&bytes);
            assert_eq!(decoded.text, text, "{label}");
            let doubt = decoded.doubt.unwrap().to_string();
            assert_eq!(doubt, format!("CA: no charset is told; read as {label}, which is a guess"));
        }
    }

    #[test]
    fn what_the_text_says_wrongly_is_said() {
        let doubt = |bytes: &[u8]| decode(bytes).doubt.unwrap().to_string();
        let klingon = "CA: no known charset is `Klingon`; read as windows-1252, which is a guess";
        assert_eq!(doubt(b"(;CA[Klingon]C[\xff])"), klingon);
        assert!(
            doubt(b"(;CA[GBK]C[\xff\xff]PB[a])").starts_with("CA: the text is not `GBK`; read")
        );
        assert!(doubt(b"(;CA[UTF-8]PB[\xb1\xb1\xbe\xa9\xb6\xd3])").contains("read as GBK"));
        let cut = [b"(;\nPB[".as_slice(), "北京队天元".as_bytes(), b"\xe5\xbc])"].concat();
        assert!(doubt(&cut).starts_with("line 2, column 19: these bytes are not UTF-8"));
        assert_eq!(decode(&cut).text, "(;\nPB[北京队天元\u{fffd}])");
    }
}
