// The list of a game's moves.

import { el, put } from "./dom.js";
import { text } from "./texts.js";
import { faceText, pastFace } from "./clock.js";
import { evalText, isTold, millis, spanText } from "./words.js";
import { laidBy, stepText } from "./position.js";

/** @import { GameView } from "./protocol.d.ts" */

/**
 * Fills the list of moves.
 * @param {HTMLElement} list
 * @param {GameView} game
 * @param {number} at
 * @param {(at: number) => void} go
 */
export function drawMoves(list, game, at, go) {
  // What people play without engines has no search to show.
  const isSearched = game.steps.some((step) => isTold(step) || step.info?.depth);
  let stones = (game.book ?? []).length;
  let plies = stones;
  const rows = game.steps.map((step, place) => {
    const laid = laidBy(step);
    const first = stones + 1;
    stones += laid.length;
    plies += step.pass && step.legal !== false ? 1 : laid.length;
    const number =
      laid.length > 1 ? `${first}–${stones}` : laid.length === 1 ? String(first) : "";
    const color = laid.length > 0 ? (plies % 2 === 0 ? "white" : "black") : "none";
    const isCurrent = place + 1 === at;
    const flags = [step.legal === false ? text("illegal") : "", step.substituted ? text("substituted") : ""]
      .filter(Boolean)
      .join(", ");
    const face = pastFace(step);
    return el(
      "tr",
      { class: isCurrent ? "current" : null, onclick: () => go(place + 1) },
      el("td", { class: "num" }, number),
      el(
        "td",
        {},
        el(
          "button",
          { type: "button", class: "move", "aria-current": isCurrent ? "step" : null },
          el("span", { class: `pip ${color}`, "aria-hidden": "true" }),
          stepText(step),
          flags ? el("span", { class: "small" }, ` ${flags}`) : null,
        ),
      ),
      isSearched ? el("td", { class: "num" }, evalText(step.info)) : null,
      isSearched ? el("td", { class: "num" }, step.info?.depth || "") : null,
      el("td", { class: "num" }, spanText(millis(step.ns))),
      el("td", { class: "num" }, face ? faceText(face) : ""),
    );
  });
  const search = isSearched ? [text("eval"), text("depth")] : [];
  const heads = ["#", text("move"), ...search, text("time"), text("clock")];
  put(
    list,
    el(
      "table",
      { class: "data stack" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          heads.map((name) => el("th", { scope: "col" }, name)),
        ),
      ),
      el("tbody", {}, rows),
    ),
  );
  const current = list.querySelector("tr.current");
  if (current instanceof HTMLElement) {
    const middle = current.offsetTop - list.clientHeight / 2;
    list.scrollTop = Math.max(0, middle);
  } else {
    list.scrollTop = 0;
  }
}
