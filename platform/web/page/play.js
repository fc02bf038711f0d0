// Playing over the network: the lobby, and the table that is shown.

import { el, put } from "./dom.js";
import { text } from "./texts.js";
import { errorText } from "./words.js";
import { keepInvitation, openLink } from "./play_link.js";
import { formerGameView } from "./former_game.js";
import { lobbyView } from "./lobby.js";
import { tableView } from "./table.js";

/** @import { PlayLink } from "./play_link.js" */

/**
 * @typedef {{close: () => void, key: (key: string) => boolean}} PlayView
 */

/** One connection for as long as the page is open. @type {PlayLink | null} */
let playing = null;

/**
 * The table that an invitation leads to; its key is kept, and leaves the address.
 * @param {string} hash
 */
export function takeInvitation(hash) {
  // Links that people have already may name a room.
  if (!/^#(table|room)=/.test(hash)) return null;
  const told = new URLSearchParams(hash.slice(1));
  const [id, key] = [told.get("table") ?? told.get("room"), told.get("key")];
  if (!id) return null;
  if (key) keepInvitation(id, key);
  return id;
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
 * @param {string | undefined} id
 * @param {number | null} number that of a game that was played at the table before
 * @param {{address: (...parts: string[]) => string, top: () => void}} page
 * @returns {PlayView}
 */
export function playView(root, id, number, page) {
  playing ??= openLink();
  const link = playing;
  /** @type {ReturnType<typeof lobbyView> | null} */
  let lobby = null;
  /** @type {ReturnType<typeof tableView> | null} */
  let table = null;
  /** @type {ReturnType<typeof formerGameView> | null} */
  let former = null;
  let isEntering = false;

  /** @param {string} words */
  function notice(words) {
    table?.close();
    former?.close();
    [table, former, lobby] = [null, null, null];
    put(
      root,
      el("p", { class: "notice", role: "alert" }, words),
      id ? el("p", {}, el("a", { href: page.address("play") }, text("backToTables"))) : null,
    );
  }

  function begin() {
    if (link.refused) return notice(link.refused);
    if (link.state !== "connected") {
      if (!lobby && !table && !former) put(root, el("p", { class: "note" }, text("connecting")));
      return;
    }
    if (id === undefined) {
      lobby ??= lobbyView(root, link, (opened) => page.address("play", encodeURIComponent(opened)));
      link.list(true);
    } else if (link.tables.has(id) && number !== null) {
      const back = page.address("play", encodeURIComponent(id));
      former ??= formerGameView(root, link, id, number, back);
    } else if (link.tables.has(id)) {
      table ??= tableView(root, link, id, () => {
        link.leave(id);
        location.hash = page.address("play");
      });
    } else if (!isEntering) {
      isEntering = true;
      link
        .enter(id)
        .catch((error) => {
          // Once the line is back it is tried again.
          if (error.code || link.state === "connected") notice(errorText(error));
          else isEntering = false;
        });
    }
  }

  const showLine = () => {
    document.body.classList.toggle("line-lost", link.state !== "connected");
  };

  link.onchange((change, about) => {
    if (change === "state") {
      showLine();
      page.top();
      begin();
      table?.around();
    } else if (change === "lobby") {
      lobby?.draw();
    } else if (change === "paired") {
      location.hash = page.address("play", encodeURIComponent(about));
    } else if (about === id) {
      if (change === "closed") notice(text("tableClosed", link.closed.get(about) ?? ""));
      else if (change === "table" && table) table.redraw();
      else if (change === "table") begin();
      else if (change === "step") table?.step();
      else if (change === "around") table?.around();
      else if (change === "chat") table?.chat();
    }
  });
  showLine();
  begin();
  return {
    key: (key) => (table ?? former)?.key(key) ?? false,
    close() {
      document.body.classList.remove("line-lost");
      link.onchange(null);
      table?.close();
      former?.close();
      if (id === undefined) link.list(false);
      // Who only watched does not watch any more; who sits there goes on.
      else if (link.tables.get(id)?.you.seat === null) link.leave(id);
    },
  };
}
