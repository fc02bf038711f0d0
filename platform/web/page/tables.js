// Standings, the cross table and the terminations.

import { el } from "./dom.js";
import { inLanguage, text } from "./texts.js";
import { dateText, eloText, percentText, pointsText, signedText, wholeText } from "./words.js";
import { COLORS, intervalBar, splitBar } from "./charts.js";

/** @import { ColumnView, EventView, StandingView, TestState } from "./event.d.ts" */

/**
 * @typedef {{title: string, kind?: string, sort?: (line: StandingView) => number | null,
 *   cell: (line: StandingView, place: number) => import("./dom.js").Child | Node[]}} DrawnColumn
 *   without a kind it is the head of its row
 * @typedef {{title: string, kind?: string}} DrawnHead
 */

/** From how many engines on a cross table is narrow on paper. */
const MANY = 14;
/** How many lines of the standings are shown at first. */
const FIRST_LINES = 50;

/**
 * An engine's label, with the colour that it has in charts.
 * @param {EventView} event
 * @param {number} engine
 * @param {string} [link]
 */
export function engineLabel(event, engine, link) {
  const { label, name, version } = event.engines[engine] ?? {
    label: `#${engine}`,
    name: "",
    version: "",
  };
  const title = [label, name, version].filter((part, place, all) => all.indexOf(part) === place);
  const dot = el("span", { class: `key c${engine % COLORS}`, "aria-hidden": "true" });
  const named = el("span", { class: "name", title: title.filter(Boolean).join(" ") }, label);
  return link
    ? el("a", { href: link, class: "engine" }, dot, named)
    : el("span", { class: "engine" }, dot, named);
}

/**
 * The head of a column that a table can be sorted by.
 * @param {string} title
 * @param {string} kind
 * @param {"ascending" | "descending" | null} state
 * @param {string} name so that it is found again when the table was drawn anew
 * @param {() => void} onclick
 */
export function sortHead(title, kind, state, name, onclick) {
  return el(
    "th",
    { scope: "col", class: kind, "aria-sort": state },
    title && el("button", { type: "button", class: "sort", name: `sort-${name}`, onclick }, title),
  );
}

/**
 * By which column the reader has sorted each table, and whether it falls.
 * @type {Map<string, {column: number, isFalling: boolean}>}
 */
const sorts = new Map();

/**
 * What a cell is sorted by: a number, or what it says.
 * @param {Element | undefined} cell
 */
function cellValue(cell) {
  const told = cell?.getAttribute("data-sort");
  if (told) return Number(told);
  const words = cell?.textContent ?? "";
  if (!cell?.classList.contains("num")) return words.toLowerCase();
  const [digits] = words.replace(/\u202f/g, "").replace("−", "-").match(/-?\d+(\.\d+)?/) ?? [];
  return digits === undefined ? words : Number(digits);
}

/**
 * Numbers come before words, and what is empty at the end.
 * @param {number | string} one
 * @param {number | string} other
 */
function compareCells(one, other) {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one === typeof other) return String(one).localeCompare(String(other));
  return typeof one === "number" ? -1 : 1;
}

/**
 * A table that its reader can sort by each of its columns. Of the first click on a column of numbers
 * the greatest comes first.
 * @param {string} label
 * @param {string[] | DrawnHead[]} heads
 * @param {HTMLTableRowElement[]} rows
 * @param {string} [kind]
 * @param {() => HTMLTableRowElement[]} [rest] the rows that are not shown, when all are needed
 */
export function sortedTable(label, heads, rows, kind = "", rest = () => []) {
  const key = `${label} ${kind}`;
  let shown = rows;
  const table = dataTable(label, [], rows, kind);
  const head = table.querySelector("thead tr");
  const body = table.querySelector("tbody");
  const draw = () => {
    const sort = sorts.get(key);
    head?.replaceChildren(
      ...heads.map((given, column) => {
        const { title, kind: of = "" } = typeof given === "string" ? { title: given } : given;
        const state =
          sort?.column === column ? (sort.isFalling ? "descending" : "ascending") : null;
        return sortHead(title, of, state, String(column), () => choose(column));
      }),
    );
    if (!sort) return;
    shown = [...shown, ...rest()];
    rest = () => [];
    const value = (/** @type {Element} */ row) => cellValue(row.children[sort.column]);
    const valued = shown.map((row) => ({ row, value: value(row) }));
    const order = (/** @type {number | string} */ one, /** @type {number | string} */ other) => {
      const rising = compareCells(one, other);
      return sort.isFalling && typeof one === typeof other ? -rising : rising;
    };
    valued.sort((one, other) => order(one.value, other.value));
    body?.replaceChildren(...valued.map(({ row }) => row));
  };
  const choose = (/** @type {number} */ column) => {
    const before = sorts.get(key);
    const first = cellValue(shown[0]?.children[column]);
    const isFalling =
      before?.column === column ? !before.isFalling : typeof first === "number" && column > 0;
    sorts.set(key, { column, isFalling });
    draw();
    /** @type {HTMLElement | null} */ (head?.children[column]?.firstElementChild ?? null)?.focus();
  };
  draw();
  return table;
}

/**
 * @param {string} label
 * @param {(string | HTMLElement)[]} heads
 * @param {Node[]} rows
 * @param {string} [kind]
 */
export function dataTable(label, heads, rows, kind = "") {
  return el(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
    el(
      "table",
      { class: `data ${kind}` },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          heads.map((head) => (head instanceof Node ? head : el("th", { scope: "col" }, head))),
        ),
      ),
      el("tbody", {}, rows),
    ),
  );
}

/**
 * What the standings' column of that name is called.
 * @param {EventView} event
 * @param {ColumnView["name"]} name
 */
export function columnTitle(event, name) {
  const column = event.columns.find((known) => known.name === name);
  return column ? inLanguage(column.titles) : name;
}

/**
 * What games won, drawn and lost are called.
 * @param {EventView} event
 */
export function resultTitles(event) {
  return [columnTitle(event, "wins"), columnTitle(event, "draws"), columnTitle(event, "losses")];
}

/**
 * How the columns of the standings are drawn, from the left. Those that are not named here are
 * numbers or texts, and where the window is narrow they are left out.
 * @param {EventView} event
 * @param {(engine: number) => string} link
 * @returns {DrawnColumn[]}
 */
function drawnColumns(event, link) {
  const ends = event.standings
    .flatMap((line) => [line.low, line.high, line.elo])
    .filter((end) => end !== null);
  const bound = Math.max(10, ...ends.map((end) => Math.abs(Number(end))));
  /** @type {[number, number]} */
  const scale = [-Math.min(bound, 900), Math.min(bound, 900)];
  const results = resultTitles(event);
  /** @type {(column: ColumnView) => DrawnColumn[]} */
  const draw = (column) => {
    const title = inLanguage(column.titles);
    /** @type {DrawnColumn} */
    const plain = {
      title,
      kind: column.number ? "num extra" : "extra",
      cell: (line) => cellText(line, column),
    };
    switch (column.name) {
      case "place":
        return [{ title, kind: "num rank", cell: (_, place) => place + 1 }];
      case "engine":
        return [{ title, cell: (line) => engineLabel(event, line.engine, link(line.engine)) }];
      case "points":
        return [
          {
            title,
            kind: "num strong",
            sort: (line) => line.points,
            cell: (line) => pointsText(line.points),
          },
        ];
      case "wins":
        return [
          {
            title: results.join(" · "),
            kind: "wdl extra",
            sort: (line) => line.wins,
            cell: resultsCell(results),
          },
        ];
      case "draws":
      case "losses":
        // They are in the bar of the wins.
        return [];
      case "elo":
        return [
          { title, kind: "num strong", sort: eloValue, cell: eloText },
          { title: "95 %", kind: "bar", sort: eloValue, cell: intervalCell(scale) },
        ];
      case "games": {
        const score = (/** @type {StandingView} */ line) => percentText(line.points, line.games);
        return [plain, { title: text("score"), kind: "num extra", cell: score }];
      }
      default:
        return [plain];
    }
  };
  return event.columns.flatMap(draw);
}

/**
 * What a line is sorted by where its Elo is unknown, or open at one end.
 * @param {StandingView} line
 */
function eloValue({ elo, low, high }) {
  return elo ?? low ?? high;
}

/**
 * @param {StandingView} line
 * @param {ColumnView} column
 */
function cellText(line, column) {
  const cell = /** @type {Record<string, unknown>} */ (line)[column.name] ?? "–";
  return typeof cell === "number" ? wholeText(cell) : String(cell);
}

/**
 * @param {string[]} titles
 * @returns {DrawnColumn["cell"]}
 */
function resultsCell(titles) {
  return ({ wins, draws, losses }) => {
    const results = [wins, draws, losses];
    return [splitBar(results, titles), el("span", { class: "num small" }, results.join(" · "))];
  };
}

/**
 * @param {[number, number]} scale
 * @returns {DrawnColumn["cell"]}
 */
function intervalCell(scale) {
  return ({ elo, low, high }) => {
    const ends = [low === null ? "−∞" : signedText(low), high === null ? "+∞" : signedText(high)];
    const interval = low === null && high === null ? "" : `[${ends.join(", ")}]`;
    return [intervalBar(elo, low, high, scale), el("span", { class: "num small" }, interval)];
  };
}

/**
 * @param {EventView} event
 * @param {(engine: number) => string} link
 */
export function standingsTable(event, link) {
  const columns = drawnColumns(event, link);
  const row = (/** @type {StandingView} */ line, /** @type {number} */ place) =>
    el(
      "tr",
      {},
      columns.map(({ kind, cell, sort }) =>
        kind
          ? el("td", { class: kind, "data-sort": sort?.(line) }, cell(line, place))
          : el("th", { scope: "row" }, cell(line, place)),
      ),
    );
  const rows = event.standings.slice(0, FIRST_LINES).map(row);
  const rest = () => {
    more.remove();
    const left = event.standings.slice(FIRST_LINES);
    return left.map((line, place) => row(line, place + FIRST_LINES));
  };
  const more = el(
    "button",
    {
      type: "button",
      class: "plain more",
      onclick: () => table.querySelector("tbody")?.append(...rest()),
    },
    text("more", event.standings.length),
  );
  const table = sortedTable(text("standings"), columns, rows, "standings", rest);
  return el("div", {}, table, event.standings.length > rows.length ? more : null);
}

/**
 * @param {EventView} event
 * @param {(engine: number, other: number) => string} link the games of two engines
 * @param {EventView | null} before the event as it was shown before: what is new since is marked
 */
export function crossTable(event, link, before) {
  const known = new Map(before?.standings.map((line, place) => [line.engine, place]));
  /**
   * @param {number} engine
   * @param {number} other
   * @param {number[]} scores
   */
  const isFresh = (engine, other, scores) => {
    const [one, against] = [known.get(engine), known.get(other)];
    if (one === undefined || against === undefined) return false;
    return String(before?.cross[one]?.[against]) !== String(scores);
  };
  const places = event.standings.map((_, place) => String(place + 1));
  const heads = ["", ...places, columnTitle(event, "points")];
  const rows = event.cross.map((scores, place) => {
    const line = event.standings[place];
    const cells = scores.map(([wins, draws, losses], other) => {
      const games = wins + draws + losses;
      if (other === place && games === 0) return el("td", { class: "self" }, "");
      if (games === 0) return el("td", { class: "num" }, "–");
      const against = event.standings[other].engine;
      const fresh = isFresh(line.engine, against, [wins, draws, losses]) ? " fresh" : "";
      const names = [line.engine, against].map((engine) => event.engines[engine].label);
      const words = `${names.join(" – ")}: +${wins} =${draws} −${losses}`;
      const share = (wins + draws / 2) / games;
      const shade =
        share > 0.75
          ? "s4"
          : share > 0.55
            ? "s3"
            : share >= 0.45
              ? "s2"
              : share >= 0.25
                ? "s1"
                : "s0";
      return el(
        "td",
        { class: `num cell ${shade}${fresh}` },
        el(
          "a",
          { href: link(line.engine, against), title: words },
          pointsText(wins + draws / 2),
          el("span", { class: "small" }, `${wins}-${draws}-${losses}`),
        ),
      );
    });
    return el(
      "tr",
      {},
      el(
        "th",
        { scope: "row" },
        el("span", { class: "num rank" }, `${place + 1} `),
        engineLabel(event, line.engine),
      ),
      cells,
      el("td", { class: "num strong" }, pointsText(line.points)),
    );
  });
  const kind = event.standings.length > MANY ? "cross many" : "cross";
  return dataTable(text("crossTable"), heads, rows, kind);
}

/**
 * @param {EventView} event
 */
export function terminationsTable(event) {
  const causes = Object.entries(event.terminations).sort((one, other) => other[1] - one[1]);
  const losers = event.standings
    .filter((line) => Object.keys(line.lost).length > 0)
    .slice(0, FIRST_LINES);
  const heads = [
    text("ending"),
    columnTitle(event, "games"),
    ...losers.map((line) => event.engines[line.engine].label),
  ];
  const rows = causes.map(([cause, count]) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, text(cause)),
      el(
        "td",
        { class: "num strong" },
        `${wholeText(count)} `,
        el("span", { class: "small" }, percentText(count, event.counted)),
      ),
      losers.map((line) =>
        el("td", { class: "num" }, line.lost[cause] ? wholeText(line.lost[cause]) : ""),
      ),
    ),
  );
  return sortedTable(text("terminations"), heads, rows, "ends");
}

/**
 * A moment where it is read; what is no moment stays as it is.
 * @param {string} date
 */
function localTime(date) {
  const moment = Date.parse(date);
  return Number.isNaN(moment) ? date : dateText(moment / 1000);
}

/**
 * @param {EventView} event
 */
export function changesTable(event) {
  const heads = ["changeNumber", "changeDate", "referee", "changeText"].map((name) => text(name));
  const rows = event.changes.map(({ number, date, by, text: what }) =>
    el(
      "tr",
      {},
      el("th", { scope: "row", class: "num" }, wholeText(number)),
      el("td", {}, localTime(date)),
      el("td", {}, by ?? ""),
      el("td", { class: "told" }, what),
    ),
  );
  return dataTable(text("changes"), heads, rows, "changes");
}

/**
 * @param {EventView} event
 */
export function workersTable(event) {
  const heads = ["worker", "machine", "games", "spoiledGames", "times", "fit"].map((name) =>
    text(name),
  );
  const rows = event.workers.map(({ worker, machine, games, spoiled, scale, chi2, p }) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, worker),
      el("td", {}, machine),
      el("td", { class: "num strong" }, wholeText(games)),
      el("td", { class: "num" }, spoiled > 0 ? wholeText(spoiled) : ""),
      el("td", { class: "num" }, scale === 1 ? "" : `× ${scale.toFixed(2)}`),
      el("td", { class: "num", title: `χ² ${chi2.toFixed(1)}` }, `p ${p.toFixed(2)}`),
    ),
  );
  return sortedTable(text("workers"), heads, rows, "workers");
}

/**
 * The ratio of a test, and the bounds at which it decides.
 * @param {TestState} test
 */
export function llrText({ llr, lower, upper }) {
  return `${llr.toFixed(2)} (${lower.toFixed(2)}, ${upper.toFixed(2)})`;
}

/**
 * What a test has decided.
 * @param {TestState} test
 */
export function testText({ accepted, inconclusive }) {
  if (accepted) return text("sprtAccepted", accepted);
  return text(inconclusive ? "sprtUsedUp" : "sprtOpen");
}
