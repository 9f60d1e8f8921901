// Runs before the first paint: decides light or dark, and whether the banner was closed, so that
// no page flashes or jumps.
(() => {
  const root = document.documentElement;
  const fixed = root.dataset.colorMode;
  let stored = null;
  try {
    stored = localStorage.getItem("svc-theme");
  } catch {
    // Storage may be forbidden; the site's own mode decides then.
  }
  const strict = fixed.startsWith("strict-");
  const choice = strict ? fixed.slice(7) : ["light", "dark", "system"].includes(stored) ? stored : fixed;
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  root.dataset.choice = choice;
  root.classList.toggle("dark", (choice === "system" ? system : choice) === "dark");
  root.classList.toggle("mac", /mac|iphone|ipad/i.test(navigator.userAgentData?.platform ?? navigator.platform));
  root.classList.add("js");
  try {
    const closed = localStorage.getItem(`svc-banner:${root.dataset.banner}`);
    root.classList.toggle("banner-closed", Boolean(root.dataset.banner && closed));
  } catch {
    // See above.
  }
})();
// A transition to or from a page that cannot take part is given up; that is no error.
for (const name of ["pagereveal", "pageswap"]) {
  addEventListener(name, (event) => {
    const { ready, finished, updateCallbackDone } = event.viewTransition ?? {};
    for (const end of [ready, finished, updateCallbackDone]) end?.catch(() => {});
  });
}
