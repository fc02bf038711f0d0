//! The numbers and points in reports of a search.

use crate::report::PvMove;
use crate::scan::Scan;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ParsedScore {
    /// In the brain's own unit.
    Eval(i32),
    /// A proved win in so many plies, below 0 a loss.
    WinIn(i32),
}

/// `35`, `+35`, `-35`, `+M7`, `-M4`, `M7`.
pub(super) fn score(token: &str) -> Option<ParsedScore> {
    let (sign, size) = match token.as_bytes().first()? {
        b'+' => (1, &token[1..]),
        b'-' => (-1, &token[1..]),
        _ => (1, token),
    };
    match size.strip_prefix(['M', 'm']) {
        Some(plies) => {
            digits(plies)?.try_into().ok().map(|plies: i32| ParsedScore::WinIn(sign * plies))
        }
        None => digits(size)?.try_into().ok().map(|eval: i32| ParsedScore::Eval(sign * eval)),
    }
}

/// `240`, `240K`, `1.2M`, `3G`.
pub(super) fn count(token: &str) -> Option<u64> {
    let (number, thousands) = match token.as_bytes().last()? {
        b'K' | b'k' => (&token[..token.len() - 1], 1),
        b'M' | b'm' => (&token[..token.len() - 1], 2),
        b'G' | b'g' | b'B' | b'b' => (&token[..token.len() - 1], 3),
        _ => (token, 0),
    };
    scaled(number, 3 * thousands)
}

/// `350ms`, `3.5s`, `2min` in milliseconds.
pub(super) fn span(token: &str) -> Option<u64> {
    if let Some(number) = token.strip_suffix("ms") {
        scaled(number, 0)
    } else if let Some(number) = token.strip_suffix("min") {
        digits(number)?.checked_mul(60_000)
    } else {
        scaled(token.strip_suffix('s')?, 3)
    }
}

/// `12`, `12-24` or `12/24`: the depth, and the greatest one reached.
pub(super) fn depths(token: &str) -> Option<(u32, u32)> {
    let (depth, seldepth) = match token.split_once(['-', '/']) {
        Some((depth, seldepth)) => (depth, Some(seldepth)),
        None => (token, None),
    };
    let read = |text: &str| digits(text)?.try_into().ok();
    Some((read(depth)?, seldepth.map_or(Some(0), read)?))
}

/// `H8`, `h8`, `8,7`, `[8,7]` or `(8,7)`.
pub(super) fn pv_move(token: &str) -> Option<PvMove> {
    let bare = token.trim_start_matches(['[', '(']).trim_end_matches([']', ')']);
    let mut scan = Scan::new(bare.as_bytes());
    if let Some(coords) = scan.coords() {
        return scan.is_done().then_some(PvMove::Coords(coords));
    }
    let letter = bare.as_bytes().first().filter(|letter| letter.is_ascii_alphabetic())?;
    let row = digits(&bare[1..])?.try_into().ok()?;
    Some(PvMove::Label { column: letter.to_ascii_lowercase() - b'a', row })
}

/// A whole number without a sign that is not too large.
pub(super) fn digits(text: &str) -> Option<u64> {
    let all = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if all { text.parse().ok() } else { None }
}

/// A number that may have decimals, times ten to the power of `places`, rounded down.
fn scaled(number: &str, places: u32) -> Option<u64> {
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    let mut value = digits(whole)?;
    if !decimals.is_empty() {
        digits(decimals)?;
    } else if number.ends_with('.') {
        return None;
    }
    let mut decimals = decimals.bytes();
    for _ in 0..places {
        let digit = decimals.next().map_or(0, |digit| digit - b'0');
        value = value.checked_mul(10)?.checked_add(digit.into())?;
    }
    Some(value)
}
