// What a player has asked the other for, to tell when it is declined.

/**
 * @typedef {import("./play_link.js").Asked} Asked
 * @typedef {import("./play_link.js").Room} Room
 */

/** How long after a request is gone something may still come of it. */
const GRANTED_MS = 500;

/** @param {(what: Asked) => void} declined */
export function ownRequests(declined) {
  /** @type {Set<Asked>} */
  let mine = new Set();
  /** @type {Asked | null} */
  let withdrawn = null;
  let waiting = 0;

  /** @param {Room} room */
  function open({ state, you }) {
    const own = state.requests.filter(({ seat }) => seat === you.seat);
    return new Set(own.map(({ what }) => what));
  }

  return {
    /**
     * Finds the requests that are gone, and tells of them if nothing comes of them at once.
     * @param {Room} room
     */
    look(room) {
      const now = open(room);
      for (const what of mine) {
        const isGranted = what === "pause" && room.state.phase === "paused";
        if (!now.has(what) && what !== withdrawn && !isGranted) {
          waiting = window.setTimeout(() => declined(what), GRANTED_MS);
        }
      }
      mine = now;
      withdrawn = null;
    },
    /**
     * Something came of what was asked for.
     * @param {Room} room
     */
    granted(room) {
      window.clearTimeout(waiting);
      mine = open(room);
    },
    /** @param {Asked} what */
    withdrawn(what) {
      withdrawn = what;
    },
    close() {
      window.clearTimeout(waiting);
    },
  };
}
