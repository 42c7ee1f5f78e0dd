// The document viewer: a finding's row and its boxes light up together, pages zoom and turn.
// All of it decorates links and images that work without this module.

import { bind } from "./keys.js";

const SVG = "http://www.w3.org/2000/svg";
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/* ---------- a finding and its boxes ---------- */

let lit = null;

const boxesOf = (ref) => $$(`.ov .ev[data-ev="${CSS.escape(ref)}"]`);

const clear = () => {
  for (const element of $$(".on[data-ev]")) element.classList.remove("on");
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
  const [x, y] = ["x", "y"].map((name) => Number($(".b", group).getAttribute(name)));
  const label = document.createElement("span");
  label.className = `flag ${group.classList[1] ?? ""}`;
  label.textContent = group.getAttribute("aria-label");
  label.style.left = `${Math.min(x / 10, 70)}%`;
  label.style.top = `${(y / ov.viewBox.baseVal.height) * 100}%`;
  label.setAttribute("aria-hidden", "true");
  ov.parentElement.append(label);
};

const light = (ref, { scroll = false } = {}) => {
  if (ref === lit) return;
  clear();
  lit = ref;
  document.getElementById(ref)?.classList.add("on");
  const groups = boxesOf(ref);
  for (const group of groups) {
    group.classList.add("on");
    dim(group.ownerSVGElement, $$(".b", group));
  }
  if (!groups.length) return;
  flag(groups[0]);
  if (scroll) reveal($(".b", groups[0]));
};

const reveal = (box) => {
  const canvas = $("#canvas");
  const [b, c] = [box.getBoundingClientRect(), canvas.getBoundingClientRect()];
  if (b.top < c.top + 40 || b.bottom > c.bottom - 80) canvas.scrollTop += b.top - c.top - c.height / 3;
  if (b.left < c.left || b.right > c.right) canvas.scrollLeft += b.left - c.left - 40;
};

const ROWS = ".fr[data-ev], .vi[data-ev]";
let hovering;
let place = "";
const placeOf = (event) => `${event.screenX},${event.screenY}`;
document.addEventListener("pointermove", (event) => (place = placeOf(event)), { passive: true });
document.addEventListener("pointerover", (event) => {
  // A resting pointer says nothing when rows move beneath it, as when they are walked by keys.
  if (placeOf(event) === place) return;
  clearTimeout(hovering);
  const target = event.target.closest?.("[data-ev]");
  // A pointer that only passes by does not make the page jump.
  if (target) hovering = setTimeout(() => light(target.dataset.ev, { scroll: target.matches(ROWS) }), 60);
});
document.addEventListener("focusin", (event) => {
  const target = event.target.closest?.("[data-ev]");
  if (!target) return;
  light(target.dataset.ev, { scroll: target.matches(ROWS) });
  if (!target.matches(ROWS)) document.getElementById(target.dataset.ev)?.scrollIntoView({ block: "nearest" });
});
document.addEventListener("click", (event) => {
  const target = event.target.closest?.("a[data-ev]");
  if (!target) return;
  event.preventDefault(); // the address would otherwise collect every look at a box
  lit = null;
  light(target.dataset.ev, { scroll: target.matches(ROWS) });
  if (!target.matches(ROWS)) document.getElementById(target.dataset.ev)?.focus({ preventScroll: false });
});
const forget = () => {
  clear();
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
};
bind("Escape", forget, "Show all evidence alike");

/* ---------- pages ---------- */

let zoom = 1;

const setZoom = (to) => {
  const sheets = $("#sheets");
  if (!sheets) return;
  const canvas = $("#canvas");
  const middle = (canvas.scrollTop + canvas.clientHeight / 2) / canvas.scrollHeight;
  zoom = Math.min(5, Math.max(0.2, to));
  sheets.style.setProperty("--zoom", zoom);
  $("#zoom").textContent = `${Math.round(zoom * 100)}%`;
  canvas.scrollTop = middle * canvas.scrollHeight - canvas.clientHeight / 2;
};

const current = () => Number($(".thumbs [aria-current]")?.hash.slice(6) ?? 1);
const sheet = (number) => document.getElementById(`page-${number}`);

const go = (number) => {
  const target = sheet(number);
  if (!target) return;
  const canvas = $("#canvas");
  canvas.scrollTop += target.getBoundingClientRect().top - canvas.getBoundingClientRect().top - 14;
  arrive(number);
};

const arrive = (number) => {
  for (const thumb of $$(".thumbs a")) {
    const here = thumb.hash === `#page-${number}`;
    if (here === thumb.hasAttribute("aria-current")) continue;
    thumb.toggleAttribute("aria-current", here);
    if (here) {
      thumb.setAttribute("aria-current", "true");
      thumb.parentElement.scrollTop = thumb.offsetTop - thumb.parentElement.offsetTop - 60;
    }
  }
  $("#page-number").textContent = `${number} / ${$$(".sheet").length}`;
  const text = $("#page-text");
  text.href = text.href.replace(/\d+(?=\/text\/$)/, number);
};

const turn = () => {
  const target = sheet(current());
  const image = $("img", target);
  target.dataset.turned = (Number(target.dataset.turned ?? 0) + 90) % 360;
  target.style.setProperty("--turned", image.getAttribute("height") / image.getAttribute("width"));
};

const fit = () => {
  const image = $("img", sheet(current()));
  const canvas = $("#canvas");
  const ratio = image.getAttribute("height") / image.getAttribute("width");
  setZoom((canvas.clientHeight - 92) / ((canvas.clientWidth - 32) * ratio));
  go(current());
};

const showBoxes = () => {
  const button = $('[data-view="boxes"]');
  const on = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", on);
  for (const ov of $$(".ov")) ov.classList.toggle("noboxes", !on);
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
    if (!(event.ctrlKey || event.metaKey) || !event.target.closest?.("#canvas")) return;
    event.preventDefault();
    setZoom(zoom * (event.deltaY < 0 ? 1.08 : 0.925));
  },
  { passive: false },
);

const openDocument = (step) => {
  const tabs = $$("#doc-tabs a");
  const at = tabs.findIndex((tab) => tab.hasAttribute("aria-current"));
  tabs[at + step]?.click();
};
bind("h", () => openDocument(-1), "Previous document");
bind("l", () => openDocument(1), "Next document");

/* ---------- words that were not sent with the page ---------- */

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

let watcher;
const mount = () => {
  watcher?.disconnect();
  const canvas = $("#canvas");
  if (!canvas) return;
  zoom = 1;
  watcher = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        arrive(Number(entry.target.dataset.page));
        for (const layer of $$("[data-layer]", entry.target)) fetchLayer(layer);
      }
    },
    { root: canvas, rootMargin: "-45% 0px -45% 0px" },
  );
  for (const page of $$(".sheet")) watcher.observe(page);
};
mount();

document.addEventListener("case:refreshed", () => {
  const ref = lit;
  if ($('[data-view="boxes"]')?.getAttribute("aria-pressed") === "false") {
    for (const ov of $$(".ov")) ov.classList.add("noboxes");
  }
  if (ref && (document.getElementById(ref) || boxesOf(ref).length)) {
    lit = null;
    light(ref);
  }
  if (!$(".thumbs [aria-current]")) mount();
});

/* ---------- the reference ---------- */

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (!button) return;
  await navigator.clipboard?.writeText(button.dataset.copy);
  const toast = document.createElement("p");
  toast.className = "toast";
  toast.textContent = `Copied ${button.dataset.copy}`;
  $("#toasts").replaceChildren(toast);
});
