// Keyboard shortcuts. An element says its keys itself: data-keys="g q" clicks (or, for a field,
// focuses) it. j and k move between the elements marked data-row. Pages add their own by bind().

const acts = new Map();
let prefix = "";
let prefixTimer;

/**
 * Run `act` when `keys` ("n", "A" with Shift, or "g q" in a row) are pressed. With words for what it
 * `does`, the help lists it.
 */
export const bind = (keys, act, does = "") => acts.set(keys, { act, does });

/** What an element with keys is called, without those that it shows. */
export const nameOf = (element) =>
  element.getAttribute("aria-label") ?? element.textContent.replace(/⇧.$/, "").trim();

const enabled = () => localStorage.getItem("single-keys") !== "off";
const typing = (target) => target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]");

const move = (step) => {
  const rows = [...document.querySelectorAll("[data-row]")].filter((row) => row.checkVisibility());
  if (!rows.length) return;
  const at = rows.findIndex((row) => row === document.activeElement || row.contains(document.activeElement));
  const next = rows[Math.max(0, Math.min(rows.length - 1, at + step))] ?? rows[0];
  next.focus();
  next.scrollIntoView({ block: "nearest" });
};
bind("j", () => move(1));
bind("k", () => move(-1));

const perform = (keys) => {
  const element = document.querySelector(`[data-keys="${CSS.escape(keys)}"]`);
  if (element) {
    if (element.matches("input, select, textarea")) element.focus();
    else element.click();
    return true;
  }
  const bound = acts.get(keys);
  bound?.act();
  return Boolean(bound);
};

document.addEventListener("keydown", (event) => {
  if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return;
  if (typing(event.target) || event.target.closest("dialog, [popover]") || !enabled()) return;
  const keys = prefix + event.key;
  prefix = "";
  clearTimeout(prefixTimer);
  if (perform(keys)) {
    event.preventDefault();
  } else if (event.key === "g") {
    prefix = "g ";
    prefixTimer = setTimeout(() => (prefix = ""), 1000);
  }
});

// A form that opens is there to be filled in; without the focus, what is typed would be shortcuts.
document.addEventListener("click", ({ target }) => {
  const drop = target.closest("summary")?.parentElement;
  if (!drop || drop.open) return;
  setTimeout(() => drop.querySelector("form :is(input:not([type=hidden]), select, textarea)")?.focus());
});

const toggle = document.getElementById("single-keys");
if (toggle) {
  toggle.checked = enabled();
  toggle.addEventListener("change", () => {
    localStorage.setItem("single-keys", toggle.checked ? "on" : "off");
  });
}

// The help lists what the page itself says of its keys.
const help = document.getElementById("page-shortcuts");
const make = (name, ...inside) => {
  const element = document.createElement(name);
  element.append(...inside);
  return element;
};
const entry = ([does, keys]) =>
  make("div", make("dt", does), make("dd", ...keys.split(" ").map((key) => make("kbd", key))));
help?.closest("[popover]").addEventListener("beforetoggle", (event) => {
  if (event.newState !== "open") return;
  const marked = [...document.querySelectorAll(":is(main, .top nav) [data-keys]")].map((element) => [
    nameOf(element),
    element.dataset.keys,
  ]);
  const bound = [...acts].filter(([, { does }]) => does).map(([keys, { does }]) => [does, keys]);
  const entries = [...marked, ...bound];
  help.hidden = !entries.length;
  help.replaceChildren(help.firstElementChild, make("dl", ...entries.map(entry)));
});
