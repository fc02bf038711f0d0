//! Values on the scale of the search: evaluations in the middle, proven results outside.

use crate::eval::MAX_VALUE;

/// The value of a five on the board for the side that made it, at ply 0 of a search.
pub const WIN: i32 = 30_000;

/// The deepest ply a search may reach.
pub const MAX_PLY: usize = 200;

/// The value, for the winner, of a five made `ply` plies from the root.
///
/// ```
/// use tengen_sdk::search::win_at;
/// assert!(win_at(3) > win_at(5));
/// ```
#[inline]
pub const fn win_at(ply: usize) -> i32 {
    WIN - ply as i32
}

/// Whether the value is a proven win or loss.
///
/// ```
/// use tengen_sdk::search::{is_proven, win_at};
/// assert!(is_proven(-win_at(4)) && !is_proven(500));
/// ```
#[inline]
pub const fn is_proven(value: i32) -> bool {
    value.abs() > MAX_VALUE
}

/// In how many plies the side to move wins, `n`, or loses, `-n`, if that is proven.
///
/// ```
/// use tengen_sdk::search::{plies_to_end, win_at};
/// assert_eq!(plies_to_end(win_at(3)), Some(3));
/// assert_eq!(plies_to_end(-win_at(4)), Some(-4));
/// assert_eq!(plies_to_end(120), None);
/// ```
pub const fn plies_to_end(value: i32) -> Option<i32> {
    if !is_proven(value) {
        None
    } else if value > 0 {
        Some(WIN - value)
    } else {
        Some(-(WIN + value))
    }
}
