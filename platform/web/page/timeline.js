// The graph of a game: its evaluation, and the time of each move.

import { svg } from "./dom.js";
import { text } from "./texts.js";
import { evalText, millis, spanText } from "./words.js";

/** @import { GameView } from "./protocol.d.ts" */

const LONG = 600;
const TALL = 150;
const MIDDLE = 62;
const FLOOR = 146;

/**
 * For each step the evaluation for Black, −1 to 1; null where none was told.
 * @param {GameView} game
 */
export function blackEvals(game) {
  let black = game.black;
  const told = game.steps.map((step) => {
    const sign = step.seat === black ? 1 : -1;
    black = step.black ?? black;
    const { eval: value, win_in: win } = step.info ?? {};
    if (win !== undefined) return { sign: sign * (win < 0 ? -1 : 1), value: Infinity };
    return value === undefined ? null : { sign, value };
  });
  const sizes = told.flatMap((one) =>
    one && Number.isFinite(one.value) ? [Math.abs(one.value)] : [],
  );
  sizes.sort((one, other) => one - other);
  // Engines have units of their own; most of a game is to fill the graph.
  const unit = Math.max(1, (sizes[Math.floor(sizes.length * 0.7)] ?? 1) * 1.4);
  return told.map((one) => {
    if (!one) return null;
    return Number.isFinite(one.value) ? Math.tanh((one.sign * one.value) / unit) : one.sign;
  });
}

/**
 * @param {GameView} game
 * @param {number} at
 * @param {(at: number) => void} go
 */
export function drawTimeline(game, at, go) {
  const count = Math.max(1, game.steps.length);
  const picture = svg("svg", {
    viewBox: `0 0 ${LONG} ${TALL}`,
    preserveAspectRatio: "none",
    class: "timeline",
    role: "img",
    "aria-label": text("timelineHint"),
  });
  const across = LONG / count;
  const evals = blackEvals(game);
  const longest = Math.max(1e-6, ...game.steps.map((step) => step.ns));
  picture.append(svg("path", { d: `M0 ${MIDDLE}H${LONG}`, class: "zero" }));
  /** @type {string[]} */
  const points = [];
  evals.forEach((value, place) => {
    if (value !== null)
      points.push(
        `${((place + 0.5) * across).toFixed(1)} ${(MIDDLE - value * (MIDDLE - 6)).toFixed(1)}`,
      );
  });
  if (points.length > 1) {
    const [first, last] = [points[0].split(" ")[0], points[points.length - 1].split(" ")[0]];
    const area = `M${first} ${MIDDLE}L${points.join("L")}L${last} ${MIDDLE}z`;
    const upper = svg(
      "svg",
      {
        x: 0,
        y: 0,
        width: LONG,
        height: MIDDLE,
        viewBox: `0 0 ${LONG} ${MIDDLE}`,
        preserveAspectRatio: "none",
      },
      svg("path", { d: area, class: "area black" }),
    );
    const lower = svg(
      "svg",
      {
        x: 0,
        y: MIDDLE,
        width: LONG,
        height: MIDDLE,
        viewBox: `0 ${MIDDLE} ${LONG} ${MIDDLE}`,
        preserveAspectRatio: "none",
      },
      svg("path", { d: area, class: "area white" }),
    );
    picture.append(upper, lower, svg("path", { d: `M${points.join("L")}`, class: "curve" }));
  }
  let black = game.black;
  game.steps.forEach((step, place) => {
    const height = 2 + (Math.sqrt(step.ns) / Math.sqrt(longest)) * 28;
    picture.append(
      svg("rect", {
        x: place * across + across * 0.12,
        y: FLOOR - height,
        width: across * 0.76,
        height,
        class: `spent ${step.seat === black ? "black" : "white"}`,
      }),
    );
    black = step.black ?? black;
  });
  if (at > 0) {
    picture.append(
      svg("rect", { x: (at - 1) * across, y: 0, width: across, height: TALL, class: "cursor" }),
    );
  }
  /** @param {MouseEvent} happened */
  const place = (happened) => {
    const box = picture.getBoundingClientRect();
    const part = (happened.clientX - box.left) / Math.max(1, box.width);
    return Math.min(game.steps.length, Math.max(0, Math.floor(part * count) + 1));
  };
  picture.addEventListener("click", (happened) => go(place(happened)));
  const title = svg("title", {}, "");
  picture.append(title);
  picture.addEventListener("pointermove", (happened) => {
    const step = game.steps[place(happened) - 1];
    if (step) title.textContent = `${place(happened)}: ${evalText(step.info)} ${spanText(millis(step.ns))}`;
  });
  return picture;
}
