// The keys of a case: for a note, from finding to finding, from check to check, through the checklist, and to
// the case that comes next in the queue. What a key does here is what a button of the page does.

import { addToHelp, bind, hold, release } from "./keys.js";
import { tell, text } from "./texts.js";
import { light, reveal } from "./viewer.js";

// A note is written from wherever one is: where no field for it is shown, the tab with one is opened.
const note = () => [...document.querySelectorAll("#note")].find((field) => field.checkVisibility());
const tab = () => document.querySelector("#panel-activity[data-notes]");
const write = () => {
  if (note()) return note().focus();
  hold();
  tab().click();
};
if (tab()) bind("m", write, text("Write a note"));
document.body.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target.id === "panel" && note()) release(note());
});
for (const failure of ["htmx:responseError", "htmx:sendError"]) {
  document.body.addEventListener(failure, () => release(null));
}

// A file that would be refused is told of when it is chosen: nothing is sent, and nothing is lost.
document.body.addEventListener("change", async ({ target }) => {
  if (target.id !== "note-files") return;
  const { maxBytes, types } = target.dataset;
  const judged = [...target.files].map(async (file) => {
    const { faultOf } = await import("./files.js");
    const words = await faultOf(file, Number(maxBytes), types);
    return words && `${file.name}: ${words}`;
  });
  target.setCustomValidity((await Promise.all(judged)).filter(Boolean).join(" "));
  target.reportValidity();
});

const checks = () => [...document.querySelectorAll("#checklist li > a")];
const isShown = (check) => check.hasAttribute("aria-current");

// The open findings one by one: a key goes to the next, and each is settled by a key.
const all = () => [...document.querySelectorAll("#findings [data-open-finding]")];
// A check that a person has settled settles its findings.
const isOpen = () => checks().some((check) => isShown(check) && check.hasAttribute("data-open-check"));
const open = () => (isOpen() ? all() : []);
// The row of a finding; of a hit the line that opens it.
const rowOf = (finding) => {
  const row = document.getElementById(finding.dataset.openFinding);
  return row?.querySelector(":scope > summary") ?? row;
};
const chosen = () =>
  all().find((finding) => rowOf(finding) === document.activeElement || finding.contains(document.activeElement));

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
  const now = checks().findIndex(isShown);
  const others = [...checks().slice(now + 1), ...checks().slice(0, Math.max(now, 0))];
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

// Lists that scroll, of checks, documents and tabs, open at what is shown.
document.querySelectorAll("#checklist li > [aria-current], .tabs > [aria-current]").forEach(reveal);

// The page opens beside the worst finding; who walked here goes on with the keys.
const first = open()[0];
const walks = sessionStorage.getItem(WALK) === "on";
sessionStorage.removeItem(WALK);
if (walks && first) show(first);
else if (walks) {
  document.getElementById("findings-scroll")?.focus();
  if (isOpen()) tellNone();
} else if (first && !location.search && !location.hash) light(first.dataset.openFinding, { scroll: true });

// The cases of the queue as it was when one of them was opened: the one before, the next one, and the
// way back to the same list. And n, N: the checks of this case one by one.
const { back, ids } = JSON.parse(sessionStorage.getItem("queue") ?? '{"back":"","ids":[]}');
const pager = document.getElementById("case-pager");
const at = ids.indexOf(location.pathname.match(/\d+/)[0]);
if (at >= 0) {
  document.querySelector(".crumbs a").search = back;
  const [place, ...links] = pager.children;
  place.textContent = text("{number} of {count}", { number: at + 1, count: ids.length });
  for (const [n, link] of links.entries()) {
    const id = ids[at + (n ? 1 : -1)];
    if (id) link.href = `/cases/${id}/`;
    else link.remove();
  }
  pager.hidden = false;
}

const step = (by) => checks()[checks().findIndex(isShown) + by]?.click();
bind("n", () => step(1), text("Next check"));
bind("N", () => step(-1), text("Previous check"));
