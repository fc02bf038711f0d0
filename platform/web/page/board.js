// The board as a picture. What is legal, forbidden or won comes with the data.

import { svg } from "./dom.js";
import { text } from "./texts.js";
import { columnName, pointAt, pointName } from "./words.js";

/** @import { Zone } from "./protocol.d.ts" */

/**
 * @typedef {{corners: [number, number], outside: boolean}} BoardZone the corners bottom left and top
 *   right, and whether stones may lie outside instead
 * @typedef {{at: number, white: boolean, number: number}} Stone
 * @typedef {{lines: number[][], name: string}} FoulMark the stones of each line that made a foul, and
 *   what it is called
 * @typedef {{width: number, height: number, stones: Stone[], last?: number[], row?: number[],
 *   settles?: boolean, foul?: FoulMark | null,
 *   forbidden?: Record<string, string>, offered?: number[], zone?: BoardZone, line?: Stone[], chosen?: Stone[], flipped?: boolean, numbers?: boolean,
 *   coordinates?: boolean, label: string}} Diagram
 */

const CELL = 40;
const FOUL_SIGNS = { overline: "6", double_four: "44", double_three: "33" };

/**
 * Draws a position.
 * @param {Diagram} diagram
 * @returns {SVGSVGElement}
 */
export function drawBoard(diagram) {
  const { width, height } = diagram;
  const margin = diagram.coordinates ? 40 : 26;
  const [right, bottom] = [(width - 1) * CELL, (height - 1) * CELL];
  const { x, y } = boardPlaces(diagram);
  const box = `${-margin} ${-margin} ${right + 2 * margin} ${bottom + 2 * margin}`;
  const picture = svg("svg", {
    viewBox: box,
    class: "board",
    role: "img",
    "aria-label": diagram.label,
  });
  picture.append(
    svg("rect", {
      x: -margin,
      y: -margin,
      width: right + 2 * margin,
      height: bottom + 2 * margin,
      rx: 6,
      class: "wood",
    }),
    svg("path", { d: gridPath(width, height), class: "grid" }),
    svg("rect", { x: 0, y: 0, width: right, height: bottom, class: "edge" }),
  );
  for (const at of starPoints(width, height)) {
    picture.append(svg("circle", { cx: x(at), cy: y(at), r: 4, class: "star" }));
  }
  if (diagram.zone) picture.append(zoneMark(diagram, x, y, right, bottom));
  if (diagram.coordinates) picture.append(edgeLabels(diagram, x, y, right, bottom));
  for (const [name, foul] of Object.entries(diagram.forbidden ?? {})) {
    picture.append(forbiddenMark(pointAt(name), foul, x, y));
  }
  const number = (/** @type {Stone} */ stone) =>
    svg(
      "text",
      { x: x(stone.at), y: y(stone.at), class: `number d${String(stone.number).length}` },
      stone.number,
    );
  const inRow = new Set(diagram.row ?? []);
  const inFoul = new Set(diagram.foul?.lines.flat());
  const isLast = new Set(diagram.last ?? []);
  if (diagram.stones.length > 0) picture.append(shades());
  for (const stone of diagram.stones) {
    const color = stone.white ? "white" : "black";
    const last = isLast.has(stone.at) ? (diagram.settles ? " last settles" : " last") : "";
    const group = svg("g", { class: `stone ${color}${last}` });
    const [cx, cy] = [x(stone.at), y(stone.at)];
    group.append(
      svg("circle", { cx: cx + 1, cy: cy + 2.4, r: 20.4, fill: "url(#stone-shadow)" }),
      svg("circle", { cx, cy, r: 18.4, class: "disc", fill: `url(#stone-${color})` }),
    );
    if (inFoul.has(stone.at)) {
      group.append(svg("circle", { cx, cy, r: 15.2, class: "of-foul" }));
    }
    if (inRow.has(stone.at)) {
      group.append(svg("circle", { cx: x(stone.at), cy: y(stone.at), r: 15.2, class: "won" }));
    } else if (isLast.has(stone.at)) {
      group.append(
        diagram.numbers
          ? svg("circle", { cx: x(stone.at), cy: y(stone.at), r: 15.6, class: "ring" })
          : svg("circle", { cx: x(stone.at), cy: y(stone.at), r: 5.4, class: "dot" }),
      );
    }
    if (diagram.numbers) group.append(number(stone));
    picture.append(group);
  }
  if (diagram.foul) picture.append(foulMark(diagram, diagram.foul, x, y));
  (diagram.offered ?? []).forEach((at, place) => {
    const mark = svg("g", { class: "offered" });
    mark.append(
      svg("title", {}, `${text("offeredNote")}: ${pointName(at)}`),
      svg("circle", { cx: x(at), cy: y(at), r: 15 }),
      svg("text", { x: x(at), y: y(at), class: "number" }, String.fromCharCode(65 + place)),
    );
    picture.append(mark);
  });
  for (const stone of diagram.line ?? []) {
    const mark = svg("g", { class: `line ${stone.white ? "white" : "black"}` });
    mark.append(
      svg("circle", { cx: x(stone.at), cy: y(stone.at), r: 16.5, class: "disc" }),
      number(stone),
    );
    picture.append(mark);
  }
  for (const stone of diagram.chosen ?? []) {
    const mark = svg("g", { class: `chosen ${stone.white ? "white" : "black"}` });
    mark.append(svg("circle", { cx: x(stone.at), cy: y(stone.at), r: 17.5, class: "disc" }));
    if (stone.number > 0) mark.append(number(stone));
    picture.append(mark);
  }
  return picture;
}

/** How stones catch the light, and the shadow below them. */
function shades() {
  /**
   * @param {string} id
   * @param {[string, string, string]} center
   * @param {...[string, string, number]} stops
   */
  const shade = (id, [cx, cy, r], ...stops) =>
    svg(
      "radialGradient",
      { id, cx, cy, r },
      stops.map(([offset, color, opacity]) =>
        svg("stop", { offset, "stop-color": color, "stop-opacity": opacity }),
      ),
    );
  return svg(
    "defs",
    {},
    shade("stone-black", ["36%", "30%", "74%"], ["0", "#5b6168", 1], ["0.4", "#25282c", 1], ["1", "#0b0c0e", 1]),
    shade("stone-white", ["36%", "30%", "78%"], ["0", "#ffffff", 1], ["0.5", "#f6f3ea", 1], ["1", "#cfc7b5", 1]),
    shade("stone-shadow", ["50%", "50%", "50%"], ["0.8", "#2a1a04", 0.5], ["1", "#2a1a04", 0]),
  );
}

/**
 * The lines that met in a stone that was no move, and what that is called.
 * @param {Diagram} diagram
 * @param {FoulMark} foul
 * @param {(at: number) => number} x
 * @param {(at: number) => number} y
 */
function foulMark({ last = [], width, flipped }, foul, x, y) {
  const mark = svg("g", { class: "foul" });
  for (const line of foul.lines) {
    // In the order of points, the ends of a line are its first and its last stone.
    const ends = [line[0], line[line.length - 1]].map((at) => `${x(at)} ${y(at)}`);
    mark.append(svg("path", { d: `M${ends.join("L")}` }));
  }
  const [at] = last;
  if (at !== undefined) {
    const column = flipped ? width - 1 - (at % 32) : at % 32;
    const anchor = column < 2 ? "start" : column > width - 3 ? "end" : "middle";
    const heights = foul.lines.flat().map(y);
    const above = Math.min(...heights) - 31;
    const place = above > 0 ? above : Math.max(...heights) + 31;
    mark.append(svg("text", { x: x(at), y: place, "text-anchor": anchor }, foul.name));
  }
  return mark;
}

/**
 * Where the points of a board are in its picture, and which point a place there is.
 * @param {Pick<Diagram, "width" | "height" | "flipped">} diagram
 */
export function boardPlaces({ width, height, flipped }) {
  const column = (/** @type {number} */ across) => (flipped ? width - 1 - across : across);
  const row = (/** @type {number} */ up) => (flipped ? up : height - 1 - up);
  return {
    x: (/** @type {number} */ at) => column(at % 32) * CELL,
    y: (/** @type {number} */ at) => row(Math.floor(at / 32)) * CELL,
    /**
     * @param {number} x
     * @param {number} y
     */
    at(x, y) {
      const [across, down] = [Math.round(x / CELL), Math.round(y / CELL)];
      if (across < 0 || down < 0 || across >= width || down >= height) return null;
      return 32 * row(down) + column(across);
    },
  };
}

/**
 * The width and the height of a board: 15, or "20x15".
 * @param {number | string} size
 */
export function sidesOf(size) {
  const [width, height = width] = String(size).split("x").map(Number);
  return [width, height];
}

/**
 * Where stones may lie on a board: so far from its centre at most, or further.
 * @param {number | string} size
 * @param {Zone | undefined} zone
 * @returns {BoardZone | undefined}
 */
export function zoneOf(size, zone) {
  if (!zone) return undefined;
  const outside = "beyond" in zone;
  const radius = outside ? zone.beyond : zone.within;
  const sides = sidesOf(size);
  const low = sides.map((side) => Math.max(0, (side >> 1) - radius));
  const high = sides.map((side) => Math.min(side - 1, (side >> 1) + radius));
  return { corners: [32 * low[1] + low[0], 32 * high[1] + high[0]], outside };
}

/**
 * @param {number} width
 * @param {number} height
 */
function gridPath(width, height) {
  let path = "";
  for (let column = 1; column < width - 1; column += 1)
    path += `M${column * CELL} 0V${(height - 1) * CELL}`;
  for (let row = 1; row < height - 1; row += 1) path += `M0 ${row * CELL}H${(width - 1) * CELL}`;
  return path;
}

/**
 * The points that boards have dots on, to count by.
 * @param {number} width
 * @param {number} height
 */
function starPoints(width, height) {
  const stars = [];
  const inset = width >= 11 && height >= 11 ? 3 : 2;
  if (width >= 9 && height >= 9) {
    for (const column of [inset, width - 1 - inset]) {
      for (const row of [inset, height - 1 - inset]) stars.push(32 * row + column);
    }
  }
  if (width % 2 === 1 && height % 2 === 1) stars.push(16 * (height - 1) + (width - 1) / 2);
  return stars;
}

/**
 * @param {Diagram} diagram
 * @param {(at: number) => number} x
 * @param {(at: number) => number} y
 * @param {number} right
 * @param {number} bottom
 */
function zoneMark(diagram, x, y, right, bottom) {
  const { corners, outside } = /** @type {NonNullable<Diagram["zone"]>} */ (diagram.zone);
  const [xs, ys] = [corners.map(x), corners.map(y)];
  const half = CELL / 2;
  const [left, up] = [Math.min(...xs) - half, Math.min(...ys) - half];
  const [across, down] = [Math.abs(xs[1] - xs[0]) + CELL, Math.abs(ys[1] - ys[0]) + CELL];
  const inner = `M${left} ${up}h${across}v${down}h${-across}z`;
  const outer = `M${-half} ${-half}H${right + half}V${bottom + half}H${-half}z`;
  return svg(
    "path",
    { d: outside ? outer + inner : inner, "fill-rule": "evenodd", class: "zone" },
    svg("title", {}, text("zoneNote")),
  );
}

/**
 * @param {Diagram} diagram
 * @param {(at: number) => number} x
 * @param {(at: number) => number} y
 * @param {number} right
 * @param {number} bottom
 */
function edgeLabels(diagram, x, y, right, bottom) {
  const labels = svg("g", { class: "labels", "aria-hidden": "true" });
  for (let column = 0; column < diagram.width; column += 1) {
    labels.append(svg("text", { x: x(column), y: bottom + 29 }, columnName(column)));
  }
  for (let row = 0; row < diagram.height; row += 1) {
    labels.append(svg("text", { x: -29, y: y(32 * row) }, String(row + 1)));
  }
  return labels;
}

/**
 * @param {number} at
 * @param {string} foul
 * @param {(at: number) => number} x
 * @param {(at: number) => number} y
 */
function forbiddenMark(at, foul, x, y) {
  const mark = svg("g", { class: "forbidden" });
  const [cx, cy, arm] = [x(at), y(at), 6.5];
  mark.append(
    svg("title", {}, `${pointName(at)}: ${text(foul)}`),
    svg("path", {
      d: `M${cx - arm} ${cy - arm}l${2 * arm} ${2 * arm}M${cx + arm} ${cy - arm}l${-2 * arm} ${2 * arm}`,
    }),
    svg("text", { x: cx + 13, y: cy - 10 }, FOUL_SIGNS[/** @type {keyof typeof FOUL_SIGNS} */ (foul)]),
  );
  return mark;
}
