(() => {
  const box = (event) => event.target instanceof Element && event.target.closest("[data-svc-tooltip]");
  const keepInside = (event) => {
    const tooltip = box(event);
    if (!tooltip) return;
    const tip = tooltip.querySelector(".svc-tooltip-tip");
    tip.style.setProperty("--svc-tooltip-shift", "0px");
    const { left, right, top } = tip.getBoundingClientRect();
    const shift = left < 8 ? 8 - left : Math.min(0, document.documentElement.clientWidth - 8 - right);
    tip.style.setProperty("--svc-tooltip-shift", `${shift}px`);
    if (top < 8) tooltip.dataset.below = "";
  };
  const forget = (event) => {
    const tooltip = box(event);
    if (!tooltip || tooltip.contains(event.relatedTarget)) return;
    delete tooltip.dataset.dismissed;
    delete tooltip.dataset.below;
  };
  document.addEventListener("mouseover", keepInside);
  document.addEventListener("focusin", keepInside);
  document.addEventListener("mouseout", forget);
  document.addEventListener("focusout", forget);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const tooltip of document.querySelectorAll("[data-svc-tooltip]:is(:hover, :focus-within)")) {
      tooltip.dataset.dismissed = "";
    }
  });
  // A second tap closes what the first one opened.
  let touched = null;
  document.addEventListener("pointerdown", (event) => {
    const word = event.pointerType === "touch" && event.target instanceof Element && event.target.closest(".svc-tooltip-word");
    touched = word && word === document.activeElement ? word : null;
  });
  document.addEventListener("click", () => {
    if (!touched) return;
    touched.blur();
    touched = null;
  });
})();
