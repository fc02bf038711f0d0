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
 * The variation that the last player told, after the move that it made.
 * @param {GameView} game
 * @param {number} at
 * @param {Stone[]} stones those on the board
 */
export function variationAfter(game, at, stones) {
  const step = game.steps[at - 1];
  const told = step?.pv ?? [];
  if (told.length === 0 || told[0] !== step?.p?.[0]) return [];
  const taken = new Set(stones.map((stone) => stone.at));
  /** @type {Stone[]} */
  const line = [];
  for (const stone of told.slice(1)) {
    const point = stone >> 1;
    if (stone < 0) continue;
    if (taken.has(point)) break;
    taken.add(point);
    line.push({ at: point, white: stone % 2 === 1, number: line.length + 1 });
  }
  return line;
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
