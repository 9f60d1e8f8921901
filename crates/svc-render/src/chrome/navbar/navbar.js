// A row of tabs that is wider than the window says on which side there is more of it.
(() => {
  const row = document.querySelector(".svc-tabs-row");
  if (!row) return;
  const mark = () => {
    const [at, room] = [Math.abs(row.scrollLeft), row.scrollWidth - row.clientWidth];
    row.toggleAttribute("data-more-before", at > 1);
    row.toggleAttribute("data-more-behind", at < room - 1);
  };
  row.addEventListener("scroll", mark, { passive: true });
  addEventListener("resize", mark);
  mark();
})();

// Menus of tabs: hung from their tab where style alone cannot do it, and closed with the arrow keys
// inside as in every other list.
(() => {
  const anchored = CSS.supports("position-area", "bottom");
  for (const list of document.querySelectorAll(".svc-tab-list")) {
    const tab = document.querySelector(`[popovertarget="${list.id}"]`);
    list.addEventListener("toggle", (event) => {
      if (event.newState !== "open" || anchored) return;
      const own = tab.getBoundingClientRect();
      const room = document.documentElement.clientWidth - list.offsetWidth - 8;
      list.style.top = `${own.bottom + 4}px`;
      list.style.left = `${Math.max(8, Math.min(own.left, room))}px`;
    });
    tab.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      list.showPopover({ source: tab });
      list.querySelector("a")?.focus();
    });
  }
})();
