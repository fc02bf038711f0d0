// What an engine sees of a game.

export const EMPTY: u8 = 0;
export const BLACK: u8 = 1;
export const WHITE: u8 = 2;

const MAX_SIDE: i32 = 32;
const MAX_PLIES: i32 = 4096;
const PASS: u16 = 0xfffe;

// @ts-ignore: decorator
@external("tengen", "left_us")
declare function left_us(host: usize): i64;

export class Board {
  width: i32 = 0;
  height: i32 = 0;
  toMove: u8 = BLACK;
  plies: i32 = 0;
  /** The moves so far, each as x | y << 8. */
  readonly moves: StaticArray<u16> = new StaticArray<u16>(MAX_PLIES);
  private readonly cells: StaticArray<u8> = new StaticArray<u8>(MAX_SIDE * MAX_SIDE);

  reset(width: i32, height: i32): void {
    this.width = width;
    this.height = height;
    this.toMove = BLACK;
    this.plies = 0;
    this.cells.fill(EMPTY);
  }

  isOnBoard(x: i32, y: i32): bool {
    return x >= 0 && x < this.width && y >= 0 && y < this.height;
  }

  at(x: i32, y: i32): u8 {
    return this.cells[y * MAX_SIDE + x];
  }

  /** Gives false where the move is not an empty point. */
  play(move: u16): bool {
    if (this.plies == MAX_PLIES) return false;
    if (move != PASS) {
      const x: i32 = move & 255, y: i32 = move >> 8;
      if (!this.isOnBoard(x, y) || this.at(x, y) != EMPTY) return false;
      this.cells[y * MAX_SIDE + x] = this.toMove;
    }
    this.moves[this.plies++] = move;
    this.toMove = BLACK + WHITE - this.toMove;
    return true;
  }

  undo(): void {
    const move = this.moves[--this.plies];
    if (move != PASS) this.cells[i32(move >> 8) * MAX_SIDE + i32(move & 255)] = EMPTY;
    this.toMove = BLACK + WHITE - this.toMove;
  }
}

/** The clock of one move. It keeps back the time that the answer needs. */
export class Clock {
  host: usize = 0;
  hard: i64 = -1;
  lag: i64 = 0;
  private spare: i64 = 0;
  private last: i64 = -1;
  private longestGap: i64 = 0;

  start(hard: i64, own: i64, lag: i64): void {
    // The periods of byo-yomi after this one stay for later.
    this.spare = own < 0 ? 0 : max<i64>(0, hard - own);
    this.hard = hard - this.spare;
    this.lag = lag;
    this.last = -1;
    this.longestGap = 0;
  }

  /** Whether choose() must answer now. Ask about every thousand nodes of a search. */
  isUp(): bool {
    const all = left_us(this.host);
    if (all == i64.MAX_VALUE) return false;
    if (this.hard < 0) return all <= 0;
    const left = all - this.spare;
    if (this.last >= 0) this.longestGap = max(this.longestGap, this.last - left);
    this.last = left;
    const least = max<i64>(5000, min<i64>(this.hard / 40, 50000));
    const reserve = max(least, 2 * max(this.lag, this.longestGap));
    return left <= min(reserve, this.hard / 2);
  }
}
