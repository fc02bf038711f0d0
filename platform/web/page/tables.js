// Standings, the cross table and the terminations.

import { el } from "./dom.js";
import { text } from "./texts.js";
import { eloText, percentText, pointsText, signedText, wholeText } from "./words.js";
import { COLORS, intervalBar, splitBar } from "./charts.js";

/**
 * @typedef {import("./source.js").EventView} EventView
 */

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
  const title = [name, version].filter((part) => part && part !== label).join(" ");
  const dot = el("span", { class: `key c${engine % COLORS}`, "aria-hidden": "true" });
  const named = el("span", { class: "name", title: title || null }, label);
  return link
    ? el("a", { href: link, class: "engine" }, dot, named)
    : el("span", { class: "engine" }, dot, named);
}

/**
 * @param {string} label
 * @param {string[]} heads
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
          heads.map((head) => el("th", { scope: "col" }, head)),
        ),
      ),
      el("tbody", {}, rows),
    ),
  );
}

/**
 * @param {EventView} event
 * @param {(engine: number) => string} link
 */
export function standingsTable(event, link) {
  const ends = event.standings
    .flatMap((line) => [line.low, line.high, line.elo])
    .filter((end) => end !== null);
  const bound = Math.max(10, ...ends.map((end) => Math.abs(Number(end))));
  /** @type {[number, number]} */
  const scale = [-Math.min(bound, 900), Math.min(bound, 900)];
  const names = [text("wins"), text("draws"), text("losses")];
  const row = (/** @type {EventView["standings"][number]} */ line, /** @type {number} */ place) => {
    const games = line.wins + line.draws + line.losses;
    const interval =
      line.low === null && line.high === null
        ? ""
        : `[${line.low === null ? "−∞" : signedText(line.low)}, ${line.high === null ? "+∞" : signedText(line.high)}]`;
    return el(
      "tr",
      {},
      el("td", { class: "num rank" }, place + 1),
      el("th", { scope: "row" }, engineLabel(event, line.engine, link(line.engine))),
      el("td", { class: "num strong" }, pointsText(line.points)),
      el("td", { class: "num" }, wholeText(games)),
      el("td", { class: "num" }, percentText(line.points, games)),
      el(
        "td",
        { class: "wdl" },
        splitBar([line.wins, line.draws, line.losses], names),
        el("span", { class: "num small" }, `${line.wins} · ${line.draws} · ${line.losses}`),
      ),
      el("td", { class: "num strong" }, eloText(line)),
      el(
        "td",
        { class: "bar" },
        intervalBar(line.elo, line.low, line.high, scale),
        el("span", { class: "num small" }, interval),
      ),
    );
  };
  const rows = event.standings.slice(0, FIRST_LINES).map(row);
  const heads = [
    text("rank"),
    text("engine"),
    text("points"),
    text("played"),
    text("score"),
    `${text("wins")} · ${text("draws")} · ${text("losses")}`,
    text("elo"),
    "95 %",
  ];
  const table = dataTable(text("standings"), heads, rows, "standings");
  const left = event.standings.length - rows.length;
  if (left <= 0) return table;
  const body = table.querySelector("tbody");
  const more = el(
    "button",
    {
      type: "button",
      class: "plain",
      onclick: () => {
        body?.append(
          ...event.standings
            .slice(FIRST_LINES)
            .map((line, place) => row(line, place + FIRST_LINES)),
        );
        more.remove();
      },
    },
    text("more", event.standings.length),
  );
  return el("div", {}, table, more);
}

/**
 * @param {EventView} event
 */
export function crossTable(event) {
  const heads = ["", ...event.standings.map((_, place) => String(place + 1)), text("points")];
  const rows = event.cross.map((scores, place) => {
    const line = event.standings[place];
    const cells = scores.map(([wins, draws, losses], other) => {
      const games = wins + draws + losses;
      if (other === place && games === 0) return el("td", { class: "self" }, "");
      if (games === 0) return el("td", { class: "num" }, "–");
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
        {
          class: `num cell ${shade}`,
          title: `${event.engines[line.engine].label} – ${event.engines[event.standings[other].engine].label}: +${wins} =${draws} −${losses}`,
        },
        pointsText(wins + draws / 2),
        el("span", { class: "small" }, `${wins}-${draws}-${losses}`),
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
  return dataTable(text("crossTable"), heads, rows, "cross");
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
    text("played"),
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
  return dataTable(text("terminations"), heads, rows, "ends");
}
