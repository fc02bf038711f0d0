// A button that copies a link, and shows it where the browser lets no script copy.

import { el } from "./dom.js";
import { text } from "./texts.js";

/**
 * @param {string} label
 * @param {() => string} link
 */
export function copyButton(label, link) {
  const button = el(
    "button",
    {
      type: "button",
      class: "plain",
      onclick: () => {
        // Over plain http, but for this machine itself, there is no clipboard.
        if (!navigator.clipboard) return showLink(label, link());
        navigator.clipboard.writeText(link()).then(
          () => {
            button.textContent = text("copied");
          },
          () => showLink(label, link()),
        );
      },
    },
    label,
  );
  return button;
}

/**
 * A field with a link, which is selected by a click.
 * @param {string} label
 * @param {string} address
 */
export function linkField(label, address) {
  const input = el("input", {
    type: "text",
    class: "link",
    readonly: true,
    value: address,
    onfocus: () => input.select(),
  });
  return el("label", { class: "field" }, el("span", {}, label), input);
}

/**
 * Shows a link, selected, so that it can be copied by hand.
 * @param {string} label
 * @param {string} address
 */
function showLink(label, address) {
  const field = linkField(text("copyByHand"), address);
  const dialog = el(
    "dialog",
    { class: "link-dialog", "aria-label": label },
    field,
    el("button", { type: "button", class: "plain", onclick: () => dialog.close() }, text("close")),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  field.querySelector("input")?.select();
}
