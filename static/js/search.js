// The search box of every page: cases as one types, chosen by arrows. Enter without a choice searches
// as the form does without this module.

import { keyOf, nameOf } from "./keys.js";
import { text } from "./texts.js";

const input = document.getElementById("search");
const list = document.getElementById("search-options");
const count = document.getElementById("search-count");
const options = () => [...list.querySelectorAll("[role=option]")];
let at = -1;

const choose = (place) => {
  const all = options();
  at = all.length ? (place + all.length) % all.length : -1;
  for (const [n, option] of all.entries()) option.setAttribute("aria-selected", n === at);
  all[at]?.scrollIntoView({ block: "nearest" });
  if (all[at]) input.setAttribute("aria-activedescendant", all[at].id);
  else input.removeAttribute("aria-activedescendant");
};
const show = (on) => {
  list.hidden = !on;
  input.setAttribute("aria-expanded", on);
  if (on) return;
  at = -1;
  input.removeAttribute("aria-activedescendant");
};
const go = (option) => {
  if (option) location.href = option.dataset.href;
};

list?.addEventListener("htmx:afterSwap", () => {
  const found = options().length;
  const isOpen = document.activeElement === input && input.value.trim() !== "" && found > 0;
  at = -1;
  input.removeAttribute("aria-activedescendant");
  show(isOpen);
  count.textContent = input.value.trim() ? text("Cases: {count}", { count: found }) : "";
});
input?.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  const isOpen = !list.hidden;
  if (event.key === "ArrowDown" && options().length) {
    show(true);
    choose(at + 1);
  } else if (event.key === "ArrowUp" && isOpen) choose(at < 0 ? -1 : at - 1);
  else if (event.key === "Enter" && isOpen && at >= 0) go(options()[at]);
  else if (event.key === "Escape" && isOpen) show(false);
  else return;
  event.preventDefault();
});
input?.addEventListener("blur", () => show(false));
// Before the field loses the focus, which would take the list away.
list?.addEventListener("pointerdown", (event) => event.preventDefault());
list?.addEventListener("click", ({ target }) => go(target.closest("[role=option]")));

// ⌘K or Ctrl K: go to a case by a few letters, or to whatever has a key, without knowing the key.
const palette = document.getElementById("palette");
const field = palette?.querySelector("[type=search]");
const commands = document.getElementById("palette-commands");

const entries = () => [...palette.querySelectorAll("li:not([hidden]) > *")];
const entry = (element) => {
  const item = document.createElement("li");
  const button = document.createElement("button");
  const keys = document.createElement("kbd");
  keys.textContent = element.dataset.keys;
  button.append(nameOf(element), keys);
  button.addEventListener("click", () => {
    palette.close();
    element.click();
  });
  item.append(button);
  return item;
};
const narrow = () => {
  const words = field.value.toLowerCase().split(" ");
  for (const item of commands.children) {
    const label = item.textContent.toLowerCase();
    item.hidden = !words.every((word) => label.includes(word));
  }
};
// Where cases were found for other words than those that are written now, Enter searches for these instead.
const cases = document.getElementById("palette-cases");
let words = "";
cases?.addEventListener("htmx:afterSwap", ({ detail }) => (words = detail.requestConfig.parameters.q));
const isCurrent = (entry) => !cases.contains(entry) || words === field.value;
const open = () => {
  // What opens and leads somewhere. What changes a case is not to be hit by typing a name.
  const marked = [...document.querySelectorAll(":is(a, summary, button:not([type=submit]))[data-keys]")];
  const reachable = marked.filter((element) => element.checkVisibility() || element.closest(".menu"));
  commands.replaceChildren(...reachable.map(entry));
  narrow();
  palette.showModal();
  field.select();
};

document.addEventListener("keydown", (event) => {
  if (!palette || !(event.metaKey || event.ctrlKey) || keyOf(event)?.toLowerCase() !== "k") return;
  event.preventDefault();
  if (palette.open) palette.close();
  else open();
});
field?.addEventListener("input", narrow);
palette?.addEventListener("click", (event) => {
  if (event.target === palette) palette.close();
});
palette?.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const places = [field, ...entries()];
  if (step) places[places.indexOf(document.activeElement) + step]?.focus();
  else if (event.key === "Enter" && event.target === field && places[1] && isCurrent(places[1])) places[1].click();
  else return;
  event.preventDefault();
});
