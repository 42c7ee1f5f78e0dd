// The open findings one by one: a key goes to the next, and each is settled by a key. What a key does
// here is what a button of the page does.

import { bind, hold, release, addToHelp } from "./keys.js";
import { text } from "./texts.js";
import { light } from "./viewer.js";

const all = () => [...document.querySelectorAll("#findings [data-open-finding]")];
// A check that a person has settled settles its findings.
const isOpen = () => document.querySelector("#checklist li > a[aria-current][data-open-check]") !== null;
const open = () => (isOpen() ? all() : []);
// The row of a finding; of a hit the line that opens it.
const rowOf = (finding) => {
  const row = document.getElementById(finding.dataset.openFinding);
  return row?.querySelector(":scope > summary") ?? row;
};
const chosen = () =>
  all().find((finding) => rowOf(finding) === document.activeElement || finding.contains(document.activeElement));

const tell = (words) => {
  const toast = document.createElement("p");
  toast.className = "toast";
  toast.textContent = words;
  document.getElementById("toasts").replaceChildren(toast);
};

const show = (finding) => {
  const row = rowOf(finding);
  row?.focus();
  row?.scrollIntoView({ block: "nearest" });
};

const tellNone = () => tell(text("This check is open and has no finding to go to: confirm it with ⇧ Y."));

// Behind the last finding of a check comes the next check that is open.
const WALK = "walk";
const next = () => {
  const findings = open();
  const finding = findings[findings.indexOf(chosen()) + 1];
  if (finding) return show(finding);
  const checks = [...document.querySelectorAll("#checklist li > a")];
  const now = checks.findIndex((check) => check.hasAttribute("aria-current"));
  const others = [...checks.slice(now + 1), ...checks.slice(0, Math.max(now, 0))];
  const check = others.find((other) => other.hasAttribute("data-open-check"));
  if (check) {
    sessionStorage.setItem(WALK, "on");
    check.click();
  } else if (findings.length) show(findings[0]);
  else if (isOpen()) tellNone();
  else tell(text("No finding is open."));
};
bind("f", next, text("Next open finding"));

const dismiss = () => {
  const link = chosen()?.querySelector(":scope > a");
  if (!link && isOpen() && !all().length) return tellNone();
  if (!link) return tell(text("Go to an open finding first: f."));
  hold();
  link.click();
};
bind("d", dismiss, text("Dismiss the finding"));

// The field that has the focus: another value is written for it. Its candidates: see decide.js.
const another = () => {
  const link = document.activeElement?.closest("#findings li:has(> .choice)")?.querySelector("[data-correct]");
  if (!link) return tell(text("Go to a field first: j."));
  hold();
  link.click();
};
if (document.querySelector("[data-correct]")) {
  bind("o", another, text("Write what the document states"));
}
if (document.querySelector("[data-choice]")) addToHelp("1…9", text("Choose a candidate of the field that has the focus"));
if (document.querySelector('[data-choice="0"]')) addToHelp("0", text("The document states none"));
document.body.addEventListener("htmx:afterSettle", ({ detail: { elt } }) => {
  const field = elt.closest?.(".dismissal, .choice")?.querySelector("textarea, input[name=value]");
  if (field) release(field);
});

// The items of the checklist: the first that a decision waits for has the focus, Enter ticks it.
const item = () =>
  document.querySelector("#own-checklist [data-open-item] button[value=ticked]") ??
  document.querySelector("#own-checklist .items button[value=ticked]") ??
  document.getElementById("own-checklist");
const checklist = () => {
  if (item()) item().focus();
  else document.getElementById("panel-checklist").click();
};
if (document.getElementById("panel-checklist")) bind("y", checklist, text("Go to the checklist"));
document.body.addEventListener("htmx:afterSettle", ({ detail: { target } }) => {
  if (target.id === "panel") item()?.focus();
});

// With Shift, so that no word that is typed by mistake signs off a check.
const confirm = () => {
  const tick = document.querySelector('#checklist a[aria-current] + .tick[aria-pressed="false"]');
  if (!tick) return tell(text("This check is not open."));
  tick.click();
};
bind("Y", confirm, text("Confirm: the check is reviewed, its result stays"));

// The page opens beside the worst finding; who walked here goes on with the keys.
const first = open()[0];
const walks = sessionStorage.getItem(WALK) === "on";
sessionStorage.removeItem(WALK);
if (walks && first) show(first);
else if (walks) {
  document.getElementById("findings-scroll")?.focus();
  if (isOpen()) tellNone();
} else if (first && !location.search && !location.hash) light(first.dataset.openFinding, { scroll: true });
