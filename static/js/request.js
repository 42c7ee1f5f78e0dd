// The page of an applicant: what is wrong with a file is said below its field when it is chosen.

import { faultOf } from "./files.js";

const form = document.getElementById("answer");

const judge = async (input) => {
  const place = document.getElementById(`${input.id}_chosen`);
  const files = [...input.files];
  const faults = await Promise.all(
    files.map((file) => faultOf(file, Number(form.dataset.maxBytes), form.dataset.types)),
  );
  const words = files.flatMap((file, index) => (faults[index] ? [`${file.name}: ${faults[index]}`] : []));
  place.textContent = words.join(" ");
  input.setAttribute("aria-invalid", words.length > 0);
};

for (const input of form.querySelectorAll("input[type=file]")) {
  input.addEventListener("change", () => judge(input));
  if (input.files.length) judge(input);
}
