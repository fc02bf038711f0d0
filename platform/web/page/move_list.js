// The list of a game's moves.

import { el, put } from "./dom.js";
import { text } from "./texts.js";
import { clockText, evalText, spanText } from "./words.js";
import { stepText } from "./position.js";

/**
 * @typedef {import("./source.js").GameView} GameView
 */

/**
 * Fills the list of moves.
 * @param {HTMLElement} list
 * @param {GameView} game
 * @param {number} at
 * @param {(at: number) => void} go
 */
export function drawMoves(list, game, at, go) {
  // What people play without engines has no search to show.
  const isSearched = game.steps.some((step) => step.e !== undefined || step.w !== undefined || step.d);
  let stones = (game.book ?? []).length;
  const rows = game.steps.map((step, place) => {
    const laid = step.p ?? [];
    const first = stones + 1;
    stones += laid.length;
    const number =
      laid.length > 1 ? `${first}–${stones}` : laid.length === 1 ? String(first) : "";
    const color =
      laid.length > 0 ? (laid[laid.length - 1] % 2 === 1 ? "white" : "black") : "none";
    const isCurrent = place + 1 === at;
    const flags = [step.x ? text("illegal") : "", step.u ? text("substituted") : ""]
      .filter(Boolean)
      .join(", ");
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
      isSearched ? el("td", { class: "num" }, evalText(step)) : null,
      isSearched ? el("td", { class: "num" }, step.d || "") : null,
      el("td", { class: "num" }, spanText(step.t)),
      el("td", { class: "num" }, step.c === undefined ? "" : clockText(step.c)),
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
