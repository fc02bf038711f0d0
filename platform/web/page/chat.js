// What people say at a table. Text of strangers is text.

import { announce, el, put } from "./dom.js";
import { text } from "./texts.js";
import { markedParts } from "./chat_marks.js";
import { shownPicture, smallPicture } from "./chat_picture.js";

/** @import { MarkedText } from "./chat_marks.js" */
/** @import { ChatLine } from "./protocol.d.ts" */

/** The most characters of a line. */
const MOST_CHARACTERS = 200;

/**
 * @param {{say: (words: string, picture: string | null) => void, room: () => number,
 *   complain: (words: string) => void}} does `room` is how long a picture may be, 0 for none
 */
export function chatView({ say, room, complain }) {
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
    onpaste: (happened) => {
      const { clipboardData } = /** @type {ClipboardEvent} */ (happened);
      const pasted = [...(clipboardData?.files ?? [])].find((one) => one.type.startsWith("image/"));
      if (!pasted || room() === 0) return;
      happened.preventDefault();
      show(pasted);
    },
  });
  const chooser = el("input", {
    type: "file",
    accept: "image/png,image/jpeg",
    hidden: true,
    "aria-label": text("picture"),
    onchange: () => {
      const [chosen] = chooser.files ?? [];
      if (chosen) show(chosen);
      chooser.value = "";
    },
  });
  const choose = el(
    "button",
    { type: "button", class: "plain", onclick: () => chooser.click() },
    text("picture"),
  );

  /** @param {Blob} file */
  async function show(file) {
    let picture;
    try {
      picture = await smallPicture(file, room());
    } catch {
      return complain(text("noPicture"));
    }
    say(input.value.trim(), picture);
    input.value = "";
  }

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
          if (words) say(words, null);
          input.value = "";
        },
      },
      input,
      el("button", { type: "submit", class: "plain" }, text("send")),
      chooser,
      choose,
    ),
  );
  return {
    element,
    /** @param {ChatLine[]} said */
    draw(said) {
      choose.hidden = room() === 0;
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
            ": ",
            line.text || line.picture
              ? markedParts(line.text).map(drawnPart)
              : el("span", { class: "small" }, text("pictureGone")),
            shownPicture(line),
          ),
        ),
      );
      if (isAtEnd) lines.scrollTop = lines.scrollHeight;
    },
  };
}

/** @param {MarkedText} part */
function drawnPart({ text: words, isBold, isItalic, isLink }) {
  /** @type {Node | string} */
  let drawn = isLink ? chatLink(words) : words;
  if (isItalic) drawn = el("em", {}, drawn);
  return isBold ? el("strong", {}, drawn) : drawn;
}

/**
 * The text of a link, which a click selects and copies. It leads nowhere by itself.
 * @param {string} address
 */
function chatLink(address) {
  const copy = () => {
    const selected = getSelection();
    // Who marks a part of it wants that part.
    if (selected?.type === "Range") return;
    selected?.selectAllChildren(link);
    navigator.clipboard?.writeText(address).then(
      () => {
        link.classList.add("copied");
        announce(text("copied"));
      },
      () => {},
    );
  };
  const link = el(
    "span",
    {
      class: "chat-link",
      role: "button",
      tabindex: 0,
      title: text("copyLink"),
      onclick: copy,
      onkeydown: (happened) => {
        if (/** @type {KeyboardEvent} */ (happened).key === "Enter") copy();
      },
    },
    address,
  );
  return link;
}
