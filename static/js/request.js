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

// The page writes its other times with 24 hours, too.
const moment = () =>
  new Date().toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

// The answer to "Send" without a connection goes as soon as something is saved.
let isCutOff = false;
const sayWhenSaved = () => {
  if (isCutOff) stop("");
  isCutOff = false;
  say(text("Saved at {time}.", { time: moment() }));
};

const send = async (part, body) => {
  body.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
  const answer = await fetch(`${form.dataset.draft}?part=${encodeURIComponent(part)}`, { method: "POST", body });
  if (!answer.ok) throw Object.assign(new Error(String(answer.status)), { answer });
  return answer;
};

// fetch fails with a TypeError where no answer comes: there is no connection.
const isOffline = (error) => error instanceof TypeError;

// 403: the cookie of the link has ended, and "Send" would be refused as well.
const wordsOf = (error) => {
  if (isOffline(error)) return text("There is no connection. Stay on this page: it is saved as soon as there is one.");
  if (error.message === "403") return text("This page has ended. Open the link of the e-mail again.");
  return text("This could not be saved now. It is sent with “Send”.");
};

// What could not be saved for want of a connection: ids of inputs with files, and whether the text waits, too.
const inputsToSave = new Set();
let textWaits = false;
const RETRY = 8000; // ms until the next attempt: a phone does not always tell when it is connected again
let retryTimer = 0;
const retryLater = () => {
  clearTimeout(retryTimer);
  retryTimer = setTimeout(retry, RETRY);
};
const retry = async () => {
  clearTimeout(retryTimer);
  for (const id of [...inputsToSave]) {
    inputsToSave.delete(id);
    const input = document.getElementById(id);
    if (input?.files.length) await choose(input.closest("[data-part]"), input);
  }
  if (textWaits) await keepText();
};
addEventListener("online", retry);

// The state of a part stands at its head: the end of a long page is out of sight.
const mark = (place, words) => {
  let state = place.querySelector("legend > span");
  if (!state) {
    state = document.createElement("span");
    place.querySelector("legend").append(state);
  }
  state.className = "muted";
  state.textContent = words;
};

// Replace a part of the page by what the server says of it. A focus in it stays there, and so do files that
// were chosen in it since.
const replace = (place, html, files) => {
  const next = new DOMParser().parseFromString(html, "text/html").querySelector("fieldset");
  if (!next) return place;
  const hasFocus = place.contains(document.activeElement);
  for (const input of place.querySelectorAll("input[type=file]")) {
    const same = [...next.querySelectorAll("input[type=file]")].find(({ id }) => id === input.id);
    if (same && [...input.files].some((file) => !files.includes(file))) same.files = input.files;
  }
  place.replaceWith(next);
  watch(next);
  if (hasFocus) next.querySelector("input[type=file]")?.focus({ preventScroll: true });
  return next;
};

// Saves that are on their way: "Send" waits for them. One at a time: the answer to each replaces its part.
const underWay = new Set();
let turn = Promise.resolve();
const keep = (place, body) => {
  const { part } = place.dataset;
  const save = turn.then(() => keepNow(form.querySelector(`[data-part="${CSS.escape(part)}"]`), body));
  turn = save;
  underWay.add(save);
  return save.finally(() => underWay.delete(save));
};

// The error, or null; and the part as it is now.
const keepNow = async (place, body) => {
  place.classList.add("busy");
  mark(place, text("Saving…"));
  try {
    const answer = await send(place.dataset.part, body);
    const files = [...body.values()].filter((value) => value instanceof File);
    const next = replace(place, await answer.text(), files);
    sayWhenSaved();
    return [null, next];
  } catch (error) {
    // The files stay chosen in the form: "Send" takes them.
    place.classList.remove("busy");
    mark(place, text("not saved yet"));
    say(wordsOf(error));
    return [error, place];
  }
};

// Files that can be taken are saved. Of the others the part says why not: they are not sent, and leave the
// field, where the rest stays until it is saved.
const choose = async (place, input) => {
  const files = [...input.files];
  const faults = await Promise.all(
    files.map((file) => faultOf(file, Number(form.dataset.maxBytes), form.dataset.types)),
  );
  // The name is isolated: a Latin one would turn an Arabic sentence around.
  const words = files.flatMap((file, index) => (faults[index] ? [`\u2068${file.name}\u2069: ${faults[index]}`] : [])).join(" ");
  place.querySelector(".hint").textContent = words;
  const body = new FormData();
  for (const [index, file] of files.entries()) {
    if (!faults[index]) body.append(input.name, file);
  }
  if (words) {
    const good = new DataTransfer();
    for (const file of body.getAll(input.name)) good.items.add(file);
    input.files = good.files;
  }
  if (!body.has(input.name)) return;
  const [error, next] = await keep(place, body);
  if (words) next.querySelector(".hint").textContent = words;
  if (!error || !isOffline(error)) return;
  inputsToSave.add(input.id);
  retryLater();
};

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

// What was typed and chosen from lists on this page since it was saved, by name: neither files nor what is about kept
// files. The rest may be newer on another device that has the link open. How many rows there are, and the token,
// always go along.
const ALWAYS = ["csrfmiddlewaretoken", "parties.rows"];
const touched = new Set();
const typed = () => {
  const body = new FormData();
  for (const [name, value] of new FormData(form)) {
    if (touched.has(name) || ALWAYS.includes(name)) body.append(name, value);
  }
  return body;
};

// What this page knows of the draft, by name. The server compares it with what is saved, and with a newer text of
// another device answers 409. `attempts`: what was sent from here, by name, also where no answer came.
const known = JSON.parse(form.elements.shown.value);
const attempts = {};
// As the server compares: without blanks around it, and with lines as the page has them.
const plain = (value) => value.replaceAll("\r\n", "\n").trim();
const withKnown = (body, names) => {
  body.set("shown", JSON.stringify(Object.fromEntries(names.map((name) => [name, known[name] ?? ""]))));
  return body;
};
const learn = (body, names) => {
  for (const name of names) known[name] = String(body.getAll(name).at(-1) ?? "");
};
// The text of the other device stands at its field before this page saves its own over it.
const tellOfOthers = ({ words, values }) => {
  for (const [name, value] of Object.entries(values)) {
    known[name] = value;
    if (attempts[name]?.has(plain(value))) continue;
    const [field] = form.querySelectorAll(`[name="${CSS.escape(name)}"]`);
    const note = document.createElement("p");
    note.className = "stopped";
    note.setAttribute("role", "alert");
    note.textContent = words[name];
    field?.after(note);
  }
};
const sendText = async (body, names) => {
  learnAttempt(body, names);
  try {
    await send("text", withKnown(body, names));
  } catch (error) {
    if (error.message !== "409") throw error;
    tellOfOthers(await error.answer.json());
    await send("text", withKnown(body, names));
  }
  learn(body, names);
};
const learnAttempt = (body, names) => {
  for (const name of names) (attempts[name] ??= new Set()).add(plain(String(body.getAll(name).at(-1) ?? "")));
};

let timer = 0;
// One at a time: each save knows what the one before it has saved.
let textTurn = Promise.resolve();
let isSavingText = false;
const keepText = () => {
  const save = textTurn.then(keepTextNow);
  textTurn = save;
  return save;
};
// The error, or null.
const keepTextNow = async () => {
  const body = typed();
  const names = [...touched];
  touched.clear();
  isSavingText = true;
  try {
    await sendText(body, names);
    textWaits = false;
    sayWhenSaved();
    return null;
  } catch (error) {
    for (const name of names) touched.add(name);
    textWaits = isOffline(error);
    if (textWaits) retryLater();
    say(wordsOf(error));
    return error;
  } finally {
    isSavingText = false;
  }
};
// The head of a part says how many of its fields are filled in.
const countFilled = (place) => {
  const fields = [...place.querySelectorAll(".fields :is(input, select, textarea)")];
  place.querySelector("[data-filled]").textContent = fields.filter((field) => field.value.trim()).length;
};
form.addEventListener("input", (event) => {
  const folded = event.target.closest("details.part");
  if (folded) countFilled(folded);
  if (event.target.matches("input[type=file], input[name=drop_file]")) return;
  touched.add(event.target.name);
  clearTimeout(timer);
  timer = setTimeout(() => {
    timer = 0;
    keepText();
  }, PAUSE);
});

// What was asked for and has no file. Where nothing at all was chosen or written, the server says so.
const missing = () => {
  const places = [...form.querySelectorAll("[data-part][data-is-wanted]")];
  const empty = places.filter((place) => !place.querySelector(".kept-file"));
  const hasAny = empty.length < places.length || form.elements.text?.value.trim();
  return hasAny ? empty.map((place) => place.querySelector("legend").firstChild.textContent.trim()) : [];
};
const stop = (words) => {
  const place = document.getElementById("stopped");
  place.textContent = words;
  place.scrollIntoView({ block: "nearest" });
};

let isReady = false;
let isAsking = false;
let namesBefore = "";
let namesAt = -Infinity;
// The second tap of a double tap agrees to nothing. In milliseconds.
const TAPS = 500;
// Everything is saved first. Without a connection a browser would leave the page for a page of its own, and
// what was typed with it.
form.addEventListener("submit", async (event) => {
  clearTimeout(timer);
  timer = 0;
  if (isReady) return;
  event.preventDefault();
  if (isAsking || performance.now() - namesAt < TAPS) return;
  isAsking = true;
  try {
    await sendWhenSaved(event.submitter);
  } finally {
    isAsking = false;
  }
});
const sendWhenSaved = async (button) => {
  stop("");
  await Promise.all(underWay);
  await retry();
  const error = await keepText();
  if (inputsToSave.size || (error && isOffline(error))) {
    stop(text("There is no connection. Nothing is lost: stay on this page, and send it when there is one."));
    isCutOff = true;
    return;
  }
  const names = button?.hasAttribute("formaction") ? "" : missing().join(", ");
  if (names && names !== namesBefore) {
    namesBefore = names;
    namesAt = performance.now();
    stop(text("Not sent yet: {names}. Choose a file, or press “Send” again to send without it.", { names }));
    return;
  }
  isReady = true;
  form.requestSubmit(button);
};
// A page that the browser has kept is sent again like a new one.
addEventListener("pageshow", () => {
  isReady = false;
});
// A tab that is closed while somebody types. While a save is under way this page does not know what is saved.
addEventListener("pagehide", () => {
  if (!timer) return;
  const body = isSavingText ? typed() : withKnown(typed(), [...touched]);
  navigator.sendBeacon(`${form.dataset.draft}?part=text`, body);
});
(document.getElementById("errors") ?? document.getElementById("elsewhere"))?.focus();
