// Two browsers play at a table of the server: node playing.mjs CHROMIUM AXE ADDRESS
//
// ADDRESS is a server with tables and an engine. The first opens one with swap2, the second joins by
// its link; they play by clicks, chat, take back, reload, pause, hand a seat to the engine, and agree
// on a draw. At a second table, a private one, they declare and offer fifth moves. They find each
// other, one of them loses the line, and the server is called lab.test, where there is no clipboard.

import { connect, createServer } from "node:net";

import { check, checkAccess, looks, openTab, run } from "./chromium.mjs";

const [, , address] = process.argv.slice(2);

/** Clicks on points of the board, as a mouse does. */
async function lay(tab, ...points) {
  for (const name of points) {
    const at = [name.charCodeAt(0) - 97, Number(name.slice(1)) - 1];
    await tab.until('document.querySelector(".board.open")');
    const [x, y] = await tab.evaluate(`(() => {
      const board = document.querySelector(".board.open");
      board.scrollIntoView({ block: "center" });
      const flipped = document.querySelector(".board .labels text").textContent !== "a"
        || Number(document.querySelector(".board .labels text").getAttribute("x")) > 0;
      const [column, row] = [${at[0]}, ${at[1]}];
      const point = new DOMPoint((flipped ? 14 - column : column) * 40, (flipped ? row : 14 - row) * 40)
        .matrixTransform(board.getScreenCTM());
      return [point.x, point.y];
    })()`);
    await tab.mouse(x, y);
  }
}

const stones = (count) => `document.querySelectorAll(".board .stone").length === ${count}`;
const says = (words) => `document.body.innerText.includes(${JSON.stringify(words)})`;

async function type(tab, selector, words) {
  await tab.click(selector);
  await tab.evaluate(`document.querySelector(${JSON.stringify(selector)}).value = ""`);
  await tab.send("Input.insertText", { text: words });
}

async function play(host, guest) {
  for (const tab of [host, guest]) await tab.size(1400, 900, false);
  await host.send("Page.navigate", { url: address });
  await host.until('document.querySelector(".lobby form.host")');
  await checkAccess(host, "lobby");
  await type(host, 'input[name="name"]', "Aoi");
  await host.evaluate(`(() => {
    document.querySelector('select[name="rule"]').value = "renju";
    document.querySelector('select[name="opening"]').value = "swap2";
    document.querySelector('select[name="time"]').value = "600+10";
  })()`);
  await host.press("Open the table");
  await host.until('document.querySelector("input.link")');
  await looks(host, "table-open");
  const link = await host.evaluate('document.querySelector("input.link").value');

  await guest.send("Page.navigate", { url: address });
  await guest.until('document.querySelector(".listed")');
  await looks(guest, "lobby");
  await type(guest, 'input[name="name"]', "Wei");
  await guest.evaluate('document.querySelector("main").focus()');
  await guest.send("Page.navigate", { url: link });
  await guest.click(".seat button.primary");
  await host.press("I am ready");

  // Swap2: three stones, two more, and a colour.
  await lay(host, "h8", "i9", "h10");
  await host.until('document.querySelectorAll(".board .chosen").length === 3');
  await looks(host, "table-place");
  await host.press("Lay them");
  await guest.until(stones(3));
  await guest.until('document.querySelector(".question")');
  await looks(guest, "table-choose");
  await lay(guest, "g7", "j8");
  await guest.press("Lay them");
  await host.until(stones(5));
  await host.press("Take White");
  // Five stones lie: it is White's turn.
  await lay(host, "i8");
  await guest.until(stones(6));
  await lay(guest, "g8");
  await host.until(stones(7));
  await lay(host, "f8");
  await guest.until(stones(8));

  await type(host, ".chat input", "Good luck! <b>have fun</b>");
  await host.press("Send");
  await guest.until(says("Good luck! <b>have fun</b>"));
  await type(guest, ".chat input", "你也是！");
  await guest.press("Send");
  await host.until(says("你也是！"));
  await type(host, ".chat input", "a **bold** *move*: http://example.org/x.");
  await host.press("Send");
  const marked = (name, words) =>
    `[...document.querySelectorAll(".chat-lines ${name}")].some((one) => one.textContent === "${words}")`;
  await guest.until(marked("strong", "bold"));
  await guest.until(marked("em", "move"));
  await guest.until(marked(".chat-link", "http://example.org/x"));
  // A picture is made small here, and drawn anew by the server.
  await host.evaluate(`(async () => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [800, 400];
    canvas.getContext("2d").fillRect(0, 0, 300, 300);
    const file = new File([await new Promise((done) => canvas.toBlob(done))], "board.png", { type: "image/png" });
    const chosen = new DataTransfer();
    chosen.items.add(file);
    const chooser = document.querySelector(".chat input[type=file]");
    chooser.files = chosen.files;
    chooser.dispatchEvent(new Event("change"));
  })()`);
  await guest.until('document.querySelector(".chat-lines img")?.naturalWidth === 320');
  check(
    (await guest.evaluate('document.querySelector(".chat-lines img").alt')) === "Picture from Aoi",
    "a picture says whose it is",
  );
  for (const tab of [host, guest]) {
    const others = tab.requests.filter((url) => !url.startsWith(address) && !url.startsWith("data:"));
    check(others.length === 0, `a table asks for ${others}`);
  }
  await looks(guest, "table-chat");

  // A move is taken back: refused, then granted.
  await host.press("Take back");
  await guest.until(says("Aoi asks to take back a move."));
  await looks(guest, "table-asked");
  await guest.press("Decline");
  await host.until(says("The move stays"));
  await host.until(stones(8));
  // It may be asked for again after the next move, and then both are gone.
  await lay(guest, "f10");
  await host.until(stones(9));
  await host.press("Take back");
  await guest.press("Accept");
  await host.until(stones(7));
  await guest.until(stones(7));

  // A reload in the middle: the seat is one's own again.
  await host.send("Page.reload");
  await host.until(stones(7));
  await lay(host, "f9");
  await guest.until(stones(8));
  // By keys: the cursor starts at the centre.
  await guest.evaluate('document.querySelector(".board.open").focus()');
  for (const key of ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowRight"]) await guest.key(key);
  await guest.key("Enter");
  await host.until(stones(9));
  await looks(host, "table");

  // A pause that both want: nobody can lay a stone until one of them goes on.
  await host.press("Pause");
  await guest.until(says("Aoi asks for a pause."));
  await guest.press("Accept");
  for (const tab of [host, guest]) await tab.until(says("The game is paused"));
  check(!(await host.evaluate('!!document.querySelector(".board.open")')), "a pause opens no point");
  await looks(host, "table-paused");
  await guest.press("Go on");
  for (const tab of [host, guest]) await tab.until(`!${says("The game is paused")}`);

  // The engine of the server plays for one of them, who then plays again.
  await host.until('document.querySelector(".board.open")');
  await host.evaluate(`(() => {
    const hand = document.querySelector('select[aria-label="Engine plays for me"]');
    hand.value = hand.options[1].value;
    hand.dispatchEvent(new Event("change"));
  })()`);
  await guest.until(stones(10));
  await guest.until('document.querySelector(".board.open")');
  await looks(host, "table-engine");
  await host.press("Play myself again");
  await host.until('document.querySelector(\'select[aria-label="Engine plays for me"]\')');
  await lay(guest, "a1");
  await lay(host, "o1");
  await guest.until(stones(12));

  // What comes while a button is pressed does not take the click away.
  const resign = await host.place("Resign");
  await host.hold(...resign);
  await guest.press("Offer a draw");
  await guest.until(says("You offered a draw."));
  await host.evaluate("new Promise((done) => setTimeout(done, 300))");
  await host.release(...resign);
  await host.until(says("Really resign?"));
  await host.until(says("Wei offers a draw."));
  await host.press("Accept");
  for (const tab of [host, guest]) await tab.until(says("Draw: agreement"));
  await looks(host, "table-over");
  await host.press("Play again");
  await guest.until(says("Aoi asks for another game."));
  await guest.press("Accept");
  await guest.until(stones(0));
  for (const tab of [host, guest]) check(tab.faults.length === 0, tab.faults.join("\n"));
  console.log(
    "play: a game with swap2 by two browsers, with chat, take-backs, a reload, a pause, an engine and a draw",
  );
}

/** Fifth moves are declared, offered and picked, at a table that the list does not show. */
async function offer(host, guest) {
  for (const tab of [host, guest]) {
    await tab.size(1400, 900, false);
    await tab.send("Page.navigate", { url: "about:blank" });
    await tab.send("Page.navigate", { url: address });
    await tab.until('document.querySelector(".lobby form.host")');
  }
  await host.evaluate(`(() => {
    document.querySelector('select[name="rule"]').value = "renju";
    document.querySelector('select[name="opening"]').value = "contest";
    document.querySelector('select[name="time"]').value = "inf";
    document.querySelector('select[name="public"]').value = "no";
  })()`);
  await host.press("Open the table");
  await host.until('document.querySelector("input.link")');
  const link = await host.evaluate('document.querySelector("input.link").value');
  const table = /table=([^&]+)/.exec(link)[1];
  const listed = `[...document.querySelectorAll(".lobby a")].some((one) => one.href.includes("${table}"))`;
  check(!(await guest.evaluate(listed)), "a private table is not in the list");
  await guest.send("Page.navigate", { url: link });
  await guest.click(".seat button.primary");
  await host.press("I am ready");
  await lay(host, "h8", "h9", "h10");
  await host.press("Lay them");
  await host.until(says("How many fifth moves are to be offered?"));
  await looks(host, "table-declare");
  await host.press("2");
  await guest.press("Keep mine");
  await lay(guest, "j10");
  await lay(host, "g7", "j9");
  await looks(host, "table-offer");
  await host.press("Offer them");
  await guest.until(says("Which of the offered fifth moves stays?"));
  await looks(guest, "table-pick");
  await guest.press("B j9");
  for (const tab of [host, guest]) await tab.until(stones(5));
  await guest.press("Resign");
  await guest.press("Really resign?");
  await host.until(says("You win"));
  for (const tab of [host, guest]) check(tab.faults.length === 0, tab.faults.join("\n"));
  console.log("play: fifth moves declared, offered and picked at a private table");
}

/** The lobby, for one that has not been here before. */
async function arrive(tab, at = address) {
  await tab.size(1280, 800, false);
  await tab.send("Page.navigate", { url: at });
  await tab.until('document.querySelector(".lobby form.host")');
}

/** One click begins a game with the server's engine. */
async function playEngine(tab) {
  await arrive(tab);
  await looks(tab, "lobby-empty");
  await tab.press("Play the server's engine");
  await lay(tab, "h8");
  await tab.until(stones(2));
  await looks(tab, "table-house");
  console.log("play: a game with the server's engine by one click");
}

/** Two that wait for an opponent find each other; a viewer sees the game before, too. */
async function find(host, guest, viewer) {
  for (const tab of [host, guest, viewer]) await arrive(tab);
  await host.press("Find an opponent");
  await guest.until(says("Somebody waits for an opponent"));
  await looks(guest, "lobby-seeks");
  await guest.click(".listed button");
  for (const tab of [host, guest]) await tab.until(says("The game begins when both are ready"));
  await looks(host, "table-ready");
  await host.press("I am ready");
  check(!(await host.evaluate('!!document.querySelector(".board.open")')), "it begins too early");
  await guest.press("I am ready");
  await host.press("Resign");
  await host.press("Really resign?");
  await host.press("Play again");
  await guest.press("Accept");
  const table = await host.evaluate("location.hash");
  await viewer.send("Page.navigate", { url: `${address}${table}` });
  // The chat stays in its card, whatever stands above it.
  await host.size(1280, 600, false);
  await host.press("Offer a draw");
  await host.until(says("You offered a draw."));
  const [chat, card] = await host.evaluate(`(() => {
    const form = document.querySelector(".chat form");
    form.scrollIntoView({ block: "end" });
    return [form, form.closest(".side")].map((one) => one.getBoundingClientRect().bottom);
  })()`);
  check(chat <= card, `the chat ends at ${chat}, and its card at ${card}`);
  await host.size(1280, 800, false);
  for (const tab of [host, viewer]) {
    await tab.click(".former a");
    await tab.until(says("wins: resignation"));
    await tab.place("SGF");
  }
  await looks(viewer, "table-former");
  await viewer.click("a.primary");
  await viewer.until(says("Game 2"));
  console.log("play: two that wait find each other, and their game before is shown to a viewer");
}

/** A renju table without take-backs in the list, over a name that is no secure place. */
async function forbid(host, guest) {
  const lab = address.replace("127.0.0.1", "lab.test");
  for (const tab of [host, guest]) await arrive(tab, lab);
  await host.evaluate(`(() => {
    document.querySelector('select[name="rule"]').value = "renju";
    document.querySelector('select[name="opening"]').value = "none";
    document.querySelector('select[name="time"]').value = "inf";
    document.querySelector('select[name="public"]').value = "yes";
    document.querySelector('select[name="take_backs"]').value = "none";
  })()`);
  await host.press("Open the table");
  // There is no clipboard over plain http: the link is shown, and selected.
  await host.press("Copy invitation");
  await host.until("document.querySelector('dialog input.link')");
  const link = await host.evaluate(`(() => {
    const { value, selectionStart, selectionEnd } = document.activeElement;
    return value.slice(selectionStart, selectionEnd);
  })()`);
  check(link.startsWith(lab) && link.includes("&key="), `the selected link is ${link}`);
  await looks(host, "table-link");
  await host.click("dialog button");
  // Who was invited and has no name is asked for one.
  await guest.send("Page.navigate", { url: link });
  await type(guest, '.at-table input[name="name"]', "Mei");
  await guest.click(".seat button.primary");
  await host.until(says("Mei"));
  await host.press("I am ready");
  const game = ["h10", "a1", "i10", "c1", "j8", "e1", "j9", "g1"];
  for (const [place, point] of game.entries()) {
    const tab = place % 2 === 0 ? host : guest;
    await lay(tab, point);
    await tab.until(stones(place + 1));
  }
  check(!(await host.evaluate(says("Take back"))), "a move may be taken back");
  await host.until(stones(8));
  await lay(host, "j10");
  await host.until(says("j10 is forbidden: double three"));
  await looks(host, "table-forbidden");
  await lay(host, "o15");
  await guest.until(stones(9));
  console.log("play: a forbidden point asks first, and without a clipboard a link is shown");
}

/** A proxy that may go on taking what is sent while nothing comes through. */
async function startProxy() {
  const { port, hostname } = new URL(address);
  let isDead = false;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [[near, far], [far, near]]) {
      from.on("data", (bytes) => isDead || to.write(bytes));
      from.on("error", () => {});
      from.on("close", () => isDead || to.destroy());
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    die: (dead) => {
      isDead = dead;
    },
    end: () => server.close(),
  };
}

/** The line of one of two dies without a word, behind a proxy that acknowledges. */
async function breakLine(host, guest) {
  const proxy = await startProxy();
  await arrive(host);
  await arrive(guest, proxy.address);
  await host.evaluate(`(() => {
    document.querySelector('select[name="rule"]').value = "freestyle";
    document.querySelector('select[name="opening"]').value = "none";
    document.querySelector('select[name="time"]').value = "300+5";
    document.querySelector('select[name="public"]').value = "yes";
  })()`);
  await host.press("Open the table");
  await guest.click(".listed button");
  await host.press("I am ready");
  await lay(host, "h8");
  await guest.until(stones(1));
  proxy.die(true);
  const begun = Date.now();
  await lay(guest, "i9");
  await guest.until(says("Not sent: i9"));
  await guest.until('document.querySelector(".top .state.lost")');
  const noticed = Date.now() - begun;
  await guest.until('document.querySelector(".line-lost .clock")');
  await host.until('document.querySelector(".tag.away")');
  const missed = Date.now() - begun;
  await guest.picture("table-lost");
  await host.until(says("you may claim the win or a draw"));
  await looks(host, "table-away");
  proxy.die(false);
  await guest.until('document.querySelector(".top .state.connected")');
  await host.until('!document.querySelector(".tag.away")');
  await guest.until(`!${says("connection lost")}`);
  await looks(guest, "table-unsent");
  await guest.press("Lay it");
  await host.until(stones(2));
  check(!(await guest.evaluate(says("Not sent"))), "what was sent is said not to be");
  proxy.end();
  for (const tab of [host, guest]) check(tab.faults.length === 0, tab.faults.join("\n"));
  console.log(`play: a dead line was noticed after ${noticed} ms, and at the other end ${missed} ms`);
}

await run(async () => {
  const [host, guest, viewer] = [await openTab(), await openTab(), await openTab()];
  await playEngine(viewer);
  await play(host, guest);
  await offer(host, guest);
  await find(host, guest, viewer);
  await breakLine(host, guest);
  await forbid(await openTab(), await openTab());
});
