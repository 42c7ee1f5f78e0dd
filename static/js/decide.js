// The decision sheet: its first field has the focus when it opens, Esc closes it, ⌘↵ (or Ctrl ↵)
// submits it. What was typed goes along when another outcome is chosen.

import { bind, hold, release } from "./keys.js";

const sheet = () => document.getElementById("sheet");
let typed = {};
let opener = null;

const remember = () => {
  for (const field of sheet()?.querySelectorAll("textarea") ?? []) typed[field.name] = field.value;
};

document.body.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id !== "decision") return;
  if (sheet()) remember();
  else opener = event.detail.requestConfig?.elt?.id ?? null;
});

// Once it has settled, not before: until then its links are not htmx's, and a key would leave the page.
document.body.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target.id !== "decision") return;
  if (!sheet()) {
    document.getElementById(opener)?.focus();
    return;
  }
  for (const field of sheet().querySelectorAll("textarea")) field.value ||= typed[field.name] ?? "";
  sheet().querySelector(".out[aria-current]")?.focus();
});

document.addEventListener("keydown", (event) => {
  const drop = event.target.closest("details.pop[open]");
  if (event.key === "Escape" && drop) {
    drop.open = false;
    drop.querySelector("summary").focus();
    return;
  }
  if (!sheet()) return;
  if (event.key === "Escape" && !event.target.closest("[popover]")) {
    sheet().querySelector("[data-sheet-cancel]").click();
  } else if (event.key === "Enter" && (event.metaKey || event.ctrlKey) && sheet().contains(event.target)) {
    event.preventDefault();
    sheet().querySelector("#sheet-submit").click();
  }
});

(document.getElementById("sheet-errors") ?? sheet()?.querySelector(".out[aria-current]"))?.focus();

// A note is written from wherever one is: where no field for it is shown, the tab with one is opened.
const note = () => [...document.querySelectorAll("#note")].find((field) => field.checkVisibility());
const tab = () => document.querySelector("#panel-activity[data-notes]");
const write = () => {
  if (note()) return note().focus();
  hold();
  tab().click();
};
if (tab()) bind("m", write, "Write a note");
document.body.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target.id === "panel" && note()) release(note());
});
for (const failure of ["htmx:responseError", "htmx:sendError"]) {
  document.body.addEventListener(failure, () => release(null));
}

// What stands in the way changes when a check is marked, or another result comes.
document.body.addEventListener("htmx:oobAfterSwap", (event) => {
  if (event.detail.target.id !== "decision-bar") return;
  document.getElementById("sheet-obstacles")?.dispatchEvent(new CustomEvent("stale"));
});
