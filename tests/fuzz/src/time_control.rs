//! A time control reads as it prints; what is refused is named by the part that is wrong.

use tengen_arbiter::TimeControl;

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    match text.parse::<TimeControl>() {
        Ok(time) => assert_eq!(time.to_string().parse(), Ok(time), "{text}"),
        Err(error) => {
            assert!(text.split(',').any(|part| part == error.part()), "{text}: {error}");
            assert!(error.to_string().starts_with(&format!("`{}`", error.part())));
        }
    }
}
