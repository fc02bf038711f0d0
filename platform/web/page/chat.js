// What people say at a table. Text of strangers is text.

import { el, put } from "./dom.js";
import { text } from "./texts.js";

/** @import { ChatLine } from "./protocol.d.ts" */

/** The most characters of a line. */
const MOST_CHARACTERS = 200;

/**
 * @param {(words: string) => void} say
 */
export function chatView(say) {
  const lines = el("div", {
    class: "chat-lines",
    role: "log",
    tabindex: 0,
    "aria-label": text("chat"),
  });
  const input = el("input", {
    type: "text",
    maxlength: MOST_CHARACTERS,
    autocomplete: "off",
    placeholder: text("say"),
    "aria-label": text("say"),
  });
  const element = el(
    "section",
    { class: "chat" },
    el("h2", {}, text("chat")),
    lines,
    el(
      "form",
      {
        onsubmit: (happened) => {
          happened.preventDefault();
          const words = input.value.trim();
          if (words) say(words);
          input.value = "";
        },
      },
      input,
      el("button", { type: "submit", class: "plain" }, text("send")),
    ),
  );
  return {
    element,
    /** @param {ChatLine[]} said */
    draw(said) {
      const isAtEnd = lines.scrollHeight - lines.scrollTop - lines.clientHeight < 40;
      put(
        lines,
        said.length === 0 ? el("p", { class: "note" }, text("noChat")) : null,
        said.map((line) =>
          el(
            "p",
            { class: line.seat === null ? "by-viewer" : "" },
            el("span", { class: "strong" }, line.from || text("guest")),
            line.seat === null ? el("span", { class: "small" }, ` (${text("viewer")})`) : null,
            `: ${line.text}`,
          ),
        ),
      );
      if (isAtEnd) lines.scrollTop = lines.scrollHeight;
    },
  };
}
