(() => {
  const buttons = document.querySelectorAll("[data-svc-theme]");
  const root = document.documentElement;
  const say = () => {
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(root.classList.contains("dark")));
    }
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      const dark = root.classList.toggle("dark");
      try {
        localStorage.setItem("svc-theme", dark ? "dark" : "light");
      } catch {
        // Without storage the choice holds for this page only.
      }
      say();
    });
  }
  say();
})();
