(() => {
  const button = document.querySelector("[data-svc-theme]");
  if (!button) return;
  const root = document.documentElement;
  const say = () => button.setAttribute("aria-pressed", String(root.classList.contains("dark")));
  button.addEventListener("click", () => {
    const dark = root.classList.toggle("dark");
    try {
      localStorage.setItem("svc-theme", dark ? "dark" : "light");
    } catch {
      // Without storage the choice holds for this page only.
    }
    say();
  });
  say();
})();
