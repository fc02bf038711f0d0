// What players ask each other for, and what they may do beside moving.

import { el } from "./dom.js";
import { text } from "./texts.js";
import { textButton } from "./table_head.js";

/** @import { PlayLink, Table, Welcome } from "./play_link.js" */
/** @import { RecordFormat, Seat, TableRequest } from "./protocol.d.ts" */

/** What may be asked for while a game is played, with the setting that allows it. */
const REQUESTS = /** @type {const} */ ([
  ["undo", "undo", "undo"],
  ["draw", "draws", "offerADraw"],
  ["pause", "pause", "askPause"],
]);
/** The formats in which a finished game can be had. */
const FORMATS = /** @type {const} */ (["sgf", "psq", "json"]);

/**
 * Each request that waits for its answer.
 * @param {Table} table
 * @param {(seat: Seat) => string} nameOf
 * @param {{reply: (what: TableRequest, accept: boolean) => void,
 *   withdraw: (what: TableRequest) => void}} does
 */
export function requestPanels({ state, you }, nameOf, does) {
  return state.requests.map(({ seat, what }) => {
    const isMine = seat === you.seat;
    const buttons = isMine
      ? [textButton(text("withdraw"), () => does.withdraw(what))]
      : you.seat === null
        ? []
        : [
            textButton(text("accept"), () => does.reply(what, true), "choice"),
            textButton(text("decline"), () => does.reply(what, false), "choice"),
          ];
    return el(
      "div",
      { class: "request", role: "status" },
      el("p", {}, isMine ? text(`asked_${what}`) : text(`ask_${what}`, nameOf(seat))),
      el("div", { class: "choices" }, buttons),
    );
  });
}

/**
 * What who sits here may do beside moving.
 * @param {Table} table
 * @param {Welcome | null} welcome
 * @param {boolean} isSure whether the next click resigns
 * @param {{request: (what: TableRequest) => void, resign: () => void,
 *   files: () => Node[],
 *   hand: (engine: string | null) => void}} does
 */
export function actionBar(table, welcome, isSure, does) {
  const { state, you, settings, live } = table;
  if (!live?.game) return null;
  if (you.seat === null) {
    if (state.phase !== "over") return null;
    return el("div", { class: "actions", role: "group", "aria-label": text("game") }, does.files());
  }
  const asking = (/** @type {TableRequest} */ what, /** @type {string} */ label, kind = "plain") =>
    state.requests.some((request) => request.what === what)
      ? null
      : textButton(text(label), () => does.request(what), kind);
  /** @type {(Node | null)[]} */
  const parts = [];
  if (state.phase === "over") {
    parts.push(asking("again", "playAgain", "choice primary"), ...does.files());
  } else if (state.phase === "playing") {
    for (const [what, setting, label] of REQUESTS) {
      const mayUndo = live.game.steps.length > 0 && state.undo_left?.[you.seat] !== 0;
      if (settings[setting] && (what !== "undo" || mayUndo)) {
        parts.push(asking(what, label));
      }
    }
    const label = text(isSure ? "reallyResign" : "resignGame");
    parts.push(
      textButton(label, does.resign, isSure ? "plain sure" : "plain"),
      engineChoice(table, welcome, does.hand),
    );
  }
  return el("div", { class: "actions", role: "group", "aria-label": text("game") }, parts);
}

/**
 * @param {Table} table
 * @param {Welcome | null} welcome
 * @param {(engine: string | null) => void} hand
 */
function engineChoice({ settings, you, state }, welcome, hand) {
  const engines = welcome?.engines ?? [];
  if (you.seat === null || !settings.engines || engines.length === 0) return null;
  if (state.seats[you.seat]?.kind === "engine") {
    return textButton(text("takeOver"), () => hand(null), "choice");
  }
  return el(
    "select",
    {
      "aria-label": text("handOver"),
      onchange: (happened) => {
        const engine = /** @type {HTMLSelectElement} */ (happened.target).value;
        if (engine) hand(engine);
      },
    },
    el("option", { value: "" }, `${text("handOver")} …`),
    engines.map((engine) => el("option", { value: engine.id }, engine.name)),
  );
}

/**
 * The buttons that save a game; none is the newest.
 * @param {PlayLink} link
 * @param {string} table
 * @param {number | null} game
 * @param {(error: unknown) => void} complain
 */
export function recordButtons(link, table, game, complain) {
  return FORMATS.map((format) =>
    textButton(format.toUpperCase(), () => {
      saveRecord(link, table, game, format).catch(complain);
    }),
  );
}

/**
 * Lets the browser save the record of a game.
 * @param {PlayLink} link
 * @param {string} table
 * @param {number | null} game
 * @param {RecordFormat} format
 */
async function saveRecord(link, table, game, format) {
  const record = await link.ask({ type: "record", table, game, format });
  const file = new Blob([record.text], { type: "text/plain" });
  const address = URL.createObjectURL(file);
  el("a", { href: address, download: `${table}-${record.game}.${format}` }).click();
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
