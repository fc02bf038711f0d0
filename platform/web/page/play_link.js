// The connection to the tables of a server: one WebSocket that comes back by itself.

import { clocksOf } from "./clock.js";
import { recall, remember } from "./dom.js";
import { text } from "./texts.js";

/** @import { ClientMessage, ServerMessage, TableListing } from "./protocol.d.ts" */

/**
 * @template {ClientMessage["type"]} T
 * @typedef {Extract<ClientMessage, {type: T}>} ToServer
 */
/**
 * @template {ServerMessage["type"]} T
 * @typedef {Extract<ServerMessage, {type: T}>} FromServer
 */
/**
 * @typedef {FromServer<"table">} Room
 * @typedef {FromServer<"welcome">} Welcome
 * @typedef {[string | null, () => void]} Key a key of a room, and what forgets it
 * @typedef {"state" | "lobby" | "table" | "step" | "room" | "chat" | "closed"} PlayChange
 * @typedef {{state: "connecting" | "connected" | "lost", skew: number, welcome: Welcome | null,
 *   refused: string, rooms: Map<string, Room>, lobby: Map<string, TableListing>,
 *   closed: Map<string, string>, list: (on: boolean) => void,
 *   ask: {(message: ToServer<"record">): Promise<FromServer<"record">>,
 *     (message: ToServer<"enter" | "host" | "sit">): Promise<Room>},
 *   tell: (message: ClientMessage, failed: (words: string) => void) => void,
 *   enter: (room: string) => Promise<Room>, leave: (room: string) => void,
 *   rename: (name: string) => void,
 *   onchange: (listener: ((change: PlayChange, room: string) => void) | null) => void}} PlayLink
 */

/** The version of the protocol. */
const VERSION = 2;
/** How long is waited before it is tried again: at first, and at most. */
const SOON_MS = 500;
const LATE_MS = 8000;
/** How long the server may take to answer what has an answer. */
const ANSWER_MS = 20_000;
/** The lines of chat that are kept. */
const MOST_LINES = 200;

/**
 * What this browser may do in a room: the key that it was given last. This tab's own comes first,
 * for two tabs may sit at the two sides of a table.
 * @param {string} room
 */
export function keyOf(room) {
  return ownKeyOf(room) ?? recall(`key.${room}`);
}

/** @param {string} room */
function ownKeyOf(room) {
  try {
    return sessionStorage.getItem(`tengen.key.${room}`);
  } catch {
    // There may be one for all tabs.
    return null;
  }
}

/**
 * @param {string} room
 * @param {string} key
 */
export function keepKey(room, key) {
  try {
    sessionStorage.setItem(`tengen.key.${room}`, key);
  } catch {
    // All tabs have it.
  }
  remember(`key.${room}`, key);
}

/**
 * The key of the link that led this tab to a room. It never takes the place of a seat's key, for
 * who follows a link to the own table sits there already.
 * @param {string} room
 */
export function invitationTo(room) {
  try {
    return sessionStorage.getItem(`tengen.invite.${room}`);
  } catch {
    return invitations.get(room) ?? null;
  }
}

/** Invitations where nothing can be kept. @type {Map<string, string>} */
const invitations = new Map();

/**
 * @param {string} room
 * @param {string} key
 */
export function keepInvitation(room, key) {
  try {
    sessionStorage.setItem(`tengen.invite.${room}`, key);
  } catch {
    invitations.set(room, key);
  }
}

/** @param {string} name */
function forget(name) {
  for (const storage of ["sessionStorage", "localStorage"]) {
    try {
      Reflect.get(window, storage).removeItem(`tengen.${name}`);
    } catch {
      // Nothing is kept there.
    }
  }
}

/** @returns {PlayLink} */
export function openLink() {
  /** @type {Map<number, {done: (answer: any) => void, fail: (error: Error) => void}>} */
  const waiting = new Map();
  /** @type {Set<string>} */
  const entered = new Set();
  /** @type {((change: PlayChange, room: string) => void) | null} */
  let listener = null;
  /** @type {WebSocket | null} */
  let socket = null;
  let lastId = 0;
  let pause = SOON_MS;
  let retry = 0;
  let isListing = false;

  /** @type {PlayLink} */
  const link = {
    state: "connecting",
    skew: 0,
    welcome: null,
    refused: "",
    rooms: new Map(),
    lobby: new Map(),
    closed: new Map(),
    list(on) {
      if (on === isListing) return;
      isListing = on;
      if (link.state === "connected") post({ type: "list", on });
    },
    /**
     * @param {ClientMessage} message
     * @returns {Promise<any>}
     */
    ask(message) {
      return new Promise((done, fail) => {
        const id = (lastId += 1);
        if (!post({ ...message, id })) return fail(new Error(text("disconnected")));
        const timer = window.setTimeout(() => {
          waiting.delete(id);
          fail(new Error(text("noAnswer")));
          // What looks open may lead nowhere: a new connection shows.
          socket?.close();
        }, ANSWER_MS);
        const settle = (/** @type {(value: any) => void} */ then) => (/** @type {any} */ value) => {
          window.clearTimeout(timer);
          then(value);
        };
        waiting.set(id, { done: settle(done), fail: settle(fail) });
      });
    },
    tell(message, failed) {
      const id = (lastId += 1);
      if (!post({ ...message, id })) return failed(text("disconnected"));
      waiting.set(id, { done: () => {}, fail: (error) => failed(error.message) });
      // Most are not answered: only the newest may still be refused.
      for (const old of waiting.keys()) {
        if (waiting.size <= 100) break;
        waiting.delete(old);
      }
    },
    enter(room) {
      entered.add(room);
      const host = keyOf(`${room}.host`);
      // Who opened the table may close it, also while sitting at it: both keys are shown.
      if (host) post({ type: "enter", room, key: host });
      const seat = /** @type {Key} */ ([keyOf(room), () => forget(`key.${room}`)]);
      const invited = /** @type {Key} */ ([invitationTo(room), () => forget(`invite.${room}`)]);
      if (ownKeyOf(room) || !seat[0] || !invited[0]) return enterWith(room, [seat, invited]);
      // Another tab sits here, or did: who is invited as well may want the other side.
      return enterWith(room, [invited]).then((table) => {
        const { seats } = table.state;
        const both = Object.values(seats);
        const isFree = both.includes(null) && both.every((one) => !one || one.here);
        return isFree ? table : enterWith(room, [seat, invited]);
      });
    },
    leave(room) {
      if (!entered.delete(room)) return;
      link.rooms.delete(room);
      post({ type: "leave", room });
    },
    rename(name) {
      remember("name", name);
      if (name) post({ type: "name", name });
    },
    onchange(wanted) {
      listener = wanted;
    },
  };

  const changed = (/** @type {PlayChange} */ change, room = "") => listener?.(change, room);

  /** @param {ClientMessage} message */
  function post(message) {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  }

  /**
   * Enters with the first key that fits, or without one.
   * @param {string} room
   * @param {Key[]} keys
   * @returns {Promise<Room>}
   */
  function enterWith(room, [first, ...more]) {
    if (!first) return link.ask({ type: "enter", room });
    const [key, forgetIt] = first;
    if (!key) return enterWith(room, more);
    return link.ask({ type: "enter", room, key }).catch((error) => {
      if (error.code !== "key") throw error;
      // The seat is another's by now; a public table can be watched without a key.
      forgetIt();
      return enterWith(room, more);
    });
  }

  function connect() {
    window.clearTimeout(retry);
    const address = new URL("play", location.href.split("#")[0]);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const mine = new WebSocket(address);
    socket = mine;
    mine.onopen = () => {
      const name = recall("name");
      post({ type: "hello", version: VERSION, ...(name ? { name } : {}), agent: "page" });
    };
    mine.onmessage = ({ data }) => {
      if (socket === mine) take(JSON.parse(data));
    };
    mine.onclose = () => {
      if (socket !== mine) return;
      socket = null;
      for (const { fail } of waiting.values()) fail(new Error(text("disconnected")));
      waiting.clear();
      link.state = "lost";
      changed("state");
      if (link.refused) return;
      retry = window.setTimeout(connect, pause);
      pause = Math.min(LATE_MS, pause * 2);
    };
  }

  async function welcomed() {
    link.state = "connected";
    pause = SOON_MS;
    changed("state");
    if (isListing) post({ type: "list", on: true });
    for (const room of entered) {
      link.enter(room).catch((error) => {
        if (error.code) {
          entered.delete(room);
          link.rooms.delete(room);
        }
        link.closed.set(room, error.message);
        changed("closed", room);
      });
    }
  }

  /** @param {ServerMessage} message */
  function take(message) {
    if ("now" in message) link.skew = message.now - Date.now();
    if ("id" in message && message.id !== undefined) {
      const asked = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.type === "error")
        asked?.fail(Object.assign(new Error(message.message), { code: message.code }));
      else asked?.done(message);
    }
    switch (message.type) {
      case "welcome":
        link.welcome = message;
        welcomed();
        break;
      case "error":
        if (message.code === "version") {
          link.refused = message.message;
          changed("state");
        }
        break;
      case "lobby":
        link.lobby = new Map(message.rooms.map((listed) => [listed.room, listed]));
        changed("lobby");
        break;
      case "listed":
        link.lobby.set(message.room.room, message.room);
        changed("lobby");
        break;
      case "unlisted":
        link.lobby.delete(message.room);
        changed("lobby");
        break;
      case "table":
        takeTable(message);
        break;
      case "closed":
        entered.delete(message.room);
        link.rooms.delete(message.room);
        link.closed.set(message.room, message.reason);
        changed("closed", message.room);
        break;
      case "state":
      case "step":
      case "over":
      case "chat": {
        const known = link.rooms.get(message.room);
        if (known) takeNews(known, message);
      }
    }
  }

  /** @param {Room} table */
  function takeTable(table) {
    const { key, host_key: host } = table.you;
    if (host) keepKey(`${table.room}.host`, host);
    if (key) keepKey(table.room, key);
    entered.add(table.room);
    link.closed.delete(table.room);
    link.rooms.set(table.room, table);
    changed("table", table.room);
  }

  /**
   * @param {Room} known
   * @param {FromServer<"state" | "step" | "over" | "chat">} message
   */
  function takeNews(known, message) {
    const { live } = known;
    switch (message.type) {
      case "state":
        known.state = message.state;
        changed("room", known.room);
        break;
      case "step":
        if (!live?.game || live.game.number !== message.number) return;
        if (message.place > live.game.steps.length) {
          // Something was missed.
          link.enter(known.room).catch(() => {});
          return;
        }
        if (message.place === live.game.steps.length) live.game.steps.push(message.step);
        if (message.opening) live.game.opening = message.opening;
        Object.assign(live, clocksOf(message));
        Object.assign(known, { question: message.question, waiting: message.waiting });
        changed("step", known.room);
        break;
      case "over":
        if (!live?.game || live.game.number !== message.number) return;
        Object.assign(live.game, { result: message.result, row: message.row });
        Object.assign(live, { asked: null, left: message.left, byo_yomi: message.byo_yomi });
        known.waiting = null;
        changed("step", known.room);
        break;
      case "chat":
        known.chat.push(message.line);
        known.chat.splice(0, known.chat.length - MOST_LINES);
        changed("chat", known.room);
        break;
    }
  }

  // A network that is back is tried at once; one that is gone may leave a connection that looks open.
  window.addEventListener("online", () => {
    if (socket) socket.close();
    else if (!link.refused) connect();
  });
  window.addEventListener("offline", () => socket?.close());
  connect();
  return link;
}
