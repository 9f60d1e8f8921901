// Runs before the first paint: decides light or dark, so that no page flashes.
(() => {
  const root = document.documentElement;
  const fixed = root.dataset.colorMode;
  let stored = null;
  try {
    stored = localStorage.getItem("svc-theme");
  } catch {
    // Storage may be forbidden; the system's setting decides then.
  }
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const strict = fixed === "strict-light" || fixed === "strict-dark";
  const mode = strict ? fixed.slice(7) : stored || (fixed === "system" ? system : fixed);
  root.classList.toggle("dark", mode === "dark");
  root.classList.add("js");
})();
