// The decision form: its first field has the focus when it opens, Esc closes it, ⌘↵ (or Ctrl ↵)
// submits it. What was typed and chosen goes along when another outcome is chosen, or it opens again.

import { enabled } from "./keys.js";
import { tell, text } from "./texts.js";

const form = () => document.getElementById("decision-form");
let typed = {};
let opener = null;

const fields = () => form()?.querySelectorAll("textarea, select, input:not([type=hidden])") ?? [];
const nameOf = ({ type, name, value }) => (type === "checkbox" ? `${name} ${value}` : name);
// A draft that nobody touched is replaced by that of the next outcome.
const isDraft = (field) => field.type === "textarea" && field.value === field.defaultValue;
const remember = () => {
  for (const field of fields()) {
    if (isDraft(field)) delete typed[nameOf(field)];
    else typed[nameOf(field)] = field.type === "checkbox" ? field.checked : field.value;
  }
};
// A choice that a list no longer offers would leave the list without any.
const mayBe = (field, value) =>
  !field.matches("select") || [...field.options].some((option) => option.value === value);
const recall = () => {
  for (const field of fields()) {
    const value = typed[nameOf(field)];
    if (value === undefined) continue;
    if (field.type === "checkbox") field.checked = value && !field.disabled;
    else if (mayBe(field, value)) field.value = value;
  }
};

// Until the decision form has come, and until it has gone, what is typed is not for the page.
document.body.addEventListener("htmx:beforeRequest", ({ detail: { target } }) => {
  if (target.id === "decision") target.toggleAttribute("data-no-keys", true);
});
document.body.addEventListener("htmx:afterRequest", ({ detail: { target } }) => {
  if (target.id === "decision") document.getElementById("decision").removeAttribute("data-no-keys");
});

document.body.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id === "decision-form-obstacles") remember();
  if (event.detail.target.id !== "decision") return;
  if (form()) {
    remember();
    // The page came with the form: by a link, or by a key that was pressed before htmx was there.
    opener ??= `decide-${form().elements.outcome.value}`;
  } else opener = event.detail.requestConfig?.elt?.id ?? null;
});

// The form that is fetched knows a newer state than the rest of the page shows: it asks for what changed since the
// state of the page.
const showSameState = () => {
  const [poll, page] = ["decision-form-poll", "case-poll"].map((id) => document.getElementById(id));
  if (poll && page) poll.setAttribute("hx-headers", page.getAttribute("hx-headers"));
};

// Once it has settled, not before: until then its links are not htmx's, and a key would leave the page.
document.body.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target.id === "decision-form-obstacles") recall();
  showSameState();
  if (event.detail.target.id !== "decision") return;
  if (!form()) {
    document.getElementById(opener)?.focus();
    return;
  }
  recall();
  follow();
  // An item of the checklist that is open comes first: Space ticks it.
  const item = form().querySelector("[name=ticked]:not(:checked)");
  (item ?? form().querySelector(".outcome[aria-current]"))?.focus();
});

// The case that comes next: the following one of the list that was looked at. Whether it is opened
// is each person's choice, kept in this browser.
const CHOICE = "next-case";
const follow = () => {
  if (localStorage.getItem(CHOICE) !== "off") return;
  for (const choice of document.querySelectorAll("[data-next-case]")) choice.checked = false;
};
document.addEventListener("change", ({ target }) => {
  if (target.matches("[data-next-case]")) localStorage.setItem(CHOICE, target.checked ? "on" : "off");
});
document.addEventListener("submit", ({ target }) => {
  const field = target.elements.next_case;
  const link = document.querySelector('#case-pager [data-keys="]"][href]');
  if (field) field.value = link?.pathname.match(/\d+/)[0] ?? "";
});

// A key that is a shortcut, and no part of a command or of a word that is being composed.
const isShortcut = ({ metaKey, ctrlKey, altKey, isComposing }) =>
  enabled() && !(metaKey || ctrlKey || altKey || isComposing);

// What is written into: there a digit is a digit.
const WRITTEN = "textarea, select, input:not([type=checkbox], [type=radio])";

// A digit chooses a candidate of the field that has the focus, or a reason: of the decision, where no
// text has the focus, or of a dismissal or an override, while nothing is written yet.
const reasonsAt = (target) => {
  const candidates = target.closest("#findings li")?.querySelectorAll('[data-choice]:not([data-choice="0"])') ?? [];
  if (candidates.length && !target.closest("[data-typing]")) return candidates;
  if (target.matches("textarea[name=reason], [name=preset]")) {
    return target.value && target.matches("textarea") ? [] : target.form.querySelectorAll("[name=preset]");
  }
  if (!form() || target.closest(`${WRITTEN}, [popover], dialog`)) return [];
  return form().querySelectorAll("[name=reasons]:enabled");
};
// 0 says of the field that has the focus that the document states none. It comes before the viewer, where 0
// fits the page.
document.addEventListener("keydown", (event) => {
  if (event.key !== "0" || !isShortcut(event) || event.target.closest("[data-typing]")) return;
  const none = event.target.closest("#findings li:has(> .choice)")?.querySelector('[data-choice="0"]');
  if (!none) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  none.click();
}, true);
document.addEventListener("keydown", (event) => {
  // What is typed for a field that is still fetched is none.
  if (event.defaultPrevented || !/^[1-9]$/.test(event.key) || !isShortcut(event)) return;
  const reason = reasonsAt(event.target)[Number(event.key) - 1];
  if (!reason) return;
  event.preventDefault();
  reason.click();
});

document.addEventListener("keydown", (event) => {
  if (event.isComposing) return; // Escape ends the word that is being composed
  const drop = event.target.closest("details.pop[open]");
  if (event.key === "Escape" && drop) {
    drop.open = false;
    drop.querySelector("summary").focus();
    return;
  }
  const settling = event.target.closest(".dismissal form, #override form, .notes .write, .notes details form, .bar .pop form");
  if (settling && event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
    event.preventDefault();
    settling.requestSubmit();
    return;
  }
  if (!form()) return;
  if (event.key === "Escape" && !event.target.closest("[popover]")) {
    form().querySelector("[data-decision-form-cancel]").click();
  } else if (event.key === "Enter" && (event.metaKey || event.ctrlKey) && meansDecision(event.target)) {
    event.preventDefault();
    submit();
  } else if (event.key === "Enter" && event.target.closest("#decision-form input")) {
    event.preventDefault(); // a browser would send the form, and that decides
  }
});

// While the form is open the key decides from everywhere, also from a check or an item that was just settled
// beside it. Only what is written elsewhere is not for it.
const meansDecision = (target) =>
  form().contains(target) || !target.closest(`${WRITTEN}, [popover], dialog`);

// Where something stands in the way, the key says what, and leads there.
const submit = () => {
  const button = form().querySelector("#decision-form-submit");
  if (!button.disabled) return button.click();
  const obstacles = form().querySelector("#decision-form-obstacles");
  obstacles.scrollIntoView({ block: "nearest" });
  obstacles.querySelector(".refused a")?.focus();
  tell((obstacles.querySelector(".refused") ?? obstacles).textContent.trim().replace(/\s+/g, " "));
};

// A form without a reason is not sent: the server would refuse it, and the page would come again. The words
// name the key, and the focus is where it is pressed.
document.addEventListener("submit", (event) => {
  if (event.target.id !== "decision-form") return;
  const reasons = [...event.target.querySelectorAll("[name=reasons]:enabled")];
  if (!reasons.length || reasons.some((reason) => reason.checked)) return;
  event.preventDefault();
  tell(text("Choose at least one reason: press its digit."));
  reasons[0].focus();
});

follow();
(document.getElementById("decision-form-errors") ?? form()?.querySelector(".outcome[aria-current]"))?.focus();

// What stands in the way changes when a check is marked, here or by somebody else, and when another
// result comes.
const stale = () => document.getElementById("decision-form-obstacles")?.dispatchEvent(new CustomEvent("stale"));
document.body.addEventListener("htmx:oobAfterSwap", ({ detail: { target } }) => {
  if (target.id !== "decision-bar") return;
  follow();
  stale();
});
document.body.addEventListener("htmx:afterRequest", ({ detail: { elt, xhr } }) => {
  if (elt.id === "decision-form-poll" && xhr.status === 200) stale();
});

// Who may no longer decide, because a colleague did or escalated the case, is told so where they write:
// the form stays, with what was typed, and cannot be sent.
document.body.addEventListener("htmx:beforeSwap", ({ detail }) => {
  // Where the login has ended, live.js says so.
  if (detail.target.id !== "decision-form-obstacles" || detail.xhr.status !== 200 || !detail.shouldSwap) return;
  const page = new DOMParser().parseFromString(detail.serverResponse, "text/html");
  if (page.getElementById("decision-form-obstacles")) return;
  detail.shouldSwap = false;
  const bar = page.querySelector("#decision-bar > :is(.sealed, .row)")?.textContent.trim().replace(/\s+/g, " ") ?? "";
  const words = text("You can no longer decide this case: {reason}", { reason: bar });
  const note = document.createElement("p");
  note.className = "two-people refused";
  note.setAttribute("role", "alert");
  note.textContent = words;
  detail.target.replaceChildren(note);
  form().querySelector("#decision-form-submit").disabled = true;
  note.scrollIntoView({ block: "nearest" });
  tell(words);
});

// A mark that is refused comes back with the page as it is now, and with why.
document.body.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (![409, 422].includes(detail.xhr.status)) return;
  const page = new DOMParser().parseFromString(detail.serverResponse, "text/html");
  const words = [...page.querySelectorAll("#decision > .errors li")].map((fault) => fault.textContent.trim());
  if (!words.length) return;
  detail.shouldSwap = true;
  detail.isError = false;
  tell(words.join(" "));
});
