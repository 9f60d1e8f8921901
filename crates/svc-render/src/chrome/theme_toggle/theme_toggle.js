// One button, three choices: light, dark, and as the system has it.
(() => {
  const buttons = document.querySelectorAll("[data-svc-theme]");
  const root = document.documentElement;
  const fixed = root.dataset.colorMode;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const look = () => (system.matches ? "dark" : "light");
  const other = (mode) => (mode === "dark" ? "light" : "dark");
  const show = () => {
    const choice = root.dataset.choice;
    root.classList.toggle("dark", (choice === "system" ? look() : choice) === "dark");
    for (const button of buttons) {
      const name = button.dataset[choice];
      button.dataset.label ??= button.getAttribute("aria-label");
      button.setAttribute("aria-label", `${button.dataset.label}: ${name}`);
      button.title = name;
    }
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      // Of three steps one changes nothing that is seen; it is never the first.
      const own = fixed === "system" ? other(look()) : fixed;
      const order = fixed === "system" ? ["system", own, other(own)] : [own, other(own), "system"];
      root.dataset.choice = order[(order.indexOf(root.dataset.choice) + 1) % order.length];
      try {
        localStorage.setItem("svc-theme", root.dataset.choice);
      } catch {
        // Without storage the choice holds for this page only.
      }
      show();
    });
  }
  // Pages with one mode have no button, and the system does not change theirs.
  system.addEventListener("change", show);
  show();
})();
