//! Bold, italic and links in a line of chat. `web/page/chat_marks.js` reads the same.
//!
//! Two stars around words make them bold, one star makes them italic, three do both. What begins
//! with `http://` or `https://` is a link up to the next blank. Marks that have no end are shown.

/// A part of a line of chat, as it is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MarkedText<'a> {
    pub text: &'a str,
    pub is_bold: bool,
    pub is_italic: bool,
    /// Whether it is the address of a page.
    pub is_link: bool,
}

/// The parts of a line, in their order.
pub fn marked_parts(line: &str) -> Vec<MarkedText<'_>> {
    let mut parts = Vec::new();
    read(line, false, false, &mut parts);
    parts
}

fn read<'a>(text: &'a str, is_bold: bool, is_italic: bool, parts: &mut Vec<MarkedText<'a>>) {
    let part = |text, is_link| MarkedText { text, is_bold, is_italic, is_link };
    let (mut shown, mut at) = (0, 0);
    while at < text.len() {
        let rest = &text[at..];
        let (link, stars) = (link_length(rest), star_count(rest));
        let inner = marked_length(rest, stars);
        if link > 0 || inner > 0 {
            parts.extend(Some(part(&text[shown..at], false)).filter(|one| !one.text.is_empty()));
        }
        at += if link > 0 {
            parts.push(part(&rest[..link], true));
            link
        } else if inner > 0 {
            let (bold, italic) = (is_bold || stars != 1, is_italic || stars != 2);
            read(&rest[stars..stars + inner], bold, italic, parts);
            inner + 2 * stars
        } else {
            stars.max(rest.chars().next().map_or(1, char::len_utf8))
        };
        if link > 0 || inner > 0 {
            shown = at;
        }
    }
    parts.extend(Some(part(&text[shown..], false)).filter(|one| !one.text.is_empty()));
}

fn star_count(text: &str) -> usize {
    text.bytes().take_while(|byte| *byte == b'*').count()
}

/// The bytes between so many stars, at which the text begins, and as many that end what they mark.
fn marked_length(text: &str, stars: usize) -> usize {
    if !(1..=3).contains(&stars) || text[stars..].starts_with(' ') {
        return 0;
    }
    let mut at = stars;
    while let Some(more) = text[at..].find('*') {
        at += more;
        let end = star_count(&text[at..]);
        if end == stars && !text[..at].ends_with(' ') {
            return at - stars;
        }
        at += end;
    }
    0
}

/// The bytes of the link at which the text begins.
fn link_length(text: &str) -> usize {
    let begin = ["http://", "https://"].into_iter().find(|begin| text.starts_with(begin));
    let Some(begin) = begin.map(str::len) else { return 0 };
    let is_of_link = |byte: &u8| byte.is_ascii_graphic() && !b"*<>\"".contains(byte);
    let mut length = text.bytes().take_while(|byte| is_of_link(byte)).count();
    // What ends a sentence ends no address, and brackets around one are none of it.
    let has_bracket = text[..length].contains('(');
    let ends = |last: &u8| b".,;:!?'".contains(last) || (*last == b')' && !has_bracket);
    while text.as_bytes()[..length].last().is_some_and(ends) {
        length -= 1;
    }
    if length > begin { length } else { 0 }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn lines_are_read_as_in_the_page() {
        let cases = include_str!("../../../tests/data/chat_marks.jsonl");
        for case in cases.lines() {
            let case: Value = serde_json::from_str(case).unwrap();
            let line = case["line"].as_str().unwrap();
            let parts = marked_parts(line);
            let shown = parts.iter().map(|part| {
                let marks = [(part.is_bold, 'b'), (part.is_italic, 'i'), (part.is_link, 'l')];
                let marks: String =
                    marks.into_iter().filter(|(is, _)| *is).map(|(_, mark)| mark).collect();
                Value::from([marks.as_str(), part.text])
            });
            assert_eq!(shown.collect::<Value>(), case["parts"], "{line}");
        }
    }
}
