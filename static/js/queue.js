// The queue by keyboard: select rows, look at a case beside the list, act on what is selected.

import { bind } from "./keys.js";
import { text } from "./texts.js";

const page = document.querySelector(".queue");
const peek = document.getElementById("peek");
const wide = matchMedia("(min-width: 1560px)");
const boxes = () => [...document.querySelectorAll("#queue-rows .sel input")];
const rowOf = (element) => element?.closest("tr[data-case]");
const current = () => rowOf(document.activeElement);

const count = () => {
  const chosen = boxes().filter((box) => box.checked).length;
  const label = document.getElementById("selected");
  if (label) label.textContent = chosen ? text("{count} selected", { count: chosen }) : "";
  const all = document.getElementById("select-all");
  if (all) {
    all.checked = chosen > 0 && chosen === boxes().length;
    all.indeterminate = chosen > 0 && !all.checked;
  }
};
const select = (row, on) => {
  const box = row?.querySelector(".sel input");
  if (!box) return;
  box.checked = on ?? !box.checked;
  count();
};
const step = (direction) => {
  const row = current();
  const next = direction > 0 ? row?.nextElementSibling : row?.previousElementSibling;
  select(row, true);
  if (!next) return;
  select(next, true);
  next.querySelector("[data-row]").focus();
};
bind("x", () => select(current()), text("Select the case"));
bind("J", () => step(1), text("Select downwards"));
bind("K", () => step(-1), text("Select upwards"));

document.addEventListener("change", ({ target }) => {
  if (target.id === "select-all") for (const box of boxes()) box.checked = target.checked;
  if (target.closest?.("#queue-rows")) count();
});

// A look at the case: beside the list where there is room, over it on Space.
let shown = "";
let wait;
// The case that is taken as soon as its peek is here.
let taking = "";
const peeked = () => peek.querySelector("[data-peek]")?.dataset.peek;
const look = (row) => {
  if (!row || row.dataset.case === shown || (taking && row.dataset.case !== taking)) return;
  shown = row.dataset.case;
  window.htmx.ajax("GET", `/cases/${shown}/peek/`, { target: peek, swap: "innerHTML" });
};
// What did not come can be asked for again, and nothing is taken by a later peek.
for (const failure of ["htmx:responseError", "htmx:sendError"]) {
  document.body.addEventListener(failure, ({ detail }) => {
    if (detail.target === peek) shown = taking = "";
  });
}
const close = () => page.classList.remove("peeking");
bind(" ", () => {
  const row = current();
  if (!row) return;
  look(row);
  if (!wide.matches) page.classList.toggle("peeking");
}, text("Look at the case"));
bind("Escape", close);
document.addEventListener("focusin", ({ target }) => {
  const row = rowOf(target);
  if (!row || !(wide.matches || page.classList.contains("peeking"))) return;
  clearTimeout(wait);
  wait = setTimeout(() => look(row), 120);
});

// i takes the case under the cursor: the form of its peek, once that is here. The peek may still show
// another case.
const take = () => {
  if (!taking || peeked() !== taking) return;
  taking = "";
  peek.querySelector("form")?.requestSubmit();
};
peek.addEventListener("htmx:afterSettle", take);
bind("i", () => {
  const row = current();
  taking = row?.dataset.case ?? (peek.checkVisibility() ? peeked() : "") ?? "";
  if (peeked() === taking) take();
  else look(row);
}, text("Take the case"));

// Where no row has the focus, Enter opens the first one: the most urgent.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing || event.repeat || event.target !== document.body) return;
  document.querySelector("#queue-rows [data-row]")?.click();
});

// A case knows its neighbours, and the way back: where it stood in the list when it was opened.
document.addEventListener("click", ({ target }) => {
  if (!target.closest("[data-row], .peek a")) return;
  const ids = [...document.querySelectorAll("tr[data-case]")].map((row) => row.dataset.case);
  // Without the search: it ends with the login, and this storage outlives it.
  const filters = new URLSearchParams(location.search);
  filters.delete("sealed");
  const back = filters.size ? `?${filters}` : "";
  sessionStorage.setItem("queue", JSON.stringify({ back, ids }));
}, true);

// The list is drawn anew while somebody selects: what was selected stays so.
let checkedValues = new Set();
document.body.addEventListener("htmx:beforeSwap", () => {
  checkedValues = new Set(boxes().filter((box) => box.checked).map((box) => box.value));
});
document.body.addEventListener("htmx:afterSwap", () => {
  for (const box of boxes()) if (checkedValues.has(box.value)) box.checked = true;
  count();
});

document.addEventListener("click", ({ target }) => {
  for (const drop of document.querySelectorAll(".tool[open]")) if (!drop.contains(target)) drop.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing) return;
  close();
  for (const drop of document.querySelectorAll(".tool[open]")) {
    drop.open = false;
    drop.querySelector("summary").focus();
  }
});
count();
