// Bold, italic and links in a line of chat, as the window reads them: node --test chat_marks.mjs

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { markedParts } from "../page/chat_marks.js";

const cases = new URL("../../../tests/data/chat_marks.jsonl", import.meta.url);

test("lines are read as in the window", () => {
  for (const text of readFileSync(cases, "utf8").trim().split("\n")) {
    const { line, parts } = JSON.parse(text);
    const shown = markedParts(line).map((part) => [
      (part.isBold ? "b" : "") + (part.isItalic ? "i" : "") + (part.isLink ? "l" : ""),
      part.text,
    ]);
    assert.deepEqual(shown, parts, line);
  }
});
