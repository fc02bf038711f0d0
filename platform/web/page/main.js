// Which view is shown, and what the keys do.

import { byId, el, iconButton, put } from "./dom.js";
import { getLanguage, text } from "./texts.js";
import { errorText } from "./words.js";
import { dressPage, toggleLanguage, toggleTheme } from "./page_look.js";
import { showKeys } from "./keys_help.js";
import { eventKeeper, findSource } from "./source.js";
import { footer, overview } from "./overview.js";
import { eventsView } from "./events.js";
import { gamesView } from "./games.js";
import { gameView } from "./game.js";
import { stateBadge, wallView } from "./live.js";
import { playBadge, playServer, playView, takeInvitation } from "./play.js";

/** @import { Filter } from "./games.js" */
/** @import { OpenEvent, Source } from "./source.js" */

/** @type {Source | null} */
let source = null;
/** @type {OpenEvent | null} */
let opened = null;
let openedId = "";
/** @type {ReturnType<typeof eventKeeper> | null} */
let keep = null;
/** @type {ReturnType<typeof gameView> | null} */
let gameShown = null;
/** @type {ReturnType<typeof wallView> | null} */
let wallShown = null;
/** @type {ReturnType<typeof eventsView> | null} */
let eventsShown = null;
let tableShown = 0;
/** @type {import("./play.js").PlayView | null} */
let playShown = null;
/** @type {Filter} */
let filter = { engine: "", other: "", result: "", end: "", page: 0 };
/** So that of two views that are loading the later one is shown. */
let showing = 0;

/**
 * The parts of the address after #, without the event.
 */
function place() {
  const parts = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodePart);
  const event = parts[0] === "event" ? (parts.splice(0, 2)[1] ?? "") : "";
  return { event, parts };
}

/**
 * @param {string} part
 */
function decodePart(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * The address of a view of the event that is open.
 * @param {...(string | number)} parts
 */
function address(...parts) {
  const event = source && source.events.length > 1 ? ["event", encodeURIComponent(openedId)] : [];
  return `#/${[...event, ...parts].join("/")}`;
}

/**
 * @param {string} current
 */
function drawTop(current) {
  if (!source) return;
  const link = (
    /** @type {string} */ name,
    /** @type {string} */ view,
    /** @type {string} */ href,
  ) => el("a", { href, "aria-current": current === view ? "page" : null }, name);
  const hasEvents = source.events.length > 0;
  const views = [
    source.events.length > 1 || !(hasEvents || source.play)
      ? link(text("events"), "events", "#/events")
      : null,
    hasEvents ? link(text("overview"), "overview", address()) : null,
    hasEvents ? link(text("games"), "games", address("games")) : null,
    opened?.live ? link(text("live"), "live", address("live")) : null,
    source.play ? link(text("tables"), "play", "#/play") : null,
  ];
  const events =
    source.events.length > 1
      ? el(
          "select",
          {
            "aria-label": text("events"),
            onchange: (happened) => {
              const chosen = /** @type {HTMLSelectElement} */ (happened.target).value;
              location.hash = `#/event/${encodeURIComponent(chosen)}`;
            },
          },
          source.events.map((event) =>
            el("option", { value: event.id, selected: event.id === openedId }, event.title),
          ),
        )
      : null;
  put(
    byId("top"),
    el(
      "a",
      { class: "brand", href: opened ? address() : source.play ? "#/play" : "#/events" },
      el("span", { class: "logo", "aria-hidden": "true" }),
      el("span", {}, opened?.data.event.title ?? "Tengen"),
    ),
    el("nav", {}, views),
    events,
    el("span", { class: "gap" }),
    current === "play" ? playBadge() : opened ? stateBadge(opened) : null,
    iconButton("keys", text("keys"), showKeys, { class: "icon keys-button" }),
    el(
      "button",
      {
        type: "button",
        class: "plain",
        lang: getLanguage() === "zh" ? "en" : "zh-Hans",
        onclick: () => {
          toggleLanguage();
          show();
        },
      },
      text("language"),
    ),
    iconButton("theme", text("theme"), toggleTheme),
  );
}

function closeViews() {
  gameShown?.close();
  wallShown?.close();
  playShown?.close();
  eventsShown?.close();
  playShown = null;
  eventsShown = null;
  gameShown = null;
  wallShown = null;
  tableShown = 0;
}

/**
 * @param {string} id
 * @param {number} turn
 */
async function openEvent(id, turn) {
  if (!source || !keep) return;
  const known = source.events.some((event) => event.id === id) ? id : source.events[0]?.id;
  if (known === undefined) return;
  const now = await keep(known);
  if (turn === showing) [opened, openedId] = [now, known];
}

async function show() {
  const turn = (showing += 1);
  const main = byId("main");
  try {
    const invited = takeInvitation(location.hash);
    if (invited) history.replaceState(null, "", `#/play/${encodeURIComponent(invited)}`);
    const { event, parts } = place();
    if (source?.play && (parts[0] === "play" || source.events.length === 0)) {
      showPlay(main, parts[1], parts[2] === undefined ? null : Number(parts[2]));
      return;
    }
    if (parts[0] === "events" || source?.events.length === 0) {
      showEvents(main);
      return;
    }
    await openEvent(event, turn);
    if (turn !== showing || !opened) return;
    closeViews();
    const [view, number, at] = parts;
    if (view === "games") {
      drawTop("games");
      showGames(main);
    } else if (view === "game") {
      drawTop("games");
      await showGame(main, Number(number), at === undefined ? null : Number(at), turn);
    } else if (view === "live" && opened.live) {
      drawTop("live");
      if (number === undefined)
        wallShown = wallView(main, opened, (table) => address("live", table));
      else showTable(main, Number(number));
    } else {
      drawTop("overview");
      overview(main, opened, (engine) => address("games", "engine", engine));
    }
    put(byId("foot"), footer(opened));
    document.title = `${opened.data.event.title} · Tengen`;
  } catch (error) {
    if (turn === showing) showFailure(error);
  }
}

/**
 * @param {HTMLElement} main
 * @param {string | undefined} table
 * @param {number | null} number
 */
function showPlay(main, table, number) {
  closeViews();
  drawTop("play");
  playShown = playView(main, table, number, {
    address: (...parts) => `#/${parts.join("/")}`,
    top: () => {
      drawTop("play");
      put(byId("foot"), el("p", { class: "small" }, playServer()));
    },
  });
  put(byId("foot"), el("p", { class: "small" }, playServer()));
  document.title = `${text("tables")} · Tengen`;
}

/**
 * @param {HTMLElement} main
 */
function showEvents(main) {
  if (!source) return;
  closeViews();
  drawTop("events");
  const link = (/** @type {string} */ id) => `#/event/${encodeURIComponent(id)}`;
  eventsShown = eventsView(main, source, link, showFailure);
  put(byId("foot"));
  document.title = `${text("events")} · Tengen`;
}

/**
 * @param {unknown} error
 */
function showFailure(error) {
  const words = errorText(error);
  put(byId("main"), el("p", { class: "notice" }, text("failed", words)));
}

/**
 * @param {HTMLElement} main
 */
function showGames(main) {
  if (!opened) return;
  const now = opened;
  const { parts } = place();
  if (parts[1] === "engine" && parts[2] !== undefined && filter.engine !== parts[2]) {
    filter = { engine: parts[2], other: "", result: "", end: "", page: 0 };
  }
  put(
    main,
    gamesView(
      now,
      filter,
      (number) => address("game", number),
      (wanted) => {
        filter = wanted;
        if (parts[1] === "engine") location.hash = address("games");
        else showGames(main);
      },
    ),
  );
}

/**
 * @param {HTMLElement} main
 * @param {number} number
 * @param {number | null} at
 * @param {number} turn
 */
async function showGame(main, number, at, turn) {
  if (!opened) return;
  const now = opened;
  const game = await now.game(number);
  if (turn !== showing) return;
  if (!game) {
    const isThere = number >= 1 && number <= now.data.event.total && !now.live;
    put(
      main,
      el("p", { class: "notice" }, text(isThere ? "notInFile" : "noGame", number)),
      el("p", {}, el("a", { href: address("games") }, text("games"))),
    );
    return;
  }
  gameShown = gameView(main, now, game, {
    at,
    table: null,
    link: (other) => address("game", Math.min(now.data.event.total, Math.max(1, other ?? 1))),
    moved: (place) => history.replaceState(null, "", address("game", number, place)),
  });
}

/**
 * @param {HTMLElement} main
 * @param {number} number
 */
function showTable(main, number) {
  if (!opened?.live) return;
  // The same game, told anew after a connection was cut, is shown where its reader was.
  const before = gameShown;
  before?.close();
  gameShown = null;
  tableShown = number;
  const table = opened.live.tables.get(number);
  if (!table?.game) {
    put(main, el("p", { class: "notice" }, text(opened.live.isServed ? "waiting" : "notRunning")));
    return;
  }
  const isSame = before?.game.number === table.game.number;
  gameShown = gameView(main, opened, table.game, {
    at: isSame && !before.isFollowing() ? before.at() : null,
    table,
    link: (other) => address("game", Math.max(1, other ?? 1)),
    moved: () => {},
  });
}

/**
 * Something came from the server.
 * @param {import("./source.js").Change} change
 * @param {number} table
 */
function changed(change, table) {
  if (!opened) return;
  const view = place().parts[0] ?? "overview";
  if (change === "state" || change === "tables") {
    drawTop(view === "game" ? "games" : view);
  }
  if (change === "data" && (view === "overview" || view === "games")) {
    const from = window.scrollY;
    if (view === "games") showGames(byId("main"));
    else overview(byId("main"), opened, (engine) => address("games", "engine", engine));
    window.scrollTo(0, from);
  }
  if (change === "tables") {
    wallShown?.draw();
    if (tableShown && (table === 0 || table === tableShown)) showTable(byId("main"), tableShown);
  }
  if (change === "step") {
    wallShown?.drawTile(table);
    if (tableShown === table) gameShown?.grown();
  }
}

/**
 * @param {KeyboardEvent} pressed
 */
function onKey(pressed) {
  const { target } = pressed;
  const isTyping =
    (target instanceof HTMLInputElement && target.type !== "checkbox") ||
    target instanceof HTMLSelectElement;
  if (isTyping || pressed.ctrlKey || pressed.metaKey || pressed.altKey) return;
  if (document.querySelector("dialog[open]")) return;
  if (pressed.key === " " && target instanceof HTMLButtonElement) return;
  if (pressed.key === "?") showKeys();
  else if (pressed.key === "t") toggleTheme();
  else if (!(playShown ?? gameShown)?.key(pressed.key)) return;
  pressed.preventDefault();
}

async function start() {
  dressPage();
  try {
    source = await findSource();
    keep = eventKeeper(source, (now) =>
      now.onchange((change, table) => {
        if (opened === now) changed(change, table);
      }),
    );
    window.addEventListener("hashchange", show);
    document.addEventListener("keydown", onKey);
    await show();
  } catch (error) {
    showFailure(error);
  }
}

start();
