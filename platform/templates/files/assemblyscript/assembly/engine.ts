// What Tengen calls. It keeps the position and the time, and calls choose(). You need not change
// it, except for the rules that the engine plays: see `about`. The offsets are those of tengen.h.

import { Board, Clock } from "./board";
import { choose } from "./choose";

const OK: i32 = 0, UNSUPPORTED: i32 = -1, ARGUMENT: i32 = -2, STATE: i32 = -4;
const RENJU: u16 = 3;
const REPLY_SIZE: u32 = 48, LIMITS_SIZE: u32 = 64, BUFFER_SIZE: u32 = 32768;

const about = String.UTF8.encode(
  "name @NAME@\nversion 0.1.0\n" +
  "rule freestyle 5..32\nrule standard 5..32\nrule caro 5..32\n",
  true,
);
const board = new Board();
const clock = new Clock();
const buffer = new ArrayBuffer(BUFFER_SIZE);

/** What the language calls where a program would stop with an error. */
export function stop(message: string | null, file: string | null, line: u32, column: u32): void {
  unreachable();
}

export function tengen_abi_v1(): u32 {
  return 1;
}

export function tengen_describe(): usize {
  return changetype<usize>(about);
}

export function tengen_create(host: usize): usize {
  clock.host = host;
  // Any address but 0 does.
  return changetype<usize>(board);
}

export function tengen_new_game(engine: usize, game: usize): i32 {
  const width = load<u16>(game, 4), height = load<u16>(game, 6);
  if (width < 5 || width > 32 || height < 5 || height > 32) return ARGUMENT;
  if (load<u16>(game, 8) == RENJU) return UNSUPPORTED;
  board.reset(width, height);
  return OK;
}

export function tengen_set_position(engine: usize, moves: usize, count: u32): i32 {
  while (board.plies > 0) board.undo();
  for (let i: u32 = 0; i < count; i++) {
    if (!board.play(load<u16>(moves + 2 * i))) return ARGUMENT;
  }
  return OK;
}

export function tengen_play(engine: usize, move: u32): i32 {
  return board.play(<u16>move) ? OK : ARGUMENT;
}

export function tengen_undo(engine: usize, count: u32): i32 {
  if (count > <u32>board.plies) return ARGUMENT;
  for (let i: u32 = 0; i < count; i++) board.undo();
  return OK;
}

export function tengen_choose(engine: usize, limits: usize, reply: usize): i32 {
  if (board.width == 0) return STATE;
  if (load<u32>(reply) < REPLY_SIZE) return ARGUMENT;
  const lag = load<u32>(limits) >= LIMITS_SIZE ? load<i64>(limits, 56) : 0;
  clock.start(load<i64>(limits, 32), load<i64>(limits, 8), lag);
  const move = choose(board, clock);
  memory.fill(reply, 0, REPLY_SIZE);
  store<u32>(reply, REPLY_SIZE);
  store<u16>(reply, move, 8);
  store<u16>(reply, 0xffff, 10);
  return OK;
}

export function tengen_buffer(bytes: u32): usize {
  return bytes <= BUFFER_SIZE ? changetype<usize>(buffer) : 0;
}
