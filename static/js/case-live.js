// Keeps the reader's place while the page of a running case refreshes itself: a region that did
// not change is left alone, and one that did keeps its open details, what was typed and chosen in it, the
// form of a finding that was opened, and its scroll position.
// (htmx itself gives the focus back to the element of the same id.)

const REGIONS = "#case-head, #checklist, #doc-tabs, #thumbs, .overlay, #findings";
const shown = new Map();
let state = null;

for (const region of document.querySelectorAll(REGIONS)) shown.set(region.id, region.outerHTML);

// The fields that a person changed.
const isChanged = ({ options, value, defaultValue, checked, defaultChecked }) =>
  options ? [...options].some((option) => option.selected !== option.defaultSelected) : value !== defaultValue || checked !== defaultChecked;
const typedIn = (region) => [...region.querySelectorAll(":is(textarea, select, input:not([type=file]))[id]")].filter(isChanged);
const restore = ({ id, value, checked }) => {
  const field = document.getElementById(id);
  if (field) Object.assign(field, { value, checked });
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
  beside = form ? typedIn(target).filter((field) => !form.contains(field)) : [];
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

// Says every now and then that this page is being looked at, and shows who else looks at it.
const EVERY = 20_000;
const place = document.getElementById("presence");

// What a colleague has changed meanwhile comes along. Where the decision form is open, it asks itself.
const here = () => {
  place.dispatchEvent(new CustomEvent("here"));
  if (!document.getElementById("decision-form")) {
    document.getElementById("case-poll")?.dispatchEvent(new CustomEvent("here"));
  }
};
if (place) {
  setInterval(() => document.hidden || here(), EVERY);
  document.addEventListener("visibilitychange", () => document.hidden || here());
  addEventListener("pagehide", () => {
    const form = new FormData();
    form.set("gone", "1");
    form.set("csrfmiddlewaretoken", JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"]);
    navigator.sendBeacon(place.getAttribute("hx-post"), form);
  });
}
