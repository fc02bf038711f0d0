// The list of finished games.

import { el, icon, put } from "./dom.js";
import { text } from "./texts.js";
import { spanText, wholeText } from "./words.js";
import { NEWEST, ROW, colorsOf, winnerOf } from "./game_filter.js";
import { columnTitle, dataTable, engineLabel, sortHead } from "./tables.js";

/** @import { GameList } from "./event.d.ts" */
/** @import { Filter } from "./game_filter.js" */
/** @import { GameRow, OpenEvent } from "./source.js" */

export const PER_PAGE = 50;

/** The columns, with what the list can go by. @type {[string, string][]} */
const COLUMNS = [
  ["game", "number"],
  ["black", "black"],
  ["result", "result"],
  ["white", "white"],
  ["ending", "end"],
  ["stones", "stones"],
  ["duration", "time"],
];

/**
 * How the game of a row ended for a reader: 1–0, ½–½ or 0–1, Black first.
 * @param {GameRow} row
 */
export function scoreText(row) {
  return { black: "1–0", draw: "½–½", white: "0–1" }[winnerOf(row)];
}

/**
 * @param {OpenEvent} opened
 * @param {GameList} list the games of the page that is shown
 * @param {Filter} filter
 * @param {(number: number) => string} link
 * @param {(filter: Filter) => void} change
 */
export function gamesView(opened, list, filter, link, change) {
  const { event } = opened.data;
  const pages = Math.max(1, Math.ceil(list.found / PER_PAGE));
  const page = filter.page;
  const select = (
    /** @type {string} */ label,
    /** @type {"engine" | "other" | "result" | "end"} */ key,
    /** @type {[string, string][]} */ options,
  ) =>
    el(
      "label",
      { class: "field" },
      el("span", {}, label),
      el(
        "select",
        {
          name: key,
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
    name: "number",
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
    select(text("opponent"), "other", engines),
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
        name: `to-${sign}`,
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
    el("span", { class: "count" }, text("found", wholeText(list.found))),
  );
  const rows = list.games.map((row) => gameRow(opened, row, link));
  const sort = filter.sort || NEWEST;
  const heads = COLUMNS.map(([name, key]) => {
    const state = sort === key ? "ascending" : sort === `-${key}` ? "descending" : null;
    const wanted = state === "descending" ? key : `-${key}`;
    const chosen = wanted === NEWEST ? "" : wanted;
    return sortHead(text(name), "", state, key, () => change({ ...filter, sort: chosen, page: 0 }));
  });
  const view = el("section", { class: "card wide" });
  put(
    view,
    el("h1", {}, text("games")),
    listNote(opened),
    form,
    list.found > 0
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
  if (!games || games.length >= event.finished) return null;
  return el(
    "p",
    { class: "notice" },
    text("sampled", wholeText(games.length), wholeText(event.finished)),
  );
}

/**
 * @param {OpenEvent} opened
 * @param {GameRow} row
 * @param {(number: number) => string} link
 */
function gameRow(opened, row, link) {
  const { event, terminations } = opened.data;
  const [black, white] = colorsOf(row);
  const flags = [
    row[ROW.flags] & 1 ? text("voidGame") : "",
    row[ROW.flags] & 2 ? text("spoiledGame") : "",
  ].filter(Boolean);
  const winner = winnerOf(row);
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
