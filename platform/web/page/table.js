// A table where people play: the game, who sits there, what is asked for, and the chat.

import { announce, betweenClicks, el, put, recall, remember } from "./dom.js";
import { text } from "./texts.js";
import { letPoint } from "./board_input.js";
import { gameView } from "./game.js";
import {
  chosenStones,
  isGathered,
  isOpenPoint,
  openQuestion,
  pointsAnswer,
  questionPanel,
} from "./asking.js";
import { chatView } from "./chat.js";
import { invitationTo, keepInvitation } from "./play_link.js";
import { actionBar, requestPanels } from "./requests.js";
import { tableHead, tableStanding } from "./table_head.js";

/**
 * @typedef {import("./source.js").GameView} GameView
 * @typedef {import("./source.js").OpenEvent} OpenEvent
 * @typedef {import("./play_link.js").PlayLink} PlayLink
 * @typedef {import("./play_link.js").Room} Room
 * @typedef {import("./play_link.js").Asked} Asked
 */

/** How long after a request is gone something may still come of it. */
const GRANTED_MS = 500;
/** How long is waited for a second click that resigns. */
const SURE_MS = 4000;

/** @type {GameView} */
const NO_GAME = {
  number: 0,
  round: 0,
  seats: [0, 1],
  black: 0,
  clocks: [null, null],
  first: {},
  steps: [],
  result: null,
};

/**
 * Shows a table, and gives what draws what is new of it.
 * @param {HTMLElement} root
 * @param {PlayLink} link
 * @param {string} id
 * @param {() => void} leave
 */
export function tableView(root, link, id, leave) {
  const above = el("div", { class: "at-table" });
  const below = el("div", { class: "below" });
  const drawAbove = betweenClicks(above, drawAboveNow);
  const trouble = el("p", { class: "notice", role: "alert", hidden: true });
  const cursor = { cursor: /** @type {number | null} */ (null) };
  /** @type {number[]} */
  let chosen = [];
  /** The question that `chosen` answers, and the one that was answered last. */
  let chosenFor = -1;
  let answered = -1;
  let isSure = 0;
  let confirms =
    (recall("confirm") ?? (matchMedia("(pointer: coarse)").matches ? "yes" : "no")) === "yes";
  /** What one has asked for, to tell when it is declined. @type {Set<Asked>} */
  let mine = new Set();
  /** @type {Asked | null} */
  let withdrawn = null;
  let declined = 0;
  const chat = chatView((words) => tell({ type: "chat", text: words }));
  /** @type {ReturnType<typeof gameView> | null} */
  let game = null;

  const room = () => /** @type {Room} */ (link.rooms.get(id));

  /** @param {string} words */
  function complain(words) {
    trouble.textContent = words;
    trouble.hidden = words === "";
  }

  /** @param {Record<string, unknown>} message */
  function tell(message) {
    complain("");
    link.tell({ ...message, room: id }, (words) => {
      answered = -1;
      complain(words);
      refresh();
    });
  }

  /** @param {number} seat */
  function nameOf(seat) {
    const sitter = room().state.seats[seat];
    return sitter?.name || text(sitter ? "guest" : "freeSeat");
  }

  /** The table as the view of a game has an event. @returns {OpenEvent} */
  function asEvent() {
    const { settings } = room();
    const [width, height = width] = settings.size.split("x").map(Number);
    const engine = (/** @type {number} */ seat) => ({ label: nameOf(seat), name: "", version: "" });
    const event = { settings: { rule: settings.rule, width, height }, engines: [engine(0), engine(1)] };
    return /** @type {OpenEvent} */ (
      /** @type {unknown} */ ({ data: { event }, live: link, downloads: () => [] })
    );
  }

  /** @param {Record<string, unknown>} answer */
  function answer(answer) {
    const { question } = room();
    answered = question;
    tell({ type: "act", question, ...answer });
    refresh();
  }

  /** What is open to who sits here; nothing while an answer is on its way. */
  function question() {
    const open = openQuestion(room());
    if (room().question !== chosenFor) {
      chosenFor = room().question;
      chosen = [];
    }
    return open && answered !== room().question && link.state === "connected" ? open : null;
  }

  /** @param {number} at */
  function pick(at) {
    const open = question();
    if (!open) return;
    const place = chosen.indexOf(at);
    if (isGathered(open)) {
      if (place >= 0) chosen.splice(place, 1);
      else if (chosen.length < open.count) chosen.push(at);
    } else {
      const isAgain = place >= 0;
      chosen = [at];
      const told = pointsAnswer(open, chosen);
      if (told && (!confirms || isAgain || open.ask === "pick")) return answer(told);
    }
    refresh();
  }

  /** Draws what depends on what was chosen. */
  function refresh() {
    drawAbove();
    game?.drawPosition();
  }

  const seated = {
    bottom: () => {
      const { seat } = room().you;
      if (seat !== null) return seat;
      // A viewer sees the second seat on top, where a game's list has it.
      return 0;
    },
    who: (/** @type {number} */ seat) => who(seat),
    head: () =>
      tableHead(room(), nameOf, { stand, close: () => tell({ type: "close" }), leave }),
    above,
    below,
    chosen: () => {
      const open = openQuestion(room());
      if (!open || room().question !== chosenFor) return [];
      return chosenStones(open, chosen);
    },
    board: (
      /** @type {SVGSVGElement} */ picture,
      /** @type {import("./board.js").Diagram} */ diagram,
      /** @type {boolean} */ isNewest,
    ) => {
      const open = isNewest ? question() : null;
      if (!open || ["choose", "swap", "declare"].includes(open.ask)) return;
      const next = chosenStones(open, [...chosen, 0]).at(-1);
      letPoint(picture, diagram, {
        isOpen: (at) => isOpenPoint(open, at),
        white: next?.white ?? open.white,
        pick,
        cursor,
      });
    },
  };

  /** @param {number} seat */
  function who(seat) {
    const { state, you } = room();
    const sitter = state.seats[seat];
    if (!sitter) {
      const canSit = you.seat === null;
      return [
        canSit
          ? el(
              "button",
              { type: "button", class: "primary", onclick: () => sit(seat) },
              text("sitHere"),
            )
          : null,
      ];
    }
    const canRemove = you.host && you.seat !== seat && state.phase !== "playing" && state.phase !== "paused";
    return [
      you.seat === seat ? el("span", { class: "tag" }, text("you")) : null,
      sitter.kind !== "person" ? el("span", { class: "tag" }, text("byEngine")) : null,
      sitter.here ? null : el("span", { class: "tag away" }, text("away")),
      sitter.lag !== null && sitter.here
        ? el("span", { class: "small num", title: text("lagHint") }, text("lag", sitter.lag))
        : null,
      canRemove
        ? el(
            "button",
            {
              type: "button",
              class: "plain tiny",
              "aria-label": text("removePlayer", nameOf(seat)),
              title: text("removePlayer", nameOf(seat)),
              onclick: () => tell({ type: "remove", seat }),
            },
            "×",
          )
        : null,
    ];
  }

  /** @param {number} seat */
  async function sit(seat) {
    const key = room().keys.invite ?? invitationTo(id);
    complain("");
    try {
      await link.ask({ type: "sit", room: id, seat, ...(key ? { key } : {}) });
    } catch (error) {
      complain(error instanceof Error ? error.message : String(error));
    }
  }

  function stand() {
    // With it the seat can be taken again.
    const { invite } = room().keys;
    if (invite) keepInvitation(id, invite);
    tell({ type: "stand" });
  }

  /** @param {Asked} what */
  function withdraw(what) {
    withdrawn = what;
    tell({ type: "withdraw", what });
  }

  function resign() {
    if (isSure) {
      window.clearTimeout(isSure);
      isSure = 0;
      tell({ type: "act", resign: true });
    } else {
      isSure = window.setTimeout(() => {
        isSure = 0;
        drawAbove();
      }, SURE_MS);
    }
    drawAbove();
  }

  /** @param {string} format */
  async function save(format) {
    try {
      const record = await link.ask({ type: "record", room: id, format });
      const file = new Blob([record.text], { type: "text/plain" });
      const address = URL.createObjectURL(file);
      el("a", { href: address, download: `${id}-${record.game}.${format}` }).click();
      window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
    } catch (error) {
      complain(error instanceof Error ? error.message : String(error));
    }
  }

  function confirmToggle() {
    const { you, state } = room();
    if (you.seat === null || state.phase !== "playing") return null;
    return el(
      "label",
      { class: "tick small" },
      el("input", {
        type: "checkbox",
        checked: confirms,
        onchange: (happened) => {
          confirms = /** @type {HTMLInputElement} */ (happened.target).checked;
          remember("confirm", confirms ? "yes" : "no");
          refresh();
        },
      }),
      el("span", {}, text("confirmMoves")),
    );
  }

  function drawAboveNow() {
    const now = room();
    const { settings } = now;
    const open = question();
    const focused = document.activeElement;
    const label = above.contains(focused) ? focused?.textContent : null;
    put(
      above,
      trouble,
      link.state === "connected"
        ? tableStanding(now, nameOf, () => tell({ type: "resume" }))
        : el("p", { class: "turn" }, text("disconnected")),
      open
        ? questionPanel(open, {
            chosen,
            passing: settings.passing,
            confirms,
            answer,
            clear: () => {
              chosen = [];
              refresh();
            },
          })
        : null,
      requestPanels(now, nameOf, {
        reply: (what, accept) => tell({ type: "reply", what, accept }),
        withdraw,
      }),
      actionBar(now, link.welcome, isSure > 0, {
        request: (what) => tell({ type: "request", what }),
        resign,
        save,
        hand: (engine) => tell({ type: "engine", engine }),
      }),
      confirmToggle(),
    );
    // What had the focus has it again, for those who have no mouse.
    if (label) {
      const again = [...above.querySelectorAll("button")].find((one) => one.textContent === label);
      again?.focus();
    }
    const isMine = open !== null;
    document.title = `${isMine ? `● ${text("yourTurn")} · ` : ""}${settings.title || text("tables")} · Tengen`;
  }

  /** Tells of requests of one's own that are gone, if nothing comes of them at once. */
  function noteDeclined() {
    const { state, you } = room();
    const now = new Set(
      state.requests.filter(({ seat }) => seat === you.seat).map(({ what }) => what),
    );
    for (const what of mine) {
      const isGranted = what === "pause" && state.phase === "paused";
      if (!now.has(what) && what !== withdrawn && !isGranted) {
        declined = window.setTimeout(() => {
          complain(text(`refused_${what}`));
          drawAbove();
        }, GRANTED_MS);
      }
    }
    mine = now;
    withdrawn = null;
  }

  /** Something came of what was asked for. */
  function granted() {
    window.clearTimeout(declined);
    mine = new Set(
      room()
        .state.requests.filter(({ seat }) => seat === room().you.seat)
        .map(({ what }) => what),
    );
  }

  /** Draws everything anew: another game, a move that was taken back, a connection that is back. */
  function redraw() {
    const now = room();
    granted();
    const focused = document.activeElement;
    game?.close();
    const before = game && !game.isFollowing() ? game.at() : null;
    const shown = now.live?.game ?? NO_GAME;
    const isSame = game?.game.number === shown.number;
    put(below, now.settings.chat ? chat.element : null);
    drawAbove();
    game = gameView(root, asEvent(), shown, {
      at: isSame ? before : null,
      table: now.live,
      link: () => location.hash,
      moved: () => {},
      seated,
    });
    chat.draw(now.chat);
    if (focused instanceof HTMLElement && below.contains(focused)) focused.focus();
  }

  redraw();
  return {
    redraw,
    key: (/** @type {string} */ key) => game?.key(key) ?? false,
    /** A step came, or the end. */
    step() {
      if (room().live?.game?.result) granted();
      const open = question();
      drawAbove();
      game?.grown();
      game?.drawAround();
      if (open) announce(text("yourTurn"));
    },
    /** Somebody came or went, or asked for something. */
    around() {
      noteDeclined();
      const { engines } = asEvent().data.event;
      game?.rename(engines);
      drawAbove();
      game?.drawAround();
    },
    chat: () => chat.draw(room().chat),
    close() {
      window.clearTimeout(isSure);
      window.clearTimeout(declined);
      game?.close();
    },
  };
}
