// The list of the keys.

import { el } from "./dom.js";
import { text } from "./texts.js";

export function showKeys() {
  const keys = [
    ["←", "keyLeft"],
    ["→", "keyRight"],
    ["Home", "keyHome"],
    ["End", "keyEnd"],
    ["↑", "keyUp"],
    ["↓", "keyDown"],
    ["Space", "keySpace"],
    ["f", "keyF"],
    ["n", "keyN"],
    ["v", "keyV"],
    ["l", "keyL"],
    ["t", "keyT"],
    ["?", "keyHelp"],
  ];
  const dialog = el(
    "dialog",
    { "aria-labelledby": "keys-title" },
    el("h2", { id: "keys-title" }, text("keysTitle")),
    el(
      "dl",
      { class: "keys" },
      keys.map(([key, what]) =>
        el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, text(what))),
      ),
    ),
    el("button", { type: "button", class: "plain", onclick: () => dialog.close() }, text("close")),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
