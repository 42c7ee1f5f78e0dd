// ⌘K or Ctrl K: go to a case by a few letters, or to whatever has a key, without knowing the key. Loaded when it
// is first opened.

import { nameOf } from "./keys.js";

const palette = document.getElementById("palette");
const field = palette.querySelector("[type=search]");
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
cases.addEventListener("htmx:afterSwap", ({ detail }) => (words = detail.requestConfig.parameters.q));
const isCurrent = (entry) => !cases.contains(entry) || words === field.value;
export const fill = () => {
  // What opens and leads somewhere. What changes a case is not to be hit by typing a name.
  const marked = [...document.querySelectorAll(":is(a, summary, button:not([type=submit]))[data-keys]")];
  const reachable = marked.filter((element) => element.checkVisibility() || element.closest(".menu"));
  commands.replaceChildren(...reachable.map(entry));
  narrow();
};

field.addEventListener("input", narrow);
palette.addEventListener("click", (event) => {
  if (event.target === palette) palette.close();
});
palette.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const places = [field, ...entries()];
  if (step) places[places.indexOf(document.activeElement) + step]?.focus();
  else if (event.key === "Enter" && event.target === field && places[1] && isCurrent(places[1])) places[1].click();
  else return;
  event.preventDefault();
});
