// What stands above a table: what is played, the links to it, and its standing.

import { el } from "./dom.js";
import { text } from "./texts.js";
import { pointsText } from "./words.js";
import { phaseText, settingsText } from "./lobby.js";

/** @import { Table } from "./play_link.js" */
/** @import { Seat } from "./protocol.d.ts" */

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
 * @param {string} label
 * @param {string} address
 */
function copyLink(label, address) {
  if (!navigator.clipboard) return null;
  const button = textButton(label, () =>
    navigator.clipboard.writeText(address).then(
      () => {
        button.textContent = text("copied");
      },
      () => {},
    ),
  );
  return button;
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
    phaseText(state.phase),
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
      isMine ? copyLink(text("invite"), linkTo(id, keys.invite)) : null,
      copyLink(text("watchLink"), linkTo(id, settings.public ? null : keys.watch)),
      you.seat !== null && isIdle ? textButton(text("standUp"), does.stand) : null,
      you.host ? textButton(text("closeTable"), does.close) : null,
      textButton(text("leaveTable"), does.leave),
    ),
  ];
}

/**
 * What is waited for now, or how it ended; nothing where one's own answer is.
 * @param {Table} table
 * @param {(seat: Seat) => string} nameOf
 * @param {() => void} goOn
 */
export function tableStanding(table, nameOf, goOn) {
  const { table: id, state, you, waiting, live, keys } = table;
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
      you.seat === null ? null : textButton(text("goOn"), goOn, "choice"),
    );
  }
  if (state.phase === "open" || !live) {
    return el(
      "div",
      {},
      el("p", { class: "turn", role: "status" }, text("waitingForPlayer")),
      you.seat !== null || you.host ? invitation(linkTo(id, keys.invite)) : null,
    );
  }
  if (waiting === null || waiting === you.seat) return null;
  return el("p", { class: "turn", role: "status" }, text("theirTurn", nameOf(waiting)));
}

/** @param {string} address */
function invitation(address) {
  const input = el("input", {
    type: "text",
    class: "link",
    readonly: true,
    value: address,
    onfocus: () => input.select(),
  });
  return el("label", { class: "field" }, el("span", {}, text("invited")), input);
}
