// The points that a player has chosen on the board for an answer, before it is sent.

import { chosenStones, isGathered, openQuestion, pointsAnswer } from "./asking.js";

/** @import { OpenQuestion } from "./asking.js" */
/** @import { Room } from "./play_link.js" */

export function chosenPoints() {
  /** @type {number[]} */
  let points = [];
  /** The question that the points answer, and the one that was answered last. */
  let chosenFor = -1;
  let answered = -1;

  return {
    points: () => points,
    /**
     * What is open to who sits here and was not answered yet.
     * @param {Room} room
     */
    question(room) {
      const open = openQuestion(room);
      if (room.question !== chosenFor) {
        chosenFor = room.question;
        points = [];
      }
      return open && answered !== room.question ? open : null;
    },
    /**
     * The points as stones, while their question is open.
     * @param {Room} room
     */
    stones(room) {
      const open = openQuestion(room);
      return open && room.question === chosenFor ? chosenStones(open, points) : [];
    },
    /**
     * A point was clicked. Gives the answer where that is one at once.
     * @param {OpenQuestion} open
     * @param {number} at
     * @param {boolean} confirms whether a move needs a second click
     */
    pick(open, at, confirms) {
      const place = points.indexOf(at);
      if (isGathered(open)) {
        if (place >= 0) points.splice(place, 1);
        else if (points.length < open.count) points.push(at);
        return null;
      }
      points = [at];
      return !confirms || place >= 0 || open.ask === "pick" ? pointsAnswer(open, points) : null;
    },
    clear() {
      points = [];
    },
    /**
     * An answer is on its way.
     * @param {Room} room
     */
    answered(room) {
      answered = room.question;
    },
    /** The server did not take the last answer. */
    refused() {
      answered = -1;
    },
  };
}
