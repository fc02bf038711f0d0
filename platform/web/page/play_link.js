// The connection to the tables of a server: one WebSocket that comes back by itself.

import { clocksOf } from "./clock.js";
import { recall, remember } from "./dom.js";
import { text } from "./texts.js";

/** @import { AllSettings, ClientMessage, ServerMessage } from "./protocol.d.ts" */
/** @import { TableListing, TableSettings } from "./protocol.d.ts" */

/**
 * @template {ClientMessage["type"]} T
 * @typedef {Extract<ClientMessage, {type: T}>} ToServer
 */
/**
 * @template {ServerMessage["type"]} T
 * @typedef {Extract<ServerMessage, {type: T}>} FromServer
 */
/**
 * @typedef {FromServer<"table">} Table
 * @typedef {FromServer<"welcome">} Welcome
 * @typedef {[string | null, () => void]} Key a key of a table, and what forgets it
 * @typedef {"state" | "lobby" | "table" | "step" | "around" | "chat" | "closed"
 *   | "paired"} PlayChange
 * @typedef {{state: "connecting" | "connected" | "lost", skew: number, welcome: Welcome | null,
 *   refused: string, tables: Map<string, Table>, lobby: Map<string, TableListing>,
 *   seeks: AllSettings[], seeking: TableSettings | null,
 *   seek: (wanted: TableSettings | null) => Promise<void>,
 *   closed: Map<string, string>, list: (on: boolean) => void,
 *   ask: {(message: ToServer<"record">): Promise<FromServer<"record">>,
 *     (message: ToServer<"enter" | "host" | "sit">): Promise<Table>,
 *     (message: ToServer<"seek">): Promise<FromServer<"seeks">>},
 *   tell: (message: ClientMessage, failed: (words: string) => void) => void,
 *   enter: (table: string) => Promise<Table>, leave: (table: string) => void,
 *   rename: (name: string) => void,
 *   onchange: (listener: ((change: PlayChange, table: string) => void) | null) => void}} PlayLink
 */

/** The version of the protocol. */
const VERSION = 2;
/** How long is waited before it is tried again: at first, and at most. */
const SOON_MS = 500;
const LATE_MS = 8000;
/** How long the server may take to answer what has an answer. */
const ANSWER_MS = 20_000;
/** How long nothing may come of a server that has beats, and how often that is looked at. */
const SILENCE_MS = 9000;
const LOOK_MS = 500;
/** The lines of chat that are kept. */
const MOST_LINES = 200;

/**
 * What this browser may do at a table: the key that it was given last. This tab's own comes
 * first, for two tabs may sit at the two sides of a table.
 * @param {string} table
 */
export function keyOf(table) {
  return ownKeyOf(table) ?? recall(`key.${table}`);
}

/** @param {string} table */
function ownKeyOf(table) {
  try {
    return sessionStorage.getItem(`tengen.key.${table}`);
  } catch {
    // There may be one for all tabs.
    return null;
  }
}

/**
 * @param {string} table
 * @param {string} key
 */
export function keepKey(table, key) {
  try {
    sessionStorage.setItem(`tengen.key.${table}`, key);
  } catch {
    // All tabs have it.
  }
  remember(`key.${table}`, key);
}

/**
 * The key of the link that led this tab to a table. It never takes the place of a seat's key, for
 * who follows a link to the own table sits there already.
 * @param {string} table
 */
export function invitationTo(table) {
  try {
    return sessionStorage.getItem(`tengen.invite.${table}`);
  } catch {
    return invitations.get(table) ?? null;
  }
}

/** Invitations where nothing can be kept. @type {Map<string, string>} */
const invitations = new Map();

/**
 * @param {string} table
 * @param {string} key
 */
export function keepInvitation(table, key) {
  try {
    sessionStorage.setItem(`tengen.invite.${table}`, key);
  } catch {
    invitations.set(table, key);
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

/** What who has told no name is called: two of them at a table are told apart. */
export function guestName() {
  const known = recall("guest");
  const number = known ?? String(100 + Math.floor(900 * Math.random()));
  if (!known) remember("guest", number);
  return `${text("guest")} ${number}`;
}

/** @returns {PlayLink} */
export function openLink() {
  /** @type {Map<number, {done: (answer: any) => void, fail: (error: Error) => void}>} */
  const waiting = new Map();
  /** @type {Set<string>} */
  const entered = new Set();
  /** @type {((change: PlayChange, table: string) => void) | null} */
  let listener = null;
  /** @type {WebSocket | null} */
  let socket = null;
  let lastId = 0;
  let pause = SOON_MS;
  let retry = 0;
  let isListing = false;
  /** When the server was heard last, and when that was looked at. */
  let heard = 0;
  let looked = 0;

  /** @type {PlayLink} */
  const link = {
    state: "connecting",
    skew: 0,
    welcome: null,
    refused: "",
    tables: new Map(),
    lobby: new Map(),
    closed: new Map(),
    seeks: [],
    seeking: null,
    async seek(wanted) {
      link.seeking = wanted;
      if (wanted === null) {
        post({ type: "seek", on: false });
        changed("lobby");
        return;
      }
      try {
        await link.ask({ type: "seek", on: true, table: wanted });
      } catch (error) {
        link.seeking = null;
        throw error;
      }
    },
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
          if (socket) lost(socket);
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
    enter(table) {
      entered.add(table);
      const host = keyOf(`${table}.host`);
      // Who opened the table may close it, also while sitting at it: both keys are shown.
      if (host) post({ type: "enter", table, key: host });
      const seat = /** @type {Key} */ ([keyOf(table), () => forget(`key.${table}`)]);
      const invited = /** @type {Key} */ ([invitationTo(table), () => forget(`invite.${table}`)]);
      if (ownKeyOf(table) || !seat[0] || !invited[0]) return enterWith(table, [seat, invited]);
      // Another tab sits here, or did: who is invited as well may want the other side.
      return enterWith(table, [invited]).then((shown) => {
        const { seats } = shown.state;
        const both = Object.values(seats);
        const isFree = both.includes(null) && both.every((one) => !one || one.here);
        return isFree ? shown : enterWith(table, [seat, invited]);
      });
    },
    leave(table) {
      if (!entered.delete(table)) return;
      link.tables.delete(table);
      post({ type: "leave", table });
    },
    rename(name) {
      remember("name", name);
      post({ type: "name", name: name || guestName() });
    },
    onchange(wanted) {
      listener = wanted;
    },
  };

  const changed = (/** @type {PlayChange} */ change, table = "") => listener?.(change, table);

  /** @param {ClientMessage} message */
  function post(message) {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  }

  /**
   * Enters with the first key that fits, or without one.
   * @param {string} table
   * @param {Key[]} keys
   * @returns {Promise<Table>}
   */
  function enterWith(table, [first, ...more]) {
    if (!first) return link.ask({ type: "enter", table });
    const [key, forgetIt] = first;
    if (!key) return enterWith(table, more);
    return link.ask({ type: "enter", table, key }).catch((error) => {
      if (error.code !== "key") throw error;
      // The seat is another's by now; a public table can be watched without a key.
      forgetIt();
      return enterWith(table, more);
    });
  }

  function connect() {
    window.clearTimeout(retry);
    const address = new URL("play", location.href.split("#")[0]);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const mine = new WebSocket(address);
    socket = mine;
    mine.onopen = () => {
      post({ type: "hello", version: VERSION, name: recall("name") || guestName(), agent: "page" });
    };
    heard = Date.now();
    mine.onmessage = ({ data }) => {
      if (socket !== mine) return;
      heard = Date.now();
      take(JSON.parse(data));
    };
    mine.onclose = () => lost(mine);
  }

  /**
   * A connection is no more, or leads nowhere: its end is not waited for, which a dead line delays.
   * @param {WebSocket} mine
   */
  function lost(mine) {
    if (socket !== mine) return;
    socket = null;
    mine.close();
    link.state = "lost";
    for (const { fail } of [...waiting.values()]) fail(new Error(text("disconnected")));
    waiting.clear();
    changed("state");
    if (link.refused) return;
    retry = window.setTimeout(connect, pause);
    pause = Math.min(LATE_MS, pause * 2);
  }

  /** Looks whether the server is there: it is heard every few seconds, or greets at least. */
  function look() {
    const now = Date.now();
    // A page that slept has heard nothing for that alone.
    if (now - looked > 4 * LOOK_MS) heard = Math.max(heard, now - SILENCE_MS / 2);
    looked = now;
    const isHeard = link.state !== "connected" || (link.welcome?.beat ?? 0) > 0;
    if (socket && isHeard && now - heard > SILENCE_MS) lost(socket);
  }

  async function welcomed() {
    link.state = "connected";
    pause = SOON_MS;
    if (link.welcome?.beat) post({ type: "beat" });
    changed("state");
    if (isListing) post({ type: "list", on: true });
    if (link.seeking) link.seek(link.seeking).catch(() => {});
    for (const table of entered) {
      link.enter(table).catch((error) => {
        if (!error.code) return;
        entered.delete(table);
        link.tables.delete(table);
        link.closed.set(table, error.message);
        changed("closed", table);
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
      case "beat":
        break;
      case "lobby":
        link.lobby = new Map(message.tables.map((listed) => [listed.table, listed]));
        link.seeks = [];
        changed("lobby");
        break;
      case "listed":
        link.lobby.set(message.table.table, message.table);
        changed("lobby");
        break;
      case "unlisted":
        link.lobby.delete(message.table);
        changed("lobby");
        break;
      case "seeks":
        link.seeks = message.seeks;
        changed("lobby");
        break;
      case "paired":
        link.seeking = null;
        keepKey(message.table, message.key);
        changed("paired", message.table);
        break;
      case "table":
        takeTable(message);
        break;
      case "closed":
        entered.delete(message.table);
        link.tables.delete(message.table);
        link.closed.set(message.table, message.reason);
        changed("closed", message.table);
        break;
      case "state":
      case "step":
      case "over":
      case "chat": {
        const known = link.tables.get(message.table);
        if (known) takeNews(known, message);
      }
    }
  }

  /** @param {Table} shown */
  function takeTable(shown) {
    const { table, you } = shown;
    const { key, host_key: host } = you;
    if (host) keepKey(`${table}.host`, host);
    if (key) keepKey(table, key);
    entered.add(table);
    link.closed.delete(table);
    link.tables.set(table, shown);
    changed("table", table);
  }

  /**
   * @param {Table} known
   * @param {FromServer<"state" | "step" | "over" | "chat">} message
   */
  function takeNews(known, message) {
    const { live } = known;
    switch (message.type) {
      case "state":
        known.state = message.state;
        changed("around", known.table);
        break;
      case "step":
        if (!live?.game || live.game.number !== message.number) return;
        if (message.place > live.game.steps.length) {
          // Something was missed.
          link.enter(known.table).catch(() => {});
          return;
        }
        if (message.place === live.game.steps.length) live.game.steps.push(message.step);
        if (message.opening) live.game.opening = message.opening;
        Object.assign(live, clocksOf(message));
        Object.assign(known, { question: message.question, waiting: message.waiting });
        changed("step", known.table);
        break;
      case "over":
        if (!live?.game || live.game.number !== message.number) return;
        Object.assign(live.game, { result: message.result, row: message.row });
        Object.assign(live, { asked: null, left: message.left, byo_yomi: message.byo_yomi });
        known.waiting = null;
        changed("step", known.table);
        break;
      case "chat":
        known.chat.push(message.line);
        known.chat.splice(0, known.chat.length - MOST_LINES);
        changed("chat", known.table);
        break;
    }
  }

  // A network that is back is tried at once; one that is gone may leave a connection that looks open.
  window.addEventListener("online", () => {
    if (socket) lost(socket);
    else if (!link.refused) connect();
  });
  window.addEventListener("offline", () => {
    if (socket) lost(socket);
  });
  window.setInterval(look, LOOK_MS);
  connect();
  return link;
}
