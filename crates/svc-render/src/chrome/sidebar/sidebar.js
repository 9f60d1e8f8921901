(() => {
  const root = document.documentElement;
  const sidebar = document.querySelector(".svc-sidebar");
  if (!sidebar) return;

  document.dispatchEvent(new Event("svc:place"));

  // In a narrow window the sidebar is a drawer: as long as it is open there is nothing else.
  const button = document.querySelector("[data-svc-menu]");
  if (!button) return;
  const isOpen = () => root.classList.contains("nav-open");
  const others = [];
  const rest = () => {
    for (let part = sidebar; part !== document.body; part = part.parentElement) {
      for (const sibling of part.parentElement.children) {
        if (sibling !== part && !sibling.matches("script, dialog") && !sibling.inert) others.push(sibling);
      }
    }
    return others;
  };
  const set = (open) => {
    if (open === isOpen()) return;
    root.classList.toggle("nav-open", open);
    button.setAttribute("aria-expanded", String(open));
    if (open) {
      for (const part of rest()) part.inert = true;
      sidebar.setAttribute("role", "dialog");
      sidebar.setAttribute("aria-modal", "true");
      // Reading the style ends `content-visibility: hidden` before focus goes into the list.
      getComputedStyle(sidebar).visibility;
      sidebar.querySelector("[data-svc-close]").focus();
      document.dispatchEvent(new Event("svc:place"));
    } else {
      for (const part of others.splice(0)) part.inert = false;
      sidebar.removeAttribute("role");
      sidebar.removeAttribute("aria-modal");
      button.focus();
    }
  };
  button.addEventListener("click", () => set(true));
  sidebar.querySelector("[data-svc-close]").addEventListener("click", () => set(false));
  document.addEventListener("keydown", (event) => {
    if (!isOpen()) return;
    if (event.key === "Escape" && !event.defaultPrevented) set(false);
    if (event.key !== "Tab") return;
    const all = [...sidebar.querySelectorAll("a[href], button, summary")].filter((each) => each.offsetParent);
    const first = all[0];
    const last = all[all.length - 1];
    const at = document.activeElement;
    const leaves = event.shiftKey ? at === first : at === last;
    if (!leaves && sidebar.contains(at)) return;
    event.preventDefault();
    (event.shiftKey ? last : first).focus();
  });
  document.addEventListener("click", (event) => {
    if (isOpen() && !sidebar.contains(event.target) && !button.contains(event.target)) set(false);
    // A link to a part of the same page.
    if (isOpen() && event.target.closest("a[href]")?.hash) set(false);
    // The search takes the place of the drawer.
    if (isOpen() && event.target.closest("[data-svc-search]")) set(false);
  });
  matchMedia("(min-width: 64rem)").addEventListener("change", (event) => {
    if (event.matches) set(false);
  });
})();
