// This file is yours: it chooses the moves.

import { BLACK, Board, Clock, EMPTY, WHITE } from "./board";

/** Gives an empty point, as x | y << 8. */
export function choose(board: Board, clock: Clock): u16 {
  let best: u16 = 0xffff;
  let most: i64 = 0;
  for (let y = 0; y < board.height; y++) {
    for (let x = 0; x < board.width; x++) {
      if (board.at(x, y) != EMPTY) continue;
      const worth = value(board, x, y);
      if (best == 0xffff || worth > most) {
        best = <u16>(x | (y << 8));
        most = worth;
      }
    }
  }
  return best;
}

/** How good a point looks: the longer the row it makes or stops, the better; then the nearer to
 * the centre. */
function value(board: Board, x: i32, y: i32): i64 {
  const own = board.toMove, other = <u8>(BLACK + WHITE - own);
  let sum: i64 = 0;
  for (let d = 0; d < 4; d++) {
    const dx = d == 1 ? 0 : 1, dy = d == 0 ? 0 : d == 3 ? -1 : 1;
    const mine = count(board, x, y, dx, dy, own) + count(board, x, y, -dx, -dy, own);
    const theirs = count(board, x, y, dx, dy, other) + count(board, x, y, -dx, -dy, other);
    sum += 12 * worth(mine) + 10 * worth(theirs);
  }
  const awayX = x - board.width / 2, awayY = y - board.height / 2;
  return 1000 * sum - (awayX * awayX + awayY * awayY);
}

function worth(row: i32): i64 {
  let worth: i64 = 1;
  for (let i = 0; i < min(row, 4); i++) worth *= 100;
  return worth;
}

/** How many stones of a colour follow the point without a gap in a direction. */
function count(board: Board, x: i32, y: i32, dx: i32, dy: i32, color: u8): i32 {
  let n = 0;
  for (x += dx, y += dy; board.isOnBoard(x, y) && board.at(x, y) == color; x += dx, y += dy) n++;
  return n;
}
