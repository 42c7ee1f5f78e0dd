// The document viewer: a finding's row and its boxes light up together, pages zoom and turn, in one
// document or two side by side. All of it decorates links and images that work without this module.

import { bind } from "./keys.js";
import { text } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/* ---------- a finding and its boxes ---------- */

let lit = null;

const boxesOf = (ref) => $$(`.overlay .evidence[data-evidence="${CSS.escape(ref)}"]`);

const clear = () => {
  for (const element of $$(".selected[data-evidence]")) element.classList.remove("selected");
  for (const spot of $$(".spot[d]")) spot.removeAttribute("d");
  for (const flag of $$(".flag")) flag.remove();
  lit = null;
};

// Everything but the boxes is dimmed: one path with holes.
const dim = (ov, rects) => {
  const { width, height } = ov.viewBox.baseVal;
  const holes = rects.map((rect) => {
    const [x, y, w, h] = ["x", "y", "width", "height"].map((name) => Number(rect.getAttribute(name)));
    return `M${x} ${y}h${w}v${h}h${-w}z`;
  });
  $(".spot", ov).setAttribute("d", `M0 0H${width}V${height}H0z${holes.join("")}`);
};

const flag = (group) => {
  const ov = group.ownerSVGElement;
  const [x, y] = ["x", "y"].map((name) => Number($(".box", group).getAttribute(name)));
  const label = document.createElement("span");
  label.className = `flag ${group.classList[1] ?? ""}`;
  label.textContent = group.getAttribute("aria-label");
  label.style.left = `${Math.min(x / 10, 70)}%`;
  label.style.top = `${(y / ov.viewBox.baseVal.height) * 100}%`;
  label.setAttribute("aria-hidden", "true");
  ov.parentElement.append(label);
};

export const light = (ref, { scroll = false } = {}) => {
  if (ref === lit) return;
  clear();
  lit = ref;
  document.getElementById(ref)?.classList.add("selected");
  const groups = boxesOf(ref);
  for (const group of groups) {
    group.classList.add("selected");
    dim(group.ownerSVGElement, $$(".box", group));
  }
  // Of each document the first place.
  for (const pane of $$("[data-pane]")) {
    const first = groups.find((group) => pane.contains(group));
    if (!first) continue;
    flag(first);
    if (scroll) reveal($(".box", first));
  }
};

// Scrolls the list alone: scrollIntoView would move the page, too.
export const reveal = (item) => {
  const list = item.closest(".canvas, .checks, .tabs, .thumbs");
  const [i, l] = [item.getBoundingClientRect(), list.getBoundingClientRect()];
  if (i.top < l.top + 40 || i.bottom > l.bottom - 80) list.scrollTop += i.top - l.top - l.height / 3;
  if (i.left < l.left || i.right > l.right) list.scrollLeft += i.left - l.left - 40;
};

const ROWS = ".comparison[data-evidence], .finding[data-evidence], .candidate[data-evidence]";
let hovering;
let place = "";
const placeOf = (event) => `${event.screenX},${event.screenY}`;
document.addEventListener("pointermove", (event) => (place = placeOf(event)));
document.addEventListener("pointerover", (event) => {
  // A resting pointer says nothing when rows move beneath it, as when they are walked by keys.
  if (placeOf(event) === place) return;
  clearTimeout(hovering);
  const target = event.target.closest?.("[data-evidence]");
  // A pointer that only passes by does not make the page jump.
  if (target) hovering = setTimeout(() => light(target.dataset.evidence, { scroll: target.matches(ROWS) }), 60);
});
document.addEventListener("focusin", (event) => {
  const target = event.target.closest?.("[data-evidence]");
  if (!target) return;
  light(target.dataset.evidence, { scroll: target.matches(ROWS) });
  // Where the findings stand below the pages, their row would take the box out of sight.
  const row = target.matches(ROWS) ? null : document.getElementById(target.dataset.evidence);
  const panel = row?.closest(".body");
  if (panel && panel.scrollHeight > panel.clientHeight) row.scrollIntoView({ block: "nearest" });
});
document.addEventListener("click", (event) => {
  const target = event.target.closest?.("a[data-evidence]");
  // A place of the other document that this one says nothing of: its link leads there.
  if (!target || !(target.matches(ROWS) || document.getElementById(target.dataset.evidence))) return;
  event.preventDefault(); // the address would otherwise collect every look at a box
  lit = null;
  light(target.dataset.evidence, { scroll: target.matches(ROWS) });
  if (!target.matches(ROWS)) document.getElementById(target.dataset.evidence)?.focus();
});
const forget = () => {
  clear();
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
};
bind("Escape", forget, text("Show all evidence alike"));

/* ---------- pages ---------- */

let zoom = 1;
// Of two documents, the one that was last clicked or has the focus.
let used;
const active = () => (used?.isConnected ? used : $(".canvas"));
const use = ({ target }) => {
  const canvas = target.closest?.("[data-pane]")?.querySelector(".canvas");
  if (!canvas || canvas === used) return;
  used = canvas;
  arrive(current());
};
document.addEventListener("pointerdown", use);
document.addEventListener("focusin", use);

const setZoom = (to) => {
  zoom = Math.min(5, Math.max(0.2, to));
  $("#zoom").textContent = `${Math.round(zoom * 100)}%`;
  for (const canvas of $$(".canvas")) {
    const middle = (canvas.scrollTop + canvas.clientHeight / 2) / canvas.scrollHeight;
    $(".sheets", canvas).style.setProperty("--zoom", zoom);
    canvas.scrollTop = middle * canvas.scrollHeight - canvas.clientHeight / 2;
  }
};

const current = () => Number(active()?.dataset.page ?? 1);
const sheet = (number) => $(`.sheet[data-page="${number}"]`, active());

const go = (number) => {
  const target = sheet(number);
  if (!target) return;
  const canvas = active();
  canvas.scrollTop += target.getBoundingClientRect().top - canvas.getBoundingClientRect().top - 14;
  arrive(number);
};

const arrive = (number, canvas = active()) => {
  canvas.dataset.page = number;
  for (const text of $$("[data-text]")) {
    if (text.closest(".heading") && !canvas.parentElement.contains(text)) continue;
    text.href = text.href.replace(/\d+(?=\/text\/$)/, number);
  }
  if (canvas !== active()) return;
  $("#page-number").textContent = `${number} / ${$$(".sheet", canvas).length}`;
  for (const thumb of $$(".thumbs a")) {
    const here = thumb.hash === `#page-${number}`;
    if (here === thumb.hasAttribute("aria-current")) continue;
    thumb.ariaCurrent = here || null;
    if (here) reveal(thumb);
  }
};

const turn = () => {
  const target = sheet(current());
  const image = $("img", target);
  target.dataset.turned = (Number(target.dataset.turned ?? 0) + 90) % 360;
  target.style.setProperty("--turned", image.getAttribute("height") / image.getAttribute("width"));
};

const fit = () => {
  const image = $("img", sheet(current()));
  const canvas = active();
  const ratio = image.getAttribute("height") / image.getAttribute("width");
  setZoom((canvas.clientHeight - 92) / ((canvas.clientWidth - 32) * ratio));
  go(current());
};

const showBoxes = () => {
  const button = $('[data-view="boxes"]');
  const on = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", on);
  for (const overlay of $$(".overlay")) overlay.classList.toggle("noboxes", !on);
};

const views = {
  previous: () => go(current() - 1),
  next: () => go(current() + 1),
  in: () => setZoom(zoom * 1.2),
  out: () => setZoom(zoom / 1.2),
  reset: () => setZoom(1),
  fit,
  rotate: turn,
  boxes: showBoxes,
};
bind("=", views.in);

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-view]");
  if (button) views[button.dataset.view]();
  const thumb = event.target.closest?.(".thumbs a");
  if (thumb) {
    event.preventDefault();
    go(Number(thumb.hash.slice(6)));
  }
});
document.addEventListener(
  "wheel",
  (event) => {
    if (!(event.ctrlKey || event.metaKey) || !event.target.closest?.(".canvas")) return;
    event.preventDefault();
    setZoom(zoom * (event.deltaY < 0 ? 1.08 : 0.925));
  },
  { passive: false },
);

const openDocument = (step) => {
  const tabs = $$("#doc-tabs > a");
  const at = tabs.findIndex((tab) => tab.hasAttribute("aria-current"));
  tabs[at + step]?.click();
};
bind("h", () => openDocument(-1), text("Previous document"));
bind("l", () => openDocument(1), text("Next document"));

/* ---------- words of the pages, fetched when a page comes near ---------- */

const fetchLayer = async (layer) => {
  const address = layer.dataset.layer;
  delete layer.dataset.layer;
  const answer = await fetch(address, { headers: { Accept: "application/json" } });
  if (!answer.ok) return;
  for (const [x, y, size, length, words] of await answer.json()) {
    const text = document.createElementNS(SVG, "text");
    const attributes = { x, y, "font-size": size, textLength: length, lengthAdjust: "spacingAndGlyphs" };
    for (const [name, value] of Object.entries(attributes)) text.setAttribute(name, value);
    text.textContent = `${words} `;
    layer.append(text);
  }
};

/* ---------- the page, and again whenever the viewer was replaced ---------- */

const inMiddle = (canvas) => {
  const { top, height } = canvas.getBoundingClientRect();
  return $$(".sheet", canvas).find((page) => {
    const place = page.getBoundingClientRect();
    return place.top <= top + height / 2 && place.bottom >= top + height / 2;
  });
};

let watchers = [];
const watch = (canvas) => {
  const near = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        near.unobserve(entry.target);
        for (const layer of $$("[data-layer]", entry.target)) fetchLayer(layer);
      }
    },
    // About two pages before and behind, so that a short document can be searched as a whole.
    { root: canvas, rootMargin: "300% 0px" },
  );
  const middle = new IntersectionObserver(
    () => {
      // Not the page of an entry: a key may have moved on since it was seen.
      const page = inMiddle(canvas);
      if (page) arrive(Number(page.dataset.page), canvas);
    },
    { root: canvas, rootMargin: "-45% 0px -45% 0px" },
  );
  for (const page of $$(".sheet", canvas)) {
    near.observe(page);
    middle.observe(page);
  }
  return [near, middle];
};
const mount = () => {
  for (const watcher of watchers) watcher.disconnect();
  zoom = Number($(".sheets")?.style.getPropertyValue("--zoom") || 1);
  watchers = $$(".canvas").flatMap(watch);
};
mount();

document.addEventListener("case:refreshed", () => {
  const ref = lit;
  if ($('[data-view="boxes"]')?.getAttribute("aria-pressed") === "false") {
    for (const overlay of $$(".overlay")) overlay.classList.add("noboxes");
  }
  if (ref && (document.getElementById(ref) || boxesOf(ref).length)) {
    lit = null;
    light(ref);
  }
  if (!$(".canvas[data-page]") || ($(".thumbs") && !$(".thumbs [aria-current]"))) mount();
});
