// The words of scripts in the language of the page, which the page brings along (script_texts in
// compliance/templatetags/shell.py). English needs none.

const block = document.getElementById("script-texts");
const texts = block ? JSON.parse(block.textContent) : {};

/** The text in the language of the page; `{name}` stands for a value. */
export const text = (english, values = {}) =>
  (texts[english] ?? english).replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** Show words for some seconds, or for as long as the page stays. */
export const tell = (words, stays = false) => {
  const toast = document.createElement("p");
  toast.className = stays ? "toast stays" : "toast";
  toast.textContent = words;
  document.getElementById("toasts")?.replaceChildren(toast);
};
