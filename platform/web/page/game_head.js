// What stands above the moves of an event's game: its number, its result, and where it can be had.

import { copyButton } from "./copy_link.js";
import { el, icon } from "./dom.js";
import { getLanguage, text } from "./texts.js";
import { dateText } from "./words.js";
import { resultText } from "./position.js";

/** @import { OpenEvent } from "./source.js" */
/** @import { GameView } from "./protocol.d.ts" */

/**
 * @param {OpenEvent} opened
 * @param {GameView} game
 * @param {{link: (side: "before" | "after") => string | null,
 *   chosen?: {href: string, words: string} | null}} options
 */
export function gameHead(opened, game, { link, chosen }) {
  const { opening } = game;
  const name = opening
    ? `${opening.code} ${getLanguage() === "zh" ? opening.zh : opening.en}`
    : "";
  const notes = [
    text("round", game.round),
    name,
    game.began ? dateText(game.began) : "",
    game.void ? text("voidGame") : "",
    game.spoiled ? text("spoiledGame") : "",
  ].filter(Boolean);
  const downloads = game.result ? opened.downloads(game.number) : [];
  const step = (
    /** @type {"before" | "after"} */ side,
    /** @type {string} */ label,
    /** @type {"previous" | "next"} */ sign,
  ) => {
    const href = link(side);
    return href
      ? el("a", { class: "icon", href, "aria-label": label, title: label }, icon(sign))
      : el("span", { class: "icon none" }, icon(sign));
  };
  return [
    el(
      "div",
      { class: "line" },
      step("before", text("previousGame"), "previous"),
      el("h1", {}, text("gameNumber", game.number)),
      step("after", text("nextGame"), "next"),
      el("span", { class: "gap" }),
      copyButton(text("copyLink"), () => location.href),
      downloads.map(([kind, path]) =>
        el(
          "a",
          { class: "plain", href: path, download: `game-${game.number}.${kind.toLowerCase()}` },
          kind,
        ),
      ),
    ),
    el("p", { class: game.result ? "outcome" : "outcome on" }, resultText(opened, game)),
    el("p", { class: "small" }, notes.join(" · ")),
    chosen ? el("p", { class: "small" }, el("a", { href: chosen.href }, chosen.words)) : null,
  ];
}
