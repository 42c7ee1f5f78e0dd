// Keeps the reader's place while the page of a running case refreshes itself: a region that did
// not change is left alone, and one that did keeps its open details, what was typed and chosen in it, the
// form of a finding that was opened, and its scroll position.
// (htmx itself gives the focus back to the element of the same id.)

const REGIONS = "#case-head, #checklist, #doc-tabs, #thumbs, .overlay, #findings";
const shown = new Map();
let state = null;

for (const region of document.querySelectorAll(REGIONS)) shown.set(region.id, region.outerHTML);

// What a person changed in a field: each by its own id or that of the nearest element that has one.
const nameOf = ({ type, name, value }) =>
  ["checkbox", "radio"].includes(type) ? `[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]` : `[name="${CSS.escape(name)}"]`;
const isChanged = (field) => {
  if (field.matches("select")) return [...field.options].some((option) => option.selected !== option.defaultSelected);
  if (["checkbox", "radio"].includes(field.type)) return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
};
const typedIn = (region) =>
  [...region.querySelectorAll(":is(textarea, select, input:not([type=hidden], [type=file]))[name]")]
    .filter(isChanged)
    .map((field) => ({ home: field.closest("[id]").id, name: nameOf(field), value: field.value, checked: field.checked }));
const restore = ({ home, name, value, checked }) => {
  const element = document.getElementById(home);
  const field = element?.matches(name) ? element : element?.querySelector(name);
  if (!field) return;
  if (["checkbox", "radio"].includes(field.type)) field.checked = checked;
  else field.value = value;
};
// The page that is fetched knows no form of a finding that was opened here.
const opened = (region) => [...region.querySelectorAll(":is(.dismissal, .choice)[id]:has(form[data-typing])")];
const putBack = (form) => {
  const fresh = document.getElementById(form.id);
  if (fresh && !fresh.querySelector("form[data-typing]")) fresh.replaceWith(form);
};

// An item that is ticked brings its whole panel anew: what was typed beside it stays.
let beside = [];
document.body.addEventListener("htmx:beforeSwap", ({ detail: { target, requestConfig } }) => {
  if (target.id !== "panel") return;
  const form = requestConfig?.elt?.closest("#own-checklist form");
  beside = form ? typedIn(target).filter(({ home }) => !form.contains(document.getElementById(home))) : [];
});
document.body.addEventListener("htmx:afterSettle", ({ detail: { target } }) => {
  if (target.id !== "panel") return;
  beside.forEach(restore);
  beside = [];
});

const refreshed = () => document.dispatchEvent(new CustomEvent("case:refreshed"));

document.body.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { target, fragment } = event.detail;
  const fresh = fragment.firstElementChild;
  if (!fresh || target.id === "case-poll") return;
  if (shown.get(target.id) === fresh.outerHTML) {
    event.detail.shouldSwap = false;
    return;
  }
  shown.set(target.id, fresh.outerHTML);
  const scroller = target.closest(".body, .checks, .canvas");
  state = {
    id: target.id,
    typed: typedIn(target),
    opened: opened(target),
    focused: document.activeElement,
    open: [...target.querySelectorAll("details[open][id]")].map((details) => details.id),
    scroller,
    top: scroller?.scrollTop,
  };
});

document.body.addEventListener("htmx:oobAfterSwap", () => {
  if (!state) return;
  state.typed.forEach(restore);
  state.opened.forEach(putBack);
  for (const id of state.open) document.getElementById(id)?.setAttribute("open", "");
  if (state.opened.some((form) => form.contains(state.focused))) state.focused.focus({ preventScroll: true });
  if (state.scroller) state.scroller.scrollTop = state.top;
  state = null;
  refreshed();
});
// When it settles, htmx takes back the classes that were set since the swap.
document.body.addEventListener("htmx:afterSettle", refreshed);
