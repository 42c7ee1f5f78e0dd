// Keeps the reader's place while the page of a running case refreshes itself: a region that did
// not change is left alone, and one that did keeps its open details, what was typed into it, and its
// scroll position.
// (htmx itself gives the focus back to the element of the same id.)

const REGIONS = "#case-head, #checklist, #doc-tabs, #thumbs, .overlay, #findings";
const shown = new Map();
let state = null;

for (const region of document.querySelectorAll(REGIONS)) shown.set(region.id, region.outerHTML);

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
    typed: [...target.querySelectorAll(":is(textarea, select)[id]")].map(({ id, value }) => [id, value]),
    open: [...target.querySelectorAll("details[open][id]")].map((details) => details.id),
    scroller,
    top: scroller?.scrollTop,
  };
});

document.body.addEventListener("htmx:oobAfterSwap", () => {
  if (!state) return;
  for (const [id, value] of state.typed) {
    const field = document.getElementById(id);
    if (field) field.value = value;
  }
  for (const id of state.open) document.getElementById(id)?.setAttribute("open", "");
  if (state.scroller) state.scroller.scrollTop = state.top;
  state = null;
  refreshed();
});
// When it settles, htmx takes back the classes that were set since the swap.
document.body.addEventListener("htmx:afterSettle", refreshed);
