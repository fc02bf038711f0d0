// What stands behind a player's name at a table, and the button of a seat that is free.

import { el } from "./dom.js";
import { text } from "./texts.js";
import { seatName } from "./table_event.js";

/** How many seconds of it are given back with a move where the settings leave that out. */
export const USUAL_LAG = 0.5;

/** @import { Table } from "./play_link.js" */
/** @import { Seat } from "./protocol.d.ts" */

/** @param {Table} table */
function lagTitle({ settings }) {
  return `${text("lagHint")} · ${text("lagGiven", settings.lag ?? USUAL_LAG)}`;
}

/**
 * @param {Table} table
 * @param {Seat} seat
 * @param {{sit: (seat: Seat) => void, remove: () => void}} does
 */
export function seatTags(table, seat, does) {
  const { state, you } = table;
  const sitter = state.seats[seat];
  if (!sitter) {
    const canSit = you.seat === null;
    return [
      canSit
        ? el(
            "button",
            { type: "button", class: "primary", onclick: () => does.sit(seat) },
            text("sitHere"),
          )
        : null,
    ];
  }
  const isPlayed = state.phase === "playing" || state.phase === "paused";
  const canRemove = you.host && you.seat !== seat && !isPlayed;
  const removal = text("removePlayer", seatName(table, seat));
  return [
    you.seat === seat ? el("span", { class: "tag" }, text("you")) : null,
    sitter.kind !== "person" ? el("span", { class: "tag" }, text("byEngine")) : null,
    sitter.here ? null : el("span", { class: "tag away" }, text("away")),
    sitter.lag !== null && sitter.here
      ? el("span", { class: "small num", title: lagTitle(table) }, text("lag", sitter.lag))
      : null,
    canRemove
      ? el(
          "button",
          {
            type: "button",
            class: "plain tiny",
            "aria-label": removal,
            title: removal,
            onclick: does.remove,
          },
          "×",
        )
      : null,
  ];
}
