// Opens the page in a real browser and uses it: node browser.mjs CHROMIUM AXE REPORT [LIVE] [SEVERAL]
//
// REPORT is a report's file, opened without a network; LIVE the address of a server, and SEVERAL that
// of one with an event and a test that is over. With the word
// "open" in the place of AXE it only says how long REPORT takes to open.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { check, checkAccess, looks, openTab, run } from "./chromium.mjs";

const [, axePath, reportPath, live, several] = process.argv.slice(2);

/** How long a report takes until its load event, and until its standings are there. */
async function timeReport(tab) {
  await tab.size(1400, 900, false);
  await tab.send("Page.navigate", { url: pathToFileURL(resolve(reportPath)).href });
  await tab.until('document.querySelector(".standings tbody tr") && document.readyState === "complete"');
  const [load, shown, begun] = await tab.evaluate(`new Promise((done) => requestAnimationFrame(() => setTimeout(() => {
    const entry = performance.getEntriesByType("navigation")[0];
    done([entry.loadEventEnd, performance.now(), entry.responseEnd]);
  })))`);
  console.log(
    `load event after ${Math.round(load)} ms, drawn after at most ${Math.round(shown)} ms (file read after ${Math.round(begun)} ms)`,
  );
}

async function checkReport(tab) {
  await tab.send("Network.emulateNetworkConditions", {
    offline: true,
    latency: 0,
    downloadThroughput: 0,
    uploadThroughput: 0,
  });
  await tab.size(1400, 900, false);
  const address = pathToFileURL(resolve(reportPath)).href;
  await tab.send("Page.navigate", { url: address });
  await tab.until('document.querySelector(".standings tbody tr")');
  const loaded = await tab.evaluate("performance.now()");
  await tab.picture("overview");
  await checkAccess(tab, "overview");
  await tab.size(1400, 900, true);
  await checkAccess(tab, "overview, dark");
  await tab.picture("overview-dark");
  await tab.size(390, 844, false);
  await checkAccess(tab, "overview, phone");
  await tab.picture("overview-phone");
  await tab.evaluate('location.hash = "#/games"');
  await tab.until('document.querySelector(".games tbody tr")');
  await checkAccess(tab, "games, phone");
  await tab.size(1400, 900, false);
  await tab.evaluate('document.querySelector(".games tbody a").click()');
  await tab.until('document.querySelector(".game .stack tbody tr")');
  const stones = () => tab.evaluate('document.querySelectorAll(".board .stone").length');
  const place = () => tab.evaluate("location.hash");
  const all = await stones();
  check(all > 0, "a game has stones");
  await tab.key("Home");
  const book = await stones();
  check(book < all, "Home goes to the start");
  const steps = await tab.evaluate('document.querySelectorAll(".stack tbody tr").length');
  for (let step = 0; step < steps; step += 1) await tab.key("ArrowRight");
  check((await stones()) === all, "the arrow replays the whole game");
  check((await place()).endsWith(`/${steps}`), "the address names the move");
  await tab.key("ArrowLeft");
  check((await place()).endsWith(`/${steps - 1}`), "the arrow goes back");
  await tab.key("n");
  await tab.until('document.querySelector(".board .stone .number")');
  const before = await tab.evaluate(
    'document.querySelector(".board .stone circle").getAttribute("cx")',
  );
  await tab.key("f");
  const after = await tab.evaluate(
    'document.querySelector(".board .stone circle").getAttribute("cx")',
  );
  check(before !== after || steps < 3, "f flips the board");
  await tab.key("f");
  const said = await tab.evaluate('document.getElementById("announcer").textContent');
  check(said.length > 3, "a screen reader is told of the move");
  await checkAccess(tab, "game");
  await tab.picture("game");
  await tab.size(1400, 900, true);
  await checkAccess(tab, "game, dark");
  await tab.picture("game-dark");
  await tab.size(390, 844, true);
  await checkAccess(tab, "game, phone");
  await tab.picture("game-phone");
  await tab.size(3840, 2160, false);
  await tab.picture("game-4k");
  const hash = await place();
  await tab.send("Page.navigate", { url: "about:blank" });
  await tab.send("Page.navigate", { url: address + hash });
  await tab.until('document.querySelector(".stack tr.current")');
  const again = await place();
  check(again === hash, `the permalink leads to ${hash}, not ${again}`);
  await tab.evaluate(
    '[...document.querySelectorAll(".top button")].find((one) => one.lang).click()',
  );
  await tab.until(
    'document.documentElement.lang === "zh-Hans" && document.querySelector(".stack")',
  );
  await tab.size(1400, 900, false);
  await tab.picture("game-zh");
  const others = tab.requests.filter(
    (url) =>
      !url.startsWith("file:") &&
      !url.startsWith("data:") &&
      url !== "about:blank" &&
      !url.startsWith("blob:"),
  );
  check(others.length === 0, `a report asks for ${others}`);
  check(tab.faults.length === 0, tab.faults.join("\n"));
  console.log(`report: shown after ${Math.round(loaded)} ms, ${steps} steps replayed by keys`);
}

/** A column of the standings that the page does not know is shown as any other. */
async function checkNewColumn(tab) {
  const column = '{"name":"later","titles":["Later","更晚"],"number":true}';
  const later = readFileSync(reportPath, "utf8")
    .replace('"columns":[', `"columns":[${column},`)
    .replace('"standings":[{', '"standings":[{"later":1234,');
  const path = `${reportPath}.later.html`;
  writeFileSync(path, later);
  await tab.send("Page.navigate", { url: pathToFileURL(resolve(path)).href });
  await tab.until('document.querySelector(".standings tbody tr")');
  const shown = await tab.evaluate(
    '[document.querySelector(".standings th").textContent, document.querySelector(".standings td").textContent].join()',
  );
  check(shown === "Later,1\u202f234", `a new column is shown as ${shown}`);
  rmSync(path);
}

/** A way to the server that can be cut: everything that it carries ends at once. */
async function cuttable(address) {
  const { hostname, port } = new URL(address);
  const open = new Set();
  const listener = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ]) {
      open.add(one);
      one.pipe(other);
      one.on("error", () => {});
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  const listen = (at) =>
    new Promise((done) => listener.listen(at, "127.0.0.1", () => done(listener.address().port)));
  const at = await listen(0);
  return {
    address: `http://127.0.0.1:${at}/`,
    cut: () => {
      const closed = new Promise((done) => listener.close(done));
      for (const socket of open) socket.destroy();
      return closed;
    },
    resume: () => listen(at),
  };
}

async function checkLive(tab) {
  const way = await cuttable(live);
  await tab.size(1400, 900, false);
  await tab.send("Page.navigate", { url: `${way.address}#/live` });
  await tab.until('document.querySelector(".state.connected")');
  await tab.until('document.querySelector(".tile .stone")');
  await looks(tab, "wall");
  await tab.evaluate('document.querySelector(".tile").click()');
  await tab.until('document.querySelector(".game .stack tbody tr")');
  const steps =
    '[document.querySelector(".game-head h1").textContent, document.querySelectorAll(".stack tbody tr").length].join()';
  const before = await tab.evaluate(steps);
  await tab.until(`${steps} !== ${JSON.stringify(before)}`);
  await looks(tab, "live");
  const played = "Number(document.querySelector('.event-head dl div:last-child dd').textContent.split(' ')[0])";
  await tab.evaluate('location.hash = "#/"');
  await tab.until('document.querySelector(".standings")');
  const seen = await tab.evaluate(played);
  await way.cut();
  await tab.until('document.querySelector(".state.lost")');
  await way.resume();
  await tab.until('document.querySelector(".state:is(.connected, .over)")');
  // What was missed is there without a click, and so is what comes until the end.
  await tab.until(`${played} > ${seen}`);
  await tab.evaluate('location.hash = "#/live"');
  await tab.until('document.querySelector(".tile")');
  // Its games are to be played first.
  await tab.until('document.querySelector(".state.over")', 400_000);
  const [finished, tiles, open] = await tab.evaluate(
    '[document.querySelector(".state").textContent, document.querySelectorAll(".tile").length, document.querySelectorAll(".mini-seat.asked").length]',
  );
  check(finished === "finished", `the event is ${finished}`);
  check(tiles > 0 && open === 0, "the last boards stay, and no clock runs");
  await looks(tab, "wall-over");
  await tab.evaluate('location.hash = "#/"');
  await tab.until('!document.querySelector(".event-head dl div:last-child dd").textContent.includes("of")');
  // When its server is gone, the event is still over, not lost.
  await way.cut();
  await tab.evaluate("new Promise((done) => setTimeout(done, 300))");
  check(
    await tab.evaluate('!!document.querySelector(".state.over")'),
    "what is over is not lost when the server is gone",
  );
  const host = new URL(way.address).host;
  const others = tab.requests.filter((url) => /^https?:/.test(url) && new URL(url).host !== host);
  check(others.length === 0, `the live page asks for ${others}`);
  console.log("live: an event watched to its end, across a connection that was cut");
}

async function checkSeveral(tab) {
  await tab.size(1400, 900, false);
  await tab.send("Page.navigate", { url: `${several}#/events` });
  await tab.until('document.querySelectorAll("tbody tr").length === 2');
  const [cup, test] = await tab.evaluate(
    '[...document.querySelectorAll("tbody tr")].map((row) => [...row.children].map((cell) => cell.textContent))',
  );
  check(cup[3] === "" && cup[4] === "finished", `an event is listed as ${cup}`);
  check(/^[-−+]?\d/.test(test[3]) && test[4].endsWith(", finished"), `a test is listed as ${test}`);
  await looks(tab, "events");
  await tab.evaluate('document.querySelectorAll("tbody a")[1].click()');
  await tab.until('document.querySelector(".standings tbody tr")');
  const [title, played] = await tab.evaluate(
    '[document.querySelector(".event-head h1").textContent, location.hash]',
  );
  check(title.includes(test[0]), `${test[0]} leads to ${title} at ${played}`);
  check(tab.faults.length === 0, tab.faults.join("\n"));
  console.log(`several events: ${cup[0]} and the test ${test[0]} listed, and one opened`);
}

await run(async () => {
  if (axePath === "open") await timeReport(await openTab());
  else if (reportPath !== "-") {
    await checkReport(await openTab());
    await checkNewColumn(await openTab());
  }
  if (live) await checkLive(await openTab());
  if (several) await checkSeveral(await openTab());
});
