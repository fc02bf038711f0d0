//! What Tengen calls. It keeps the position and the time, and calls choose(). You need not change
//! it, except for the rules that the engine plays: see tengen_describe(). The structs are those of
//! `tengen.h`.

const builtin = @import("builtin");
const choose = @import("choose.zig").choose;
const Board = @import("board.zig").Board;
const Clock = @import("board.zig").Clock;

const ok: i32 = 0;
const unsupported: i32 = -1;
const argument: i32 = -2;
const state: i32 = -4;
const renju = 3;

const Game = extern struct { size: u32, width: u16, height: u16, rule: u16, opening: u16 };
const Limits = extern struct {
    size: u32,
    flags: u32,
    own_us: i64,
    opponent_us: i64,
    soft_us: i64,
    hard_us: i64,
    nodes: u64,
    depth: u32,
    multipv: u32,
    lag_us: i64,
};
const Score = extern struct { eval: i32, win_in: i32, win: u16, draw: u16, loss: u16, have: u16 };
const Reply = extern struct {
    size: u32,
    flags: u32,
    move: u16,
    ponder: u16,
    depth: u32,
    seldepth: u32,
    reserved: u32,
    score: Score,
    nodes: u64,
};
const Host = extern struct {
    size: u32,
    minor: u32,
    context: ?*anyopaque,
    left_us: *const fn (?*anyopaque) callconv(.c) i64,
};

const is_wasm = builtin.target.cpu.arch == .wasm32;
const wasm = struct {
    extern "tengen" fn left_us(host: ?*const Host) i64;
};

const Engine = struct { host: ?*const Host = null, board: Board = .{} };
var engine: Engine = .{};

fn left() i64 {
    if (is_wasm) return wasm.left_us(engine.host);
    const host = engine.host orelse return 0x7FFF_FFFF_FFFF_FFFF;
    return host.left_us(host.context);
}

export fn tengen_abi_v1() u32 {
    return 1;
}

export fn tengen_describe() [*:0]const u8 {
    return "name @NAME@\nversion 0.1.0\n" ++
        "rule freestyle 5..32\nrule standard 5..32\nrule caro 5..32\n";
}

export fn tengen_create(host: ?*const Host) ?*Engine {
    engine.host = host;
    return &engine;
}

export fn tengen_new_game(e: *Engine, game: *const Game) i32 {
    if (game.width < 5 or game.width > 32 or game.height < 5 or game.height > 32) return argument;
    if (game.rule == renju) return unsupported;
    e.board = .{ .width = game.width, .height = game.height };
    return ok;
}

export fn tengen_set_position(e: *Engine, moves: ?[*]const u16, count: u32) i32 {
    while (e.board.plies > 0) e.board.undo();
    const list = moves orelse return if (count == 0) ok else argument;
    for (list[0..count]) |move| if (!e.board.play(move)) return argument;
    return ok;
}

export fn tengen_play(e: *Engine, move: u16) i32 {
    return if (e.board.play(move)) ok else argument;
}

export fn tengen_undo(e: *Engine, count: u32) i32 {
    if (count > e.board.plies) return argument;
    for (0..count) |_| e.board.undo();
    return ok;
}

export fn tengen_choose(e: *Engine, limits: *const Limits, reply: *Reply) i32 {
    if (e.board.width == 0) return state;
    if (reply.size < @sizeOf(Reply)) return argument;
    const lag = if (limits.size >= @sizeOf(Limits)) limits.lag_us else 0;
    const spare: i64 = if (limits.own_us < 0) 0 else @max(0, limits.hard_us - limits.own_us);
    const hard = limits.hard_us - spare;
    var clock: Clock = .{ .left = &left, .hard = hard, .spare = spare, .lag = lag };
    reply.* = @import("std").mem.zeroes(Reply);
    reply.size = @sizeOf(Reply);
    reply.move = choose(&e.board, &clock);
    reply.ponder = 0xFFFF;
    return ok;
}

var region: [4096]u64 = undefined;

fn buffer(bytes: u32) callconv(.c) ?*anyopaque {
    return if (bytes <= @sizeOf(@TypeOf(region))) @ptrCast(&region) else null;
}

comptime {
    if (is_wasm) @export(&buffer, .{ .name = "tengen_buffer" });
}
