// The wall of the games that are being played.

import { el, put } from "./dom.js";
import { text } from "./texts.js";
import { clockFace, faceText } from "./clock.js";
import { millis, pointAt, spanText } from "./words.js";
import { drawBoard } from "./board.js";
import { blackAt, foulOf, otherSeat, resultText, stonesAt } from "./position.js";
import { engineLabel } from "./tables.js";

/** @import { OpenEvent } from "./source.js" */
/** @import { LiveGame, Seat } from "./protocol.d.ts" */

/**
 * How the connection is.
 * @param {OpenEvent} opened
 */
export function stateBadge(opened) {
  const { live } = opened;
  if (!live) return null;
  const { finished, total } = opened.data.event;
  const words = {
    connecting: text("connecting"),
    connected: text("connected"),
    lost: text("disconnected"),
  };
  const delay = live.delay > 0 ? ` · ${text("delayed", live.delay)}` : "";
  // Of what is over nothing is missed when the server is gone.
  const over = finished >= total ? text("done") : live.isEnded ? text("ended") : null;
  return el(
    "span",
    { class: `state ${over ? "over" : live.state}`, role: "status" },
    el("span", {}, over ?? words[live.state] + delay),
  );
}

/**
 * Shows every table, and gives what redraws one.
 * @param {HTMLElement} root
 * @param {OpenEvent} opened
 * @param {(table: number) => string} link
 */
export function wallView(root, opened, link) {
  const { event } = opened.data;
  const wall = el("div", { class: "wall" });
  /** @type {Map<number, HTMLElement>} */
  const tiles = new Map();
  /** The game and the place that each tile shows. @type {Map<number, string>} */
  const drawn = new Map();

  const seat = (
    /** @type {LiveGame} */ table,
    /** @type {Seat} */ which,
    /** @type {Seat} */ black,
  ) =>
    el(
      "div",
      { class: `mini-seat${table.asked === which ? " asked" : ""}` },
      el("span", { class: `disc ${which === black ? "black" : "white"}` }),
      engineLabel(event, table.game?.seats[which] ?? 0),
      el("span", { class: "clock num", "data-seat": which }, face(table, which)),
    );

  /**
   * What stands on a clock. Where there is none, it is how long the move takes already.
   * @param {LiveGame} table
   * @param {Seat} which
   */
  function face(table, which) {
    const isAsked = table.asked === which;
    const since = Math.max(0, Date.now() + (opened.live?.skew ?? 0) - table.since);
    const shown = clockFace(table, which, isAsked ? since : 0);
    if (shown) return faceText(shown);
    if (isAsked) return spanText(since, true);
    const last = table.game?.steps.findLast((step) => step.seat === which);
    return last ? spanText(millis(last.ns)) : "";
  }

  /**
   * When the next game of a table is shown, once it has begun.
   * @param {number} number
   */
  function nextWords(number) {
    const { next, held } = /** @type {import("./source.js").LiveState} */ (opened.live);
    if (!next.has(number)) return "";
    const left = Math.ceil(((held.get(number) ?? 0) - Date.now()) / 1000);
    return ` · ${text("nextIn", Math.max(0, left))}`;
  }

  /** @param {number} number */
  function drawTile(number) {
    const table = opened.live?.tables.get(number);
    if (!table?.game) return;
    const { game } = table;
    const tile = tiles.get(number) ?? el("a", { class: "tile", href: link(number) });
    if (!tiles.has(number)) {
      if (tiles.size === 0) put(wall);
      tiles.set(number, tile);
      wall.append(tile);
    }
    const at = game.steps.length;
    const black = blackAt(game, at);
    const board = drawBoard({
      width: event.settings.width,
      height: event.settings.height,
      ...stonesAt(game, at),
      row: game.row?.map(pointAt),
      foul: foulOf(game),
      settles: drawn.get(number) === `${game.number} ${at - 1}`,
      label: text("gameNumber", game.number),
    });
    drawn.set(number, `${game.number} ${at}`);
    put(
      tile,
      seat(table, otherSeat(black), black),
      board,
      seat(table, black, black),
      el(
        "p",
        { class: "small" },
        `${text("gameNumber", game.number)} · ${game.result ? resultText(opened, game) : `${at} ${text("moves")}`}`,
        el("span", { class: "next" }, nextWords(number)),
      ),
    );
  }

  function draw() {
    tiles.clear();
    put(wall);
    const tables = [...(opened.live?.tables.keys() ?? [])].sort((one, other) => one - other);
    tables.forEach(drawTile);
    if (tiles.size === 0) {
      put(
        wall,
        el("p", { class: "notice" }, text(opened.live?.isServed ? "waiting" : "notRunning")),
      );
    }
  }

  put(root, el("section", { class: "card wide" }, el("h1", {}, text("wall")), wall));
  draw();
  const ticker = window.setInterval(() => {
    for (const [number, tile] of tiles) {
      const table = opened.live?.tables.get(number);
      const next = tile.querySelector(".next");
      if (next && opened.live?.next.has(number)) next.textContent = nextWords(number);
      if (!table || table.asked === null) continue;
      const clock = tile.querySelector(`.clock[data-seat="${table.asked}"]`);
      if (clock) clock.textContent = face(table, table.asked);
    }
  }, 250);
  return { draw, drawTile, close: () => window.clearInterval(ticker) };
}
