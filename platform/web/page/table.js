// A table where people play: the game, who sits there, what is asked for, and the chat.

import { announce, el, put, recall, remember } from "./dom.js";
import { text } from "./texts.js";
import { pointsText } from "./words.js";
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
import { keyOf } from "./play_link.js";
import { phaseText, settingsText } from "./lobby.js";

/**
 * @typedef {import("./source.js").GameView} GameView
 * @typedef {import("./source.js").OpenEvent} OpenEvent
 * @typedef {import("./play_link.js").PlayLink} PlayLink
 * @typedef {import("./play_link.js").Room} Room
 * @typedef {import("./play_link.js").Asked} Asked
 */

/** What may be asked for while a game is played, with the setting that allows it. */
const REQUESTS = /** @type {const} */ ([
  ["undo", "undo", "undo"],
  ["draw", "draws", "offerADraw"],
  ["pause", "pause", "askPause"],
]);
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
    head: () => head(),
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
    const key = keyOf(id);
    complain("");
    try {
      await link.ask({ type: "sit", room: id, seat, ...(key ? { key } : {}) });
    } catch (error) {
      complain(error instanceof Error ? error.message : String(error));
    }
  }

  /** @param {string | null} key */
  function linkWith(key) {
    const base = location.href.split("#")[0];
    return `${base}#room=${encodeURIComponent(id)}${key ? `&key=${encodeURIComponent(key)}` : ""}`;
  }

  /**
   * @param {string} label
   * @param {string | null} key
   */
  function copyButton(label, key) {
    const button = el(
      "button",
      {
        type: "button",
        class: "plain",
        onclick: () =>
          navigator.clipboard?.writeText(linkWith(key)).then(
            () => {
              button.textContent = text("copied");
            },
            () => {},
          ),
      },
      label,
    );
    return navigator.clipboard ? button : null;
  }

  function head() {
    const { settings, state, you, keys, live } = room();
    const number = live?.game?.number ?? 0;
    const title = settings.title || text("against", nameOf(0), nameOf(1));
    const facts = [
      phaseText(state.phase),
      number > 0 ? text("gameOf", number) : "",
      state.games > 1 || state.score.some((points) => points > 0)
        ? text("scoreOf", pointsText(state.score[0]), pointsText(state.score[1]))
        : "",
      state.viewers > 0 ? text("viewers", state.viewers) : "",
    ].filter(Boolean);
    const isIdle = state.phase === "open" || state.phase === "over";
    return [
      el("h1", {}, title),
      el("p", { class: "small" }, settingsText(settings)),
      el("p", { class: "small" }, facts.join(" · ")),
      el(
        "div",
        { class: "line" },
        you.seat !== null || you.host ? copyButton(text("invite"), keys.invite) : null,
        copyButton(text("watchLink"), settings.public ? null : keys.watch),
        you.seat !== null && isIdle
          ? button(text("standUp"), () => tell({ type: "stand" }))
          : null,
        you.host ? button(text("closeTable"), () => tell({ type: "close" })) : null,
        button(text("leaveTable"), leave),
      ),
    ];
  }

  /**
   * @param {string} label
   * @param {() => void} onclick
   * @param {string} [kind]
   */
  function button(label, onclick, kind = "plain") {
    return el("button", { type: "button", class: kind, onclick }, label);
  }

  /** Who has to do what now. */
  function standing() {
    const { state, you, waiting, live, keys } = room();
    if (link.state !== "connected") return el("p", { class: "turn" }, text("disconnected"));
    const result = live?.game?.result;
    if (result) {
      const by = text(result.by);
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
        you.seat === null ? null : button(text("goOn"), () => tell({ type: "resume" }), "choice"),
      );
    }
    if (state.phase === "open" || !live) {
      const isMine = you.seat !== null || you.host;
      return el(
        "div",
        {},
        el("p", { class: "turn", role: "status" }, text("waitingForPlayer")),
        isMine
          ? el(
              "label",
              { class: "field" },
              el("span", {}, text("invited")),
              el("input", {
                type: "text",
                class: "link",
                readonly: true,
                value: linkWith(keys.invite),
                onfocus: (happened) => /** @type {HTMLInputElement} */ (happened.target).select(),
              }),
            )
          : null,
      );
    }
    if (waiting === null || waiting === you.seat) return null;
    return el("p", { class: "turn", role: "status" }, text("theirTurn", nameOf(waiting)));
  }

  function requests() {
    const { state, you } = room();
    return state.requests.map(({ seat, what }) => {
      const isMine = seat === you.seat;
      const buttons = isMine
        ? [button(text("withdraw"), () => tell({ type: "withdraw", what }))]
        : you.seat === null
          ? []
          : [
              button(text("accept"), () => tell({ type: "reply", what, accept: true }), "choice"),
              button(text("decline"), () => tell({ type: "reply", what, accept: false }), "choice"),
            ];
      return el(
        "div",
        { class: "request", role: "status" },
        el("p", {}, isMine ? text(`asked_${what}`) : text(`ask_${what}`, nameOf(seat))),
        el("div", { class: "choices" }, buttons),
      );
    });
  }

  function actions() {
    const { state, you, settings, live } = room();
    if (you.seat === null || !live?.game) return null;
    const isOpen = (/** @type {Asked} */ what) =>
      !state.requests.some((request) => request.what === what);
    const asking = (/** @type {Asked} */ what, /** @type {string} */ label, kind = "plain") =>
      isOpen(what) ? button(text(label), () => tell({ type: "request", what }), kind) : null;
    /** @type {(Node | null)[]} */
    const parts = [];
    if (state.phase === "over") {
      parts.push(asking("again", "playAgain", "choice primary"));
      for (const format of ["sgf", "psq", "json"]) {
        parts.push(button(format.toUpperCase(), () => save(format)));
      }
    } else if (state.phase === "playing") {
      for (const [what, setting, label] of REQUESTS) {
        if (settings[setting] && (what !== "undo" || live.game.steps.length > 0)) {
          parts.push(asking(what, label));
        }
      }
      parts.push(
        button(
          text(isSure ? "reallyResign" : "resignGame"),
          resign,
          isSure ? "plain sure" : "plain",
        ),
        engineChoice(),
      );
    }
    return el("div", { class: "actions", role: "group", "aria-label": text("game") }, parts);
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

  function engineChoice() {
    const { settings, you, state } = room();
    const engines = link.welcome?.engines ?? [];
    if (you.seat === null || !settings.engines || engines.length === 0) return null;
    if (state.seats[you.seat]?.kind === "engine") {
      return button(text("takeOver"), () => tell({ type: "engine", engine: null }), "choice");
    }
    return el(
      "select",
      {
        "aria-label": text("handOver"),
        onchange: (happened) => {
          const engine = /** @type {HTMLSelectElement} */ (happened.target).value;
          if (engine) tell({ type: "engine", engine });
        },
      },
      el("option", { value: "" }, `${text("handOver")} …`),
      engines.map((engine) => el("option", { value: engine.id }, engine.name)),
    );
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

  function drawAbove() {
    const { settings } = room();
    const open = question();
    const focused = document.activeElement;
    const label = above.contains(focused) ? focused?.textContent : null;
    put(
      above,
      trouble,
      standing(),
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
      requests(),
      actions(),
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

  /** Tells of requests of one's own that are gone, though nothing came of them. */
  function noteDeclined() {
    const { state, you } = room();
    const now = new Set(
      state.requests.filter(({ seat }) => seat === you.seat).map(({ what }) => what),
    );
    for (const what of mine) {
      if (!now.has(what) && state.phase === "playing" && what !== "pause") {
        announce(text(`refused_${what}`));
      }
    }
    mine = now;
  }

  /** Draws everything anew: another game, a move that was taken back, a connection that is back. */
  function redraw() {
    const now = room();
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
      game?.close();
    },
  };
}
