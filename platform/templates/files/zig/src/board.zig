//! What an engine sees of a game.

pub const max_side = 32;
pub const max_plies = 4096;
pub const pass: u16 = 0xFFFE;

pub const Cell = enum(u8) { empty, black, white };

pub const Board = struct {
    width: i32 = 0,
    height: i32 = 0,
    to_move: Cell = .black,
    plies: usize = 0,
    moves: [max_plies]u16 = undefined,
    /// cells[y][x]
    cells: [max_side][max_side]Cell = @splat(@splat(.empty)),

    pub fn at(board: *const Board, x: i32, y: i32) ?Cell {
        if (x < 0 or x >= board.width or y < 0 or y >= board.height) return null;
        return board.cells[@intCast(y)][@intCast(x)];
    }

    /// Gives false where the move is not an empty point.
    pub fn play(board: *Board, move: u16) bool {
        if (board.plies == max_plies) return false;
        if (move != pass) {
            const x = move & 255;
            const y = move >> 8;
            if (board.at(x, y) != .empty) return false;
            board.cells[y][x] = board.to_move;
        }
        board.moves[board.plies] = move;
        board.plies += 1;
        board.to_move = other(board.to_move);
        return true;
    }

    pub fn undo(board: *Board) void {
        board.plies -= 1;
        const move = board.moves[board.plies];
        if (move != pass) board.cells[move >> 8][move & 255] = .empty;
        board.to_move = other(board.to_move);
    }
};

pub fn other(color: Cell) Cell {
    return if (color == .black) .white else .black;
}

/// The clock of one move. It keeps back the time that the answer needs.
pub const Clock = struct {
    left: ?*const fn () i64 = null,
    hard: i64 = -1,
    /// The periods of byo-yomi after this one, which stay for later.
    spare: i64 = 0,
    lag: i64 = 0,
    last: i64 = -1,
    longest_gap: i64 = 0,

    /// Whether choose() must answer now. Ask about every thousand nodes of a search.
    pub fn isUp(clock: *Clock) bool {
        const all = (clock.left orelse return false)();
        if (all == 0x7FFF_FFFF_FFFF_FFFF) return false;
        if (clock.hard < 0) return all <= 0;
        const left = all - clock.spare;
        if (clock.last >= 0) clock.longest_gap = @max(clock.longest_gap, clock.last - left);
        clock.last = left;
        const least = @max(5000, @min(@divTrunc(clock.hard, 40), 50000));
        const reserve = @max(least, 2 * @max(clock.lag, clock.longest_gap));
        return left <= @min(reserve, @divTrunc(clock.hard, 2));
    }
};
