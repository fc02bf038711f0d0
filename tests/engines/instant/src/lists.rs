//! Lists of moves that end in no five.

use tengen_abi::MoveCode;

/// Rows at the top that the pattern fills.
const PATTERN_ROWS: u8 = 5;
/// Black stones of the pattern before the winning row.
const BEFORE_ROW: usize = 30;

/// The points each colour plays, in order, Black first; together the whole board.
pub(crate) fn lists(width: u8, height: u8) -> [Vec<MoveCode>; 2] {
    let mut lists = [Vec::new(), Vec::new()];
    let top = height.saturating_sub(PATTERN_ROWS).max(1);
    // Column by column, so that the colours close each other's rows as they come.
    for x in 0..width {
        for y in top..height {
            lists[color(x, y)].push(MoveCode::xy(x, y));
        }
    }
    let [black, white] = &mut lists;
    let row = (0..5).map(|x| MoveCode::xy(x, 0));
    let at = black.len().min(BEFORE_ROW);
    black.splice(at..at, row);
    // What a longer game needs: the rest of the board, the bottom row last.
    for y in (0..top).rev() {
        for x in 0..width {
            let code = MoveCode::xy(x, y);
            for list in [&mut *black, &mut *white] {
                if !list.contains(&code) {
                    list.push(code);
                }
            }
        }
    }
    for x in 0..width {
        for y in top..height {
            lists[1 - color(x, y)].push(MoveCode::xy(x, y));
        }
    }
    lists
}

/// Pairs along the rows, turned over from row to row: no line holds three of a colour.
fn color(x: u8, y: u8) -> usize {
    usize::from((x / 2 + y) % 2)
}
