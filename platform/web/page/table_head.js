// What stands above a table: what is played, the links to it, and its standing.

import { el } from "./dom.js";
import { text } from "./texts.js";
import { pointsText } from "./words.js";
import { copyButton, linkField } from "./copy_link.js";
import { phaseText, settingsText } from "./lobby.js";

/** @import { Table } from "./play_link.js" */
/** @import { Seat } from "./protocol.d.ts" */

/** How many of the games before are led to. */
const MOST_FORMER = 8;

/**
 * @typedef {(label: string, onclick: () => void, kind?: string) => HTMLElement} MakeButton
 */

/** @type {MakeButton} */
export function textButton(label, onclick, kind = "plain") {
  return el("button", { type: "button", class: kind, onclick }, label);
}

/**
 * The address of a table, with a key for who gets it.
 * @param {string} id
 * @param {string | null} key
 */
function linkTo(id, key) {
  const base = location.href.split("#")[0];
  return `${base}#table=${encodeURIComponent(id)}${key ? `&key=${encodeURIComponent(key)}` : ""}`;
}

/**
 * @param {Table} table
 * @param {(seat: Seat) => string} nameOf
 * @param {{stand: () => void, close: () => void, leave: () => void}} does
 */
export function tableHead(table, nameOf, does) {
  const { table: id, settings, state, you, keys, live } = table;
  const number = live?.game?.number ?? 0;
  const { first, second } = state.score;
  const hasScore = state.games > 1 || first + second > 0;
  const facts = [
    state.ready ? "" : phaseText(state.phase),
    number > 0 ? text("gameOf", number) : "",
    hasScore ? text("scoreOf", pointsText(first), pointsText(second)) : "",
    state.viewers > 0 ? text("viewers", state.viewers) : "",
  ].filter(Boolean);
  const isIdle = state.phase === "open" || state.phase === "over";
  const isMine = you.seat !== null || you.host;
  return [
    el("h1", {}, settings.title || text("against", nameOf("first"), nameOf("second"))),
    el("p", { class: "small" }, settingsText(settings)),
    el("p", { class: "small" }, facts.join(" · ")),
    el(
      "div",
      { class: "line" },
      isMine ? copyButton(text("invite"), () => linkTo(id, keys.invite)) : null,
      copyButton(text("watchLink"), () => linkTo(id, settings.public ? null : keys.watch)),
      you.seat !== null && isIdle ? textButton(text("standUp"), does.stand) : null,
      you.host ? textButton(text("closeTable"), does.close) : null,
      textButton(text("leaveTable"), does.leave),
    ),
    formerGames(table),
  ];
}

/**
 * The games that were played here before the one that is shown.
 * @param {Table} table
 */
function formerGames({ table: id, state, live }) {
  const shown = live?.game?.number ?? 0;
  const numbers = Array.from({ length: state.games }, (_, place) => state.games - place);
  const former = numbers.filter((number) => number !== shown).slice(0, MOST_FORMER);
  if (former.length === 0) return null;
  return el(
    "p",
    { class: "line small former" },
    text("formerGames"),
    former.map((number) =>
      el(
        "a",
        { class: "plain", href: `#/play/${encodeURIComponent(id)}/${number}` },
        text("gameOf", number),
      ),
    ),
  );
}

/**
 * What is waited for now, or how it ended; nothing where one's own answer is.
 * @param {Table} table whose `now` is the server's clock
 * @param {(seat: Seat) => string} nameOf
 * @param {{goOn: () => void, getReady: () => void, claim: (what: "win" | "draw") => void}} does
 */
export function tableStanding(table, nameOf, does) {
  const { table: id, state, you, waiting, live, keys } = table;
  if (state.ready) return readiness(table, nameOf, does.getReady);
  const result = live?.game?.result;
  if (result) {
    const by = text(result.termination);
    const words =
      result.winner === null
        ? text("drawBy", by)
        : you.seat === null
          ? text("winsBy", nameOf(result.winner), by)
          : text(result.winner === you.seat ? "youWin" : "youLose", by);
    return el("p", { class: "outcome", role: "status" }, words);
  }
  if (state.phase === "paused") {
    return el(
      "div",
      { class: "choices" },
      el("p", { class: "turn", role: "status" }, text("pausedNow")),
      you.seat === null ? null : textButton(text("goOn"), does.goOn, "choice"),
    );
  }
  if (state.phase === "open" || !live) {
    return el(
      "div",
      {},
      el("p", { class: "turn", role: "status" }, text("waitingForPlayer")),
      you.seat !== null || you.host ? linkField(text("invited"), linkTo(id, keys.invite)) : null,
    );
  }
  const claims = claimPanel(table, nameOf, does.claim);
  if (waiting === null || waiting === you.seat) return claims;
  return el(
    "div",
    {},
    el("p", { class: "turn", role: "status" }, text("theirTurn", nameOf(waiting))),
    claims,
  );
}

/**
 * The first game waits until both players are ready.
 * @param {Table} table
 * @param {(seat: Seat) => string} nameOf
 * @param {() => void} getReady
 */
function readiness({ state, you }, nameOf, getReady) {
  const { ready } = state;
  if (!ready) return null;
  const isAsked = you.seat !== null && !ready[you.seat];
  const other = ready.first ? "second" : "first";
  return el(
    "div",
    { class: "request" },
    el("p", { role: "status" }, isAsked ? text("beginWhenReady") : text("waitsUntil", nameOf(other))),
    isAsked ? textButton(text("iAmReady"), getReady, "primary") : null,
  );
}

/**
 * What who waits for a player that is away may do.
 * @param {Table} table
 * @param {(seat: Seat) => string} nameOf
 * @param {(what: "win" | "draw") => void} claim
 */
function claimPanel({ state, you, now }, nameOf, claim) {
  const from = you.seat === null ? null : (state.claims?.[you.seat] ?? null);
  if (you.seat === null || from === null) return null;
  const other = nameOf(you.seat === "first" ? "second" : "first");
  const isDue = now >= from;
  return el(
    "div",
    { class: "request" },
    el("p", { role: "status" }, text(isDue ? "mayClaim" : "mayClaimSoon", other)),
    isDue
      ? el(
          "div",
          { class: "choices" },
          textButton(text("claimWin"), () => claim("win"), "choice"),
          textButton(text("claimDraw"), () => claim("draw"), "choice"),
        )
      : null,
  );
}
