// What is said below a game that is over at its table: which game is shown next, and when.

import { el, put } from "./dom.js";
import { text } from "./texts.js";

/**
 * @param {(number: number) => string} link the address of a game
 */
export function nextGame(link) {
  const note = el("p", { class: "next-game", hidden: true });
  let isStaying = false;
  let shown = "";
  /** @type {[number | null, number, boolean]} */
  let told = [null, 0, false];

  function draw() {
    const [number, due, isFollowing] = told;
    const seconds = Math.max(0, Math.ceil((due - Date.now()) / 1000));
    const isComing = number !== null && !isStaying && isFollowing && due > 0;
    const words = number === null ? "" : isComing ? text("nextIn", seconds) : text("nextGame");
    const now = `${number} ${words}`;
    if (now === shown) return;
    shown = now;
    note.hidden = number === null;
    if (number === null) return;
    const stay = el(
      "button",
      {
        type: "button",
        class: "plain",
        onclick: () => {
          isStaying = true;
          draw();
        },
      },
      text("stay"),
    );
    const hadFocus = note.contains(document.activeElement);
    put(
      note,
      el("span", {}, words),
      el("a", { class: "plain", href: link(number) }, text("gameNumber", number)),
      isComing ? stay : null,
    );
    if (hadFocus && isComing) stay.focus({ preventScroll: true });
  }

  const ticker = window.setInterval(draw, 250);
  return {
    note,
    stays: () => isStaying,
    /**
     * @param {number | null} number the game that is shown next; none while none has begun
     * @param {number} due when
     * @param {boolean} isFollowing whether the last move is looked at, so that it is shown then
     */
    say(number, due, isFollowing) {
      told = [number, due, isFollowing];
      draw();
    },
    close: () => window.clearInterval(ticker),
  };
}
