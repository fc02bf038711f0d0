//! A point reads as it prints and prints as it reads.

use tengen_rules::{Point, Size};

pub(crate) fn check(bytes: &[u8]) {
    if let [x, y] = *bytes {
        let point = Point::new(x, y);
        // Columns have names as far as the largest board goes, rows have two digits.
        assert_eq!(point.to_string().parse() == Ok(point), x < Size::MAX && y < 99);
    }
    let Ok(text) = str::from_utf8(bytes) else { return };
    if let Ok(point) = text.parse::<Point>() {
        assert_eq!(point.to_string(), text);
    }
}
