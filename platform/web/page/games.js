// The list of finished games.

import { el, icon, put } from "./dom.js";
import { text } from "./texts.js";
import { spanText, wholeText } from "./words.js";
import { ROW } from "./source.js";
import { columnTitle, dataTable, engineLabel } from "./tables.js";

/** @import { GameRow, OpenEvent } from "./source.js" */

/**
 * @typedef {{engine: string, other: string, result: string, end: string, page: number}} Filter
 */

const PER_PAGE = 50;

/**
 * How the game of a row ended for a reader: 1–0, ½–½ or 0–1, Black first.
 * @param {GameRow} row
 */
export function scoreText(row) {
  if (row[ROW.winner] === 2) return "½–½";
  return row[ROW.winner] === row[ROW.black] ? "1–0" : "0–1";
}

/**
 * @param {GameRow} row
 * @param {Filter} filter
 * @param {string[]} ends
 */
function fits(row, filter, ends) {
  const [first, second] = [String(row[ROW.first]), String(row[ROW.second])];
  if (filter.engine && first !== filter.engine && second !== filter.engine) return false;
  if (filter.other && first !== filter.other && second !== filter.other) return false;
  if (filter.engine && filter.engine === filter.other && first !== second) return false;
  if (filter.end && ends[row[ROW.end]] !== filter.end) return false;
  if (!filter.result) return true;
  if (filter.result === "draw") return row[ROW.winner] === 2;
  if (filter.result === "black") return row[ROW.winner] === row[ROW.black];
  return row[ROW.winner] !== 2 && row[ROW.winner] !== row[ROW.black];
}

/**
 * @param {OpenEvent} opened
 * @param {Filter} filter
 * @param {(number: number) => string} link
 * @param {(filter: Filter) => void} change
 */
export function gamesView(opened, filter, link, change) {
  const { event, games, terminations } = opened.data;
  const found = games.filter((row) => fits(row, filter, terminations));
  const pages = Math.max(1, Math.ceil(found.length / PER_PAGE));
  const page = Math.min(Math.max(0, filter.page), pages - 1);
  const select = (
    /** @type {string} */ label,
    /** @type {keyof Filter} */ key,
    /** @type {[string, string][]} */ options,
  ) =>
    el(
      "label",
      { class: "field" },
      el("span", {}, label),
      el(
        "select",
        {
          onchange: (happened) =>
            change({
              ...filter,
              page: 0,
              [key]: /** @type {HTMLSelectElement} */ (happened.target).value,
            }),
        },
        options.map(([value, name]) =>
          el("option", { value, selected: value === filter[key] }, name),
        ),
      ),
    );
  /** @type {[string, string][]} */
  const engines = [
    ["", text("allEngines")],
    ...event.standings.map(
      (line) =>
        /** @type {[string, string]} */ ([String(line.engine), event.engines[line.engine].label]),
    ),
  ];
  const ends = Object.keys(event.terminations);
  const number = el("input", {
    type: "number",
    min: 1,
    max: event.total,
    inputmode: "numeric",
    "aria-label": text("goTo"),
  });
  const form = el(
    "form",
    {
      class: "filters",
      onsubmit: (happened) => {
        happened.preventDefault();
        if (number.value) location.hash = link(Number(number.value));
      },
    },
    select(columnTitle(event, "engine"), "engine", engines),
    select(columnTitle(event, "engine"), "other", engines),
    select(text("result"), "result", [
      ["", text("anyResult")],
      ["black", text("blackWins")],
      ["draw", text("draw")],
      ["white", text("whiteWins")],
    ]),
    select(text("ending"), "end", [
      ["", text("anyEnd")],
      ...ends.map((end) => /** @type {[string, string]} */ ([end, text(end)])),
    ]),
    el("label", { class: "field narrow" }, el("span", {}, text("goTo")), number),
  );
  const turn = (
    /** @type {"first" | "previous" | "next" | "last"} */ sign,
    /** @type {string} */ label,
    /** @type {number} */ to,
  ) =>
    el(
      "button",
      {
        type: "button",
        class: "icon",
        "aria-label": label,
        title: label,
        disabled: to < 0 || to >= pages || to === page,
        onclick: () => change({ ...filter, page: to }),
      },
      icon(sign),
    );
  const pager = el(
    "nav",
    { class: "pager", "aria-label": text("games") },
    turn("first", text("first"), 0),
    turn("previous", text("previous"), page - 1),
    el("span", {}, text("page", page + 1, pages)),
    turn("next", text("next"), page + 1),
    turn("last", text("last"), pages - 1),
    el("span", { class: "count" }, text("found", wholeText(found.length))),
  );
  const rows = found
    .slice(page * PER_PAGE, (page + 1) * PER_PAGE)
    .map((row) => gameRow(opened, row, link));
  const heads = [
    text("game"),
    text("black"),
    text("result"),
    text("white"),
    text("ending"),
    text("stones"),
    text("duration"),
  ];
  const view = el("section", { class: "card wide" });
  put(
    view,
    el("h2", {}, text("games")),
    listNote(opened),
    form,
    found.length > 0
      ? dataTable(text("games"), heads, rows, "games")
      : el("p", {}, text("noGames")),
    pager,
  );
  return view;
}

/**
 * What is not in the list.
 * @param {OpenEvent} opened
 */
function listNote(opened) {
  const { event, games } = opened.data;
  if (games.length >= event.finished) return null;
  const key = opened.live ? "latestGames" : "sampled";
  return el(
    "p",
    { class: "notice" },
    text(key, wholeText(games.length), wholeText(event.finished)),
  );
}

/**
 * @param {OpenEvent} opened
 * @param {GameRow} row
 * @param {(number: number) => string} link
 */
export function gameRow(opened, row, link) {
  const { event, terminations } = opened.data;
  const [black, white] =
    row[ROW.black] === 0 ? [row[ROW.first], row[ROW.second]] : [row[ROW.second], row[ROW.first]];
  const flags = [
    row[ROW.flags] & 1 ? text("voidGame") : "",
    row[ROW.flags] & 2 ? text("spoiledGame") : "",
  ].filter(Boolean);
  const winner =
    row[ROW.winner] === 2 ? "" : row[ROW.winner] === row[ROW.black] ? "black" : "white";
  const open = () => {
    location.hash = link(row[ROW.number]);
  };
  return el(
    "tr",
    { onclick: open },
    el("td", { class: "num" }, el("a", { href: link(row[ROW.number]) }, row[ROW.number])),
    el("td", { class: winner === "black" ? "strong" : "" }, engineLabel(event, black)),
    el("td", { class: "num" }, scoreText(row)),
    el("td", { class: winner === "white" ? "strong" : "" }, engineLabel(event, white)),
    el(
      "td",
      {},
      text(terminations[row[ROW.end]]),
      flags.length > 0 ? el("span", { class: "small" }, ` ${flags.join(", ")}`) : null,
    ),
    el("td", { class: "num" }, row[ROW.stones]),
    el("td", { class: "num" }, spanText(row[ROW.time])),
  );
}
