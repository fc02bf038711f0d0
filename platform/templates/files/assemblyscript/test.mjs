// `npm test`: the engine completes a row of five.
import { readFile } from "node:fs/promises";

const file = await readFile(new URL("build/@NAME@.wasm", import.meta.url));
const tengen = { left_us: () => 0x7fffffffffffffffn };
const { instance } = await WebAssembly.instantiate(file, { tengen });
const engine = instance.exports;
const handle = engine.tengen_create(0);
const at = engine.tengen_buffer(256);
const memory = new DataView(engine.memory.buffer);

const game = [[0, 88], [4, 15 | (15 << 16)], [8, 1]];
for (const [offset, value] of game) memory.setUint32(at + offset, value, true);
check(engine.tengen_new_game(handle, at), 0);
for (let i = 0; i < 4; i++) {
  check(engine.tengen_play(handle, (7 + i) | (7 << 8)), 0);
  check(engine.tengen_play(handle, i), 0);
}
memory.setUint32(at, 64, true);
memory.setBigInt64(at + 32, -1n, true);
memory.setUint32(at + 64, 48, true);
check(engine.tengen_choose(handle, at, at + 64), 0);
const move = memory.getUint16(at + 72, true);
if (move !== (6 | (7 << 8)) && move !== (11 | (7 << 8))) {
  throw new Error(`it played ${move & 255},${move >> 8} and made no five`);
}
console.log("passed");

function check(status, wanted) {
  if (status !== wanted) throw new Error(`the engine answered ${status}`);
}
