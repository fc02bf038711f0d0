//! A point reads as it prints and prints as it reads.

use tengen_rules::{Point, Size};

pub(crate) fn check(bytes: &[u8]) {
    if let [x, y] = *bytes {
        let point = Point::new(x, y);
        // A text is read only for a point of some board.
        assert_eq!(point.to_string().parse() == Ok(point), x.max(y) < Size::MAX);
    }
    let Ok(text) = str::from_utf8(bytes) else { return };
    if let Ok(point) = text.parse::<Point>() {
        assert_eq!(point.to_string(), text);
    }
}
