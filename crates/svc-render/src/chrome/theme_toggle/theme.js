// Runs before the first paint: decides light or dark, and whether the banner was closed, so that
// no page flashes or jumps.
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
  try {
    const closed = localStorage.getItem(`svc-banner:${root.dataset.banner}`);
    root.classList.toggle("banner-closed", Boolean(root.dataset.banner && closed));
  } catch {
    // See above.
  }
})();
