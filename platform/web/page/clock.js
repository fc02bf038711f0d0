// What a clock shows, as the arbiter's `ClockFace` has it.

import { text } from "./texts.js";
import { clockText, millis } from "./words.js";

/** @import { ByoYomi, Seat, StepView, TurnView } from "./protocol.d.ts" */

/**
 * A clock: what it shows in milliseconds, the byo-yomi that belongs to it, and in how many answers
 * more time comes.
 * @typedef {{left: number, byoYomi: ByoYomi, answersLeft: number | null}} ClockFace
 */

/**
 * What a seat's clock shows once it has run for so long; null where there is none.
 * @param {Pick<TurnView, "left" | "byo_yomi" | "answers_left">} turn
 * @param {Seat} seat
 * @param {number} taken
 * @returns {ClockFace | null}
 */
export function clockFace(turn, seat, taken) {
  const left = turn.left?.[seat] ?? null;
  if (left === null) return null;
  const byoYomi = turn.byo_yomi?.[seat] ?? null;
  const answersLeft = turn.answers_left?.[seat] ?? null;
  if (!byoYomi) return { left: left - taken, byoYomi, answersLeft };
  const { in_period: inPeriod, periods, span } = byoYomi;
  if (inPeriod ? taken <= left : taken < left) return { left: left - taken, byoYomi, answersLeft };
  const beyond = taken - left;
  const begun = Math.max(1, Math.ceil(beyond / Math.max(1, span)));
  const follow = Math.max(0, periods - begun);
  return {
    left: begun > periods ? 0 : begun * span - beyond,
    byoYomi: { in_period: true, periods: follow, span },
    answersLeft,
  };
}

/**
 * A clock without byo-yomi; null where there is none.
 * @param {number | null} left
 * @returns {ClockFace | null}
 */
export const plainFace = (left) => left === null ? null : { left, byoYomi: null, answersLeft: null };

/**
 * What the clock of its player showed after a step.
 * @param {StepView} step
 * @returns {ClockFace | null}
 */
export function pastFace({ face, clock }) {
  if (face) return { left: face.left, byoYomi: face, answersLeft: null };
  return plainFace(clock === null ? null : millis(clock));
}

/**
 * The clocks of a message. What it leaves out, neither clock has.
 * @param {TurnView} message
 */
export function clocksOf({ asked, since, left, byo_yomi, answers_left }) {
  return { asked, since, left, byo_yomi, answers_left };
}

/**
 * 0:24 (2): what is left, and how many periods of byo-yomi follow.
 * @param {ClockFace} face
 */
export function faceText({ left, byoYomi }) {
  return byoYomi ? `${clockText(left)} (${byoYomi.periods})` : clockText(left);
}

/**
 * What a clock has beside the time that it shows, in words.
 * @param {ClockFace | null} face
 */
export function faceTitle(face) {
  const parts = [];
  if (face?.byoYomi) {
    const { in_period: inPeriod, periods, span } = face.byoYomi;
    const words = inPeriod ? (periods ? "inByoYomi" : "lastPeriod") : "beforeByoYomi";
    parts.push(text(words, periods, clockText(span)));
  }
  if (face?.answersLeft) parts.push(text("sessionMoves", face.answersLeft));
  return parts.join(" · ");
}
