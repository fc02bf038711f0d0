// Playing over the network: the lobby, and the table that is shown.

import { el, put } from "./dom.js";
import { text } from "./texts.js";
import { errorText } from "./words.js";
import { keepInvitation, openLink } from "./play_link.js";
import { lobbyView } from "./lobby.js";
import { tableView } from "./table.js";

/** @import { PlayLink } from "./play_link.js" */

/**
 * @typedef {{close: () => void, key: (key: string) => boolean}} PlayView
 */

/** One connection for as long as the page is open. @type {PlayLink | null} */
let playing = null;

/**
 * The room that an invitation leads to; its key is kept, and leaves the address.
 * @param {string} hash
 */
export function takeInvitation(hash) {
  if (!hash.startsWith("#room=")) return null;
  const told = new URLSearchParams(hash.slice(1));
  const [room, key] = [told.get("room"), told.get("key")];
  if (!room) return null;
  if (key) keepInvitation(room, key);
  return room;
}

/**
 * How the connection to the tables is.
 */
export function playBadge() {
  const state = playing?.state ?? "connecting";
  const words = { connecting: "connecting", connected: "online", lost: "disconnected" };
  const badge = { class: `state ${state}`, role: "status" };
  return el("span", badge, el("span", {}, text(words[state])));
}

/** What made the page that is at the other end. */
export function playServer() {
  return playing?.welcome?.server ?? "Tengen";
}

/**
 * Shows the lobby, or a table.
 * @param {HTMLElement} root
 * @param {string | undefined} room
 * @param {{address: (...parts: string[]) => string, top: () => void}} page
 * @returns {PlayView}
 */
export function playView(root, room, page) {
  playing ??= openLink();
  const link = playing;
  /** @type {ReturnType<typeof lobbyView> | null} */
  let lobby = null;
  /** @type {ReturnType<typeof tableView> | null} */
  let table = null;
  let isEntering = false;

  /** @param {string} words */
  function notice(words) {
    table?.close();
    table = null;
    lobby = null;
    put(
      root,
      el("p", { class: "notice", role: "alert" }, words),
      room ? el("p", {}, el("a", { href: page.address("play") }, text("backToTables"))) : null,
    );
  }

  function begin() {
    if (link.refused) return notice(link.refused);
    if (link.state !== "connected") {
      if (!lobby && !table) put(root, el("p", { class: "note" }, text("connecting")));
      return;
    }
    if (room === undefined) {
      lobby ??= lobbyView(root, link, (id) => page.address("play", encodeURIComponent(id)));
      link.list(true);
    } else if (link.rooms.has(room)) {
      table ??= tableView(root, link, room, () => {
        link.leave(room);
        location.hash = page.address("play");
      });
    } else if (!isEntering) {
      isEntering = true;
      link
        .enter(room)
        .catch((error) => notice(errorText(error)));
    }
  }

  link.onchange((change, about) => {
    if (change === "state") {
      page.top();
      begin();
      table?.around();
    } else if (change === "lobby") {
      lobby?.draw();
    } else if (about === room) {
      if (change === "closed") notice(text("tableClosed", link.closed.get(about) ?? ""));
      else if (change === "table" && table) table.redraw();
      else if (change === "table") begin();
      else if (change === "step") table?.step();
      else if (change === "room") table?.around();
      else if (change === "chat") table?.chat();
    }
  });
  begin();
  return {
    key: (key) => table?.key(key) ?? false,
    close() {
      link.onchange(null);
      table?.close();
      if (room === undefined) link.list(false);
      // Who only watched does not watch any more; who sits there goes on.
      else if (link.rooms.get(room)?.you.seat === null) link.leave(room);
    },
  };
}
