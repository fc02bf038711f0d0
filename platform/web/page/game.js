// One game: its board, the line of each player, moves and graph, and what moves through it.

import { announce, el, icon, iconButton, put, recall, remember } from "./dom.js";
import { text } from "./texts.js";
import { drawBoard, zoneOf } from "./board.js";
import { isTold, pointAt } from "./words.js";
import { blackAt, foulOf, otherSeat, resultText, stepText, stonesAt, variationAfter } from "./position.js";
import { gameHead } from "./game_head.js";
import { drawSeatBar, showRunningClock } from "./seat_bar.js";
import { drawTimeline } from "./timeline.js";
import { drawMoves } from "./move_list.js";

/**
 * What a table where people play has beside the game: who sits at the bottom, more of who sits
 * there, what stands in the place of the game's head, panels above and below the moves, and what
 * is done with the board.
 * @typedef {{bottom: () => Seat, who: (seat: Seat) => (Node | null)[],
 *   head: () => (Node | null)[], above: HTMLElement, below: HTMLElement,
 *   chosen: () => import("./board.js").Stone[],
 *   board: (picture: SVGSVGElement, diagram: import("./board.js").Diagram,
 *     isNewest: boolean) => void}} Seated
 */

/** @typedef {"before" | "after"} Side */

/** @import { OpenEvent } from "./source.js" */
/** @import { GameView, LiveGame, Seat } from "./protocol.d.ts" */
/** @import { EventView } from "./event.d.ts" */

/** How long each move is shown in a replay. */
const REPLAY_MS = 700;

/**
 * What is shown of every game, as the reader has set it.
 */
const shown = {
  flipped: false,
  numbers: recall("numbers") === "yes",
  coordinates: recall("coordinates") !== "no",
  forbidden: recall("forbidden") !== "no",
  line: recall("line") === "yes",
};

/**
 * Shows a game, and gives what the keys and the live stream do with it.
 * @param {HTMLElement} root
 * @param {OpenEvent} opened
 * @param {GameView} game
 * @param {{at: number | null, table: LiveGame | null, link: (side: Side) => string | null,
 *   moved: (at: number) => void, note?: HTMLElement, seated?: Seated,
 *   chosen?: {href: string, words: string} | null}} options the addresses of the games before and
 *   after it; what is said of what follows it; and the list that it was opened from
 */
export function gameView(root, opened, game, options) {
  const { event } = opened.data;
  const { table, seated } = options;
  const [width, height] = [event.settings.width, event.settings.height];
  let at = Math.min(options.at ?? game.steps.length, game.steps.length);
  let isFollowing = table !== null && (options.at === null || at === game.steps.length);
  let replay = 0;
  /** The place that the board shows: a stone that was not there settles. */
  let drawnAt = at;

  const boardFrame = el("div", { class: "board-frame" });
  const seats = [el("div", { class: "seat" }), el("div", { class: "seat" })];
  const list = el("div", {
    class: "moves scroll",
    tabindex: 0,
    role: "region",
    "aria-label": text("moveList"),
  });
  const graph = el("div", { class: "graph" });
  const saying = el("div", { class: "said" });
  const head = el("div", { class: "game-head" });
  const playButton = iconButton("play", text("play"), () => toggleReplay());
  const liveButton = el(
    "button",
    { type: "button", class: "live-button", onclick: () => toLive() },
    text("backToLive"),
  );
  const toggles = [
    toggle("numbers", text("numbers")),
    toggle("coordinates", text("coordinates")),
    event.settings.rule === "renju" ? toggle("forbidden", text("forbidden")) : null,
    toggle("line", text("variation")),
  ];
  const controls = el(
    "div",
    { class: "controls", role: "toolbar", "aria-label": text("game") },
    iconButton("start", text("start"), () => go(0)),
    iconButton("back", text("back"), () => go(at - 1)),
    playButton,
    iconButton("forward", text("forward"), () => go(at + 1)),
    iconButton("end", text("end"), () => go(game.steps.length)),
    el("span", { class: "gap" }),
    toggles,
    iconButton("flip", text("flip"), () => flip()),
  );
  put(
    root,
    el(
      "div",
      { class: "game" },
      el(
        "section",
        { class: "table", "aria-label": text("board") },
        seats[0],
        boardFrame,
        seats[1],
        controls,
      ),
      el("aside", { class: "side" }, head, options.note, seated?.above, graph, saying, list, seated?.below),
    ),
  );

  /**
   * @param {"numbers" | "coordinates" | "forbidden" | "line"} key
   * @param {string} label
   */
  function toggle(key, label) {
    const button = iconButton(
      key,
      label,
      () => {
        shown[key] = !shown[key];
        remember(key, shown[key] ? "yes" : "no");
        button.setAttribute("aria-pressed", String(shown[key]));
        drawPosition();
      },
      { "aria-pressed": String(shown[key]) },
    );
    return button;
  }

  function flip() {
    shown.flipped = !shown.flipped;
    draw();
  }

  function toLive() {
    isFollowing = table !== null;
    go(game.steps.length);
  }

  function toggleReplay() {
    if (replay) return stopReplay();
    if (at >= game.steps.length) go(0);
    replay = window.setInterval(
      () => (at < game.steps.length ? go(at + 1, true) : stopReplay()),
      REPLAY_MS,
    );
    playButton.replaceChildren(icon("pause"));
    playButton.setAttribute("aria-label", text("pause"));
  }

  function stopReplay() {
    window.clearInterval(replay);
    replay = 0;
    playButton.replaceChildren(icon("play"));
    playButton.setAttribute("aria-label", text("play"));
  }

  /**
   * @param {number} wanted
   * @param {boolean} [isReplay]
   */
  function go(wanted, isReplay = false) {
    if (!isReplay && replay) stopReplay();
    at = Math.min(game.steps.length, Math.max(0, wanted));
    if (table) isFollowing = at === game.steps.length;
    draw();
    options.moved(at);
    const step = game.steps[at - 1];
    const who = step ? event.engines[game.seats[step.seat]]?.label : "";
    const words = step ? text("announce", at, who ?? "", stepText(step)) : text("before");
    const isOver = at === game.steps.length && game.result;
    announce(isOver ? `${words}. ${text("over", resultText(opened, game))}` : words);
  }

  function draw() {
    drawPosition();
    drawSeats();
    list.hidden = seated !== undefined && game.steps.length === 0;
    drawMoves(list, game, at, go);
    drawHead();
    // Where no engine told anything there is nothing to draw.
    graph.hidden = seated !== undefined && (game.result === null || !game.steps.some(isTold));
    if (!graph.hidden)
      put(graph, el("h2", { class: "unseen" }, text("timeline")), drawTimeline(game, at, go));
    const step = game.steps[at - 1];
    const lines = step?.said ?? [];
    const detail = at === game.steps.length ? game.result?.detail : undefined;
    put(
      saying,
      lines.map((line) => el("p", {}, line)),
      detail ? el("p", { class: "detail" }, detail) : null,
    );
    liveButton.hidden = isFollowing || !table;
  }

  function drawPosition() {
    const { stones, last } = stonesAt(game, at);
    const now = at > 0 ? game.steps[at - 1] : game.first;
    const isEnd = at === game.steps.length && game.result !== null;
    const zone = zoneOf(`${width}x${height}`, now.ask?.zone);
    const step = game.steps[at - 1];
    const label = step
      ? `${text("board")}: ${text("announce", at, event.engines[game.seats[step.seat]]?.label ?? "", stepText(step))}`
      : `${text("board")}: ${text("before")}`;
    const isNewest = at === game.steps.length;
    const diagram = {
      width,
      height,
      stones,
      last,
      label,
      zone,
      row: isEnd ? game.row?.map(pointAt) : undefined,
      foul: isEnd ? foulOf(game) : null,
      settles: at === drawnAt + 1,
      forbidden: shown.forbidden ? now.forbidden : undefined,
      offered: now.offered?.map(pointAt),
      line: shown.line ? variationAfter(game, at, stones) : undefined,
      chosen: isNewest ? seated?.chosen() : undefined,
      flipped: shown.flipped,
      numbers: shown.numbers,
      coordinates: shown.coordinates,
    };
    drawnAt = at;
    const hadFocus = boardFrame.contains(document.activeElement);
    const picture = drawBoard(diagram);
    seated?.board(picture, diagram, isNewest);
    put(boardFrame, picture, liveButton);
    if (hadFocus) picture.focus({ preventScroll: true });
  }

  function drawSeats() {
    const black = blackAt(game, at);
    const bottom = seated ? seated.bottom() : black;
    const order = shown.flipped ? [bottom, otherSeat(bottom)] : [otherSeat(bottom), bottom];
    order.forEach((seat, place) =>
      drawSeatBar(seats[place], opened, game, seat, {
        at,
        isBlack: seat === black,
        table: isFollowing ? table : null,
        keepsTime: seated !== undefined,
        more: seated?.who(seat) ?? [],
      }),
    );
  }

  function drawHead() {
    put(head, seated ? seated.head() : gameHead(opened, game, options));
  }

  const ticker = table
    ? window.setInterval(() => {
        /** @type {HTMLElement | null} */
        const face = root.querySelector(`.clock[data-seat="${table.asked}"]`);
        if (face && isFollowing) showRunningClock(face, opened, table);
      }, 200)
    : 0;
  draw();

  return {
    game,
    at: () => at,
    isFollowing: () => isFollowing,
    /** @param {string} key */
    key(key) {
      switch (key) {
        case "ArrowLeft":
          go(at - 1);
          return true;
        case "ArrowRight":
          go(at + 1);
          return true;
        case "Home":
          go(0);
          return true;
        case "End":
          go(game.steps.length);
          return true;
        case "ArrowUp":
          if (seated) return false;
          location.hash = options.link("before") ?? location.hash;
          return true;
        case "ArrowDown":
          if (seated) return false;
          location.hash = options.link("after") ?? location.hash;
          return true;
        case " ":
          toggleReplay();
          return true;
        case "f":
          flip();
          return true;
        case "n":
        case "v":
          toggles[key === "n" ? 0 : 3]?.click();
          return true;
        case "l":
          toLive();
          return true;
        default:
          return false;
      }
    },
    /** Draws the board again, where something was chosen on it. */
    drawPosition,
    /**
     * Those who play have other names from now on.
     * @param {EventView["engines"]} engines
     */
    rename(engines) {
      event.engines = engines;
    },
    drawSeats,
    /** Draws who sits there, and what is said above the moves. */
    drawAround() {
      drawSeats();
      drawHead();
    },
    /** A step came, or the end. */
    grown() {
      if (isFollowing) go(game.steps.length);
      else draw();
    },
    close() {
      stopReplay();
      window.clearInterval(ticker);
    },
  };
}
