(() => {
  const root = document.documentElement;
  const button = document.querySelector("[data-svc-menu]");
  const sidebar = document.getElementById("sidebar");
  if (!sidebar) return;
  const current = sidebar.querySelector("[aria-current]");
  if (current && sidebar.scrollHeight > sidebar.clientHeight) {
    const top = current.getBoundingClientRect().top - sidebar.getBoundingClientRect().top;
    if (top > sidebar.clientHeight * 0.7) sidebar.scrollTop += top - sidebar.clientHeight / 3;
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
