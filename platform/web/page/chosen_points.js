// The points that a player has chosen on the board for an answer, before it is sent.

import { chosenStones, isGathered, openQuestion, pointsAnswer } from "./asking.js";

/** @import { OpenQuestion } from "./asking.js" */
/** @import { Table } from "./play_link.js" */

export function chosenPoints() {
  /** @type {number[]} */
  let points = [];
  /** The question that the points answer, and the one that was answered last. */
  let chosenFor = -1;
  let answered = -1;
  /** Whether the last answer has not come to the server. */
  let isUnsent = false;

  return {
    points: () => points,
    /**
     * What is open to who sits here and was not answered yet.
     * @param {Table} table
     */
    question(table) {
      const open = openQuestion(table);
      if (table.question !== chosenFor) {
        chosenFor = table.question;
        points = [];
        isUnsent = false;
      }
      return open && answered !== table.question ? open : null;
    },
    /**
     * The points as stones, while their question is open.
     * @param {Table} table
     */
    stones(table) {
      const open = openQuestion(table);
      return open && table.question === chosenFor ? chosenStones(open, points) : [];
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
      isUnsent = false;
      return !confirms || place >= 0 || open.ask === "pick" ? pointsAnswer(open, points) : null;
    },
    clear() {
      points = [];
      isUnsent = false;
    },
    /** Whether what lies there may not have come to the server. */
    isUnsent: () => isUnsent && points.length > 0,
    /** The answer is on its way for long, or the line was lost. */
    unsent() {
      isUnsent = true;
    },
    /**
     * An answer is on its way.
     * @param {Table} table
     */
    answered(table) {
      answered = table.question;
      isUnsent = false;
    },
    /**
     * Whether an answer to the open question is on its way.
     * @param {Table} table
     */
    isAnswered: (table) => answered === table.question,
    /** The server did not take the last answer. */
    refused() {
      answered = -1;
    },
  };
}
