// The words of scripts in the language of the page, which the page brings along (script_texts in
// compliance/templatetags/shell.py). English needs none.

const block = document.getElementById("script-texts");
const texts = block ? JSON.parse(block.textContent) : {};

/** The text in the language of the page; `{name}` stands for a value. */
export const text = (english, values = {}) =>
  (texts[english] ?? english).replace(/\{(\w+)\}/g, (_, name) => values[name]);
