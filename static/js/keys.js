// Keyboard shortcuts. An element says its keys itself: data-keys="g q" clicks (or, for a field,
// focuses) it. j and k move between the elements marked data-row. Pages add their own by bind().

import { text } from "./texts.js";

const acts = new Map();
let prefix = "";
let prefixTimer;

/**
 * Run `act` when `keys` ("n", "A" with Shift, or "g q" in a row) are pressed. With words for what it
 * `does`, the help lists it.
 */
export const bind = (keys, act, does = "") => acts.set(keys, { act, does });

// Keys that other listeners act on: the help lists them, too.
const otherKeys = [];
export const addToHelp = (keys, does) => otherKeys.push([does, keys]);

/** What an element with keys is called, without the keys and the count that it shows. */
export const nameOf = (element) => {
  const copy = element.cloneNode(true);
  for (const extra of copy.querySelectorAll("kbd, .count")) extra.remove();
  return element.getAttribute("aria-label") ?? copy.textContent.trim();
};

/** Keys as they stand on a keyboard: "A" is Shift and a. */
const caps = (keys) => {
  if (keys === " ") return [help.dataset.space];
  return keys.split(" ").map((key) => (/^[A-Z]$/.test(key) ? `⇧ ${key}` : key));
};

// A layout without Latin letters (Arabic, Greek, Cyrillic) has others on the same keys.
const SIGNS = { BracketLeft: "[", BracketRight: "]", Slash: "/" };
/** The key of an event as the page names it. */
export const keyOf = ({ key, code, shiftKey }) => {
  if (!key || /^[\x20-\x7e\p{Script=Latin}]/u.test(key)) return key;
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter) return shiftKey ? letter : letter.toLowerCase();
  return (!shiftKey && SIGNS[code]) || key;
};
// AltGr, which writes "[" on many layouts, is Ctrl and Alt at once on some machines.
const isCommand = (event) =>
  event.metaKey || ((event.ctrlKey || event.altKey) && !event.getModifierState("AltGraph"));

/** Whether single keys are shortcuts: who writes by speech switches them off. */
export const enabled = () => localStorage.getItem("single-keys") !== "off";
// In a form that is there to be written into, a button or a checkbox is one Tab from the words.
const typing = (target) =>
  target.closest("input:not([type=checkbox]), textarea, select, [contenteditable], details form, [data-typing]");

// While a field to write into is fetched, what is typed waits for it: here it would be shortcuts.
let waiting = null;

/** Keep what is typed from now on, until the field that it is meant for is there. */
export const hold = () => {
  waiting = { text: "", timer: setTimeout(() => release(null), 5000) };
};

/** Give what was typed meanwhile to `field`, or to nobody where it did not come. */
export const release = (field) => {
  if (!waiting) return;
  const { text, timer } = waiting;
  clearTimeout(timer);
  waiting = null;
  if (!field) return;
  field.focus();
  if (text) field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
};

// Once a link was followed, what is typed is for the page to come, and this one is still here.
const WAIT = 5000;
let left = -Infinity;
addEventListener("beforeunload", ({ timeStamp }) => (left = timeStamp));
addEventListener("pageshow", () => (left = -Infinity));

// Held down, these go on. What changes something happens once, however long its key is held.
const REPEAT = "jkJKnNhl,.+-=";

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

const make = (name, ...inside) => {
  const element = document.createElement(name);
  element.append(...inside);
  return element;
};

// What a key must not do by itself is asked for. Neither letters nor space nor Enter agree.
const ask = (element) => {
  const [no, yes] = [make("button", text("Cancel")), make("button", text("Mark as reviewed"))];
  no.className = "btn";
  yes.className = "btn primary";
  yes.value = "yes";
  no.autofocus = true;
  const form = make("form", make("p", element.dataset.ask), no, yes);
  form.method = "dialog";
  const dialog = make("dialog", form);
  dialog.className = "question";
  dialog.setAttribute("aria-label", element.dataset.ask);
  dialog.addEventListener("close", () => {
    dialog.remove();
    // The page may have been refreshed while the question stood.
    if (dialog.returnValue === "yes") (document.getElementById(element.id) ?? element).click();
  });
  document.body.append(dialog);
  dialog.showModal();
};

// A form that opens is there to be filled in; without the focus, what is typed would be shortcuts.
const enter = (drop) =>
  drop.open && drop.querySelector("form :is(input:not([type=hidden]), select, textarea)")?.focus();

const perform = (keys) => {
  const element = document.querySelector(`[data-keys="${CSS.escape(keys)}"]`);
  if (element) {
    if (element.matches("input, select, textarea")) element.focus();
    else if (element.dataset.ask) ask(element);
    else {
      // What it opens gives the focus back to it.
      if (element.matches("[popovertarget]")) element.focus();
      element.click();
      // At once: the next key may be waiting already.
      if (element.matches("summary")) enter(element.parentElement);
    }
    return true;
  }
  const bound = acts.get(keys);
  bound?.act();
  return Boolean(bound);
};

// The key that opened a field, held or pressed twice, is no text of this field. In milliseconds; who
// types takes no less between two keys of one finger.
const TWICE = 200;
let opener = { key: "", at: -Infinity };

document.addEventListener("keydown", (event) => {
  if (isCommand(event) || event.isComposing) return;
  const isOpener = event.key === opener.key && (event.repeat || event.timeStamp - opener.at < TWICE);
  if (isOpener && (waiting || typing(event.target))) {
    event.preventDefault();
    return;
  }
  opener.key = "";
  if (waiting) {
    if (event.key.length === 1) waiting.text += event.key;
    event.preventDefault();
    return;
  }
  if (document.querySelector("[data-no-keys], dialog[open], :popover-open")) return;
  if (typing(event.target) || event.target.closest("[popover]") || !enabled()) return;
  // Space is the browser's own key for what it presses or ticks.
  if (event.key === " " && event.target.closest("button, summary, input")) return;
  const key = keyOf(event);
  if (event.timeStamp - left < WAIT || (event.repeat && !REPEAT.includes(key))) return;
  const keys = prefix + key;
  prefix = "";
  clearTimeout(prefixTimer);
  if (perform(keys)) {
    event.preventDefault();
    opener = { key: event.key, at: event.timeStamp };
  } else if (key === "g") {
    prefix = "g ";
    prefixTimer = setTimeout(() => (prefix = ""), 1000);
  }
});

document.addEventListener("click", ({ target }) => {
  const drop = target.closest("summary")?.parentElement;
  // A key may have led to a field of it meanwhile, and somebody may type there.
  if (drop && !drop.open) setTimeout(() => drop.querySelector("form :focus") ?? enter(drop));
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
const entry = ([does, keys]) =>
  make("div", make("dt", does), make("dd", ...caps(keys).map((key) => make("kbd", key))));
help?.closest("[popover]").addEventListener("beforetoggle", (event) => {
  if (event.newState !== "open") return;
  const marked = [...document.querySelectorAll(":is(main, .top nav) [data-keys]")].map((element) => [
    nameOf(element),
    element.dataset.keys,
  ]);
  const bound = [...acts].filter(([, { does }]) => does).map(([keys, { does }]) => [does, keys]);
  // Two buttons may do the same: one of the row, one of the case beside it.
  const entries = [...new Map([...marked, ...bound, ...otherKeys].map((pair) => [pair.join(), pair])).values()];
  help.hidden = !entries.length;
  help.replaceChildren(help.firstElementChild, make("dl", ...entries.map(entry)));
});
