// The theme and the language of the page, as its reader has set them.

import { byId, recall, remember } from "./dom.js";
import { getLanguage, setLanguage, text } from "./texts.js";

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** @param {"en" | "zh"} language */
function speak(language) {
  setLanguage(language);
  byId("skip").textContent = text("skip");
}

export function dressPage() {
  const theme = recall("theme");
  if (theme) document.documentElement.dataset.theme = theme;
  const known = recall("language");
  speak(known === "zh" || (!known && navigator.language.startsWith("zh")) ? "zh" : "en");
}

export function toggleTheme() {
  const wanted = isDark() ? "light" : "dark";
  remember("theme", wanted);
  document.documentElement.dataset.theme = wanted;
}

export function toggleLanguage() {
  const wanted = getLanguage() === "zh" ? "en" : "zh";
  remember("language", wanted);
  speak(wanted);
}
