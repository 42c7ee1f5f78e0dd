// The live dot: shown while the page polls, and truthful about whether the server answers.

import { text } from "./texts.js";

const dot = document.getElementById("live");
const polling = () => document.querySelector('[hx-trigger^="every"]:not(#inbox-badge), [hx-trigger*=", every"]');

const show = (online) => {
  if (!dot) return;
  dot.hidden = !polling();
  if (dot.classList.contains("off") !== online && dot.dataset.shown) return;
  dot.dataset.shown = "1";
  dot.classList.toggle("off", !online);
  dot.lastElementChild.textContent = online ? text("Live") : text("Not connected: this page may be old");
};

show(navigator.onLine);
addEventListener("offline", () => show(false));
document.body.addEventListener("htmx:afterRequest", (event) => {
  const status = event.detail.xhr.status;
  show(status > 0 && status < 500);
});
