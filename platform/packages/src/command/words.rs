//! How a command line is split into words: as the programs of each system read theirs.

use std::iter;

/// The words of a command line on this system; None where a quotation mark is not closed.
pub(super) fn split(line: &str) -> Option<Vec<String>> {
    if cfg!(windows) { split_as_windows(line) } else { shell_words::split(line).ok() }
}

/// Splits as Windows does (`CommandLineToArgvW`). A backslash is one, unless a quotation mark comes
/// after it or after several: of these each two are one, and one more makes the mark a letter. In
/// the name of the program, the first word, every backslash is one. Two marks between marks are one
/// that is a letter. The crate `winsplit` loses empty words.
fn split_as_windows(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut is_quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let is_argument = !words.is_empty();
        if matches!(c, ' ' | '\t') && !is_quoted {
            words.extend(word.take());
            continue;
        }
        let word = word.get_or_insert_default();
        match c {
            '\\' if is_argument => {
                let count = 1 + iter::from_fn(|| chars.next_if_eq(&'\\')).count();
                let is_before_quote = chars.peek() == Some(&'"');
                let kept = if is_before_quote { count / 2 } else { count };
                word.extend(iter::repeat_n('\\', kept));
                if is_before_quote && count % 2 == 1 {
                    word.extend(chars.next());
                }
            }
            '"' if is_argument && is_quoted && chars.next_if_eq(&'"').is_some() => word.push('"'),
            '"' => is_quoted = !is_quoted,
            c => word.push(c),
        }
    }
    words.extend(word);
    (!is_quoted).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_has_its_own_backslashes_and_quotes() {
        let cases: [(&str, &[&str]); 12] = [
            ("", &[]),
            (r"Z:\w\x.exe", &[r"Z:\w\x.exe"]),
            (r#"  "C:\My Engines\天元.exe"   -x "#, &[r"C:\My Engines\天元.exe", "-x"]),
            (r#"C:\My" "Engines\x.exe"#, &[r"C:\My Engines\x.exe"]),
            (r#""C:\x\" "C:\y\\""#, &[r"C:\x\", r"C:\y\"]),
            (r#"python "" '' it's"#, &["python", "", "''", "it's"]),
            // The examples of Microsoft's "Parsing C command-line arguments".
            (r#"x "a b c" d e"#, &["x", "a b c", "d", "e"]),
            (r#"x "ab\"c" "\\" d"#, &["x", r#"ab"c"#, r"\", "d"]),
            (r#"x a\\\b d"e f"g h"#, &["x", r"a\\\b", "de fg", "h"]),
            (r#"x a\\\"b c d"#, &["x", r#"a\"b"#, "c", "d"]),
            (r#"x a\\\\"b c" d e"#, &["x", r"a\\b c", "d", "e"]),
            (r#"x "a""b c" d"#, &["x", r#"a"b c"#, "d"]),
        ];
        for (line, words) in cases {
            assert_eq!(split_as_windows(line).expect("closed"), words, "{line}");
        }
        assert_eq!(split_as_windows(r#"x "a b\""#), None);
    }
}
