//! Times as decimal seconds, kept exactly.

use tengen_arbiter::Nanos;

const SECOND: Nanos = 1_000_000_000;

/// Reads `2`, `2.5` or `.5`; decimals behind the ninth are dropped. None is no such number.
pub(super) fn read(text: &str) -> Option<Nanos> {
    let (whole, decimals) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() + decimals.len() == 0 || !digits(whole) || !digits(decimals) {
        return None;
    }
    let whole: Nanos = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let digit = |place| decimals.as_bytes().get(place).map_or(0, |digit| digit - b'0');
    let below = (0..9).fold(0, |sum, place| 10 * sum + Nanos::from(digit(place)));
    whole.checked_mul(SECOND)?.checked_add(below)
}

/// Writes a time with as many decimals as it has.
pub(super) fn write(time: Nanos) -> String {
    let text = format!("{}.{:09}", time / SECOND, time % SECOND);
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_as_they_are_written() {
        for time in [0, 1, 999_999_999, SECOND, 10 * SECOND, 59_123_456_789, u64::MAX] {
            assert_eq!(read(&write(time)), Some(time));
        }
        assert_eq!(write(60 * SECOND), "60");
        assert_eq!(
            (read(" .5"), read("2."), read("0.0000000019")),
            (Some(SECOND / 2), Some(2 * SECOND), Some(1))
        );
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in ["", ".", "-1", "1e3", "30 min", "1.2.3", "99999999999999999999"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
