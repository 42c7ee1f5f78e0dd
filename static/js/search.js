// The search box of every page: cases as one types, chosen by arrows. Enter without a choice searches
// as the form does without this module.

import { keyOf } from "./keys.js";
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

// The palette opens at once, so that no letter goes to the page behind it. What fills it is loaded then.
const palette = document.getElementById("palette");
document.addEventListener("keydown", async (event) => {
  if (!palette || !(event.metaKey || event.ctrlKey) || keyOf(event)?.toLowerCase() !== "k") return;
  event.preventDefault();
  if (palette.open) return palette.close();
  palette.showModal();
  palette.querySelector("[type=search]").select();
  (await import("./palette.js")).fill();
});
