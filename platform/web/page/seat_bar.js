// The line of a player beside the board: colour, name, search and clock.

import { el, put } from "./dom.js";
import { text } from "./texts.js";
import { clockFace, faceText, faceTitle, pastFace, plainFace } from "./clock.js";
import { countText, evalText, millis, spanText } from "./words.js";
import { engineLabel } from "./tables.js";

/** @import { OpenEvent } from "./source.js" */
/** @import { GameView, LiveGame, Seat, StepView } from "./protocol.d.ts" */

/**
 * How long the player that is asked has been thinking.
 * @param {OpenEvent} opened
 * @param {LiveGame} table
 */
function timeTaken(opened, table) {
  return Math.max(0, Date.now() + (opened.live?.skew ?? 0) - (table.since ?? 0));
}

/**
 * Shows the time left of the player that is asked; without a clock, the time taken.
 * @param {HTMLElement} root
 * @param {OpenEvent} opened
 * @param {LiveGame} table
 */
export function showRunningClock(root, opened, table) {
  const taken = timeTaken(opened, table);
  const face = table.asked === null ? null : clockFace(table, table.asked, taken);
  root.textContent = face === null ? spanText(taken, true) : faceText(face);
  root.title = faceTitle(face);
}

/**
 * What a player told of a search that took so long.
 * @param {StepView["info"] | null} info
 * @param {number} span
 */
function searchText(info, span) {
  const { depth = 0, seldepth = 0, nodes = 0 } = info ?? {};
  return [
    evalText(info ?? undefined),
    depth ? `${text("depth")} ${seldepth > depth ? `${depth}/${seldepth}` : depth}` : "",
    nodes ? countText(nodes) : "",
    nodes && span > 1 ? `${countText(nodes / (span / 1000))}/s` : "",
    span > 0 ? spanText(span) : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

/**
 * Draws the line of one player after so many steps. `table` is there while its clocks run,
 * `keepsTime` where a move that is taken back gives no time back.
 * @param {HTMLElement} root
 * @param {OpenEvent} opened
 * @param {GameView} game
 * @param {Seat} seat
 * @param {{at: number, isBlack: boolean, table: LiveGame | null, keepsTime: boolean,
 *   more: (Node | null)[]}} options
 */
export function drawSeatBar(root, opened, game, seat, { at, isBlack, table, keepsTime, more }) {
  const past = game.steps.slice(0, at).filter((step) => step.seat === seat);
  const step = past[past.length - 1];
  const used = past.reduce((sum, one) => sum + millis(one.ns), 0);
  const isNow = table !== null && table.asked === seat;
  const pastClock = step ? pastFace(step) : plainFace(game.clocks[seat]);
  const isLast = at === game.steps.length;
  const face = (table && (keepsTime || isLast) ? clockFace(table, seat, 0) : null) ?? pastClock;
  const stopped = face ? faceText(face) : step ? spanText(millis(step.ns)) : "–";
  const clock = el(
    "span",
    { class: "clock num", "aria-label": text("clock"), title: faceTitle(face), "data-seat": seat },
    stopped,
  );
  if (isNow) showRunningClock(clock, opened, table);
  const result = at === game.steps.length ? game.result : null;
  const mark = result ? (result.winner === null ? "½" : result.winner === seat ? "1" : "0") : "";
  const search = isNow ? opened.live?.searches?.get(table) : undefined;
  const line = ((search ?? step)?.info?.pv ?? []).map((name) => (name === "pass" ? text("pass") : name)).join(" ");
  root.classList.toggle(
    "asked",
    isNow || (!result && at < game.steps.length && game.steps[at].seat === seat),
  );
  put(
    root,
    el("span", {
      class: `disc ${isBlack ? "black" : "white"}`,
      role: "img",
      "aria-label": text(isBlack ? "black" : "white"),
    }),
    el(
      "span",
      { class: "who" },
      engineLabel(opened.data.event, game.seats[seat]),
      mark ? el("span", { class: "mark" }, mark) : null,
      more,
    ),
    el(
      "span",
      { class: search ? "search thinking num" : "search num" },
      search
        ? searchText(search.info, search.elapsed)
        : step
          ? `${searchText(step.info, millis(step.ns))} · ${text("timeUsed", spanText(used))}`
          : "",
    ),
    clock,
    el("span", { class: "pv", title: line }, line),
  );
}
