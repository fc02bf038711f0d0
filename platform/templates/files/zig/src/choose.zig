//! This file is yours: it chooses the moves.

const std = @import("std");
const Board = @import("board.zig").Board;
const Cell = @import("board.zig").Cell;
const Clock = @import("board.zig").Clock;
const other = @import("board.zig").other;

/// Gives an empty point, as x | y << 8.
pub fn choose(board: *const Board, clock: *Clock) u16 {
    _ = clock;
    var best: u16 = 0xFFFF;
    var most: i64 = 0;
    var y: i32 = 0;
    while (y < board.height) : (y += 1) {
        var x: i32 = 0;
        while (x < board.width) : (x += 1) {
            if (board.at(x, y) != .empty) continue;
            const worth = value(board, x, y);
            if (best == 0xFFFF or worth > most) {
                best = @intCast(x | y << 8);
                most = worth;
            }
        }
    }
    return best;
}

/// How good a point looks: the longer the row it makes or stops, the better; then the nearer to
/// the centre.
fn value(board: *const Board, x: i32, y: i32) i64 {
    const directions = [_][2]i32{ .{ 1, 0 }, .{ 0, 1 }, .{ 1, 1 }, .{ 1, -1 } };
    const worth = [_]i64{ 1, 100, 10000, 1000000, 100000000 };
    var sum: i64 = 0;
    for (directions) |d| {
        const own = board.to_move;
        const mine = count(board, x, y, d[0], d[1], own) + count(board, x, y, -d[0], -d[1], own);
        const foe = other(own);
        const theirs = count(board, x, y, d[0], d[1], foe) + count(board, x, y, -d[0], -d[1], foe);
        sum += 12 * worth[@min(mine, 4)] + 10 * worth[@min(theirs, 4)];
    }
    const dx = x - @divTrunc(board.width, 2);
    const dy = y - @divTrunc(board.height, 2);
    return 1000 * sum - (dx * dx + dy * dy);
}

/// How many stones of a colour follow the point without a gap in a direction.
fn count(board: *const Board, x: i32, y: i32, dx: i32, dy: i32, color: Cell) usize {
    var n: usize = 0;
    var px = x + dx;
    var py = y + dy;
    while (board.at(px, py) == color) : (n += 1) {
        px += dx;
        py += dy;
    }
    return n;
}

test "it completes a row of five" {
    var board: Board = .{ .width = 15, .height = 15 };
    for ([_]u16{ 7, 8, 9, 10 }, 0..) |x, i| {
        try std.testing.expect(board.play(x | 7 << 8));
        try std.testing.expect(board.play(@intCast(i)));
    }
    var clock: Clock = .{};
    const move = choose(&board, &clock);
    try std.testing.expect(move == 6 | 7 << 8 or move == 11 | 7 << 8);
}
