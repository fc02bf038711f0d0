// A game that was played at a table before the one that is there now.

import { el, put } from "./dom.js";
import { text } from "./texts.js";
import { errorText } from "./words.js";
import { gameView } from "./game.js";
import { resultText } from "./position.js";
import { recordButtons } from "./requests.js";
import { tableEvent } from "./table_event.js";

/** @import { PlayLink } from "./play_link.js" */
/** @import { GameView } from "./protocol.d.ts" */

/**
 * Shows a game of a table by its number, with its files.
 * @param {HTMLElement} root
 * @param {PlayLink} link
 * @param {string} id
 * @param {number} number
 * @param {string} back the address of the table
 */
export function formerGameView(root, link, id, number, back) {
  /** @type {ReturnType<typeof gameView> | null} */
  let shown = null;
  let isClosed = false;
  const wayBack = el("a", { class: "primary", href: back }, text("backToTable"));
  const trouble = el("p", { class: "notice", role: "alert", hidden: true });

  /** @param {unknown} error */
  function complain(error) {
    trouble.textContent = errorText(error);
    trouble.hidden = false;
  }

  link.ask({ type: "record", table: id, game: number, format: "view" }).then(
    (record) => {
      const table = link.tables.get(id);
      if (isClosed || !table) return;
      /** @type {{game: GameView, names: {first: string, second: string}}} */
      const { game, names } = JSON.parse(record.text);
      const event = tableEvent(table, link);
      const label = (/** @type {string} */ name) => ({ label: name || text("guest") });
      Object.assign(event.data.event, { engines: [label(names.first), label(names.second)] });
      shown = gameView(root, event, game, {
        at: null,
        table: null,
        link: () => location.hash,
        moved: () => {},
        seated: {
          bottom: () => "first",
          who: () => [],
          head: () => [
            el("h1", {}, text("gameOf", number)),
            el("p", { class: "outcome" }, resultText(event, game)),
            el("div", { class: "line" }, wayBack, recordButtons(link, id, number, complain)),
          ],
          above: trouble,
          below: el("div", { class: "below" }),
          chosen: () => [],
          board: () => {},
        },
      });
    },
    (error) => {
      if (isClosed) return;
      put(root, el("p", { class: "notice", role: "alert" }, errorText(error)), wayBack);
    },
  );

  return {
    key: (/** @type {string} */ key) => shown?.key(key) ?? false,
    close() {
      isClosed = true;
      shown?.close();
    },
  };
}
