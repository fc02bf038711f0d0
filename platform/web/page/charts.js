// Small charts.

import { svg } from "./dom.js";
import { text } from "./texts.js";

/**
 * @typedef {{name: string, color: number, values: (number | null)[],
 *   bounds?: ([number, number] | null)[]}} Line
 */

const WIDE = 640;
const HIGH = 260;
const PAD = { left: 46, right: 20, top: 12, bottom: 30 };
/** The colours that lines have, by the engine's place in the event. */
export const COLORS = 12;

/**
 * A step of an axis that reads well, so that there are about so many.
 * @param {number} span
 * @param {number} count
 */
function niceStep(span, count) {
  const rough = Math.max(span / count, 1e-9);
  const power = 10 ** Math.floor(Math.log10(rough));
  const times = [1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10;
  return times * power;
}

/**
 * @param {number} low
 * @param {number} high
 * @param {number} count
 */
function ticks(low, high, count) {
  const step = niceStep(high - low, count);
  const marks = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-6; at += step) {
    marks.push(Math.abs(at) < step * 1e-6 ? 0 : at);
  }
  return marks;
}

/**
 * Lines over a common axis; the band around a line is its interval.
 * @param {{label: string, xs: number[], lines: Line[], x: (at: number) => string,
 *   y: (at: number) => string, fromZero?: boolean}} chart
 */
export function lineChart({ label, xs, lines, x: xText, y: yText, fromZero }) {
  const known = lines.flatMap((line) => line.values.filter((value) => value !== null));
  const picture = svg("svg", {
    viewBox: `0 0 ${WIDE} ${HIGH}`,
    class: "chart",
    role: "img",
    "aria-label": label,
  });
  if (known.length === 0) {
    picture.append(svg("text", { x: WIDE / 2, y: HIGH / 2, class: "empty" }, "–"));
    return picture;
  }
  let [low, high] = [Math.min(...known, ...(fromZero ? [0] : [])), Math.max(...known)];
  if (high - low < 1e-9) [low, high] = [low - 1, high + 1];
  const room = fromZero ? 0 : (high - low) * 0.08;
  [low, high] = [low - room, high + (high - low) * 0.06];
  const [first, last] = [xs[0], Math.max(xs[xs.length - 1], xs[0] + 1)];
  const x = (/** @type {number} */ at) =>
    PAD.left + ((at - first) / (last - first)) * (WIDE - PAD.left - PAD.right);
  const y = (/** @type {number} */ at) =>
    HIGH - PAD.bottom - ((at - low) / (high - low)) * (HIGH - PAD.top - PAD.bottom);
  const inside = (/** @type {number} */ at) =>
    Math.min(HIGH - PAD.bottom, Math.max(PAD.top, y(at)));
  for (const mark of ticks(low, high, 5)) {
    picture.append(
      svg("path", {
        d: `M${PAD.left} ${y(mark)}H${WIDE - PAD.right}`,
        class: mark === 0 ? "zero" : "rule",
      }),
      svg("text", { x: PAD.left - 8, y: y(mark), class: "ytick" }, yText(mark)),
    );
  }
  for (const mark of ticks(first, last, 7)) {
    picture.append(svg("text", { x: x(mark), y: HIGH - 9, class: "xtick" }, xText(mark)));
  }
  for (const line of lines) {
    const group = svg(
      "g",
      { class: `series c${line.color % COLORS}` },
      svg("title", {}, line.name),
    );
    let path = "";
    let isOpen = false;
    let [upper, lower] = ["", ""];
    line.values.forEach((value, place) => {
      if (value === null) {
        isOpen = false;
        return;
      }
      path += `${isOpen ? "L" : "M"}${x(xs[place]).toFixed(1)} ${y(value).toFixed(1)}`;
      isOpen = true;
      const bounds = line.bounds?.[place];
      if (bounds) {
        upper += `L${x(xs[place]).toFixed(1)} ${inside(bounds[1]).toFixed(1)}`;
        lower = `L${x(xs[place]).toFixed(1)} ${inside(bounds[0]).toFixed(1)}${lower}`;
      }
    });
    if (upper) group.append(svg("path", { d: `M${upper.slice(1)}${lower}z`, class: "band" }));
    group.append(
      svg("path", { d: path, class: "stroke" }),
      svg("path", { d: path, class: "touch" }),
    );
    picture.append(group);
  }
  return picture;
}

/**
 * Columns in three parts: Black won, draw, White won.
 * @param {string} label
 * @param {[number, number, number][]} classes
 * @param {(place: number) => string} name
 */
export function columnChart(label, classes, name) {
  const picture = svg("svg", {
    viewBox: `0 0 ${WIDE} ${HIGH}`,
    class: "chart",
    role: "img",
    "aria-label": label,
  });
  const most = Math.max(1, ...classes.map((parts) => parts[0] + parts[1] + parts[2]));
  const across = (WIDE - PAD.left - PAD.right) / Math.max(1, classes.length);
  const scale = (HIGH - PAD.top - PAD.bottom) / most;
  for (const mark of ticks(0, most, 4).filter((at) => Number.isInteger(at))) {
    const y = HIGH - PAD.bottom - mark * scale;
    picture.append(
      svg("path", {
        d: `M${PAD.left} ${y}H${WIDE - PAD.right}`,
        class: mark === 0 ? "zero" : "rule",
      }),
      svg("text", { x: PAD.left - 8, y, class: "ytick" }, String(mark)),
    );
  }
  const names = [text("blackWins"), text("draws2"), text("whiteWins")];
  const every = Math.max(1, Math.ceil(classes.length / 8));
  classes.forEach((parts, place) => {
    const x = PAD.left + place * across;
    let bottom = HIGH - PAD.bottom;
    const told = parts.map((count, part) => `${names[part]} ${count}`).join(", ");
    const group = svg("g", {}, svg("title", {}, `${name(place)}: ${told}`));
    parts.forEach((count, part) => {
      const height = count * scale;
      bottom -= height;
      if (count > 0) {
        group.append(
          svg("rect", {
            x: x + across * 0.1,
            y: bottom,
            width: across * 0.8,
            height,
            class: `part p${part}`,
          }),
        );
      }
    });
    picture.append(group);
    if (place % every === 0) {
      picture.append(svg("text", { x: x + across / 2, y: HIGH - 9, class: "xtick" }, name(place)));
    }
  });
  return picture;
}

/**
 * One bar in three parts, with their counts.
 * @param {number[]} parts
 * @param {string[]} names
 */
export function splitBar(parts, names) {
  const sum = parts[0] + parts[1] + parts[2];
  const told = parts.map((count, part) => `${names[part]} ${count}`).join(", ");
  const picture = svg("svg", {
    viewBox: "0 0 120 12",
    preserveAspectRatio: "none",
    class: "split",
    role: "img",
    "aria-label": told,
  });
  picture.append(svg("title", {}, told));
  let x = 0;
  parts.forEach((count, part) => {
    const width = sum > 0 ? (120 * count) / sum : 0;
    if (width > 0)
      picture.append(svg("rect", { x, y: 0, width, height: 12, class: `part p${part}` }));
    x += width;
  });
  return picture;
}

/**
 * A value with its interval, on a scale that is common to a column.
 * @param {number | null} value
 * @param {number | null} low
 * @param {number | null} high
 * @param {[number, number]} scale
 */
export function intervalBar(value, low, high, scale) {
  const [least, most] = scale;
  const x = (/** @type {number} */ at) =>
    Math.min(119, Math.max(1, ((at - least) / Math.max(1e-9, most - least)) * 118 + 1));
  const picture = svg("svg", { viewBox: "0 0 120 16", class: "interval", "aria-hidden": "true" });
  if (least < 0 && most > 0) picture.append(svg("path", { d: `M${x(0)} 0V16`, class: "zero" }));
  if (low !== null || high !== null) {
    const [from, to] = [x(low ?? least), x(high ?? most)];
    picture.append(
      svg("path", { d: `M${from} 8H${to}`, class: "whisker" }),
      low === null ? "" : svg("path", { d: `M${from} 4V12`, class: "whisker" }),
      high === null ? "" : svg("path", { d: `M${to} 4V12`, class: "whisker" }),
    );
  }
  if (value !== null)
    picture.append(svg("circle", { cx: x(value), cy: 8, r: 3.6, class: "value" }));
  return picture;
}
