// The cases of the queue as it was when one of them was opened: the one before, the next one, and the
// way back to the same list. And n, N: the checks of this case one by one.

import { bind } from "./keys.js";
import { text } from "./texts.js";

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

const step = (by) => {
  const checks = [...document.querySelectorAll("#checklist li > a")];
  const now = checks.findIndex((check) => check.hasAttribute("aria-current"));
  checks[now + by]?.click();
};
bind("n", () => step(1), text("Next check"));
bind("N", () => step(-1), text("Previous check"));
