// Pointing at the board: by mouse or touch, or with the arrows and Enter.

import { announce, svg } from "./dom.js";
import { text } from "./texts.js";
import { pointName } from "./words.js";
import { boardPlaces } from "./board.js";

/** @import { Diagram } from "./board.js" */

/**
 * @typedef {{cursor: number | null}} Cursor
 * @typedef {{isOpen: (at: number) => boolean, white: boolean, pick: (at: number) => void,
 *   cursor: Cursor}} Pointing
 */

/**
 * Lets a person point at the board that was drawn so.
 * @param {SVGSVGElement} picture
 * @param {Diagram} diagram
 * @param {Pointing} pointing
 */
export function letPoint(picture, diagram, pointing) {
  const { width, height } = diagram;
  const { x, y, at: pointOf } = boardPlaces(diagram);
  const { cursor } = pointing;
  const ghost = svg("circle", { r: 18.4, class: `ghost ${pointing.white ? "white" : "black"}` });
  const frame = svg("rect", { width: 40, height: 40, rx: 5, class: "cursor" });
  ghost.style.display = "none";
  picture.append(ghost, frame);
  picture.classList.add("open");
  picture.setAttribute("tabindex", "0");
  picture.setAttribute("role", "application");
  picture.setAttribute("aria-label", `${diagram.label}. ${text("boardKeys")}`);

  /** @param {MouseEvent} happened */
  const place = (happened) => {
    const matrix = picture.getScreenCTM();
    if (!matrix) return null;
    const inside = new DOMPoint(happened.clientX, happened.clientY).matrixTransform(
      matrix.inverse(),
    );
    const at = pointOf(inside.x, inside.y);
    return at !== null && pointing.isOpen(at) ? at : null;
  };
  const drawCursor = () => {
    frame.style.display = cursor.cursor === null ? "none" : "";
    if (cursor.cursor === null) return;
    frame.setAttribute("x", String(x(cursor.cursor) - 20));
    frame.setAttribute("y", String(y(cursor.cursor) - 20));
  };
  /** @param {number} at */
  const describe = (at) => {
    const stone = diagram.stones.find((one) => one.at === at);
    const foul = (diagram.forbidden ?? {})[pointName(at)];
    const what = stone
      ? text(stone.white ? "white" : "black")
      : foul !== undefined
        ? text("forbiddenPoint")
        : text(pointing.isOpen(at) ? "freePoint" : "shutPoint");
    return `${pointName(at)}, ${what}`;
  };
  picture.addEventListener("pointermove", (happened) => {
    const at = happened.pointerType === "touch" ? null : place(happened);
    ghost.style.display = at === null ? "none" : "";
    if (at === null) return;
    ghost.setAttribute("cx", String(x(at)));
    ghost.setAttribute("cy", String(y(at)));
  });
  picture.addEventListener("pointerleave", () => {
    ghost.style.display = "none";
  });
  picture.addEventListener("click", (happened) => {
    const at = place(happened);
    if (at !== null) pointing.pick(at);
  });
  picture.addEventListener("keydown", (pressed) => {
    if (pressed.ctrlKey || pressed.metaKey || pressed.altKey) return;
    const from = cursor.cursor ?? 32 * (height >> 1) + (width >> 1);
    const side = diagram.flipped ? -1 : 1;
    const moves = {
      ArrowLeft: [-side, 0],
      ArrowRight: [side, 0],
      ArrowUp: [0, side],
      ArrowDown: [0, -side],
    };
    const step = Object.hasOwn(moves, pressed.key)
      ? moves[/** @type {keyof typeof moves} */ (pressed.key)]
      : null;
    if (step) {
      const [column, row] = cursor.cursor === null ? [0, 0] : step;
      const across = Math.min(width - 1, Math.max(0, (from % 32) + column));
      const up = Math.min(height - 1, Math.max(0, Math.floor(from / 32) + row));
      cursor.cursor = 32 * up + across;
      drawCursor();
      announce(describe(cursor.cursor));
    } else if ((pressed.key === "Enter" || pressed.key === " ") && cursor.cursor !== null) {
      if (pointing.isOpen(cursor.cursor)) pointing.pick(cursor.cursor);
      else announce(describe(cursor.cursor));
    } else {
      return;
    }
    pressed.preventDefault();
    pressed.stopPropagation();
  });
  drawCursor();
}
