// A table where people play, as the view of a game has an event.

import { text } from "./texts.js";
import { sidesOf } from "./board.js";
import { SEATS } from "./position.js";

/** @import { PlayLink, Table } from "./play_link.js" */
/** @import { OpenEvent } from "./source.js" */
/** @import { GameView, Seat } from "./protocol.d.ts" */

/** What is shown before the first game begins. @type {GameView} */
export const NO_GAME = {
  number: 0,
  round: 0,
  seats: { first: 0, second: 1 },
  black: "first",
  clocks: { first: null, second: null },
  first: {},
  steps: [],
  result: null,
};

/**
 * @param {Table} table
 * @param {Seat} seat
 */
export function seatName(table, seat) {
  const sitter = table.state.seats[seat];
  return sitter?.name || text(sitter ? "guest" : "freeSeat");
}

/**
 * Who plays, as the engines of an event.
 * @param {Table} table
 */
export function tableEngines(table) {
  return SEATS.map((seat) => ({ label: seatName(table, seat), name: "", version: "" }));
}

/**
 * @param {Table} table
 * @param {PlayLink} link
 * @returns {OpenEvent}
 */
export function tableEvent(table, link) {
  const { rule, size } = table.settings;
  const [width, height] = sidesOf(size);
  const event = { settings: { rule, width, height }, engines: tableEngines(table) };
  return /** @type {OpenEvent} */ (
    /** @type {unknown} */ ({ data: { event }, live: link, downloads: () => [] })
  );
}
