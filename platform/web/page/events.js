// The events that are served, with what each has come to: tests beside each other.

import { el, put } from "./dom.js";
import { text } from "./texts.js";
import { wholeText } from "./words.js";
import { llrText, sortedTable, testText } from "./tables.js";

/** @import { Source } from "./source.js" */
/** @import { ListedEvent } from "./event.d.ts" */

/** How often the list is read again. */
const EVERY_MS = 2000;

/**
 * Shows the list, and keeps it as it is now until it is closed.
 * @param {HTMLElement} main
 * @param {Source} source
 * @param {(id: string) => string} link
 * @param {(error: unknown) => void} fail
 */
export function eventsView(main, source, link, fail) {
  let isClosed = false;
  let timer = 0;
  const read = async () => {
    try {
      const events = await source.list();
      if (!isClosed) put(main, eventsCard(events, link));
    } catch (error) {
      // What is shown stays; the server may come back.
      if (!isClosed && main.childElementCount === 0) fail(error);
    }
    if (!isClosed) timer = window.setTimeout(read, EVERY_MS);
  };
  put(main);
  read();
  return {
    close: () => {
      isClosed = true;
      window.clearTimeout(timer);
    },
  };
}

/**
 * @param {ListedEvent[]} events
 * @param {(id: string) => string} link
 */
function eventsCard(events, link) {
  const head = (/** @type {string} */ title, /** @type {string} */ kind) => ({ title, kind });
  const heads = [
    head(text("event"), ""),
    head(text("games"), "num"),
    head(text("winsDrawsLosses"), "num"),
    head("LLR", "num"),
    head(text("state"), ""),
  ];
  const rows = events.map((event) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, el("a", { href: link(event.id) }, event.title)),
      el("td", { class: "num" }, `${wholeText(event.finished)} / ${wholeText(event.total)}`),
      el("td", { class: "num" }, event.score ? event.score.map(wholeText).join(" – ") : ""),
      el("td", { class: "num" }, event.sprt ? llrText(event.sprt) : ""),
      el("td", {}, event.sprt ? testText(event.sprt) : "", event.sprt ? ", " : "", stateText(event)),
    ),
  );
  return el(
    "section",
    { class: "card wide" },
    el("h1", {}, text("events")),
    el("p", { class: "hint" }, text("eventsHint")),
    events.length > 0 ? sortedTable(text("events"), heads, rows) : el("p", {}, text("noEvents")),
  );
}

/**
 * @param {ListedEvent} event
 */
function stateText({ over, live }) {
  if (over) return text("done");
  return text(live ? "running" : "ended");
}
