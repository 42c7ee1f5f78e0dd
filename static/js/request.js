// The pages of applicants: each file is sent and kept when it is chosen, text when typing pauses.
// Whoever closes the page finds all of it again by the same link.

import { faultOf } from "./files.js";
import { text } from "./texts.js";

const form = document.getElementById("answer");
const saved = document.getElementById("saved");
const PAUSE = 1200; // ms without a key before the text is sent

const say = (words) => {
  if (saved) saved.textContent = words;
};

const moment = () => new Date().toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });

const send = async (part, body) => {
  body.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
  const answer = await fetch(`${form.dataset.draft}?part=${encodeURIComponent(part)}`, { method: "POST", body });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer;
};

// 403: the cookie of the link has ended, and "Send" would be refused as well.
const sayFault = (error) =>
  say(
    error.message === "403"
      ? text("This page has ended. Open the link of the e-mail again.")
      : text("This could not be saved now. It is sent with “Send”."),
  );

// Replace a part of the page by what the server says of it, and keep the focus there.
const replace = (place, html) => {
  const next = new DOMParser().parseFromString(html, "text/html").querySelector("fieldset");
  if (!next) return;
  place.replaceWith(next);
  watch(next);
  next.querySelector("input[type=file]")?.focus({ preventScroll: true });
};

const keep = async (place, body) => {
  place.classList.add("busy");
  say(text("Saving…"));
  try {
    const answer = await send(place.dataset.part, body);
    replace(place, await answer.text());
    say(text("Saved at {time}.", { time: moment() }));
    return true;
  } catch (error) {
    // The files stay chosen in the form: "Send" takes them.
    place.classList.remove("busy");
    sayFault(error);
    return false;
  }
};

// Inputs whose files could not be saved. They are sent again when the connection is back.
const unsaved = new Set();

const choose = async (place, input) => {
  const files = [...input.files];
  const faults = await Promise.all(
    files.map((file) => faultOf(file, Number(form.dataset.maxBytes), form.dataset.types)),
  );
  const words = files.flatMap((file, index) => (faults[index] ? [`${file.name}: ${faults[index]}`] : []));
  place.querySelector(".hint").textContent = words.join(" ");
  input.setAttribute("aria-invalid", words.length > 0);
  if (words.length || !files.length) return;
  const body = new FormData();
  for (const file of files) body.append(input.name, file);
  unsaved.delete(input);
  if (!(await keep(place, body))) unsaved.add(input);
};

addEventListener("online", () => {
  for (const input of unsaved) {
    if (input.isConnected) choose(input.closest("[data-part]"), input);
  }
});

const watch = (place) => {
  for (const input of place.querySelectorAll("input[type=file]")) {
    input.addEventListener("change", () => choose(place, input));
  }
  for (const box of place.querySelectorAll("input[name=drop_file]")) {
    box.addEventListener("change", () => {
      const body = new FormData();
      body.set("drop_file", box.value);
      keep(place, body);
    });
  }
};

for (const place of form.querySelectorAll("[data-part]")) watch(place);

// What is typed and chosen from lists: neither files nor what is about kept files.
const typed = () => {
  const body = new FormData();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string" && name !== "kept" && name !== "drop_file") body.append(name, value);
  }
  return body;
};

let timer = 0;
const keepText = async () => {
  try {
    await send("text", typed());
    say(text("Saved at {time}.", { time: moment() }));
  } catch (error) {
    sayFault(error);
  }
};
form.addEventListener("input", (event) => {
  if (event.target.matches("input[type=file], input[name=drop_file]")) return;
  clearTimeout(timer);
  timer = setTimeout(() => {
    timer = 0;
    keepText();
  }, PAUSE);
});
form.addEventListener("submit", () => {
  clearTimeout(timer);
  timer = 0;
});
// A tab that is closed while somebody types.
addEventListener("pagehide", () => {
  if (timer) navigator.sendBeacon(`${form.dataset.draft}?part=text`, typed());
});
document.getElementById("errors")?.focus();
