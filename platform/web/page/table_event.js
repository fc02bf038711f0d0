// A table where people play, as the view of a game has an event.

import { text } from "./texts.js";
import { sidesOf } from "./board.js";
import { SEATS } from "./position.js";

/** @import { PlayLink, Room } from "./play_link.js" */
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
 * @param {Room} room
 * @param {Seat} seat
 */
export function seatName(room, seat) {
  const sitter = room.state.seats[seat];
  return sitter?.name || text(sitter ? "guest" : "freeSeat");
}

/**
 * Who plays, as the engines of an event.
 * @param {Room} room
 */
export function tableEngines(room) {
  return SEATS.map((seat) => ({ label: seatName(room, seat), name: "", version: "" }));
}

/**
 * @param {Room} room
 * @param {PlayLink} link
 * @returns {OpenEvent}
 */
export function tableEvent(room, link) {
  const { rule, size } = room.settings;
  const [width, height] = sidesOf(size);
  const event = { settings: { rule, width, height }, engines: tableEngines(room) };
  return /** @type {OpenEvent} */ (
    /** @type {unknown} */ ({ data: { event }, live: link, downloads: () => [] })
  );
}
