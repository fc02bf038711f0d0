// A real browser that a script uses: the first argument of the program is CHROMIUM, the second AXE.
//
// AXE is the file axe.min.js of axe-core. The browser is told what to do over its DevTools protocol,
// on a pipe (https://chromedevtools.github.io/devtools-protocol/). Where TENGEN_PICTURES names a
// folder, pictures of the page are kept in it.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [chromium, axePath] = process.argv.slice(2);
const pictures = process.env.TENGEN_PICTURES;
/** How long anything may take to be there: a busy machine takes its time. */
const PATIENCE_MS = 120_000;

const home = mkdtempSync(join(tmpdir(), "tengen-page-"));
const browser = spawn(
  chromium,
  [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP lab.test 127.0.0.1",
    "--remote-debugging-pipe",
    `--user-data-dir=${home}`,
    "about:blank",
  ],
  { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
);
const [, , , toBrowser, fromBrowser] = browser.stdio;
const waiting = new Map();
const listeners = new Set();
let last = 0;
let rest = "";
fromBrowser.on("data", (bytes) => {
  const parts = (rest + bytes).split("\0");
  rest = parts.pop();
  for (const part of parts) {
    const message = JSON.parse(part);
    if (message.id !== undefined) {
      const { done, fail } = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error) fail(new Error(message.error.message));
      else done(message.result);
    } else {
      for (const listener of listeners) listener(message);
    }
  }
});

function send(method, params = {}, sessionId = undefined) {
  const id = (last += 1);
  toBrowser.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
  return new Promise((done, fail) => waiting.set(id, { done, fail }));
}

/**
 * A tab that shares nothing with the others; what it asks of the network and what goes wrong in it
 * is kept.
 */
export async function openTab() {
  const { browserContextId } = await send("Target.createBrowserContext");
  const { targetId } = await send("Target.createTarget", { url: "about:blank", browserContextId });
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
  const tab = { requests: [], faults: [] };
  listeners.add(({ method, params, sessionId: of }) => {
    if (of !== sessionId) return;
    if (method === "Network.requestWillBeSent") tab.requests.push(params.request.url);
    if (method === "Runtime.exceptionThrown")
      tab.faults.push(
        params.exceptionDetails.text + (params.exceptionDetails.exception?.description ?? ""),
      );
    if (method === "Log.entryAdded" && params.entry.level === "error")
      tab.faults.push(params.entry.text);
  });
  tab.send = (method, params) => send(method, params, sessionId);
  await Promise.all(
    ["Page", "Runtime", "Network", "Log"].map((domain) => tab.send(`${domain}.enable`)),
  );
  tab.evaluate = async (expression) => {
    const answer = await tab.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (answer.exceptionDetails)
      throw new Error(answer.exceptionDetails.exception?.description ?? expression);
    return answer.result.value;
  };
  /** Waits until an expression is true, asking at every frame of the page. */
  tab.until = async (expression, patience = PATIENCE_MS) => {
    const begun = Date.now();
    while (Date.now() - begun < patience) {
      if (await tab.evaluate(`!!(${expression})`)) return;
      await tab.evaluate("new Promise((done) => setTimeout(done, 30))");
    }
    const seen = await tab.evaluate("document.body.innerText.slice(0, 600)");
    throw new Error(`did not become true: ${expression}\n${seen}`);
  };
  tab.key = async (key) => {
    await tab.send("Input.dispatchKeyEvent", {
      type: "keyDown",
      key,
      text: key.length === 1 ? key : undefined,
    });
    await tab.send("Input.dispatchKeyEvent", { type: "keyUp", key });
  };
  /** Clicks on the middle of what a selector finds, as a mouse does. */
  tab.click = async (selector) => {
    await tab.until(`document.querySelector(${JSON.stringify(selector)})`);
    const [x, y] = await tab.evaluate(
      `(() => { const one = document.querySelector(${JSON.stringify(selector)}); one.scrollIntoView({ block: "center" }); const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()`,
    );
    await tab.mouse(x, y);
  };
  const point = (type, x, y) =>
    tab.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 });
  /** Presses the button of the mouse on a place of the window, and does not let it go. */
  tab.hold = async (x, y) => {
    await point("mouseMoved", x, y);
    await point("mousePressed", x, y);
  };
  tab.release = (x, y) => point("mouseReleased", x, y);
  /** Clicks on a place of the window. */
  tab.mouse = async (x, y) => {
    await tab.hold(x, y);
    await tab.release(x, y);
  };
  /** Where the first button is that says so. */
  tab.place = async (label) => {
    const found = `[...document.querySelectorAll("button")].find((one) => one.innerText.trim().startsWith(${JSON.stringify(label)}) && !one.disabled && one.offsetParent)`;
    await tab.until(found);
    return tab.evaluate(
      `(() => { const one = ${found}; one.scrollIntoView({ block: "center" }); const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()`,
    );
  };
  /** Clicks on the first button that says so. */
  tab.press = async (label) => tab.mouse(...(await tab.place(label)));
  tab.size = (width, height, dark) =>
    Promise.all([
      tab.send("Emulation.setDeviceMetricsOverride", {
        width,
        height,
        deviceScaleFactor: 1,
        mobile: width < 600,
      }),
      tab.send("Emulation.setEmulatedMedia", {
        features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }],
      }),
    ]);
  tab.picture = async (name) => {
    if (!pictures) return;
    const { data } = await tab.send("Page.captureScreenshot", { format: "png" });
    writeFileSync(join(pictures, `${name}.png`), Buffer.from(data, "base64"));
  };
  return tab;
}

export function check(holds, words) {
  if (!holds) throw new Error(words);
}

/** No serious fault that axe-core finds, and nothing wider than the window. */
export async function checkAccess(tab, where) {
  await tab.evaluate(readFileSync(axePath, "utf8"));
  const found =
    await tab.evaluate(`axe.run(document, { resultTypes: ["violations"] }).then((result) =>
    result.violations.filter((one) => one.impact === "serious" || one.impact === "critical")
      .map((one) => one.id + ": " + one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160) + " " + (node.failureSummary ?? "").slice(0, 200)).join(" | ")))`);
  check(found.length === 0, `${where}: axe-core: ${found.join("\n")}`);
  const [wide, window] = await tab.evaluate("[document.documentElement.scrollWidth, innerWidth]");
  check(wide <= window, `${where}: ${wide} pixels wide in a window of ${window}`);
}

/** No serious fault in both themes and on a phone, with a picture of each. */
export async function looks(tab, name) {
  for (const [width, height, dark, kind] of [
    [1400, 900, true, "-dark"],
    [390, 844, false, "-phone"],
    [1400, 900, false, ""],
  ]) {
    await tab.size(width, height, dark);
    await checkAccess(tab, name + kind);
    await tab.picture(name + kind);
  }
}

/** Closes the browser, and ends with an error where the work had one. */
export async function close(code) {
  browser.on("exit", () => {
    rmSync(home, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    process.exit(code);
  });
  await Promise.race([
    send("Browser.close").catch(() => {}),
    new Promise((done) => setTimeout(done, 5000)),
  ]);
  browser.kill();
}

/** Does the work, says what went wrong, and closes the browser. */
export async function run(work) {
  let code = 0;
  try {
    await work();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    code = 1;
  }
  await close(code);
}
