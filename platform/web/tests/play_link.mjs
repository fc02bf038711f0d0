// The page's connection to tables, with a server that is only played: node --test play_link.mjs

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

let sockets = [];
let timers = [];
let looks = [];

/** A place to keep things in, as browsers have two. */
function storage() {
  const kept = new Map();
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => kept.set(name, value),
    removeItem: (name) => kept.delete(name),
  };
}

class FakeSocket {
  static OPEN = 1;
  constructor(address) {
    Object.assign(this, { address: String(address), readyState: 0, sent: [] });
    sockets.push(this);
  }
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose();
  }
  begin(more = {}) {
    this.readyState = 1;
    this.onopen();
    this.say({ type: "welcome", version: 1, server: "Tengen", now: Date.now(), engines: [], ...more });
  }
  say(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
  /** The newest message of that type. */
  last(type) {
    return this.sent.findLast((message) => message.type === type);
  }
}

beforeEach(() => {
  [sockets, timers, looks] = [[], [], []];
  const window = {
    setTimeout: (run) => timers.push(run),
    clearTimeout: () => {},
    setInterval: (run) => looks.push(run),
    addEventListener: () => {},
    localStorage: storage(),
    sessionStorage: storage(),
  };
  Object.assign(globalThis, {
    window,
    localStorage: window.localStorage,
    sessionStorage: window.sessionStorage,
    location: { href: "http://here:8080/#/play" },
    WebSocket: FakeSocket,
  });
});

const { invitationTo, keepInvitation, keepKey, keyOf, openLink } = await import("../page/play_link.js");
const { takeInvitation } = await import("../page/play.js");

function table(more = {}) {
  const game = { number: 1, seats: { first: 0, second: 1 }, black: "first", clocks: {}, first: {}, steps: [], result: null };
  return {
    type: "table",
    table: "r1",
    you: { seat: "first", key: "seat", host: false, host_key: null },
    keys: { invite: null, watch: null },
    state: { phase: "playing", seats: {}, requests: [], score: { first: 0, second: 0 } },
    live: { game, asked: "first", since: 0, left: { first: 1000, second: 1000 } },
    question: 1,
    waiting: "first",
    now: Date.now(),
    chat: [],
    ...more,
  };
}

const settled = () => new Promise((done) => setImmediate(done));

test("a seat is one's own again after the connection broke", async () => {
  const link = openLink();
  sockets[0].begin();
  assert.equal(sockets[0].address, "ws://here:8080/play");
  assert.equal(sockets[0].sent[0].type, "hello");
  const entered = link.enter("r1");
  sockets[0].say(table({ id: sockets[0].last("enter").id }));
  await entered;
  sockets[0].close();
  assert.equal(link.state, "lost");
  timers.at(-1)();
  sockets[1].begin();
  assert.deepEqual([link.state, sockets[1].last("enter").key], ["connected", "seat"]);
});

test("who has missed a step asks for the whole table", async () => {
  const link = openLink();
  sockets[0].begin();
  sockets[0].say(table());
  const step = { type: "step", table: "r1", number: 1, step: { seat: "first", move: "h8", ns: 1 }, question: 2 };
  sockets[0].say({ ...step, place: 0, asked: "second", waiting: "second", left: { first: 900, second: 1000 } });
  assert.equal(link.tables.get("r1").live.game.steps.length, 1);
  assert.equal(link.tables.get("r1").waiting, "second");
  assert.equal(sockets[0].last("enter"), undefined);
  sockets[0].say({ ...step, place: 3 });
  assert.equal(sockets[0].last("enter").table, "r1");
  // Of another game there is nothing to add.
  sockets[0].say({ ...step, number: 2, place: 1 });
  assert.equal(link.tables.get("r1").live.game.steps.length, 1);
});

test("a key that fits no more is forgotten, and the table is watched", async () => {
  keepKey("r1", "old");
  const link = openLink();
  sockets[0].begin();
  const entered = link.enter("r1");
  const first = sockets[0].last("enter");
  assert.equal(first.key, "old");
  sockets[0].say({ type: "error", code: "key", message: "none of this table", id: first.id });
  await settled();
  const second = sockets[0].last("enter");
  assert.equal(second.key, undefined);
  sockets[0].say(table({ id: second.id, you: { seat: null, key: null, host: false, host_key: null } }));
  await entered;
  assert.equal(keyOf("r1"), null);
});

test("who opened a table shows both keys, and may still close it", async () => {
  const link = openLink();
  sockets[0].begin();
  sockets[0].say(table({ you: { seat: "first", key: "seat", host: true, host_key: "host" } }));
  link.enter("r1");
  const keys = sockets[0].sent.filter(({ type }) => type === "enter").map(({ key }) => key);
  assert.deepEqual(keys, ["host", "seat"]);
});

test("the link to a table at which one sits does not take the seat away", async () => {
  keepKey("r1", "seat");
  keepInvitation("r1", "invite");
  const link = openLink();
  sockets[0].begin();
  const entered = link.enter("r1");
  assert.equal(sockets[0].last("enter").key, "seat");
  sockets[0].say(table({ id: sockets[0].last("enter").id }));
  await entered;
  sockets[0].close();
  timers.at(-1)();
  sockets[1].begin();
  assert.equal(sockets[1].last("enter").key, "seat");
  assert.equal(keyOf("r1"), "seat");
});

test("who is invited in another tab has the other side, or the seat that nobody is at", async () => {
  const you = { seat: null, key: null, host: false, host_key: null };
  for (const isHere of [true, false]) {
    keepKey("r1", "seat");
    sessionStorage.removeItem("tengen.key.r1");
    keepInvitation("r1", "invite");
    const link = openLink();
    const socket = sockets.at(-1);
    socket.begin();
    link.enter("r1");
    assert.equal(socket.last("enter").key, "invite");
    const state = { phase: "open", seats: { first: { name: "Ada", here: isHere }, second: null }, requests: [], score: { first: 0, second: 0 } };
    socket.say(table({ id: socket.last("enter").id, you, state, live: null }));
    await settled();
    assert.equal(socket.last("enter").key, isHere ? "invite" : "seat");
    assert.equal(keyOf("r1"), "seat");
  }
});

test("a host without a seat keeps the key of the seat", () => {
  keepKey("r1", "seat");
  const link = openLink();
  sockets[0].begin();
  sockets[0].say(table({ you: { seat: null, key: null, host: true, host_key: "host" } }));
  assert.equal(keyOf("r1"), "seat");
  link.enter("r1");
  const keys = sockets[0].sent.filter(({ type }) => type === "enter").map(({ key }) => key);
  assert.deepEqual(keys, ["host", "seat"]);
});

test("a link leads to its table, also one that names it a room", () => {
  for (const [name, key] of [["table", "k1"], ["room", "k2"]]) {
    assert.equal(takeInvitation(`#${name}=r1&key=${key}`), "r1");
    assert.equal(invitationTo("r1"), key);
  }
  assert.equal(takeInvitation("#/play/r1"), null);
});

test("a table that was closed is shown no more", () => {
  const link = openLink();
  sockets[0].begin();
  sockets[0].say(table());
  sockets[0].say({ type: "closed", table: "r1", reason: "the end" });
  assert.equal(link.tables.has("r1"), false);
  assert.equal(link.closed.get("r1"), "the end");
});

test("what was asked fails when the connection breaks, with words", async () => {
  const link = openLink();
  sockets[0].begin();
  const asked = link.ask({ type: "host", table: {} });
  sockets[0].close();
  await assert.rejects(asked, /connection lost/);
});

test("a server of another version is not asked again", () => {
  const link = openLink();
  sockets[0].readyState = 1;
  sockets[0].onopen();
  sockets[0].say({ type: "error", code: "version", message: "this is version 2" });
  sockets[0].close();
  assert.equal(link.refused, "this is version 2");
  assert.equal(timers.length, 0);
});

test("a line that is dead without a word is left, and made again", async (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  const pass = (millis) => {
    for (let past = 0; past < millis; past += 500) {
      context.mock.timers.tick(500);
      looks.at(-1)();
    }
  };
  const link = openLink();
  looks.at(-1)();
  sockets[0].begin({ beat: 3000 });
  assert.equal(sockets[0].last("beat").type, "beat");
  for (let beats = 0; beats < 5; beats += 1) {
    pass(3000);
    sockets[0].say({ type: "beat", now: Date.now() });
  }
  assert.equal(link.state, "connected");
  // What is told into the dead line fails as soon as it is noticed.
  const failed = [];
  link.tell({ type: "act", table: "r1", question: 1, move: "h8" }, (words) => failed.push(words));
  pass(9500);
  assert.deepEqual([link.state, failed.length], ["lost", 1]);
  // The next connection does not even greet.
  timers.at(-1)();
  assert.equal(sockets.length, 2);
  pass(9500);
  timers.at(-1)();
  sockets[2].begin({ beat: 3000 });
  assert.equal(link.state, "connected");
  // A page that slept has heard nothing for that alone.
  context.mock.timers.tick(600_000);
  looks.at(-1)();
  assert.equal(link.state, "connected");
  pass(9500);
  assert.equal(link.state, "lost");
});

test("a server without beats is not left for its silence", (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  const link = openLink();
  sockets[0].begin();
  assert.equal(sockets[0].last("beat"), undefined);
  for (let looked = 0; looked < 60; looked += 1) {
    context.mock.timers.tick(500);
    looks.at(-1)();
  }
  assert.equal(link.state, "connected");
});
