// Where the page has its data from: what is inlined in a report, or a server.

import { clocksOf } from "./clock.js";
import { text } from "./texts.js";
import { ROW, filterText, listOf } from "./game_filter.js";

/** @import { EventData, EventList, GameList, ListedEvent } from "./event.d.ts" */
/** @import { Filter } from "./game_filter.js" */
/** @import { ChangedEvent, GameEvent, OverEvent, ThoughtEvent } from "./event.d.ts" */
/** @import { SnapshotEvent, StepEvent } from "./event.d.ts" */
/** @import { GameView, LiveGame } from "./protocol.d.ts" */

/**
 * @typedef {number[]} GameRow
 * @typedef {{snapshot: SnapshotEvent, changed: ChangedEvent, game: GameEvent, step: StepEvent,
 *   search: ThoughtEvent, over: OverEvent, ended: {}}} StreamEvents
 * @typedef {{tables: Map<number, LiveGame>, next: Map<number, LiveGame>,
 *   held: Map<number, number>, searches: WeakMap<LiveGame, ThoughtEvent>, state: "connecting" | "connected" | "lost", isServed: boolean,
 *   isEnded: boolean, delay: number, skew: number}} LiveState
 *   the games that are shown at the tables; those that have begun there since, and are shown next;
 *   until when a game that is over stays; and what the engine that thinks in each said last
 * @typedef {"data" | "tables" | "step" | "search" | "next" | "state"} Change
 * @typedef {{from: number, count: number} | {near: number}} ListPart
 * @typedef {{data: EventData, live: LiveState | null,
 *   game: (number: number) => Promise<GameView | null>,
 *   list: (filter: Filter, part: ListPart) => Promise<GameList>,
 *   downloads: (number: number) => [string, string][],
 *   onchange: (listener: (change: Change, table: number) => void) => void,
 *   close: () => void}} OpenEvent
 * @typedef {{events: {id: string, title: string}[], play: boolean,
 *   list: () => Promise<ListedEvent[]>, open: (id: string) => Promise<OpenEvent>}} Source
 */

/** How long after an answer that was an error the server is asked again. */
const RETRY_MS = 5000;
/** For how long a game that is over stays at its table, before the next one is shown. */
const HOLD_MS = 10_000;
/** How often an event is read at most before something new is told of it. */
const MOST_READS = 5;

/**
 * The source of this document: its report, or the server that it came from.
 * @returns {Promise<Source>}
 */
export async function findSource() {
  const report = document.getElementById("report");
  return report ? reportSource(report.textContent ?? "") : liveSource();
}

/**
 * Keeps one event open, whatever is asked for while another is still being opened.
 * @param {Source} source
 * @param {(opened: OpenEvent) => void} begin what is done with each once it is open
 * @returns {(id: string) => Promise<OpenEvent>}
 */
export function eventKeeper(source, begin) {
  /** @type {{id: string, opened: Promise<OpenEvent>} | null} */
  let kept = null;
  return (id) => {
    if (kept?.id === id) return kept.opened;
    kept?.opened.then(
      (before) => before.close(),
      () => {},
    );
    const opening = source.open(id).then((opened) => {
      begin(opened);
      return opened;
    });
    const mine = { id, opened: opening };
    kept = mine;
    opening.catch(() => {
      // It is tried again when it is asked for again.
      if (kept === mine) kept = null;
    });
    return opening;
  };
}

/**
 * @param {string} json
 * @returns {Source}
 */
function reportSource(json) {
  /** @type {EventData} */
  const data = JSON.parse(json);
  const { blocks = [], games = [] } = data;
  const packed = document.querySelectorAll("script.block");
  /** @type {Map<number, [number, number]>} */
  const places = new Map();
  let row = 0;
  blocks.forEach((count, block) => {
    for (let place = 0; place < count; place += 1, row += 1) {
      places.set(games[row][ROW.number], [block, place]);
    }
  });
  /** @type {Map<number, GameView[]>} */
  const unpacked = new Map();
  const opened = {
    data,
    live: null,
    game: async (/** @type {number} */ number) => {
      const found = places.get(number);
      if (!found) return null;
      const [block, place] = found;
      const games = unpacked.get(block) ?? (await unpack(packed[block].textContent ?? ""));
      unpacked.set(block, games);
      return games[place];
    },
    list: async (/** @type {Filter} */ filter, /** @type {ListPart} */ part) =>
      listOf(data, filter, part),
    downloads: () => /** @type {[string, string][]} */ ([]),
    onchange: () => {},
    close: () => {},
  };
  const events = [{ id: "", title: data.event.title }];
  return { events, play: false, list: async () => [], open: async () => opened };
}

/**
 * A block of games: JSON, deflated, in base64.
 * @param {string} block
 * @returns {Promise<GameView[]>}
 */
async function unpack(block) {
  const packed = Uint8Array.from(atob(JSON.parse(block)), (sign) => sign.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

/**
 * @returns {Promise<Source>}
 */
async function liveSource() {
  /** @type {() => Promise<EventList>} */
  const read = () => fetchJson("api/events");
  const { events, play } = await read();
  /** @type {Source} */
  const source = {
    events,
    play,
    list: async () => {
      const now = await read();
      source.events = now.events;
      return now.events;
    },
    open: openLive,
  };
  return source;
}

/**
 * @param {string} path
 */
async function fetchJson(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${answer.status} ${(await answer.text()).slice(0, 200)}`);
  return answer.json();
}

/**
 * @param {string} id
 * @returns {Promise<OpenEvent>}
 */
async function openLive(id) {
  const base = `api/events/${encodeURIComponent(id)}`;
  /** @type {((change: Change, table: number) => void)[]} */
  const listeners = [];
  const tell = (/** @type {Change} */ change, table = 0) => {
    for (const listener of listeners) listener(change, table);
  };
  /** @type {LiveState} */
  const live = {
    tables: new Map(),
    next: new Map(),
    held: new Map(),
    searches: new WeakMap(),
    state: "connecting",
    isServed: false,
    isEnded: false,
    delay: 0,
    skew: 0,
  };
  /** @type {OpenEvent} */
  const opened = {
    data: await fetchJson(base),
    live,
    game: async (number) => {
      const answer = await fetch(`${base}/games/${number}`);
      if (answer.status === 404) return null;
      if (!answer.ok) throw new Error(text("failed", answer.status));
      return answer.json();
    },
    list: (filter, part) => {
      const asked = Object.entries(part).map(([key, value]) => `${key}=${value}`);
      const chosen = filterText(filter, true).slice(1);
      return fetchJson(`${base}/games?${[chosen, ...asked].filter(Boolean).join("&")}`);
    },
    downloads: (number) => [
      ["SGF", `${base}/games/${number}.sgf`],
      ["PSQ", `${base}/games/${number}.psq`],
      ["JSON", `${base}/games/${number}.json`],
    ],
    onchange: (listener) => listeners.push(listener),
    close: () => {
      isClosed = true;
      stream.close();
    },
  };
  let isReloading = false;
  let wanted = 0;
  let reading = Promise.resolve();
  /** Reads the event, where it is not as this state of it. */
  const reload = async (/** @type {number} */ state) => {
    wanted = state;
    if (isReloading) return reading;
    isReloading = true;
    try {
      // While it is read, it may change again.
      for (let tries = 0; tries < MOST_READS && opened.data.state !== wanted; tries += 1) {
        const before = opened.data.state;
        opened.data = await fetchJson(base);
        if (isClosed) return;
        tell("data");
        // It may be newer than what is known of it.
        if (opened.data.state === before) break;
      }
    } catch {
      // The stream says whether the server is there, and what is to be read when it comes back.
    } finally {
      isReloading = false;
    }
  };
  const state = (/** @type {LiveState["state"]} */ now) => {
    live.state = now;
    tell("state");
  };
  /** @type {[string, (data: any) => void][]} */
  const messages = [];
  /**
   * @template {keyof StreamEvents} K
   * @param {K} name
   * @param {(data: StreamEvents[K]) => void} take
   */
  const on = (name, take) => messages.push([name, take]);
  /** @type {EventSource} */
  let stream;
  let isClosed = false;
  const connect = () => {
    if (isClosed) return;
    stream = new EventSource(`${base}/stream`);
    stream.onopen = () => state("connected");
    stream.onerror = () => {
      if (isClosed) return;
      state("lost");
      // A browser tries again by itself, but not after an answer that is an error.
      if (stream.readyState === EventSource.CLOSED) window.setTimeout(connect, RETRY_MS);
    };
    for (const [name, take] of messages) {
      stream.addEventListener(name, (message) => take(JSON.parse(message.data)));
    }
  };
  on("snapshot", (data) => {
    live.isServed = data.served;
    live.isEnded = data.ended;
    live.delay = data.delay;
    live.skew = data.now - Date.now();
    const before = live.tables;
    live.tables = new Map();
    live.next = new Map();
    for (const [table, game] of data.tables) {
      const shown = before.get(table);
      if (shown && isHeld(table, shown, game)) {
        live.tables.set(table, shown);
        live.next.set(table, game);
      } else {
        live.tables.set(table, game);
        if (game.game?.result && shown?.game?.number !== game.game.number) hold(table);
      }
    }
    tell("tables");
    reading = reload(data.state);
  });
  /**
   * Whether the game that is shown at a table is over, and is still looked at when another begins.
   * @param {number} table
   * @param {LiveGame} shown
   * @param {LiveGame} other
   */
  const isHeld = (table, shown, other) =>
    Boolean(shown.game?.result) &&
    shown.game?.number !== other.game?.number &&
    Date.now() < (live.held.get(table) ?? 0);
  /** @param {number} table */
  const hold = (table) => {
    live.held.set(table, Date.now() + HOLD_MS);
    window.setTimeout(() => {
      const next = live.next.get(table);
      if (next && !isClosed && Date.now() >= (live.held.get(table) ?? 0)) show(table, next);
    }, HOLD_MS + 20);
  };
  /**
   * @param {number} table
   * @param {LiveGame} game
   */
  const show = (table, game) => {
    live.tables.set(table, game);
    live.next.delete(table);
    if (game.game?.result) hold(table);
    tell("tables", table);
  };
  on("game", (data) => {
    const shown = live.tables.get(data.table);
    if (shown && isHeld(data.table, shown, data.live)) {
      live.next.set(data.table, data.live);
      tell("next", data.table);
    } else {
      show(data.table, data.live);
    }
  });
  /**
   * The game of that number at a table, if it is shown there or is the next.
   * @param {{table: number, number: number}} data
   */
  const gameAt = ({ table, number }) =>
    [live.tables.get(table), live.next.get(table)].find((one) => one?.game?.number === number);
  /** @param {{table: number, number: number}} data */
  const told = (data) =>
    tell(live.tables.get(data.table) === gameAt(data) ? "step" : "next", data.table);
  on("step", (data) => {
    const table = gameAt(data);
    if (!table?.game) return;
    // After a connection was cut, some may come a second time.
    if (data.place === table.game.steps.length) table.game.steps.push(data.step);
    if (data.opening) table.game.opening = data.opening;
    Object.assign(table, clocksOf(data));
    live.searches.delete(table);
    told(data);
  });
  on("search", (data) => {
    const table = live.tables.get(data.table);
    const game = table?.game;
    if (!game || game.number !== data.number || game.steps.length !== data.place) return;
    live.searches.set(table, data);
    tell("search", data.table);
  });
  on("over", (data) => {
    const table = gameAt(data);
    if (!table?.game) return;
    Object.assign(table.game, { result: data.result, row: data.row });
    table.asked = null;
    if (table === live.tables.get(data.table)) hold(data.table);
    told(data);
  });
  on("changed", (data) => {
    reading = reload(data.state);
  });
  on("ended", async () => {
    // What it came to is there first.
    await reading;
    live.isEnded = true;
    tell("state");
  });
  connect();
  return opened;
}
