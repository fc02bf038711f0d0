// The list of tables where people play, and the form that opens one.

import { betweenClicks, el, put, recall, remember } from "./dom.js";
import { text } from "./texts.js";
import { errorText } from "./words.js";
import { sidesOf } from "./board.js";
import { guestName } from "./play_link.js";
import { USUAL_LAG } from "./seat_tags.js";

/** @import { PlayLink } from "./play_link.js" */
/** @import { AllSettings, AnySeat, Procedure, Rule } from "./protocol.d.ts" */
/** @import { TableListing, TableSettings } from "./protocol.d.ts" */
/** @import { ShownWord } from "./texts.js" */

/** The settings that are on or off, and those that are numbers. */
const SWITCHES = /** @type {const} */ ([
  "ready",
  "draws",
  "pause",
  "engines",
  "chat",
  "passing",
  "swap",
]);
const NUMBERS = /** @type {const} */ (["lag", "margin", "move_limit", "absence"]);
/** How often each player may take back, where that is neither never nor without a limit. */
const TAKE_BACKS = ["1", "2", "3", "5", "10"];

/**
 * The rules in the order in which they are offered, each with its text.
 * @type {Record<Rule, ShownWord>}
 */
const RULES = {
  freestyle: "rule.freestyle",
  standard: "rule.standard",
  renju: "rule.renju",
  caro: "rule.caro",
};
const SIZES = ["15", "19", "20", "13", "11", "9"];
/**
 * Likewise the opening procedures; a table has no book.
 * @type {Record<Exclude<Procedure, "book">, ShownWord>}
 */
const OPENINGS = {
  none: "opening.none",
  swap2: "swap2",
  swap: "swap",
  pro: "pro",
  "long-pro": "long-pro",
  rif: "rif",
  contest: "contest",
  yamaguchi: "yamaguchi",
  soosorv8: "soosorv8",
  taraguchi10: "taraguchi10",
};
/** Minutes and seconds per move that are offered; anything else can be written. */
const TIMES = ["60+1", "180+2", "300+5", "600+10", "1800+30", "inf"];
const PHASES = {
  open: "phaseOpen",
  playing: "phasePlaying",
  paused: "phasePaused",
  over: "phaseOver",
};

/**
 * A time control in words: 5 min + 5 s; 10 min + 3 × 30 s byo-yomi; 40 moves in 1 min.
 * @param {string} time
 */
export function timeText(time) {
  if (time === "inf") return text("unlimited");
  const found =
    /^(?:(\d+)\/)?([\d.]+)(?:\+([\d.]+))?(?:,byo=(?:(\d+)x)?([\d.]+))?(?:,move=([\d.]+))?$/.exec(time);
  const alone = /^move=([\d.]+)$/.exec(time);
  if (alone) return text("perMove", spanOf(alone[1]));
  if (!found) return time;
  const [, moves, main, increment, periods = "1", period, cap] = found;
  let words = moves ? text("movesIn", moves, spanOf(main)) : spanOf(main);
  if (Number(increment ?? 0) > 0) words = `${words} + ${text("inSeconds", increment)}`;
  if (period) words = text("byoYomi", words, periods, spanOf(period));
  return cap ? `${words} · ${text("perMove", spanOf(cap))}` : words;
}

/**
 * Seconds in words: 5 min, 30 s.
 * @param {string} seconds
 */
function spanOf(seconds) {
  const isMinutes = Number(seconds) >= 60 && Number(seconds) % 60 === 0;
  return isMinutes ? text("inMinutes", Number(seconds) / 60) : text("inSeconds", seconds);
}

/**
 * What is played at a table, in one line.
 * @param {AllSettings} settings
 */
export function settingsText(settings) {
  const parts = [text(RULES[settings.rule]), sidesOf(settings.size).join(" × ")];
  if (settings.opening !== "none") parts.push(text(settings.opening));
  parts.push(timeText(settings.time));
  return parts.join(" · ");
}

/** @param {string} phase */
export function phaseText(phase) {
  return text(PHASES[/** @type {keyof typeof PHASES} */ (phase)] ?? phase);
}

/**
 * The field for the name that others see.
 * @param {PlayLink} link
 */
export function nameField(link) {
  const input = el("input", {
    type: "text",
    name: "name",
    maxlength: link.welcome?.limits.name ?? 32,
    value: recall("name") ?? "",
    placeholder: guestName(),
    autocomplete: "nickname",
    onchange: () => link.rename(input.value.trim()),
  });
  return field(text("yourName"), input);
}

/**
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [kind]
 */
function field(label, control, kind = "") {
  return el("label", { class: `field ${kind}` }, el("span", {}, label), control);
}

/**
 * @param {string} name
 * @param {[string, string][]} options
 * @param {string} chosen
 */
function select(name, options, chosen) {
  return el(
    "select",
    { name },
    options.map(([value, label]) => el("option", { value, selected: value === chosen }, label)),
  );
}

/**
 * @param {string} name
 * @param {string} label
 * @param {boolean} checked
 */
function tick(name, label, checked) {
  return el(
    "label",
    { class: "tick" },
    el("input", { type: "checkbox", name, checked }),
    el("span", {}, label),
  );
}

/**
 * How often each player may take back: not at all, so many times, or as often as wanted.
 * @param {{undo?: boolean, undo_limit?: number}} kept
 */
function takeBacks({ undo, undo_limit: limit }) {
  const chosen = undo === false ? "none" : limit ? String(limit) : "any";
  const counts = TAKE_BACKS.includes(chosen) || !limit ? TAKE_BACKS : [...TAKE_BACKS, chosen];
  return select(
    "take_backs",
    [
      ["none", text("noTakeBacks")],
      ...counts.map((count) => /** @type {[string, string]} */ ([count, text("takeBacksEach", count)])),
      ["any", text("anyTakeBacks")],
    ],
    chosen,
  );
}

/** The settings of the table that was opened last. */
function lastSettings() {
  try {
    const kept = JSON.parse(recall("table") ?? "{}");
    // What was offered once under a name that no server knows.
    return kept.time === "unlimited" ? { ...kept, time: "inf" } : kept;
  } catch {
    return {};
  }
}

/**
 * Shows the list and the form, and gives what draws the list again.
 * @param {HTMLElement} root
 * @param {PlayLink} link
 * @param {(table: string) => string} address
 */
export function lobbyView(root, link, address) {
  const list = el("div", { class: "tables" });
  const wrong = el("p", { class: "notice", role: "alert", hidden: true });
  const trouble = el("p", { class: "notice", role: "alert", hidden: true });
  const seeking = el("div", { class: "choices" });
  const asWhat = el("p", { class: "note" });
  const form = hostForm();
  form.addEventListener("change", drawWhat);
  const engines = link.welcome?.engines ?? [];
  const engine = select(
    "engine",
    engines.map(({ id, name }) => [id, name]),
    recall("engine") ?? "",
  );
  put(
    root,
    el(
      "div",
      { class: "lobby" },
      el(
        "section",
        { class: "card now", "aria-labelledby": "now-title" },
        el("h1", { id: "now-title" }, text("playNow")),
        el(
          "div",
          { class: "host" },
          nameField(link),
          engines.length > 1 ? field(text("whichEngine"), engine) : null,
        ),
        el(
          "div",
          { class: "choices" },
          engines.length > 0
            ? el(
                "button",
                { type: "button", class: "primary", onclick: playEngine },
                text("playEngine"),
              )
            : null,
          seeking,
        ),
        asWhat,
        trouble,
      ),
      el(
        "section",
        { class: "card hosting", "aria-labelledby": "host-title" },
        el("h2", { id: "host-title" }, text("hostTable")),
        form,
      ),
      el(
        "section",
        { class: "card", "aria-labelledby": "tables-title" },
        el("h2", { id: "tables-title" }, text("openTables")),
        list,
      ),
    ),
  );

  /** What is played, as the form says: what two that wait for each other have to agree on. */
  function what() {
    const told = new FormData(form);
    const time = String(told.get("time"));
    return /** @type {TableSettings} */ ({
      rule: told.get("rule"),
      size: told.get("size"),
      opening: told.get("opening"),
      time: time === "other" ? String(told.get("other")).trim() : time,
    });
  }

  function drawWhat() {
    const { rule, size, opening, time } = what();
    const words = settingsText(/** @type {AllSettings} */ ({ rule, size, opening, time }));
    asWhat.textContent = text("playNowAs", words);
  }

  /**
   * Does what may be refused, and says why it was.
   * @param {() => Promise<unknown>} act
   */
  async function attempt(act) {
    trouble.hidden = true;
    try {
      await act();
    } catch (error) {
      trouble.textContent = errorText(error);
      trouble.hidden = false;
    }
  }

  function playEngine() {
    remember("engine", engine.value);
    const message = /** @type {const} */ ({
      type: "host",
      table: { ...what(), public: false },
      seat: "first",
      engine: engine.value,
    });
    attempt(async () => {
      const opened = await link.ask(message);
      location.hash = address(opened.table);
    });
  }

  /**
   * Sits down on the free seat of a table.
   * @param {TableListing} listed
   */
  function sitAt({ table }) {
    attempt(async () => {
      const shown = await link.enter(table);
      if (shown.you.seat === null) await link.ask({ type: "sit", table, seat: null });
      location.hash = address(table);
    });
  }

  function drawSeeking() {
    const isWaiting = link.seeking !== null;
    put(
      seeking,
      isWaiting ? el("span", { class: "turn", role: "status" }, text("seeking")) : null,
      el(
        "button",
        {
          type: "button",
          class: isWaiting ? "choice" : engines.length > 0 ? "choice" : "primary",
          onclick: () => attempt(() => link.seek(isWaiting ? null : what())),
        },
        text(isWaiting ? "stopSeeking" : "findOpponent"),
      ),
    );
  }

  /** @param {AllSettings} wanted */
  function seekRow(wanted) {
    const { rule, size, opening, time } = wanted;
    const same = /** @type {TableSettings} */ ({ rule, size, opening, time });
    return el(
      "div",
      { class: "listed" },
      el("span", { class: "names" }, text("somebodySeeks")),
      el("span", { class: "small" }, settingsText(wanted)),
      el(
        "button",
        { type: "button", class: "primary", onclick: () => attempt(() => link.seek(same)) },
        text("playThem"),
      ),
    );
  }

  /** What others wait for: the own wish is one of those that are told. */
  function seeksOfOthers() {
    const own = link.seeking;
    if (!own) return link.seeks;
    const key = (/** @type {TableSettings} */ one) =>
      [one.rule, sidesOf(one.size ?? "15"), one.opening, one.time].join();
    const place = link.seeks.findIndex((one) => key(one) === key(own));
    return link.seeks.filter((_, at) => at !== place);
  }

  function hostForm() {
    const kept = lastSettings();
    const time = TIMES.includes(kept.time) || !kept.time ? (kept.time ?? "300+5") : "other";
    const other = el("input", {
      type: "text",
      name: "other",
      value: time === "other" ? kept.time : "",
      placeholder: "5:00+3",
      maxlength: 40,
      title: text("timeHint"),
    });
    const otherField = field(text("timeHint"), other);
    otherField.hidden = time !== "other";
    const times = select(
      "time",
      [
        ...TIMES.map((one) => /** @type {[string, string]} */ ([one, timeText(one)])),
        ["other", text("otherTime")],
      ],
      time,
    );
    times.addEventListener("change", () => {
      otherField.hidden = times.value !== "other";
      if (times.value === "other") other.focus();
    });
    const named = (/** @type {string} */ value, key = value) =>
      /** @type {[string, string]} */ ([value, text(key)]);
    const number = (/** @type {string} */ name, /** @type {Record<string, any>} */ more) =>
      el("input", { type: "number", name, inputmode: "decimal", value: kept[name] ?? "", ...more });
    const form = el(
      "form",
      { class: "host", onsubmit: (happened) => submit(happened, form) },
      field(
        text("rule"),
        select(
          "rule",
          Object.entries(RULES).map(([rule, key]) => named(rule, key)),
          kept.rule ?? "freestyle",
        ),
      ),
      field(
        text("openingRule"),
        select(
          "opening",
          Object.entries(OPENINGS).map(([opening, key]) => named(opening, key)),
          kept.opening ?? "none",
        ),
      ),
      field(
        text("size"),
        select(
          "size",
          SIZES.map((size) => [size, `${size} × ${size}`]),
          kept.size ?? "15",
        ),
      ),
      field(text("timeControl"), times),
      otherField,
      field(
        text("yourSeat"),
        select(
          "seat",
          [
            ["first", text("firstSeat")],
            ["second", text("secondSeat")],
            ["", text("noSeat")],
          ],
          "first",
        ),
      ),
      field(
        text("visibility"),
        select(
          "public",
          [
            ["yes", text("publicTable")],
            ["no", text("privateTable")],
          ],
          kept.public === false ? "no" : "yes",
        ),
      ),
      el(
        "details",
        {},
        el("summary", {}, text("moreSettings")),
        el(
          "div",
          { class: "host more" },
          field(
            text("title"),
            el("input", {
              type: "text",
              name: "title",
              maxlength: link.welcome?.limits.title ?? 60,
              placeholder: text("titleHint"),
            }),
          ),
          field(text("margin"), number("margin", { min: 0, max: 10, step: 0.1, placeholder: "0" })),
          field(
            text("lateAnswer"),
            select(
              "late",
              [named("loss", "lateLoses"), named("substitute", "lateSubstitute")],
              kept.late ?? "loss",
            ),
          ),
          field(text("moveLimit"), number("move_limit", { min: 1, max: 1024, placeholder: "–" })),
          field(text("takeBacks"), takeBacks(kept)),
          field(text("mostLag"), number("lag", { min: 0, max: 2, step: 0.1, placeholder: USUAL_LAG })),
          field(text("absence"), number("absence", { min: 10, max: 86_400, placeholder: "–" })),
          el(
            "fieldset",
            {},
            el("legend", {}, text("allowed")),
            tick("draws", text("allowDraws"), kept.draws ?? true),
            tick("pause", text("allowPause"), kept.pause ?? true),
            tick("engines", text("allowEngines"), kept.engines ?? true),
            tick("chat", text("allowChat"), kept.chat ?? true),
            tick("passing", text("allowPassing"), kept.passing ?? false),
            tick("swap", text("allowSwap"), kept.swap ?? true),
            tick("ready", text("allowReady"), kept.ready ?? true),
          ),
        ),
      ),
      wrong,
      el("button", { type: "submit", class: "primary" }, text("open")),
    );
    return form;
  }

  /**
   * @param {Event} happened
   * @param {HTMLFormElement} form
   */
  async function submit(happened, form) {
    happened.preventDefault();
    const data = new FormData(form);
    const told = (/** @type {string} */ name) => String(data.get(name) ?? "").trim();
    /** @type {{[K in keyof TableSettings]: unknown}} */
    const table = {
      rule: told("rule"),
      size: told("size"),
      opening: told("opening"),
      time: told("time") === "other" ? told("other") : told("time"),
      late: told("late"),
      public: told("public") === "yes",
    };
    for (const name of SWITCHES) {
      table[name] = data.has(name);
    }
    table.undo = told("take_backs") !== "none";
    if (table.undo && told("take_backs") !== "any") table.undo_limit = Number(told("take_backs"));
    for (const name of NUMBERS) {
      if (told(name)) table[name] = Number(told(name));
    }
    remember("table", JSON.stringify(table));
    if (told("title")) table.title = told("title");
    const seat = /** @type {AnySeat} */ (told("seat") || null);
    wrong.hidden = true;
    try {
      const opened = await link.ask({
        type: "host",
        table: /** @type {TableSettings} */ (table),
        seat,
      });
      location.hash = address(opened.table);
    } catch (error) {
      wrong.textContent = errorText(error);
      wrong.hidden = false;
    }
  }

  /** @param {TableListing} listed */
  function row(listed) {
    const { seats, phase, viewers } = listed;
    const both = Object.values(seats);
    const isFree = both.includes(null) && phase === "open";
    const names = both.map((name) => name ?? text("freeSeat"));
    const href = address(listed.table);
    return el(
      "div",
      { class: `listed ${phase}` },
      el("a", { class: "names", href }, text("against", names[0], names[1])),
      listed.title ? el("span", { class: "listed-title" }, listed.title) : null,
      el("span", { class: "small" }, settingsText(listed.settings)),
      el(
        "span",
        { class: "small phase" },
        [phaseText(phase), viewers > 0 ? text("viewers", viewers) : ""].filter(Boolean).join(" · "),
      ),
      isFree
        ? el(
            "button",
            { type: "button", class: "primary", onclick: () => sitAt(listed) },
            text("sitHere"),
          )
        : el("a", { class: "plain", href }, text("watch")),
    );
  }

  const draw = betweenClicks(list, drawNow);

  function drawNow() {
    drawSeeking();
    const tables = [...link.lobby.values()].sort(
      (one, other) =>
        Number(other.phase === "open") - Number(one.phase === "open") || other.opened - one.opened,
    );
    const focused = document.activeElement;
    const place = [...list.querySelectorAll("a, button")].findIndex((one) => one === focused);
    const key = focused?.closest(".listed")?.querySelector("a")?.href;
    const rows = [...seeksOfOthers().map(seekRow), ...tables.map(row)];
    put(list, rows.length > 0 ? rows : el("p", { class: "note" }, text("noTables")));
    // What had the focus has it again, for those who have no mouse.
    if (place >= 0) {
      const same = rows.find((one) => key !== undefined && one.querySelector("a")?.href === key);
      const isButton = focused instanceof HTMLButtonElement || focused?.matches(".plain");
      const within = same?.querySelectorAll("a, button");
      const again = within?.[isButton ? within.length - 1 : 0];
      if (again instanceof HTMLElement) again.focus();
    }
  }

  drawWhat();
  drawNow();
  return { draw };
}
