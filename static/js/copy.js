// A button that copies: a reference, or a link.

import { text } from "./texts.js";

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (!button) return;
  const reference = button.dataset.copy;
  const toast = document.createElement("p");
  toast.className = "toast";
  try {
    // Browsers offer it on pages that came safely, and may refuse it.
    await navigator.clipboard.writeText(reference);
    toast.textContent = text("Copied {reference}", { reference });
  } catch {
    toast.textContent = text("This could not be copied: {reference}", { reference });
  }
  document.getElementById("toasts").replaceChildren(toast);
});
