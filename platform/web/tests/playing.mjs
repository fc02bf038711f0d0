// Two browsers play at a table of the server: node playing.mjs CHROMIUM AXE ADDRESS
//
// ADDRESS is a server with tables. The first opens one with swap2, the second joins by its link;
// they play by clicks, chat, take back, reload, and agree on a draw.

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
  await guest.until('document.querySelector(".room")');
  await looks(guest, "lobby");
  await type(guest, 'input[name="name"]', "Wei");
  await guest.evaluate('document.querySelector("main").focus()');
  await guest.send("Page.navigate", { url: link });
  await guest.press("Sit here");

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

  await guest.press("Offer a draw");
  await host.until(says("Wei offers a draw."));
  await host.press("Accept");
  for (const tab of [host, guest]) await tab.until(says("Draw: agreement"));
  await looks(host, "table-over");
  await host.press("Play again");
  await guest.until(says("Aoi asks for another game."));
  await guest.press("Accept");
  await guest.until(stones(0));
  for (const tab of [host, guest]) check(tab.faults.length === 0, tab.faults.join("\n"));
  console.log("play: a game with swap2 by two browsers, with chat, take-backs, a reload and a draw");
}

await run(async () => play(await openTab(), await openTab()));
