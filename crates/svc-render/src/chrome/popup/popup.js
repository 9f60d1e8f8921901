// Lists that hang from a control close on a click outside and on Escape; arrows walk through them.
(() => {
  const open = () => document.querySelectorAll("details.svc-popup[open]");
  const items = (list) => [...list.querySelectorAll(".svc-popup-item")].filter((item) => item.offsetParent);
  document.addEventListener("click", (event) => {
    for (const popup of open()) if (!popup.contains(event.target)) popup.open = false;
  });
  document.addEventListener("focusin", (event) => {
    for (const popup of open()) if (!popup.contains(event.target)) popup.open = false;
  });
  document.addEventListener("keydown", (event) => {
    const popup = event.target.closest?.("details.svc-popup");
    if (event.key === "Escape") {
      for (const each of open()) {
        const inside = each.contains(document.activeElement);
        each.open = false;
        event.preventDefault();
        if (inside) each.querySelector("summary").focus();
      }
      return;
    }
    const list = event.target.closest?.(".svc-popup-list, details.svc-popup");
    const step = { ArrowDown: 1, ArrowUp: -1, Home: 0, End: 0 }[event.key];
    if (!list || step === undefined) return;
    const onControl = event.target.matches("summary");
    if (onControl && !step) return;
    if (onControl && popup) popup.open = true;
    const all = items(list);
    if (!all.length) return;
    event.preventDefault();
    const at = all.indexOf(document.activeElement);
    let next = (at + step + all.length) % all.length;
    if (at < 0) next = step > 0 ? 0 : all.length - 1;
    if (event.key === "Home") next = 0;
    if (event.key === "End") next = all.length - 1;
    all[next].focus();
  });
})();
