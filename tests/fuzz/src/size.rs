//! A board size prints as it reads, up to writing `15x15` for `15`.

use tengen_rules::Size;

pub(crate) fn check(bytes: &[u8]) {
    if let [width, height] = *bytes
        && let Ok(size) = Size::new(width, height)
    {
        assert_eq!(size.to_string().parse(), Ok(size));
        assert_eq!(size.points().count(), size.area());
    }
    let Ok(text) = str::from_utf8(bytes) else { return };
    if let Ok(size) = text.parse::<Size>() {
        let long = format!("{}x{}", size.width(), size.height());
        let written = text.replace('X', "x");
        assert!(written == long || written == size.to_string(), "{text} reads as {size}");
    }
}
