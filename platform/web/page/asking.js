// The question that a player has to answer: what it says, the choices, and points on the board.

import { el } from "./dom.js";
import { text } from "./texts.js";
import { pointAt, pointName } from "./words.js";
import { zoneOf } from "./board.js";
import { blackAt, stonesAt } from "./position.js";

/** @import { BoardZone, Stone } from "./board.js" */
/** @import { Table } from "./play_link.js" */
/** @import { Action } from "./protocol.d.ts" */

/**
 * @typedef {Omit<Action, "offer_draw">} TableAnswer
 * @typedef {{ask: string, count: number, min: number, max: number, zone?: BoardZone,
 *   offered: number[], white: boolean, taken: Set<number>, stones: number}}
 *   OpenQuestion
 */

/**
 * What is asked of who sits here, from what the server says; nothing where somebody else is asked.
 * @param {Table} table
 * @returns {OpenQuestion | null}
 */
export function openQuestion(table) {
  const game = table.live?.game;
  const { state, waiting } = table;
  const { seat } = table.you;
  if (!game || seat === null || waiting !== seat || state.phase !== "playing") return null;
  const now = game.steps.at(-1) ?? game.first;
  const asked = now.ask;
  const { stones } = stonesAt(game, game.steps.length);
  const ask = asked?.ask ?? "move";
  // Who lays several stones lays them for both colours.
  const isBoth = ask === "place" || ask === "choose_or_place";
  const isWhite = isBoth ? stones.length % 2 === 1 : blackAt(game, game.steps.length) !== seat;
  return {
    ask,
    count: asked?.count ?? 1,
    min: asked?.min ?? 1,
    max: asked?.max ?? asked?.count ?? 12,
    zone: zoneOf(table.settings.size, asked?.zone),
    offered: (now.offered ?? []).map(pointAt),
    white: isWhite,
    taken: new Set(stones.map((stone) => stone.at)),
    stones: stones.length,
  };
}

/**
 * Whether an answer is a point of the board, or several.
 * @param {OpenQuestion} question
 */
export function hasPoints({ ask }) {
  return !["choose", "swap", "declare"].includes(ask);
}

/**
 * Whether a point may be pointed at. What the rules say to it the server says.
 * @param {OpenQuestion} question
 * @param {number} at
 */
export function isOpenPoint(question, at) {
  if (!hasPoints(question) || question.taken.has(at)) return false;
  if (question.ask === "pick") return question.offered.includes(at);
  if (!question.zone) return true;
  const { corners, outside } = question.zone;
  const [low, high] = corners;
  const within =
    at % 32 >= low % 32 && at % 32 <= high % 32 && at >> 5 >= low >> 5 && at >> 5 <= high >> 5;
  return within !== outside;
}

/**
 * How many points an answer has: one is laid at once, several are gathered.
 * @param {OpenQuestion} question
 */
export function isGathered({ ask, count }) {
  return (
    ["place", "choose_or_place", "offer"].includes(ask) || (ask === "move_or_offer" && count > 1)
  );
}

/**
 * The points that were chosen, as stones.
 * @param {OpenQuestion} question
 * @param {number[]} chosen
 * @returns {Stone[]}
 */
export function chosenStones(question, chosen) {
  const isBoth = question.ask === "place" || question.ask === "choose_or_place";
  return chosen.map((at, place) => ({
    at,
    white: isBoth ? (question.stones + place) % 2 === 1 : question.white,
    number: isGathered(question) ? (isBoth ? question.stones : 0) + place + 1 : 0,
  }));
}

/**
 * The answer that points are.
 * @param {OpenQuestion} question
 * @param {number[]} chosen
 * @returns {TableAnswer | null}
 */
export function pointsAnswer(question, chosen) {
  const names = chosen.map(pointName);
  switch (question.ask) {
    case "place":
    case "choose_or_place":
      return chosen.length === question.count ? { place: names } : null;
    case "offer":
      return chosen.length === question.count ? { offer: names } : null;
    case "move_or_offer":
      if (chosen.length === 1) return { move: names[0] };
      return chosen.length === question.count ? { offer: names } : null;
    case "pick":
      return chosen.length === 1 ? { pick: names[0] } : null;
    default:
      return chosen.length === 1 ? { move: names[0] } : null;
  }
}

/** @param {OpenQuestion} question */
function questionText(question) {
  const { ask, count, stones, zone } = question;
  switch (ask) {
    case "place":
      return text(stones > 0 ? "askPlaceOn" : "askPlace", count);
    case "choose":
      return text("askChoose");
    case "choose_or_place":
      return text("askChooseOrPlace", count);
    case "swap":
      return text("askSwap");
    case "declare":
      return text("askDeclare");
    case "offer":
      return text("askOffer", count);
    case "pick":
      return text("askPick");
    case "move_or_offer":
      return text("askMoveOrOffer", count);
    default:
      return text(zone ? "askMoveZone" : "askMove");
  }
}

/**
 * The question in words, with its choices.
 * @param {OpenQuestion} question
 * @param {{chosen: number[], passing: boolean, confirms: boolean, warns: string,
 *   answer: (answer: TableAnswer) => void, clear: () => void}} options
 */
export function questionPanel(question, options) {
  const { ask } = question;
  const { answer, chosen } = options;
  const choice = (
    /** @type {string} */ label,
    /** @type {TableAnswer} */ told,
    /** @type {Node | null} */ sign = null,
  ) =>
    el(
      "button",
      { type: "button", class: "choice", onclick: () => answer(told) },
      sign,
      label,
    );
  const disc = (/** @type {string} */ color) =>
    el("span", { class: `disc ${color}`, "aria-hidden": "true" });
  /** @type {(Node | null)[]} */
  const choices = [];
  if (ask === "choose" || ask === "choose_or_place") {
    choices.push(
      choice(text("takeBlack"), { choose: "black" }, disc("black")),
      choice(text("takeWhite"), { choose: "white" }, disc("white")),
    );
  }
  if (ask === "swap") {
    choices.push(choice(text("doSwap"), { swap: true }), choice(text("dontSwap"), { swap: false }));
  }
  if (ask === "declare") {
    for (let number = question.min; number <= question.max; number += 1) {
      choices.push(choice(String(number), { declare: number }));
    }
  }
  if (ask === "pick") {
    question.offered.forEach((at, place) => {
      const name = `${String.fromCharCode(65 + place)} ${pointName(at)}`;
      choices.push(choice(name, { pick: pointName(at) }));
    });
  }
  if (isGathered(question) || (options.confirms && hasPoints(question) && ask !== "pick")) {
    const told = pointsAnswer(question, chosen);
    const isOffer = told !== null && "offer" in told;
    const label = isOffer || ask === "offer" ? "offerThem" : isGathered(question) ? "layThem" : "layIt";
    choices.push(
      el(
        "button",
        {
          type: "button",
          class: "choice primary",
          disabled: told === null,
          onclick: () => told && answer(told),
        },
        text(label),
        question.count > 1
          ? el("span", { class: "count" }, ` ${text("chosenOf", chosen.length, question.count)}`)
          : null,
      ),
      chosen.length > 0
        ? el("button", { type: "button", class: "plain", onclick: options.clear }, text("clear"))
        : null,
    );
  }
  if (options.passing && (ask === "move" || ask === "move_or_offer")) {
    choices.push(choice(text("passMove"), { pass: true }));
  }
  return el(
    "div",
    { class: "question" },
    el("p", { class: "strong", role: "status" }, questionText(question)),
    options.warns ? el("p", { class: "warning", role: "alert" }, options.warns) : null,
    choices.length > 0 ? el("div", { class: "choices" }, choices) : null,
  );
}
