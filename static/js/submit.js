// The form that opens a case: one list of documents instead of a field for each kind, counts of
// what is filled, and the same case as a call of the interface. Without it those fields are there.

import { faultOf, inWords } from "./files.js";
import { text } from "./texts.js";

const form = document.getElementById("submit");
const dropzone = document.getElementById("dropzone");
const drop = dropzone.querySelector(".drop");
const chooser = document.getElementById("choose-files");
const chosen = document.getElementById("chosen");
const news = document.getElementById("chosen-news");
const rowTemplate = document.getElementById("chosen-row");
const natives = [...form.querySelectorAll(".native input[type=file]")];
const kinds = natives.map((input) => input.name);
const maxBytes = Number(form.dataset.maxBytes);

// What was chosen before this module came stays chosen.
let documents = natives.flatMap((input) => [...input.files].map((file) => ({ file, kind: input.name })));

// First match wins; the names are those of the fields.
const GUESSES = [
  [/\bein\b|cp.?575|147c|\birs\b/, "ein_documents"],
  [/owner|ubo|cap.?table|sharehold|register.of.members/, "business_ownership_documents"],
  [/fund|wealth|payslip|salary|tax.return/, "source_of_funds_documents"],
  [/\bpoa\b|address|utility|bill|lease|bank|statement/, "proof_of_address_documents"],
  [/deck|brochure|flyer|market|promo/, "promo_marketing_documents"],
  [/back/, "back_image_url"],
  [/selfie/, "face_match_image_url"],
];

const guess = (name) => {
  const words = name.toLowerCase().replace(/[_\-.]+/g, " ");
  const kind = GUESSES.find(([pattern]) => pattern.test(words))?.[1];
  return kinds.includes(kind) ? kind : kinds[0];
};

const showFault = async (entry, place) => {
  entry.fault ??= faultOf(entry.file, maxBytes, form.dataset.types);
  place.textContent = await entry.fault;
};

// Files of an earlier try: the server has them, and their rows say of which kind they are.
const kept = () =>
  [...form.querySelectorAll("[data-kept]")]
    .filter((row) => !row.querySelector("[name=drop_file]").checked)
    .map((row) => ({ name: row.querySelector(".name").textContent, kind: row.querySelector("select").value }));

// The plain fields are what is sent.
const hand = () => {
  for (const input of natives) {
    const files = new DataTransfer();
    documents.filter(({ kind }) => kind === input.name).forEach(({ file }) => files.items.add(file));
    input.files = files.files;
  }
};

// Browsers give it on pages that came safely.
const showHash = async (entry, place) => {
  if (!crypto.subtle || (await (entry.fault ??= faultOf(entry.file, maxBytes, form.dataset.types)))) return;
  entry.hash ??= crypto.subtle.digest("SHA-256", await entry.file.arrayBuffer());
  const bytes = [...new Uint8Array(await entry.hash)].map((byte) => byte.toString(16).padStart(2, "0"));
  place.textContent += ` · sha256 ${bytes.join("").replace(/(?<=^.{8}).*(?=.{8})/, "…")}`;
};

const draw = () => {
  chosen.replaceChildren(
    ...documents.map((entry) => {
      const row = rowTemplate.content.cloneNode(true);
      row.querySelector(".name").textContent = entry.file.name;
      const size = row.querySelector(".size");
      size.textContent = inWords(entry.file.size);
      showHash(entry, size);
      showFault(entry, row.querySelector(".fault"));
      const select = row.querySelector("select");
      select.value = entry.kind;
      select.setAttribute("aria-label", text("Kind of {name}", { name: entry.file.name }));
      select.addEventListener("change", () => {
        entry.kind = select.value;
        changed();
      });
      const remove = row.querySelector("button");
      remove.setAttribute("aria-label", text("Remove {name}", { name: entry.file.name }));
      remove.addEventListener("click", () => {
        documents = documents.filter((other) => other !== entry);
        draw();
        changed();
        news.textContent = text("{name} removed", { name: entry.file.name });
        (chosen.querySelector("button") ?? chooser).focus();
      });
      return row;
    }),
  );
};

const add = (files, kind) => {
  const fresh = [...files].filter(
    (file) => !documents.some((other) => other.file.name === file.name && other.file.size === file.size),
  );
  if (!fresh.length) return;
  documents.push(...fresh.map((file) => ({ file, kind: kind || guess(file.name) })));
  draw();
  changed();
  news.textContent = text("{count} added, {total} in all", { count: fresh.length, total: documents.length });
};

const put = (target, path, value) => {
  const [member, ...rest] = path;
  if (!rest.length) target[member] = value;
  else put((target[member] ??= member.includes("address") ? { type: "Address" } : {}), rest, value);
};

const wire = (input) => {
  const value = input.value.trim();
  if (input.dataset.wire === "boolean") return value === "true";
  if (input.dataset.wire === "lines") return value.split("\n").map((line) => line.trim()).filter(Boolean);
  if (input.dataset.wire === "json") {
    try {
      return JSON.parse(value);
    } catch {
      return value;
    }
  }
  return value;
};

// The rows of owners and officers are lists of the attested data, by role: as the desk reads them.
const LISTS = { owner: "owners", director: "directors", controller: "controllers", signatory: "signatories" };
const COUNTRIES = { person: "country_of_nationality", company: "country_of_incorporation" };

const putParties = (attested, inputs) => {
  const rows = {};
  for (const { name, value } of inputs) {
    const [, number, member] = name.split(".");
    if (value.trim()) (rows[number] ??= {})[member] = value.trim();
  }
  for (const { role = "owner", kind, name, share, country_code: country, ...others } of Object.values(rows)) {
    const row = { ...(kind && { type: kind }), [kind === "company" ? "business_name" : "name"]: name };
    if (share) row.percentage = share.includes("%") ? share : `${share} %`;
    if (country) row[COUNTRIES[kind] ?? "country"] = country;
    (attested[LISTS[role]] ??= []).push({ ...row, ...others });
  }
};

const answers = (root) =>
  [...root.querySelectorAll("input:not([type=hidden], [type=file]), select, textarea")].filter(
    (input) => input.name && !input.closest("[data-kept]"),
  );

const showCall = () => {
  const attested = {};
  const inputs = answers(form.querySelector(".sections"));
  for (const input of inputs) {
    // Our own fields are not sent to the service.
    const isMember = !/^(custom|parties)\./.test(input.name);
    if (input.value.trim() && isMember) put(attested, input.name.split("."), wire(input));
  }
  putParties(attested, inputs.filter(({ name }) => name.startsWith("parties.")));
  const named = documents.map(({ file, kind }) => ({ name: file.name, kind }));
  for (const { name, kind } of [...kept(), ...named]) {
    if (kind.endsWith("_url")) put(attested, `${form.dataset.id}.${kind}`.split("."), "…");
    else (attested[kind] ??= []).push({ type: "Document", file_name: name, url: "…" });
  }
  const id = form.elements.reference?.value.trim() || "C-…";
  const body = {
    agent_key: "…",
    [form.dataset.schema]: { id, self_attested_data: attested },
    webhook_url: "…",
    tool_webhook_url: "…",
  };
  const name = form.dataset.schema === "kyb_schema" ? "startKYBAgentJob" : "startKYCAgentJob";
  document.getElementById("api-call").textContent =
    `POST /api/v1/${name}\nAuthorization: Bearer $API_KEY\n\n${JSON.stringify(body, null, 2)}`;
};

const showCounts = () => {
  for (const count of form.querySelectorAll("[data-filled]")) {
    if (count.dataset.filled === "documents") {
      count.textContent = kept().length + documents.length || "";
    } else {
      const inputs = answers(document.getElementById(count.dataset.filled));
      count.textContent = `${inputs.filter((input) => input.value.trim()).length}/${inputs.length}`;
    }
  }
};

const changed = () => {
  hand();
  showCounts();
  showCall();
};

chooser.addEventListener("change", () => {
  add(chooser.files);
  chooser.value = "";
});
form.addEventListener("input", changed);
addEventListener("paste", (event) => add(event.clipboardData.files));
for (const type of ["dragover", "drop", "dragleave"]) {
  addEventListener(type, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    drop.classList.toggle("over", type === "dragover");
    if (type === "drop") add(event.dataTransfer.files);
  });
}
// As in the form of a decision.
document.addEventListener("keydown", (event) => {
  const isSend = event.key === "Enter" && (event.metaKey || event.ctrlKey) && !event.isComposing;
  const start = form.querySelector(".start");
  if (!isSend || !start || event.target.closest("dialog, .search")) return;
  event.preventDefault();
  form.requestSubmit(start);
});
form.addEventListener("submit", () => {
  form.querySelector(".start").setAttribute("aria-busy", "true");
});
// What the server said of a field that was left.
form.addEventListener("htmx:afterSwap", ({ target }) => {
  const input = target.closest(".field").querySelector("[name]");
  if (!input) return;
  input.setAttribute("aria-invalid", target.childElementCount > 0);
  const about = [`${input.id}_helptext`, target.id].filter((id) => document.getElementById(id));
  input.setAttribute("aria-describedby", about.join(" "));
});

dropzone.hidden = false;
for (const input of natives) {
  // A fault of the last try stays in sight; the field itself gives way to the list.
  const field = input.closest(".native");
  field.hidden = !input.matches("[aria-invalid=true]");
  input.hidden = true;
  // Other software may fill the field all the same, as an extension of the browser does.
  input.addEventListener("input", () => add(input.files, input.name));
}
draw();
changed();
add(chooser.files);
document.getElementById("errors")?.focus();

// The link to a section leads into its first field: a person who works by keys would pass all fields before it.
// The browser would take the focus away again when it follows the link.
document.querySelector(".steps").addEventListener("click", (event) => {
  const section = document.getElementById(event.target.closest("a")?.hash.slice(1));
  if (!section || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (section.matches("details")) section.open = true;
  section.scrollIntoView();
  section.querySelector("#choose-files, input:not([type=hidden]), select, textarea")?.focus({ preventScroll: true });
});
