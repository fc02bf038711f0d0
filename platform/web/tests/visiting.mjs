// A visitor of events: node visiting.mjs CHROMIUM AXE REPORT LIVE LARGE
//
// REPORT is the report of three engines' event, LIVE the address of a server on which three engines
// play slowly, and LARGE that of one with an event of more games than a page lists.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { deflateRawSync, inflateRawSync } from "node:zlib";

import { check, looks, openTab, run } from "./chromium.mjs";

const [reportPath, live, large] = process.argv.slice(4);
const report = pathToFileURL(resolve(reportPath)).href;

/** What the cells of a column of a table say. */
const column = (table, place) =>
  `[...document.querySelectorAll("${table} tbody tr")].map((row) => row.children[${place}].textContent)`;
const hash = "location.hash";
const press = (selector) => `document.querySelector(${JSON.stringify(selector)}).click()`;
const pause = (ms) => `new Promise((done) => setTimeout(done, ${ms}))`;

function isFalling(numbers) {
  return numbers.every((one, place) => place === 0 || Number(numbers[place - 1]) >= Number(one));
}

/** Lists, their order and what is left out go along from the cross table to a game and back. */
async function checkLists(tab, address) {
  await tab.size(1400, 900, false);
  await tab.send("Page.navigate", { url: `${address}#/` });
  await tab.until('document.querySelector(".cross .cell a")');
  const met = await tab.evaluate('document.querySelector(".cross .cell a").title');
  await tab.click(".cross .cell a");
  await tab.until('document.querySelector(".games tbody tr")');
  check(/engine=\d+&other=\d+/.test(await tab.evaluate(hash)), "a cell names its two engines");
  const names = met.slice(0, met.lastIndexOf(": ")).split(" – ");
  for (const place of [1, 3])
    for (const name of await tab.evaluate(column(".games", place)))
      check(names.includes(name), `${name} is among the games of ${names}`);
  await tab.click('[name="sort-stones"]');
  await tab.until('document.querySelector(".games [aria-sort=descending] [name=sort-stones]")');
  check(
    await tab.evaluate('document.activeElement.getAttribute("name") === "sort-stones"'),
    "what was clicked keeps the focus",
  );
  const stones = await tab.evaluate(column(".games", 5));
  check(stones.length > 1 && isFalling(stones), `sorted by stones: ${stones}`);
  const order = await tab.evaluate(column(".games", 0));
  const listed = await tab.evaluate(hash);
  await tab.send("Page.reload");
  await tab.until('document.querySelector(".games [aria-sort=descending] [name=sort-stones]")');
  check(
    String(await tab.evaluate(column(".games", 0))) === String(order),
    "the address keeps the list",
  );
  await tab.evaluate(press(".games tbody a"));
  const title = 'document.querySelector(".game-head h1")?.textContent';
  await tab.until(`${title} === "Game ${order[0]}"`);
  for (const number of order.slice(1)) {
    await tab.key("ArrowDown");
    await tab.until(`${title} === "Game ${number}"`);
  }
  check(
    await tab.evaluate('!document.querySelector(".game-head a[title=\'Next game\']")'),
    "after the last chosen game comes none",
  );
  await tab.evaluate(press(".game-head a[title='Previous game']"));
  await tab.until(`${title} === "Game ${order.at(-2)}"`);
  await tab.evaluate('[...document.querySelectorAll(".game-head p a")].at(-1).click()');
  await tab.until('document.querySelector(".games tbody tr")');
  check((await tab.evaluate(hash)) === listed, "a game leads back to its list");
  await tab.evaluate('location.hash = "#/"');
  await tab.until('document.querySelector(".standings .sort")');
  const points = () => tab.evaluate(column(".standings", 2));
  const first = await points();
  check(isFalling(first), `the standings begin with the most points: ${first}`);
  await tab.click('.standings [name="sort-2"]');
  await tab.click('.standings [name="sort-2"]');
  await tab.until('document.querySelector(".standings [aria-sort=ascending]")');
  check(isFalling((await points()).reverse()), "the standings rise at the second click");
  await looks(tab, "visiting-overview");
}

/** Without scripts a report has its tables; on paper it has no buttons, and nothing is cut off. */
async function checkPlain(tab) {
  await tab.size(1400, 900, false);
  await tab.send("Emulation.setScriptExecutionDisabled", { value: true });
  await tab.send("Page.navigate", { url: report });
  const loaded = () => tab.evaluate('document.readyState === "complete" && location.protocol === "file:"');
  while (!(await loaded())) await new Promise((done) => setTimeout(done, 50));
  const [lines, tall] = await tab.evaluate(
    '[document.querySelectorAll("main tbody tr").length, document.querySelector("main").innerText.length]',
  );
  check(lines === 6 && tall > 100, `${lines} lines, ${tall} letters without scripts`);
  await tab.picture("visiting-plain");
  await tab.send("Emulation.setScriptExecutionDisabled", { value: false });
  await tab.size(1400, 900, true);
  await tab.send("Page.navigate", { url: `${report}#/` });
  await tab.send("Page.reload");
  await tab.until('document.querySelector(".standings .sort")');
  await tab.send("Emulation.setEmulatedMedia", { media: "print" });
  const [back, top, cut] = await tab.evaluate(
    '[getComputedStyle(document.body).backgroundColor, document.querySelector(".top").offsetHeight, [...document.querySelectorAll(".scroll")].filter((one) => getComputedStyle(one).overflowX !== "visible").length]',
  );
  check(back === "rgb(255, 255, 255)", `paper is ${back}`);
  check(top === 0 && cut === 0, `on paper: a bar of ${top} pixels, ${cut} tables cut off`);
  await tab.send("Emulation.setDeviceMetricsOverride", { width: 720, height: 1040, deviceScaleFactor: 1, mobile: false });
  const [wide, page] = await tab.evaluate("[document.documentElement.scrollWidth, innerWidth]");
  check(wide <= page, `${wide} pixels on a page of ${page}`);
  await tab.picture("visiting-print");
  await tab.send("Emulation.setEmulatedMedia", { media: "screen" });
}

/** A report whose first game was ended so; `change` alters its view. */
function changedReport(change) {
  const path = `${reportPath}.changed.html`;
  const block = /(<script type="application\/json" class="block">")([^"]+)(")/;
  const changed = readFileSync(reportPath, "utf8").replace(block, (_, before, packed, after) => {
    const games = JSON.parse(inflateRawSync(Buffer.from(packed, "base64")).toString());
    change(games[0]);
    return before + deflateRawSync(JSON.stringify(games)).toString("base64") + after;
  });
  writeFileSync(path, changed);
  return path;
}

/** A foul is shown by the lines that made it, and by its name. */
async function checkFoul(tab) {
  const path = changedReport((game) => {
    const moves = ["g8", "a1", "i8", "o1", "h7", "a15", "h9", "o15", "h8"];
    const step = { ns: 1e6, clock: null };
    delete game.book;
    delete game.row;
    game.black = "first";
    game.steps = moves.map((move, ply) => ({ ...step, seat: ply % 2 ? "second" : "first", move }));
    const foul = [["g8", "h8", "i8"], ["h7", "h8", "h9"]];
    game.result = { winner: "second", termination: "double_three", foul };
  });
  await tab.size(1400, 900, false);
  await tab.send("Page.navigate", { url: `${pathToFileURL(resolve(path)).href}#/game/1` });
  await tab.until('document.querySelector(".board .foul")');
  const [lit, lines, name] = await tab.evaluate(
    '[document.querySelectorAll(".board .of-foul").length, document.querySelectorAll(".board .foul path").length, document.querySelector(".board .foul text").textContent]',
  );
  check(lit === 5 && lines === 2, `${lit} stones of the foul in ${lines} lines`);
  check(name === "double three", `the foul is called ${name}`);
  await looks(tab, "visiting-foul");
  await tab.key("ArrowLeft");
  await tab.until('!document.querySelector(".board .foul")');
  check(!(await tab.evaluate('!!document.querySelector(".settles")')), "nothing settles backwards");
  await tab.key("ArrowRight");
  await tab.until('document.querySelector(".board .settles")');
  rmSync(path);
}

/** Long names leave the controls where they are; a table that is too wide shows that it scrolls. */
async function checkLong(tab) {
  const path = `${reportPath}.long.html`;
  const long = "An engine with a name that its author could not make any shorter, and with no end";
  writeFileSync(path, readFileSync(reportPath, "utf8").replace(/"label":"/g, `"label":"${long} `).replace('"title":"', `"title":"${long} `));
  for (const [width, height] of [[1280, 800], [390, 844]]) {
    await tab.size(width, height, false);
    for (const place of ["#/", "#/games", "#/game/1"]) {
      await tab.send("Page.navigate", { url: "about:blank" });
      await tab.send("Page.navigate", { url: pathToFileURL(resolve(path)).href + place });
      await tab.until('document.querySelector(".data tbody tr, .stack tbody tr")');
      const outside = await tab.evaluate(
        '[...document.querySelectorAll("button, select, .clock, .mark")].filter((one) => { const box = one.getBoundingClientRect(); return !one.closest(".scroll") && box.width > 0 && (box.right > innerWidth + 1 || box.left < -1); }).map((one) => one.outerHTML.slice(0, 120))',
      );
      check(outside.length === 0, `${place} at ${width}: outside are ${outside}`);
      const [low, tall] = await tab.evaluate(
        '[document.querySelector(".controls")?.getBoundingClientRect().bottom ?? 0, innerHeight]',
      );
      check(low <= tall + 8, `the controls end at ${low} of ${tall}`);
      await tab.picture(`visiting-long-${width}${place.replace(/\W/g, "-")}`);
    }
  }
  const layers = await tab.evaluate('getComputedStyle(document.querySelector(".scroll")).backgroundAttachment');
  check(layers.includes("local") && layers.includes("scroll"), `a table's edge is ${layers}`);
  rmSync(path);
}

/** The list of a large event has all of it, a page at a time. */
async function checkLarge(tab) {
  await tab.size(1400, 900, false);
  await tab.send("Page.navigate", { url: `${large}#/games` });
  await tab.until('document.querySelectorAll(".games tbody tr").length === 50');
  await tab.evaluate(press('[name="to-last"]'));
  await tab.until('document.querySelectorAll(".games tbody tr").length === 20');
  check((await tab.evaluate(hash)) === "#/games?page=3", "the page is in the address");
  const numbers = await tab.evaluate(column(".games", 0));
  check(numbers.at(-1) === "1" && numbers[0] === "20", `the last page has ${numbers}`);
  const sent = await tab.evaluate(
    'fetch("api/events").then((list) => list.json()).then(({ events }) => fetch(`api/events/${encodeURIComponent(events[0].id)}`)).then((event) => event.json()).then((event) => "games" in event)',
  );
  check(!sent, "the event itself comes without its games");
  await checkLists(tab, large);
}

/** A game is at its address while it runs and afterwards, stays when it is over, and the next comes. */
async function checkEnds(tab) {
  await tab.size(1400, 900, false);
  await tab.send("Page.navigate", { url: `${live}#/live` });
  await tab.until('document.querySelector(".tile .stone")');
  await tab.evaluate(press(".tile"));
  await tab.until('document.querySelector(".game .board .settles")');
  const begun = await tab.evaluate(hash);
  check(/^#\/game\/\d+$/.test(begun), `a running game is at ${begun}`);
  await tab.until('/depth \\d+/i.test(document.querySelector(".seat.asked .thinking")?.textContent)');
  await tab.until('document.querySelector(".seat.asked .thinking ~ .pv").textContent !== ""');
  const outcome = 'document.querySelector(".outcome:not(.on)")?.textContent';
  await tab.until(outcome);
  const over = Date.now();
  const seen = `[${outcome}, document.querySelectorAll(".board .stone").length, document.querySelectorAll(".board .won").length].join()`;
  const end = await tab.evaluate(seen);
  check(/wins: |Draw: /.test(end), `the end is shown as ${end}`);
  await tab.until('/Next game in \\d+ s/.test(document.querySelector(".next-game")?.textContent)');
  const number = Number((await tab.evaluate(hash)).split("/")[2]);
  check(`#/game/${number}` === (await tab.evaluate(hash)), "the address is as it was");
  await tab.picture("visiting-end");
  check((await tab.evaluate(seen)) === end, "the end stays");
  await tab.until(`${hash} !== "#/game/${number}"`);
  const stayed = (Date.now() - over) / 1000;
  check(stayed > 8 && stayed < 25, `the next game was shown after ${stayed} s`);
  await tab.until('document.querySelector(".game .outcome.on")');
  await tab.evaluate(`location.hash = "#/game/${number}"`);
  await tab.until(`${outcome} && ${seen} === ${JSON.stringify(end)}`);
  await looks(tab, "visiting-end");
  console.log(`a game that was watched to its end stayed for ${stayed.toFixed(1)} s`);
}

/** What a result changes is marked in the cross table, unless nothing is to move. */
async function checkFlash(tab) {
  await tab.evaluate('location.hash = "#/"');
  await tab.until('document.querySelector(".cross")');
  await tab.until('document.querySelector(".cross .cell.fresh")');
  const name = 'getComputedStyle(document.querySelector(".cross .cell.fresh") ?? document.body).animationName';
  check((await tab.evaluate(name)) === "fresh", "what is new is marked");
  await tab.send("Emulation.setEmulatedMedia", {
    features: [{ name: "prefers-reduced-motion", value: "reduce" }],
  });
  check((await tab.evaluate(name)) === "none", "it does not move where nothing is to");
  await tab.evaluate(pause(1));
}

await run(async () => {
  const tab = await openTab();
  if (reportPath !== "-") {
    await checkLists(tab, report);
    await checkPlain(await openTab());
    await checkFoul(tab);
    await checkLong(tab);
  }
  if (large) await checkLarge(await openTab());
  const watching = await openTab();
  if (live) {
    await checkEnds(watching);
    await checkFlash(watching);
  }
  for (const { faults } of [tab, watching]) check(faults.length === 0, faults.join("\n"));
});
