// How points, times, results and numbers are written.

import { text } from "./texts.js";

/**
 * A point as people write it: h8.
 * @param {number} point
 */
export function pointName(point) {
  if (point < 0) return text("pass");
  return `${columnName(point % 32)}${Math.floor(point / 32) + 1}`;
}

/**
 * The point of that name; a pass is −1.
 * @param {string} name
 */
export function pointAt(name) {
  const [, column, row] = /^([a-z]+)(\d+)$/.exec(name) ?? [];
  if (!column) return -1;
  const low = column.charCodeAt(column.length - 1) - 97;
  return 32 * (Number(row) - 1) + low + (column.length > 1 ? 26 : 0);
}

/**
 * @param {number} column
 */
export function columnName(column) {
  const letter = String.fromCharCode(97 + (column % 26));
  return column < 26 ? letter : `a${letter}`;
}

/**
 * What is left on a clock: 1:05:09, 12:07, 9.4.
 * @param {number | null | undefined} millis
 */
export function clockText(millis) {
  if (millis === null || millis === undefined) return "–";
  const left = Math.max(0, millis);
  if (left < 20_000) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.floor(left / 1000);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/**
 * What something took: 3.1 ms, 0.25 s, 12.4 s, 2:05; of what still goes on, in tenths of a second.
 * @param {number} millis
 * @param {boolean} [goesOn]
 */
export function spanText(millis, goesOn = false) {
  if (goesOn && millis < 100_000) return `${(millis / 1000).toFixed(1)} s`;
  if (millis < 0.1) return `${Math.round(millis * 1000)} µs`;
  if (millis < 10) return `${millis.toFixed(1)} ms`;
  if (millis < 100) return `${Math.round(millis)} ms`;
  if (millis < 10_000) return `${(millis / 1000).toFixed(2)} s`;
  if (millis < 100_000) return `${(millis / 1000).toFixed(1)} s`;
  return clockText(millis);
}

/**
 * 12.3 M.
 * @param {number} count
 */
export function countText(count) {
  if (count >= 1e9) return `${(count / 1e9).toFixed(2)} G`;
  if (count >= 1e6) return `${(count / 1e6).toFixed(2)} M`;
  if (count >= 1e4) return `${(count / 1e3).toFixed(0)} k`;
  return String(Math.round(count));
}

/**
 * With thin spaces between thousands.
 * @param {number} count
 */
export function wholeText(count) {
  return String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/**
 * Half points as people write them: 12½.
 * @param {number} points
 */
export function pointsText(points) {
  const whole = Math.floor(points);
  if (points === whole) return wholeText(whole);
  return whole === 0 ? "½" : `${wholeText(whole)}½`;
}

/**
 * @param {number} number
 */
export function signedText(number) {
  const rounded = Math.round(number);
  return rounded < 0 ? `−${-rounded}` : `+${rounded}`;
}

/**
 * An Elo difference; where one end of its interval is open, the other end.
 * @param {{elo: number | null, low: number | null, high: number | null}} line
 */
export function eloText(line) {
  if (line.low !== null && line.high !== null && line.elo !== null) return signedText(line.elo);
  if (line.low !== null) return `> ${signedText(line.low)}`;
  if (line.high !== null) return `< ${signedText(line.high)}`;
  return "–";
}

/**
 * @param {number} part
 * @param {number} whole
 */
export function percentText(part, whole) {
  return whole > 0 ? `${((100 * part) / whole).toFixed(1)} %` : "–";
}

/**
 * An evaluation in the engine's own unit, for the player who told it.
 * @param {{eval?: number, win_in?: number} | undefined} info
 */
export function evalText(info) {
  if (info?.win_in !== undefined) return info.win_in < 0 ? `−M${-info.win_in}` : `+M${info.win_in}`;
  if (info?.eval === undefined) return "";
  return signedText(info.eval);
}

/**
 * Whether a player told how the position is.
 * @param {{info?: {eval?: number, win_in?: number}}} step
 */
export function isTold({ info }) {
  return info?.eval !== undefined || info?.win_in !== undefined;
}

/**
 * Nanoseconds in milliseconds.
 * @param {number} nanos
 */
export function millis(nanos) {
  return nanos / 1e6;
}

/**
 * @param {number} seconds
 */
export function dateText(seconds) {
  const date = new Date(seconds * 1000);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/**
 * What an error says.
 * @param {unknown} error
 */
export function errorText(error) {
  return error instanceof Error ? error.message : String(error);
}
