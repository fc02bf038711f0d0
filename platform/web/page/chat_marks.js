// Bold, italic and links in a line of chat. `link/src/chat_marks.rs` reads the same, and says how.

/** @typedef {{text: string, isBold: boolean, isItalic: boolean, isLink: boolean}} MarkedText */

/** A link: visible ASCII without stars, quotes and angle brackets. */
const CHAT_LINK = /^https?:\/\/[!#-)+-;=?-~]+/;

/**
 * The parts of a line, in their order.
 * @param {string} line
 */
export function markedParts(line) {
  /** @type {MarkedText[]} */
  const parts = [];
  readMarks(line, false, false, parts);
  return parts;
}

/**
 * @param {string} text
 * @param {boolean} isBold
 * @param {boolean} isItalic
 * @param {MarkedText[]} parts
 */
function readMarks(text, isBold, isItalic, parts) {
  const add = (/** @type {string} */ shown, isLink = false) => {
    if (shown) parts.push({ text: shown, isBold, isItalic, isLink });
  };
  let [shown, at] = [0, 0];
  while (at < text.length) {
    const rest = text.slice(at);
    const stars = starCount(rest);
    const [link, inner] = [linkLength(rest), markedLength(rest, stars)];
    if (link > 0 || inner > 0) add(text.slice(shown, at));
    if (link > 0) {
      add(rest.slice(0, link), true);
      at += link;
    } else if (inner > 0) {
      const marked = rest.slice(stars, stars + inner);
      readMarks(marked, isBold || stars !== 1, isItalic || stars !== 2, parts);
      at += inner + 2 * stars;
    } else {
      at += Math.max(stars, 1);
    }
    if (link > 0 || inner > 0) shown = at;
  }
  add(text.slice(shown));
}

/** @param {string} text */
function starCount(text) {
  return /^\**/.exec(text)?.[0].length ?? 0;
}

/**
 * The length of what so many stars mark, at which the text begins.
 * @param {string} text
 * @param {number} stars
 */
function markedLength(text, stars) {
  if (stars < 1 || stars > 3 || text[stars] === " ") return 0;
  for (let at = text.indexOf("*", stars); at >= 0; ) {
    const end = starCount(text.slice(at));
    if (end === stars && text[at - 1] !== " ") return at - stars;
    at = text.indexOf("*", at + end);
  }
  return 0;
}

/**
 * The length of the link at which the text begins.
 * @param {string} text
 */
function linkLength(text) {
  let link = CHAT_LINK.exec(text)?.[0] ?? "";
  // What ends a sentence ends no address, and brackets around one are none of it.
  const ends = link.includes("(") ? /[.,;:!?']+$/ : /[.,;:!?')]+$/;
  link = link.replace(ends, "");
  return /\/\/./.test(link) ? link.length : 0;
}
