// What the page knows of a live event, with a server that is only played: node --test source.mjs

import assert from "node:assert/strict";
import { test } from "node:test";

import { clockFace, faceText, pastFace } from "../page/clock.js";
import { timeText } from "../page/lobby.js";
import { eventKeeper, findSource } from "../page/source.js";

/** What the page has of a browser: a server whose answers and messages a test gives. */
function playedServer(events = ["cup"]) {
  const server = { state: 1, reads: 0, streams: [], hold: null };
  globalThis.document = { getElementById: () => null };
  globalThis.window = { setTimeout: () => 0 };
  globalThis.fetch = async (path) => {
    if (path === "api/events") {
      return { ok: true, json: async () => ({ events: events.map((id) => ({ id, title: id })) }) };
    }
    server.reads += 1;
    const { state } = server;
    await server.hold;
    return { ok: true, json: async () => ({ state, path }) };
  };
  globalThis.EventSource = class {
    static CLOSED = 2;
    constructor(path) {
      Object.assign(this, { path, isOpen: true, listeners: new Map() });
      server.streams.push(this);
    }
    addEventListener(name, take) {
      this.listeners.set(name, take);
    }
    close() {
      this.isOpen = false;
    }
  };
  server.tell = (name, data) =>
    server.streams.at(-1).listeners.get(name)({ data: JSON.stringify(data) });
  server.snapshot = () =>
    server.tell("snapshot", {
      served: true,
      ended: false,
      state: server.state,
      delay: 0,
      now: Date.now(),
      tables: [],
    });
  return server;
}

/** Until nothing is left to be done. */
const settled = () => new Promise((done) => setImmediate(done));

test("a snapshot after a cut connection brings the standings that were missed", async () => {
  const server = playedServer();
  const opened = await (await findSource()).open("cup");
  server.snapshot();
  await settled();
  assert.equal(server.reads, 1, "what is there is not read again");
  // The connection is cut, something changes, and the browser connects again.
  server.state = 2;
  server.snapshot();
  await settled();
  assert.equal(opened.data.state, 2);
});

test("what changes while the event is read is read as well", async () => {
  const server = playedServer();
  const opened = await (await findSource()).open("cup");
  let go;
  server.hold = new Promise((done) => (go = done));
  server.state = 2;
  server.tell("changed", { state: 2 });
  server.state = 3;
  server.tell("changed", { state: 3 });
  server.hold = null;
  go();
  await settled();
  assert.equal(opened.data.state, 3);
});

test("the end is told when what the event came to is there", async () => {
  const server = playedServer();
  const opened = await (await findSource()).open("cup");
  const seen = [];
  opened.onchange((change) => seen.push(`${change} ${opened.data.state} ${opened.live.isEnded}`));
  server.state = 2;
  server.tell("changed", { state: 2 });
  server.tell("ended", {});
  await settled();
  assert.deepEqual(seen, ["data 2 false", "state 2 true"]);
});

test("of two events that are opened at once the later one stays, and one stream", async () => {
  const server = playedServer(["cup", "league"]);
  const source = await findSource();
  const begun = [];
  const keep = eventKeeper(source, (opened) => begun.push(opened));
  let go;
  server.hold = new Promise((done) => (go = done));
  const all = [keep("cup"), keep("league"), keep("league")];
  server.hold = null;
  go();
  const opened = await Promise.all(all);
  await settled();
  assert.equal(opened[1], opened[2], "it is opened once");
  const open = server.streams.filter((stream) => stream.isOpen).map((stream) => stream.path);
  assert.deepEqual(open, ["api/events/league/stream"]);
});

test("an event that could not be opened can be asked for again", async () => {
  const source = { events: [], open: async () => Promise.reject(new Error("gone")) };
  const keep = eventKeeper(source, () => {});
  await assert.rejects(keep("cup"));
  source.open = async () => ({ close: () => {} });
  assert.ok(await keep("cup"));
});

test("a clock shows the period that runs and how many follow", () => {
  const byoYomi = { in_period: false, periods: 3, span: 30_000 };
  const turn = { left: { first: 100_000, second: null }, byo_yomi: { first: byoYomi, second: null } };
  const shown = (/** @type {number} */ taken) => faceText(clockFace(turn, "first", taken));
  const cases = [
    [40_000, "1:00 (3)"],
    [99_000, "1.0 (3)"],
    [100_000, "0:30 (2)"],
    [106_000, "0:24 (2)"],
    [130_000, "0.0 (2)"],
    [130_500, "0:29 (1)"],
    [190_000, "0.0 (0)"],
    [999_000, "0.0 (0)"],
  ];
  for (const [taken, text] of cases) assert.equal(shown(taken), text, `after ${taken}`);
  assert.equal(clockFace(turn, "second", 0), null);
  const turn12 = { left: { first: 9000 }, answers_left: { first: 12 } };
  assert.equal(faceText(clockFace(turn12, "first", 1000)), "8.0");
  assert.deepEqual(clockFace(turn12, "first", 0).answersLeft, 12);
});

test("a move list shows the period that was left where the game's time was over", () => {
  const face = { left: 30_000, in_period: true, periods: 1, span: 30_000 };
  const shown = (/** @type {object} */ step) => faceText(pastFace(step));
  assert.equal(shown({ clock: 0, face }), "0:30 (1)");
  assert.equal(shown({ clock: 90_000_000_000 }), "1:30");
  assert.equal(pastFace({ clock: null }), null);
});

test("a time control is told in the words of the field", () => {
  const cases = [
    ["inf", "no clock"],
    ["300+5", "5 min + 5 s"],
    ["90+0", "90 s"],
    ["600+0,byo=3x30", "10 min + 3 × 30 s byo-yomi"],
    ["600+5,byo=1x60", "10 min + 5 s + 1 × 1 min byo-yomi"],
    ["40/60+0", "40 moves in 1 min"],
    ["60+0.1,move=5", "1 min + 0.1 s · 5 s a move"],
    ["move=30", "30 s a move"],
    ["nodes=7", "nodes=7"],
  ];
  for (const [time, words] of cases) assert.equal(timeText(time), words);
});
