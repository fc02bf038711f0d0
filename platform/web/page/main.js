// Which view is shown, and what the keys do.

import { byId, el, iconButton, put } from "./dom.js";
import { getLanguage, text } from "./texts.js";
import { errorText, wholeText } from "./words.js";
import { dressPage, toggleLanguage, toggleTheme } from "./page_look.js";
import { showKeys } from "./keys_help.js";
import { eventKeeper, findSource } from "./source.js";
import { footer, overview } from "./overview.js";
import { eventsView } from "./events.js";
import { filterOf, filterText, isFiltered } from "./game_filter.js";
import { PER_PAGE, gamesView } from "./games.js";
import { gameView } from "./game.js";
import { stateBadge, wallView } from "./live.js";
import { nextGame } from "./next_game.js";
import { playBadge, playServer, playView, takeInvitation } from "./play.js";

/** @import { Filter } from "./game_filter.js" */
/** @import { LiveGame } from "./protocol.d.ts" */
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
/** The table whose game is shown while it runs, or was until it was over. */
let tableShown = 0;
/** What is said of the game that is shown next. @type {ReturnType<typeof nextGame> | null} */
let nextShown = null;
/** @type {import("./play.js").PlayView | null} */
let playShown = null;
/** So that of two views that are loading the later one is shown. */
let showing = 0;

/**
 * The parts of the address after #, without the event, and which games it is about.
 */
function place() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const parts = path.split("/").filter(Boolean).map(decodePart);
  const event = parts[0] === "event" ? (parts.splice(0, 2)[1] ?? "") : "";
  return { event, parts, filter: filterOf(new URLSearchParams(query)) };
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
 * The address of the games of an engine, or of two.
 * @param {number} engine
 * @param {number} [other]
 */
function gamesOf(engine, other) {
  const query = filterOf(new URLSearchParams());
  const both = { engine: String(engine), other: other === undefined ? "" : String(other) };
  return address("games") + filterText({ ...query, ...both });
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
  nextShown?.close();
  nextShown = null;
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
    const [view, number, at] = parts;
    if (view === "games") {
      drawTop("games");
      await showGames(main, turn);
    } else if (view === "game") {
      await showGame(main, Number(number), at === undefined ? null : Number(at), turn);
    } else if (view === "live" && opened.live) {
      closeViews();
      drawTop("live");
      if (number === undefined)
        wallShown = wallView(main, opened, (table) => address("live", table));
      else await showTable(main, Number(number), turn);
    } else {
      closeViews();
      drawTop("overview");
      overview(main, opened, gamesOf);
    }
    if (turn !== showing) return;
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
 * @param {number} turn
 */
async function showGames(main, turn) {
  if (!opened) return;
  const now = opened;
  const { filter } = place();
  const list = await now.list(filter, { from: filter.page * PER_PAGE, count: PER_PAGE });
  if (turn !== showing) return;
  const last = Math.max(0, Math.ceil(list.found / PER_PAGE) - 1);
  const wanted = (/** @type {Filter} */ to) => address("games") + filterText(to);
  if (filter.page > last) {
    location.replace(wanted({ ...filter, page: last }));
    return;
  }
  closeViews();
  const link = (/** @type {number} */ number) => address("game", number) + filterText(filter, true);
  keepPlace(main, () =>
    put(
      main,
      gamesView(now, list, filter, link, (to) => {
        location.hash = wanted(to);
      }),
    ),
  );
}

/**
 * Draws a view anew where its reader was: what was scrolled stays so, and what was chosen.
 * @param {HTMLElement} main
 * @param {() => void} draw
 */
function keepPlace(main, draw) {
  const from = window.scrollY;
  const regions = () => [...main.querySelectorAll(".scroll")];
  const across = regions().map((region) => region.scrollLeft);
  const { activeElement } = document;
  const name = main.contains(activeElement) ? activeElement?.getAttribute("name") : null;
  draw();
  regions().forEach((region, place) => {
    region.scrollLeft = across[place] ?? 0;
  });
  const focused = name ? main.querySelector(`[name="${CSS.escape(name)}"]`) : null;
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  window.scrollTo(0, from);
}

/**
 * The table at which a game is being played, or was until another one took its place.
 * @param {number} number
 * @returns {[number, LiveGame] | null}
 */
function tableOf(number) {
  const { live } = /** @type {OpenEvent} */ (opened);
  const tables = [...(live?.tables ?? []), ...(live?.next ?? [])];
  return tables.find(([, table]) => table.game?.number === number) ?? null;
}

/**
 * Shows a game: as it is played, or from what is kept of it. Its address is the same.
 * @param {HTMLElement} main
 * @param {number} number
 * @param {number | null} at
 * @param {number} turn
 */
async function showGame(main, number, at, turn) {
  if (!opened) return;
  const now = opened;
  const { filter } = place();
  const around = now.list(filter, { near: number }).catch(() => null);
  const running = tableOf(number);
  const game = running?.[1].game ?? (await now.game(number));
  const list = await around;
  if (turn !== showing) return;
  closeViews();
  drawTop(running ? "live" : "games");
  const query = filterText(filter, true);
  if (!game) {
    const isThere = number >= 1 && number <= now.data.event.total;
    const key = !isThere ? "noGame" : now.live ? "notPlayed" : "notInFile";
    put(
      main,
      el("p", { class: "notice" }, text(key, number)),
      el("p", {}, el("a", { href: address("games") + query }, text("games"))),
    );
    return;
  }
  const link = (/** @type {number | null | undefined} */ other) =>
    other ? address("game", other) + query : null;
  const chosen = list && isFiltered(filter) ? { href: address("games") + query, list } : null;
  if (running) {
    tableShown = running[0];
    nextShown = nextGame((other) => address("game", other));
  }
  gameShown = gameView(main, now, game, {
    at,
    table: running?.[1] ?? null,
    link: (side) => link(list?.[side]),
    note: nextShown?.note,
    chosen: chosen && {
      href: chosen.href,
      words: text("chosenGames", wholeText(chosen.list.found)),
    },
    moved: (place) => {
      const isNow = running !== null && place === game.steps.length;
      const parts = isNow ? [number] : [number, place];
      if (isLookingAt(number)) {
        history.replaceState(null, "", address("game", ...parts) + query);
      }
      sayNext();
    },
  });
  sayNext();
}

/**
 * Shows what is played at a table, at the address of its game.
 * @param {HTMLElement} main
 * @param {number} number
 * @param {number} turn
 */
async function showTable(main, number, turn) {
  const table = opened?.live?.tables.get(number);
  if (table?.game) {
    history.replaceState(null, "", address("game", table.game.number));
    await showGame(main, table.game.number, null, turn);
    return;
  }
  tableShown = number;
  put(main, el("p", { class: "notice" }, text(opened?.live?.isServed ? "waiting" : "notRunning")));
}

/** Says which game is shown next at the table, and when. */
function sayNext() {
  const { live } = opened ?? {};
  if (!live || !gameShown || !nextShown) return;
  const shown = live.tables.get(tableShown);
  const isHere = shown?.game === gameShown.game;
  const next = (isHere ? live.next.get(tableShown) : shown)?.game;
  const due = isHere ? (live.held.get(tableShown) ?? 0) : 0;
  nextShown.say(gameShown.game.result && next ? next.number : null, due, gameShown.isFollowing());
}

/**
 * Whether a game, or without one a table, is still what the address says: its reader may have gone
 * elsewhere a moment ago, and what comes of the game meanwhile leads nowhere.
 * @param {number | undefined} game
 */
function isLookingAt(game) {
  const [view, number] = place().parts;
  return game === undefined ? view === "live" : view === "game" && Number(number) === game;
}

/** Another game is shown at the table whose game is looked at. */
function tableChanged() {
  const table = opened?.live?.tables.get(tableShown);
  if (!table?.game) return;
  const before = gameShown?.game;
  if (before === table.game || !isLookingAt(before?.number)) return;
  const isMovingOn = before?.result && gameShown?.isFollowing() && !nextShown?.stays();
  if (!before || isMovingOn) {
    history.replaceState(null, "", address("game", table.game.number));
    show();
  } else if (!before.result) {
    // The same game, told anew after a connection was cut, or one whose end was missed.
    show();
  } else {
    sayNext();
  }
}

/**
 * Something came from the server.
 * @param {import("./source.js").Change} change
 * @param {number} table
 */
function changed(change, table) {
  if (!opened) return;
  const now = opened;
  const [view = "overview", number] = place().parts;
  const main = byId("main");
  const isMissing = view === "game" && !gameShown && tableOf(Number(number)) !== null;
  if (change === "state" || change === "tables") {
    drawTop(view === "game" ? (tableShown ? "live" : "games") : view);
  }
  if (change === "data") {
    if (view === "games") showGames(main, showing);
    else if (view === "overview") keepPlace(main, () => overview(main, now, gamesOf));
    else if (view === "game" && !gameShown) show();
  }
  if (isMissing) show();
  else if (change === "tables") {
    if (table === 0) wallShown?.draw();
    else wallShown?.drawTile(table);
    if (tableShown && (table === 0 || table === tableShown)) tableChanged();
  }
  if (change === "step") wallShown?.drawTile(table);
  if (change === "search" && tableShown === table) gameShown?.drawSeats();
  if (change === "step" || change === "next") {
    if (tableShown === table) {
      const isShown = tableOf(gameShown?.game.number ?? 0)?.[1].game === gameShown?.game;
      if (isShown) gameShown?.grown();
      sayNext();
    }
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
    // On paper there is nothing to click on.
    window.addEventListener("beforeprint", () => {
      for (const more of document.querySelectorAll("button.more")) {
        if (more instanceof HTMLElement) more.click();
      }
    });
    document.addEventListener("keydown", onKey);
    await show();
  } catch (error) {
    showFailure(error);
  }
}

start();
