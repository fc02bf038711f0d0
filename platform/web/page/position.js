// What a game was after so many of its steps, on the board and in words.

import { text } from "./texts.js";
import { pointAt } from "./words.js";

/** @import { Stone } from "./board.js" */
/** @import { OpenEvent } from "./source.js" */
/** @import { GameView, Seat, StepView } from "./protocol.d.ts" */

/** Both seats. @type {Seat[]} */
export const SEATS = ["first", "second"];

/**
 * @param {Seat} seat
 * @returns {Seat}
 */
export function otherSeat(seat) {
  return seat === "first" ? "second" : "first";
}

/**
 * The points of the stones that a step laid.
 * @param {StepView} step
 */
export function laidBy({ legal, move, place, pick }) {
  if (legal === false) return [];
  return (place ?? [move ?? pick ?? ""].filter(Boolean)).map(pointAt);
}

/**
 * The stones on the board after so many steps, and those that the last of these laid. Colours
 * alternate from Black, and a pass takes the place of a stone.
 * @param {GameView} game
 * @param {number} at
 */
export function stonesAt(game, at) {
  /** @type {Stone[]} */
  const stones = [];
  let plies = 0;
  const lay = (/** @type {number[]} */ points) => {
    for (const point of points) {
      stones.push({ at: point, white: plies % 2 === 1, number: stones.length + 1 });
      plies += 1;
    }
    return points;
  };
  lay((game.book ?? []).map(pointAt));
  /** @type {number[]} */
  let last = [];
  for (const step of game.steps.slice(0, at)) {
    last = lay(laidBy(step));
    if (step.pass && step.legal !== false) plies += 1;
  }
  return { stones, last, plies };
}

/**
 * The variation that the last player told, after the move that it made.
 * @param {GameView} game
 * @param {number} at
 * @param {Stone[]} stones those on the board
 */
export function variationAfter(game, at, stones) {
  const step = game.steps[at - 1];
  const told = (step?.info?.pv ?? []).map(pointAt);
  if (told.length === 0 || told[0] !== laidBy(step)[0]) return [];
  const taken = new Set(stones.map((stone) => stone.at));
  const before = stonesAt(game, at - 1).plies;
  /** @type {Stone[]} */
  const line = [];
  for (const [place, point] of told.entries()) {
    if (place === 0 || point < 0) continue;
    if (taken.has(point)) break;
    taken.add(point);
    line.push({ at: point, white: (before + place) % 2 === 1, number: line.length + 1 });
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
  for (const step of game.steps.slice(0, at)) black = step.black ?? black;
  return black;
}

/**
 * What a step was, in words.
 * @param {StepView} step
 */
export function stepText(step) {
  if (step.move) return step.move;
  if (step.pass) return text("pass");
  if (step.place) return text("place", step.place.join(" "));
  if (step.offer) return text("offer", step.offer.join(" "));
  if (step.pick) return text("pick", step.pick);
  if (step.declare !== undefined) return text("declare", step.declare);
  if (step.swap !== undefined) return text(step.swap ? "swapYes" : "swapNo");
  if (step.choose) return text("choose", text(step.choose));
  if (step.offer_draw) return text("offerDraw");
  if (step.accept_draw) return text("acceptDraw");
  return text(step.resign ? "resign" : "claim");
}

/**
 * The lines of the foul that ended a game, if one did.
 * @param {GameView} game
 * @returns {import("./board.js").FoulMark | null}
 */
export function foulOf({ result }) {
  if (!result?.foul) return null;
  return { lines: result.foul.map((line) => line.map(pointAt)), name: text(result.termination) };
}

/**
 * How a game ended, in words.
 * @param {OpenEvent} opened
 * @param {GameView} game
 */
export function resultText(opened, game) {
  const { result } = game;
  if (!result) return text("running");
  if (result.termination === "aborted") return text("aborted");
  if (result.winner === null) return text("drawBy", text(result.termination));
  const winner = opened.data.event.engines[game.seats[result.winner]];
  return text("winsBy", winner?.label ?? "?", text(result.termination));
}
