//! The values between the brackets: texts, points, sizes.

use tengen_rules::{Move, Point, Size};

use super::scan::game_in;

/// A text of one line: escapes resolved, line ends made spaces.
pub(in crate::formats) fn simple_text(raw: &str) -> String {
    text(raw).replace('\n', " ")
}

/// A text: escapes resolved, line ends of every kind made one. A line end that is escaped is none.
pub(in crate::formats) fn text(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut letters = raw.chars().peekable();
    while let Some(letter) = letters.next() {
        let escaped = letter == '\\';
        let letter = if escaped { letters.next().unwrap_or('\\') } else { letter };
        let other_half = match letter {
            '\n' => Some('\r'),
            '\r' => Some('\n'),
            _ => None,
        };
        if other_half.is_none() {
            text.push(letter);
            continue;
        }
        if letters.peek().copied() == other_half {
            letters.next();
        }
        if !escaped {
            text.push('\n');
        }
    }
    text
}

/// Writes a text so that it reads back.
pub(in crate::formats) fn escape(text: &str) -> String {
    let mut text = text.replace('\\', "\\\\").replace(']', "\\]");
    // What looks like another game would cut it off.
    if let Some(game) = game_in(&text) {
        text.insert(game + 1, '\\');
    }
    text
}

/// Writes a value that has its escapes already; one that would not end where it should is escaped.
pub(in crate::formats) fn raw(value: &str) -> String {
    let mut escaped = false;
    let open = value.bytes().any(|byte| {
        let ends = byte == b']' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    if open || escaped || game_in(value).is_some() { escape(value) } else { value.to_string() }
}

/// Reads `15` or `20:15`, and `15x15`, which some programs write.
pub(in crate::formats) fn size(value: &str) -> Option<Size> {
    let side = |text: &str| text.trim().parse().ok();
    match value.split_once([':', 'x']) {
        Some((width, height)) => Size::new(side(width)?, side(height)?).ok(),
        None => Size::new(side(value)?, side(value)?).ok(),
    }
}

pub(in crate::formats) fn write_size(size: Size) -> String {
    let (width, height) = (size.width(), size.height());
    if width == height { width.to_string() } else { format!("{width}:{height}") }
}

/// Reads a point of the board: two letters counted from the top left corner, `a` to `z` and then
/// `A` to `Z`, or a letter and a number as on the board's rim, `h8`, which some programs write.
pub(in crate::formats) fn point(value: &str, size: Size) -> Option<Point> {
    let value = value.trim();
    let point = if value.bytes().any(|byte| byte.is_ascii_digit()) {
        value.to_ascii_lowercase().parse().ok()?
    } else {
        let [x, y] = *value.as_bytes() else { return None };
        Point::new(from_letter(x)?, size.height().checked_sub(1 + from_letter(y)?)?)
    };
    size.contains(point).then_some(point)
}

/// Reads a move: a point, or nothing for a pass. `tt` is a pass on a board that has no such point
/// (FF\[3\]).
pub(in crate::formats) fn played(value: &str, size: Size) -> Option<Move> {
    let no_such_point = size.width() <= 19 && size.height() <= 19;
    match value.trim() {
        "" => Some(Move::Pass),
        "tt" if no_such_point => Some(Move::Pass),
        value => point(value, size).map(Move::Stone),
    }
}

/// Reads a point, or a rectangle of points by two of its corners (`aa:cc`).
pub(in crate::formats) fn points(value: &str, size: Size) -> Option<Vec<Point>> {
    let Some((one, other)) = value.split_once(':') else {
        return Some(vec![point(value, size)?]);
    };
    let (one, other) = (point(one, size)?, point(other, size)?);
    let range = |a: u8, b: u8| a.min(b)..=a.max(b);
    let column = |x| range(one.y(), other.y()).map(move |y| Point::new(x, y));
    Some(range(one.x(), other.x()).flat_map(column).collect())
}

pub(in crate::formats) fn write_point(point: Point, size: Size) -> String {
    let from_top = size.height() - 1 - point.y();
    [point.x(), from_top].map(to_letter).iter().collect()
}

fn from_letter(byte: u8) -> Option<u8> {
    match byte {
        b'a'..=b'z' => Some(byte - b'a'),
        b'A'..=b'Z' => Some(26 + byte - b'A'),
        _ => None,
    }
}

fn to_letter(number: u8) -> char {
    if number < 26 { (b'a' + number).into() } else { (b'A' + number - 26).into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_reads_as_it_is_written() {
        for (width, height) in [(15, 15), (32, 32), (20, 7)] {
            let size = Size::new(width, height).unwrap();
            for place in size.points() {
                assert_eq!(point(&write_point(place, size), size), Some(place));
                assert_eq!(point(&place.to_string(), size), Some(place), "as on the rim");
            }
        }
        assert_eq!(point("aa", Size::STANDARD), Some(Point::new(0, 14)), "top left");
        assert_eq!(point("H8", Size::STANDARD), Some(Point::new(7, 7)));
        for text in ["", "a", "abc", "8h", "é", "a-", "az", "za", "p1", "a16"] {
            assert_eq!(point(text, Size::STANDARD), None, "{text}");
        }
    }

    #[test]
    fn passes_and_rectangles_read() {
        assert_eq!(played("", Size::STANDARD), Some(Move::Pass));
        assert_eq!(played("tt", Size::STANDARD), Some(Move::Pass));
        let twenty = Size::new(20, 20).unwrap();
        assert_eq!(played("tt", twenty), Some(Move::Stone(Point::new(19, 0))));
        assert_eq!(points("aa:bc", Size::STANDARD).unwrap().len(), 6);
        assert_eq!(points("aa:zz", Size::STANDARD), None);
        assert_eq!(
            (size("20x15"), size("20:15")),
            (Size::new(20, 15).ok(), Size::new(20, 15).ok())
        );
    }

    #[test]
    fn texts_resolve_escapes_and_line_ends() {
        assert_eq!(text(r"a\]b\\c\:d"), r"a]b\c:d");
        assert_eq!(text("one\r\ntwo\rthree\\\nfour"), "one\ntwo\nthreefour");
        assert_eq!(simple_text("one\n\rtwo"), "one two");
        assert_eq!(text("\\"), "\\");
        for whole in [r"a]b\", "\\\\", "]", "天元", "( ;FF[4", "(;FF[4]"] {
            assert_eq!(text(&escape(whole)), whole);
        }
        assert_eq!(raw(r"aa:b\]\:"), r"aa:b\]\:");
        assert_eq!(raw("]"), "\\]");
        assert_eq!(raw("\\"), "\\\\");
    }
}
