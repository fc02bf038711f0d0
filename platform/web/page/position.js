// What a game was after so many of its steps, on the board and in words.

import { text } from "./texts.js";
import { pointName } from "./words.js";

/**
 * @typedef {import("./source.js").OpenEvent} OpenEvent
 * @typedef {import("./source.js").GameView} GameView
 * @typedef {import("./source.js").Step} Step
 * @typedef {import("./board.js").Stone} Stone
 */

/**
 * The stones on the board after so many steps, and those that the last of these laid.
 * @param {GameView} game
 * @param {number} at
 */
export function stonesAt(game, at) {
  /** @type {Stone[]} */
  const stones = [];
  const lay = (/** @type {number[]} */ laid) => {
    for (const stone of laid) {
      stones.push({ at: stone >> 1, white: stone % 2 === 1, number: stones.length + 1 });
    }
  };
  lay(game.book ?? []);
  game.steps.slice(0, at).forEach((step) => lay(step.p ?? []));
  const last = at > 0 ? (game.steps[at - 1].p ?? []).map((stone) => stone >> 1) : [];
  return { stones, last };
}

/**
 * Which seat has Black after so many steps.
 * @param {GameView} game
 * @param {number} at
 */
export function blackAt(game, at) {
  let black = game.black;
  for (const step of game.steps.slice(0, at)) black = step.b ?? black;
  return black;
}

/**
 * What a step was, in words.
 * @param {Step} step
 */
export function stepText(step) {
  const points = (/** @type {any} */ value) =>
    Array.isArray(value) ? value.map(pointName).join(" ") : pointName(value);
  switch (step.a) {
    case undefined:
      return (step.p ?? []).map((stone) => pointName(stone >> 1)).join(" ");
    case "move":
      return pointName(step.v);
    case "place":
    case "offer":
    case "pick":
      return text(step.a, points(step.v));
    case "declare":
      return text("declare", step.v);
    case "swap":
      return text(step.v ? "swapYes" : "swapNo");
    case "choose":
      return text("choose", text(step.v));
    case "offer_draw":
      return text("offerDraw");
    case "accept_draw":
      return text("acceptDraw");
    default:
      return text(step.a);
  }
}

/**
 * How a game ended, in words.
 * @param {OpenEvent} opened
 * @param {GameView} game
 */
export function resultText(opened, game) {
  const { result } = game;
  if (!result) return text("running");
  if (result.by === "aborted") return text("aborted");
  if (result.winner === null) return text("drawBy", text(result.by));
  const winner = opened.data.event.engines[game.seats[result.winner]];
  return text("winsBy", winner?.label ?? "?", text(result.by));
}
