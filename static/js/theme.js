// Loaded before the first paint, so that a chosen theme never flashes. "auto" follows the system;
// the key and its values are those of the admin's own switch, so that both agree.
(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");

  const show = (theme) => {
    root.dataset.theme = ["light", "dark"].includes(theme) ? theme : "auto";
  };
  const toggle = () => {
    const system = dark.matches ? "dark" : "light";
    const shown = root.dataset.theme === "auto" ? system : root.dataset.theme;
    const next = shown === "dark" ? "light" : "dark";
    show(next === system ? "auto" : next);
    localStorage.setItem("theme", root.dataset.theme);
  };

  show(localStorage.getItem("theme"));
  // Machines by Apple have another command key.
  root.toggleAttribute("data-apple", /^(Mac|iP)/.test(navigator.platform));
  // The next person at this window begins without the queue of the last one.
  if (location.pathname === "/login/") sessionStorage.clear();
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-theme-toggle]")) toggle();
    if (event.target.closest("[data-print]")) print();
  });
  addEventListener("storage", (event) => {
    if (event.key === "theme") show(event.newValue);
  });
})();
