// A table where people play: the game, who sits there, what is asked for, and the chat.

import { announce, betweenClicks, el, put, recall, remember } from "./dom.js";
import { text } from "./texts.js";
import { errorText, pointName } from "./words.js";
import { letPoint } from "./board_input.js";
import { gameView } from "./game.js";
import { chosenStones, hasPoints, isOpenPoint, questionPanel } from "./asking.js";
import { chosenPoints } from "./chosen_points.js";
import { chatView } from "./chat.js";
import { invitationTo, keepInvitation } from "./play_link.js";
import { nameField } from "./lobby.js";
import { actionBar, recordButtons, requestPanels } from "./requests.js";
import { seatTags } from "./seat_tags.js";
import { tableHead, tableStanding } from "./table_head.js";
import { NO_GAME, seatName, tableEngines, tableEvent } from "./table_event.js";

/** @import { TableAnswer } from "./asking.js" */
/** @import { PlayLink, Table } from "./play_link.js" */
/** @import { ClientMessage, Seat, TableRequest } from "./protocol.d.ts" */

/**
 * A message to the table, which says by itself which one that is.
 * @typedef {ClientMessage extends infer M ? M extends {table: string} ? Omit<M, "table"> : never
 *   : never} ToTable
 */

/** How long is waited for a second click that resigns. */
const SURE_MS = 4000;
/** How long an answer may be on its way before it is said that it is not there. */
const ON_ITS_WAY_MS = 1500;

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
  const chosen = chosenPoints();
  let isSure = 0;
  let claimTimer = 0;
  /** The field for the name, where there was none. @type {HTMLElement | null} */
  let nameAsked = null;
  let isClosed = false;
  /** Whether what is complained of is the line. */
  let isLineTrouble = false;
  let confirms =
    (recall("confirm") ?? (matchMedia("(pointer: coarse)").matches ? "yes" : "no")) === "yes";
  /** @type {TableRequest[]} */
  let declined = [];
  const chat = chatView({
    say: (words, picture) =>
      tell({ type: "chat", text: words, ...(picture === null ? {} : { picture }) }),
    room: () => {
      const { picture = 0, message = 0 } = link.welcome?.limits ?? {};
      return Math.max(0, picture - message);
    },
    complain,
  });
  /** @type {ReturnType<typeof gameView> | null} */
  let game = null;

  const table = () => /** @type {Table} */ (link.tables.get(id));

  /** @param {string} words */
  function complain(words) {
    isLineTrouble = words !== "" && link.state !== "connected";
    trouble.textContent = words;
    trouble.hidden = words === "";
  }

  /** @param {ToTable} message */
  function tell(message) {
    complain("");
    link.tell(/** @type {ClientMessage} */ ({ ...message, table: id }), (words) => {
      if (isClosed) return;
      chosen.refused();
      // The line is said to be dead already, and what lies on the board not to be sent.
      if (message.type === "act" && link.state !== "connected") chosen.unsent();
      else complain(words);
      refresh();
    });
  }

  const nameOf = (/** @type {Seat} */ seat) => seatName(table(), seat);

  /** @param {TableAnswer} answer */
  function answer(answer) {
    const asked = table().question;
    chosen.answered(table());
    tell({ type: "act", question: asked, ...answer });
    refresh();
    window.setTimeout(() => {
      const now = link.tables.get(id);
      if (isClosed || !now || now.question !== asked || !chosen.isAnswered(now)) return;
      chosen.unsent();
      refresh();
    }, ON_ITS_WAY_MS);
  }

  /** What is to be known of the points that were chosen before they are laid. */
  function warning() {
    const [at] = chosen.points();
    if (at === undefined) return "";
    if (chosen.isUnsent()) return text("notSent", chosen.points().map(pointName).join(" "));
    const foul = foulAt(at);
    return foul ? text("foulAsk", pointName(at), text(foul)) : "";
  }

  /**
   * The foul that a stone there would be, where that is marked.
   * @param {number} at
   */
  function foulAt(at) {
    const steps = table().live?.game;
    const now = steps?.steps.at(-1) ?? steps?.first;
    return recall("forbidden") === "no" ? undefined : now?.forbidden?.[pointName(at)];
  }

  /** What is open to who sits here; nothing while an answer is on its way. */
  function question() {
    const open = chosen.question(table());
    return link.state === "connected" ? open : null;
  }

  /** @param {number} at */
  function pick(at) {
    const open = question();
    if (!open) return;
    const told = chosen.pick(open, at, confirms || foulAt(at) !== undefined);
    if (told) answer(told);
    else refresh();
  }

  /** Draws what depends on what was chosen. */
  function refresh() {
    root.classList.toggle("unsent", chosen.isUnsent());
    drawAbove();
    game?.drawPosition();
  }

  const seated = {
    bottom: () => {
      const { seat } = table().you;
      if (seat !== null) return seat;
      // A viewer sees the second seat on top, where a game's list has it.
      return /** @type {const} */ ("first");
    },
    who: (/** @type {Seat} */ seat) =>
      seatTags(table(), seat, { sit, remove: () => tell({ type: "remove", seat }) }),
    head: () =>
      tableHead(table(), nameOf, { stand, close: () => tell({ type: "close" }), leave }),
    above,
    below,
    chosen: () => chosen.stones(table()),
    board: (
      /** @type {SVGSVGElement} */ picture,
      /** @type {import("./board.js").Diagram} */ diagram,
      /** @type {boolean} */ isNewest,
    ) => {
      const open = isNewest ? question() : null;
      if (!open || !hasPoints(open)) return;
      const next = chosenStones(open, [...chosen.points(), 0]).at(-1);
      letPoint(picture, diagram, {
        isOpen: (at) => isOpenPoint(open, at),
        white: next?.white ?? open.white,
        pick,
        cursor,
      });
    },
  };

  /** @param {Seat} seat */
  async function sit(seat) {
    const key = table().keys.invite ?? invitationTo(id);
    complain("");
    try {
      await link.ask({ type: "sit", table: id, seat, ...(key ? { key } : {}) });
    } catch (error) {
      complain(errorText(error));
    }
  }

  function stand() {
    // With it the seat can be taken again.
    const { invite } = table().keys;
    if (invite) keepInvitation(id, invite);
    tell({ type: "stand" });
  }

  /** @param {TableRequest} what */
  function withdraw(what) {
    tell({ type: "withdraw", what });
  }

  /** Tells what was declined since it was last looked at. */
  function tellDeclined() {
    const { state, you } = table();
    const own = (state.declined ?? []).filter(({ seat }) => seat === you.seat);
    const now = own.map(({ what }) => what);
    const news = now.find((what) => !declined.includes(what));
    if (news) complain(text(`refused_${news}`));
    declined = now;
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

  /** Who may sit down has a name first. */
  function namePanel() {
    const { you, state } = table();
    const isFree = Object.values(state.seats).includes(null);
    if (you.seat !== null || !isFree || (recall("name") && !nameAsked)) return null;
    nameAsked ??= nameField(link);
    return nameAsked;
  }

  function confirmToggle() {
    const { you, state } = table();
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
    const now = table();
    const { settings } = now;
    const open = question();
    const warns = warning();
    const focused = document.activeElement;
    const label = above.contains(focused) ? focused?.textContent : null;
    put(
      above,
      trouble,
      link.state === "connected"
        ? tableStanding({ ...now, now: Date.now() + link.skew }, nameOf, {
            goOn: () => tell({ type: "resume" }),
            getReady: () => tell({ type: "ready" }),
            claim: (what) => tell({ type: "claim", what }),
          })
        : el("p", { class: "turn" }, text("disconnected")),
      !open && warns ? el("p", { class: "warning", role: "alert" }, warns) : null,
      open
        ? questionPanel(open, {
            chosen: chosen.points(),
            passing: settings.passing,
            confirms: confirms || warns !== "",
            warns,
            answer,
            clear: () => {
              chosen.clear();
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
        files: () => recordButtons(link, id, null, (error) => complain(errorText(error))),
        hand: (engine) => tell({ type: "engine", engine }),
      }),
      confirmToggle(),
      namePanel(),
    );
    // What had the focus has it again, for those who have no mouse.
    if (label) {
      const again = [...above.querySelectorAll("button")].find((one) => one.textContent === label);
      again?.focus();
    }
    const { seat } = now.you;
    const claim = seat === null ? null : (now.state.claims?.[seat] ?? null);
    window.clearTimeout(claimTimer);
    if (claim !== null && claim > Date.now() + link.skew)
      claimTimer = window.setTimeout(drawAbove, claim - Date.now() - link.skew + 50);
    const isMine = open !== null || (seat !== null && now.state.ready?.[seat] === false);
    document.title = `${isMine ? `● ${text("yourTurn")} · ` : ""}${settings.title || text("tables")} · Tengen`;
  }

  /** Draws everything anew: another game, a move that was taken back, a connection that is back. */
  function redraw() {
    const now = table();
    if (isLineTrouble) complain("");
    chosen.question(now);
    root.classList.toggle("unsent", chosen.isUnsent());
    const focused = document.activeElement;
    game?.close();
    const before = game && !game.isFollowing() ? game.at() : null;
    const shown = now.live?.game ?? NO_GAME;
    const isSame = game?.game.number === shown.number;
    put(below, now.settings.chat ? chat.element : null);
    drawAbove();
    game = gameView(root, tableEvent(table(), link), shown, {
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
      root.classList.toggle("unsent", chosen.isUnsent());
      drawAbove();
      game?.grown();
      game?.drawAround();
      if (open) announce(text("yourTurn"));
    },
    /** Somebody came or went, or asked for something. */
    around() {
      if (isLineTrouble && link.state === "connected") complain("");
      tellDeclined();
      game?.rename(tableEngines(table()));
      drawAbove();
      game?.drawAround();
    },
    chat: () => chat.draw(table().chat),
    close() {
      isClosed = true;
      root.classList.remove("unsent");
      window.clearTimeout(isSure);
      window.clearTimeout(claimTimer);
      game?.close();
    },
  };
}
