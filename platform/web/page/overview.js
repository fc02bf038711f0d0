// What an event came to: standings, tables and charts.

import { el, put } from "./dom.js";
import { getLanguage, text } from "./texts.js";
import { countText, dateText, pointAt, spanText, wholeText } from "./words.js";
import { columnChart, lineChart, splitBar } from "./charts.js";
import {
  changesTable,
  columnTitle,
  crossTable,
  engineLabel,
  llrText,
  resultTitles,
  sortedTable,
  standingsTable,
  terminationsTable,
  testText,
  workersTable,
} from "./tables.js";
import { drawBoard } from "./board.js";

/** @import { OpenEvent } from "./source.js" */
/** @import { EventData, TestState } from "./event.d.ts" */

/** The openings that are shown at first. */
const FIRST_OPENINGS = 12;

/**
 * @param {string} title
 * @param {string} hint
 * @param {...(Node | null)} children
 */
function card(title, hint, ...children) {
  return el(
    "section",
    { class: "card" },
    el("h2", {}, title),
    hint ? el("p", { class: "hint" }, hint) : null,
    children,
  );
}

/** What was shown last: what is new since is marked. @type {{of: OpenEvent, data: EventData} | null} */
let shownLast = null;

/**
 * @param {HTMLElement} root
 * @param {OpenEvent} opened
 * @param {(engine: number, other?: number) => string} link the games of an engine, or of two
 */
export function overview(root, opened, link) {
  const { data } = opened;
  const before = shownLast?.of === opened ? shownLast.data.event : null;
  shownLast = { of: opened, data };
  const { event } = data;
  const wide = (/** @type {HTMLElement} */ section) => {
    section.classList.add("wide");
    return section;
  };
  put(
    root,
    eventHead(opened),
    el(
      "div",
      { class: "cards" },
      wide(card(text("standings"), text("eloHint"), standingsTable(event, link), ...notes(data))),
      event.standings.length > 2 && event.cross.length > 0
        ? wide(card(text("crossTable"), text("crossHint"), crossTable(event, link, before)))
        : null,
      card(
        text("ratings"),
        text("ratingsHint"),
        ratingChart(data),
        legend(
          data,
          data.ratings.lines.map((line) => line.engine),
        ),
      ),
      card(
        text("moveTimes"),
        text("moveTimesHint"),
        timeChart(data),
        legend(
          data,
          data.figures.engines.slice(0, 12).map((line) => line.engine),
        ),
      ),
      card(text("lengths"), text("lengthsHint"), lengthChart(data), outcomeLegend()),
      card(text("byColor"), "", colorTable(data)),
      card(text("terminations"), text("lostBy"), terminationsTable(event)),
      event.workers.length > 0
        ? wide(card(text("workers"), text("workersAbout"), workersTable(event)))
        : null,
      event.changes.length > 0 ? wide(card(text("changes"), "", changesTable(event))) : null,
      card(text("moveTimes"), "", timeTable(data)),
      wide(card(text("byOpening"), "", openings(data))),
    ),
  );
}

/**
 * @param {OpenEvent} opened
 */
export function eventHead(opened) {
  const { event } = opened.data;
  const { settings } = event;
  const facts = [
    [text("rule"), text(settings.rule)],
    [text("size"), `${settings.width} × ${settings.height}`],
    [text("openingRule"), text(settings.opening)],
    [text("timeControl"), settings.time],
    [text("format"), text(settings.format)],
    [
      text("games"),
      event.finished < event.total
        ? text("gamesOf", wholeText(event.finished), wholeText(event.total))
        : wholeText(event.finished),
    ],
  ];
  return el(
    "div",
    { class: "event-head" },
    el("h1", {}, event.title),
    event.occasion === "" ? "" : el("p", { class: "hint" }, event.occasion),
    el(
      "dl",
      {},
      facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))),
    ),
  );
}

/**
 * What has to be known beside the standings.
 * @param {EventData} data
 */
function notes({ event }) {
  const lines = [];
  for (const { engine, reason } of event.removed) lines.push(text("removedNote", engine, reason));
  for (const { engine, reason } of event.set_aside) lines.push(text("asideNote", engine, reason));
  if (event.pairs) {
    const { engine, counts, nelo, los } = event.pairs;
    lines.push(
      `${text("pairsNote", engine)}: ${counts.join(" · ")}; ${text("nelo")} ${nelo === null ? "–" : nelo.toFixed(0)}, ${text("los")} ${(100 * los).toFixed(1)} %`,
    );
  }
  /** @type {[string, TestState][]} */
  const tests = event.tests.map((test) => [`${test.engine} – ${test.against}: `, test]);
  if (event.sprt) tests.push(["", event.sprt]);
  for (const [name, test] of tests) {
    const { elo0, elo1 } = test;
    lines.push(`${name}SPRT ${elo0} / ${elo1}: LLR ${llrText(test)}, ${testText(test)}`);
  }
  if (event.void > 0) lines.push(text("voidNote", event.void));
  if (event.spoiled > 0) lines.push(text("spoiledNote", event.spoiled));
  for (const { engine, lost, won, p } of event.losers) {
    const more = p < 0.01 ? text("spoiledMore", p.toPrecision(2)) : "";
    lines.push(text("spoiledLoser", engine, lost, won) + more);
  }
  for (const { worker, engine, surplus, p } of event.workers) {
    if (p >= 0.001 || !engine) continue;
    lines.push(text("workerOdd", worker, p.toPrecision(2), engine, surplus.toFixed(1)));
  }
  if (event.repeated.distinct < event.repeated.games)
    lines.push(text("repeatedNote", event.repeated.distinct, event.repeated.games));
  return lines.map((line) => el("p", { class: "note" }, line));
}

/**
 * @param {EventData} data
 */
function ratingChart({ event, ratings }) {
  return lineChart({
    label: text("ratings"),
    xs: ratings.games,
    lines: ratings.lines.map((line) => ({
      name: event.engines[line.engine].label,
      color: line.engine,
      values: line.ratings.map((rating) => (rating ? rating[0] : null)),
      bounds: line.ratings.map((rating) => (rating ? [rating[1], rating[2]] : null)),
    })),
    x: (at) => countText(at),
    y: (at) => String(Math.round(at)),
  });
}

/**
 * @param {EventData} data
 */
function timeChart({ event, figures }) {
  const lines = figures.engines.slice(0, 12).filter((line) => line.stages.length > 0);
  const longest = Math.max(1, ...lines.map((line) => line.stages.length));
  const stage = lines[0]?.stage ?? 10;
  return lineChart({
    label: text("moveTimes"),
    xs: Array.from({ length: longest }, (_, place) => place * stage),
    lines: lines.map((line) => ({
      name: event.engines[line.engine].label,
      color: line.engine,
      values: line.stages,
    })),
    x: String,
    y: (at) => (at === 0 ? "0" : spanText(at)),
    fromZero: true,
  });
}

/**
 * @param {EventData} data
 */
function lengthChart({ figures }) {
  const { width, classes } = figures.lengths;
  const name = (/** @type {number} */ place) =>
    width === 1 ? String(place) : `${place * width}–${(place + 1) * width - 1}`;
  const empty = classes.findIndex((parts) => parts.some((count) => count > 0));
  const first = Math.max(0, empty);
  return columnChart(text("lengths"), classes.slice(first), (place) => name(place + first));
}

/**
 * @param {EventData} data
 * @param {number[]} engines
 */
function legend({ event }, engines) {
  return el(
    "p",
    { class: "legend" },
    engines.map((engine) => engineLabel(event, engine)),
  );
}

function outcomeLegend() {
  const names = [text("blackWins"), text("draws2"), text("whiteWins")];
  return el(
    "p",
    { class: "legend" },
    names.map((name, part) =>
      el("span", { class: "engine" }, el("span", { class: `key p${part}` }), name),
    ),
  );
}

/**
 * @param {EventData} data
 */
function colorTable({ event, figures }) {
  const names = resultTitles(event);
  const results = (/** @type {number[]} */ parts) =>
    el(
      "td",
      { class: "wdl", "data-sort": parts[0] },
      splitBar(parts, names),
      el("span", { class: "num small" }, parts.join(" · ")),
    );
  const outcomes = [text("blackWins"), text("draws2"), text("whiteWins")];
  const rows = figures.engines
    .slice(0, 24)
    .map((line) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, engineLabel(event, line.engine)),
        results(line.black),
        results(line.white),
      ),
    );
  return el(
    "div",
    {},
    el(
      "p",
      { class: "big-split" },
      splitBar(figures.black, outcomes),
      el(
        "span",
        { class: "small" },
        figures.black.map((count, part) => `${outcomes[part]} ${wholeText(count)}`).join(" · "),
      ),
    ),
    sortedTable(
      text("byColor"),
      [columnTitle(event, "engine"), text("asBlack"), text("asWhite")],
      rows,
    ),
  );
}

/**
 * @param {EventData} data
 */
function timeTable({ event, figures }) {
  const rows = figures.engines.slice(0, 24).map((line) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, engineLabel(event, line.engine)),
      [line.mean, line.p50, line.p95, line.max].map((span) =>
        el(
          "td",
          { class: "num", "data-sort": line.moves > 0 ? span : null },
          line.moves > 0 ? spanText(span) : "–",
        ),
      ),
      el("td", { class: "num" }, line.depth === null ? "–" : line.depth.toFixed(1)),
      el(
        "td",
        { class: "num", "data-sort": line.speed },
        line.speed === null ? "–" : countText(line.speed),
      ),
    ),
  );
  return sortedTable(
    text("moveTimes"),
    [
      columnTitle(event, "engine"),
      text("mean"),
      text("median"),
      text("p95"),
      text("longest"),
      text("averageDepth"),
      text("speed"),
    ],
    rows,
  );
}

/**
 * @param {EventData} data
 */
function openings({ event, figures }) {
  const outcomes = [text("blackWins"), text("draws2"), text("whiteWins")];
  const tile = (/** @type {EventData["figures"]["openings"][number]} */ opening) => {
    const { black, white } = opening.stones;
    const stone = (/** @type {string} */ name) => ({ at: pointAt(name), white: false, number: 0 });
    const stones = [...black.map(stone), ...white.map((name) => ({ ...stone(name), white: true }))];
    const points = [...black, ...white].join(" ");
    const name = opening.name
      ? `${opening.name.code} ${getLanguage() === "zh" ? opening.name.zh : opening.name.en}`
      : points;
    return el(
      "figure",
      { class: "opening" },
      drawBoard({
        width: event.settings.width,
        height: event.settings.height,
        stones,
        label: points,
      }),
      el(
        "figcaption",
        {},
        el("span", { class: "small" }, name),
        splitBar(opening.results, outcomes),
        el("span", { class: "num small" }, opening.results.join(" · ")),
      ),
    );
  };
  const grid = el(
    "div",
    { class: "openings" },
    figures.openings.slice(0, FIRST_OPENINGS).map(tile),
  );
  const rest = figures.openings.slice(FIRST_OPENINGS);
  const more = el(
    "button",
    {
      type: "button",
      class: "plain",
      onclick: () => {
        grid.append(...rest.map(tile));
        more.remove();
      },
    },
    text("more", figures.openings.length),
  );
  const other =
    figures.more_openings > 0
      ? el(
          "p",
          { class: "small" },
          `${text("others", figures.more_openings)}: ${figures.more_results.join(" · ")}`,
        )
      : null;
  return el("div", {}, grid, rest.length > 0 ? more : null, other, outcomeLegend());
}

/**
 * What made this page, and when.
 * @param {OpenEvent} opened
 */
export function footer(opened) {
  const { program, made } = opened.data;
  return el("p", { class: "small" }, text("made", program, dateText(made)));
}
