(() => {
  const keepInside = (event) => {
    const box = event.target instanceof Element && event.target.closest("[data-svc-tooltip]");
    if (!box) return;
    const tip = box.querySelector(".svc-tooltip-tip");
    tip.style.setProperty("--svc-tooltip-shift", "0px");
    const { left, right } = tip.getBoundingClientRect();
    const shift = left < 8 ? 8 - left : Math.min(0, document.documentElement.clientWidth - 8 - right);
    tip.style.setProperty("--svc-tooltip-shift", `${shift}px`);
  };
  document.addEventListener("mouseover", keepInside);
  document.addEventListener("focusin", keepInside);
})();
