(() => {
  const root = document.documentElement;
  const button = document.querySelector("[data-svc-menu]");
  const sidebar = document.getElementById("sidebar");
  if (!sidebar) return;
  const current = sidebar.querySelector("[aria-current]");
  // Which of the two scrolls depends on the theme's shell.
  const box = [sidebar, document.getElementById("sidebar-content")].find(
    (part) => part.scrollHeight > part.clientHeight + 1,
  );
  if (current && box) {
    const top = current.getBoundingClientRect().top - box.getBoundingClientRect().top;
    if (top > box.clientHeight * 0.7) box.scrollTop += top - box.clientHeight / 3;
  }
  if (!button) return;
  const set = (open) => {
    root.classList.toggle("nav-open", open);
    button.setAttribute("aria-expanded", String(open));
    if (open) sidebar.querySelector("a, summary")?.focus();
    else button.focus();
  };
  button.addEventListener("click", () => set(!root.classList.contains("nav-open")));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && root.classList.contains("nav-open")) set(false);
  });
  document.addEventListener("click", (event) => {
    const inside = sidebar.contains(event.target) || button.contains(event.target);
    if (root.classList.contains("nav-open") && !inside) set(false);
  });
})();
