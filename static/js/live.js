// The live dot: shown while the page polls, and truthful about whether the server answers. And words for an
// act that failed: the page would stay as it is, and say nothing.

import { tell, text } from "./texts.js";

const dot = document.getElementById("live");
const polling = () => document.querySelector('[hx-trigger^="every"]:not(#inbox-badge), [hx-trigger*=", every"]');

let hasEnded;
const show = (online) => {
  if (!dot || hasEnded) return;
  dot.hidden = !polling();
  if (dot.classList.contains("off") !== online && dot.dataset.shown) return;
  dot.dataset.shown = "1";
  dot.classList.toggle("off", !online);
  dot.lastElementChild.textContent = online ? text("Live") : text("Not connected: this page may be old");
};

show(navigator.onLine);
addEventListener("offline", () => show(false));

// What the page asks for by itself has a trigger of its own; the dot speaks for that.
const isAct = (elt) => !elt.hasAttribute("hx-trigger");
const tellSilence = () => tell(text("The server does not answer. Try again."));
document.body.addEventListener("htmx:sendError", ({ detail: { elt } }) => isAct(elt) && tellSilence());
// A page that refuses says why, and what to do: no permission, too much at once, an outage.
const reason = (html) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  return [...page.querySelectorAll(".entrance > :is(h1, h1 + p)")].map((part) => part.textContent.trim()).join(": ");
};
document.body.addEventListener("htmx:responseError", ({ detail: { elt, xhr } }) => {
  if (isAct(elt)) tell(reason(xhr.responseText) || text("This did not work. Load the page again."));
});

// A login that has ended is answered with the page to log in, which is no part of this page.
const tellEnd = () => {
  tell(text("Your login has ended. Copy what you typed here, and log in again."), true);
  if (!dot) return;
  dot.hidden = true;
  dot.nextElementSibling.hidden = false;
};
document.body.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!detail.xhr.responseURL.includes("/login/")) return;
  detail.shouldSwap = false;
  if (hasEnded && !isAct(detail.elt)) return;
  hasEnded = true;
  tellEnd();
});

// A form that is sent after that would bring the page to log in, and the words in it would be lost. So on a
// page older than a minute, or without a network, the server is asked first, by a page for members, and the form
// stays.
let isSure;
addEventListener("submit", (event) => {
  const form = event.target;
  if (isSure || event.defaultPrevented || !form.matches("[method=post]:has(textarea)")) return;
  if (navigator.onLine && performance.now() < 6e4) return;
  event.preventDefault();
  fetch("/account/language/").then(({ url }) => {
    if (url.includes("/login/")) return tellEnd();
    isSure = true;
    form.requestSubmit(event.submitter);
    isSure = false;
  }, tellSilence);
});

document.body.addEventListener("htmx:afterRequest", ({ detail: { xhr: { status } } }) => {
  show(status > 0 && status < 500 && !hasEnded);
});

// A button that copies: a reference, or a link.
document.addEventListener("click", async ({ target }) => {
  const reference = target.closest?.("[data-copy]")?.dataset.copy;
  if (!reference) return;
  try {
    // Browsers offer it on pages that came safely, and may refuse it.
    await navigator.clipboard.writeText(reference);
    tell(text("Copied {reference}", { reference }));
  } catch {
    tell(text("This could not be copied: {reference}", { reference }));
  }
});
