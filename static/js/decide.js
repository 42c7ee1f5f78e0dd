// The decision sheet: its first field has the focus when it opens, Esc closes it, ⌘↵ (or Ctrl ↵)
// submits it. What was typed goes along when another outcome is chosen.

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
