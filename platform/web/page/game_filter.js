// Which games are listed, as it stands in the address of a list and of a game of it.

/** @import { GameList } from "./event.d.ts" */
/** @import { GameRow, OpenEvent } from "./source.js" */

/**
 * The engines that play in each game, who wins, how it ends; by what the list goes, falling where
 * that begins with a minus; and which page of it is shown.
 * @typedef {{engine: string, other: string, result: string, end: string, sort: string,
 *   page: number}} Filter
 */

/** Where each thing stands in the row of a game. */
export const ROW = {
  number: 0,
  first: 1,
  second: 2,
  winner: 3,
  end: 4,
  stones: 5,
  time: 6,
  black: 7,
  flags: 8,
};

/** What a list goes by where nothing is chosen: the newest game comes first. */
export const NEWEST = "-number";

const KEYS = /** @type {const} */ (["engine", "other", "result", "end", "sort"]);

/**
 * The filter of an address.
 * @param {URLSearchParams} query
 * @returns {Filter}
 */
export function filterOf(query) {
  const page = Math.max(1, Number(query.get("page")) || 1) - 1;
  const filter = { engine: "", other: "", result: "", end: "", sort: "", page };
  for (const key of KEYS) filter[key] = query.get(key) ?? "";
  return filter;
}

/**
 * What stands behind an address with that filter.
 * @param {Filter} filter
 * @param {boolean} [isOfGame] of a game, which is on any page
 */
export function filterText(filter, isOfGame = false) {
  const query = new URLSearchParams();
  for (const key of KEYS) if (filter[key]) query.set(key, filter[key]);
  if (filter.page > 0 && !isOfGame) query.set("page", String(filter.page + 1));
  const written = query.toString();
  return written ? `?${written}` : "";
}

/**
 * Whether it leaves games out, or has them in another order.
 * @param {Filter} filter
 */
export function isFiltered(filter) {
  return KEYS.some((key) => filter[key] !== "");
}

/**
 * The part of the list that is asked for, of an event whose games are all here. A server answers the
 * same.
 * @param {OpenEvent["data"]} data
 * @param {Filter} filter
 * @param {{from: number, count: number} | {near: number}} part
 * @returns {GameList}
 */
export function listOf(data, filter, part) {
  const { terminations } = data;
  const sort = filter.sort || NEWEST;
  const [key, isFalling] = [sort.replace("-", ""), sort.startsWith("-")];
  const found = (data.games ?? []).filter((row) => fits(row, filter, terminations));
  const rising = found.sort(
    (one, other) =>
      compare(valueOf(one, key, data), valueOf(other, key, data)) ||
      one[ROW.number] - other[ROW.number],
  );
  const list = { found: found.length, from: 0, games: [], before: null, after: null };
  if ("near" in part) {
    const isByNumber = key === "number";
    const place = rising.findIndex((row) =>
      isByNumber ? row[ROW.number] >= part.near : row[ROW.number] === part.near,
    );
    if (place < 0 && !isByNumber) return list;
    const at = place < 0 ? rising.length : place;
    const isThere = rising[at]?.[ROW.number] === part.near;
    const around = [rising[at - 1], rising[isThere ? at + 1 : at]].map(
      (row) => row?.[ROW.number] ?? null,
    );
    const [before, after] = isFalling && !isByNumber ? around.reverse() : around;
    return { ...list, before, after };
  }
  if (isFalling) rising.reverse();
  const games = rising.slice(part.from, part.from + part.count);
  return { ...list, from: part.from, games };
}

/**
 * @param {number | string} one
 * @param {number | string} other
 */
function compare(one, other) {
  return one < other ? -1 : one > other ? 1 : 0;
}

/**
 * The engines of a row: the one with Black at the end, and the one with White.
 * @param {GameRow} row
 */
export function colorsOf(row) {
  const seats = [row[ROW.first], row[ROW.second]];
  return row[ROW.black] === 0 ? seats : seats.reverse();
}

/**
 * Who won the game of a row: "black", "white", or "draw".
 * @param {GameRow} row
 */
export function winnerOf(row) {
  if (row[ROW.winner] === 2) return "draw";
  return row[ROW.winner] === row[ROW.black] ? "black" : "white";
}

/**
 * What a row goes by in a list.
 * @param {GameRow} row
 * @param {string} key
 * @param {OpenEvent["data"]} data
 */
function valueOf(row, key, { event, terminations }) {
  const [black, white] = colorsOf(row);
  const label = (/** @type {number} */ engine) => event.engines[engine]?.label.toLowerCase() ?? "";
  switch (key) {
    case "black":
      return label(black);
    case "white":
      return label(white);
    case "result":
      return ["white", "draw", "black"].indexOf(winnerOf(row));
    case "end":
      return terminations[row[ROW.end]];
    case "stones":
      return row[ROW.stones];
    case "time":
      return row[ROW.time];
    default:
      return row[ROW.number];
  }
}

/**
 * @param {GameRow} row
 * @param {Filter} filter
 * @param {string[]} ends
 */
function fits(row, filter, ends) {
  const seats = [String(row[ROW.first]), String(row[ROW.second])];
  if (filter.engine && !seats.includes(filter.engine)) return false;
  if (filter.other && !seats.includes(filter.other)) return false;
  if (filter.end && ends[row[ROW.end]] !== filter.end) return false;
  return !filter.result || winnerOf(row) === filter.result;
}
