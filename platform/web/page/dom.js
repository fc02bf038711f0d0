// Making elements, and what the page remembers of its reader.

/**
 * @typedef {Record<string, string | number | boolean | null | undefined | EventListener>} Attributes
 * @typedef {Node | string | number | null | undefined | false} Child
 */

/** Attributes that are properties. */
const PROPERTIES = new Set(["value", "checked", "disabled", "selected"]);

/**
 * An element with attributes, listeners (`onclick`) and children. Text is text: nothing is ever
 * read as HTML.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  dress(made, attributes);
  fill(made, children.flat());
  return made;
}

/**
 * The same for SVG.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  dress(made, attributes);
  fill(made, children.flat());
  return made;
}

/**
 * @param {Element} made
 * @param {Attributes} attributes
 */
function dress(made, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") {
      made.addEventListener(key.slice(2), value);
    } else if (PROPERTIES.has(key)) {
      Reflect.set(made, key, value);
    } else {
      made.setAttribute(key, value === true ? "" : String(value));
    }
  }
}

/**
 * @param {Element} made
 * @param {Child[]} children
 */
function fill(made, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    made.append(child instanceof Node ? child : String(child));
  }
}

/**
 * Puts children in the place of those that are there.
 * @param {Element} parent
 * @param {...(Child | Child[])} children
 */
export function put(parent, ...children) {
  parent.replaceChildren();
  fill(parent, children.flat());
}

/**
 * The element of the document with that id.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return found;
}

/** The pictures on buttons: paths in a square of 24, drawn with a pen. */
const ICONS = {
  start: "M6 5v14M19 5l-9 7 9 7z",
  back: "M16 5l-9 7 9 7z",
  forward: "M8 5l9 7-9 7z",
  end: "M18 5v14M5 5l9 7-9 7z",
  play: "M7 4.5v15l12-7.5z",
  pause: "M8 5v14M16 5v14",
  numbers: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17M10 9.5l2.5-1.8V16",
  coordinates: "M8 3v18M16 3v18M3 8h18M3 16h18",
  forbidden: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17M6 6l12 12",
  line: "M3 17c5 0 4-9 9-9h8M16 4l4 4-4 4",
  flip: "M8 4v16M4.500 7.500L8 4l3.500 3.500M16 20V4M12.500 16.500L16 20l3.500-3.500",
  first: "M6 5v14M18 5l-8 7 8 7",
  previous: "M15 5l-8 7 8 7",
  next: "M9 5l8 7-8 7",
  last: "M18 5v14M6 5l8 7-8 7",
  keys: "M3 6.500h18v11H3zM6.500 10h.01M10 10h.01M14 10h.01M17.500 10h.01M8 14h8",
  theme: "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16",
};

/**
 * @param {keyof typeof ICONS} name
 */
export function icon(name) {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: `glyph ${name}`, "aria-hidden": "true" },
    svg("path", { d: ICONS[name] }),
  );
}

/**
 * A button with a picture on it.
 * @param {keyof typeof ICONS} sign
 * @param {string} label
 * @param {() => void} onclick
 * @param {Attributes} [more]
 */
export function iconButton(sign, label, onclick, more = {}) {
  return el(
    "button",
    { type: "button", class: "icon", title: label, "aria-label": label, onclick, ...more },
    icon(sign),
  );
}

/**
 * Says something to those who do not see the page.
 * @param {string} words
 */
export function announce(words) {
  byId("announcer").textContent = words;
}

/**
 * What was remembered under a name; nothing where a browser keeps nothing.
 * @param {string} name
 * @returns {string | null}
 */
export function recall(name) {
  try {
    return localStorage.getItem(`tengen.${name}`);
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
export function remember(name, value) {
  try {
    localStorage.setItem(`tengen.${name}`, value);
  } catch {
    // It is forgotten then.
  }
}

/**
 * What draws an element anew, but not while a button in it is pressed: a click on a button that is
 * gone when it is let go is lost.
 * @param {HTMLElement} element
 * @param {() => void} draw
 */
export function betweenClicks(element, draw) {
  let isPressed = false;
  let isDue = false;
  const released = () => {
    // The click comes after it.
    window.setTimeout(() => {
      isPressed = false;
      if (isDue) drawNow();
    });
  };
  const drawNow = () => {
    isDue = isPressed;
    if (!isDue) draw();
  };
  element.addEventListener("pointerdown", () => {
    isPressed = true;
    for (const end of ["pointerup", "pointercancel"]) {
      window.addEventListener(end, released, { once: true });
    }
  });
  return drawNow;
}
