// Diagrams: zoom, move and full screen. Without this script they scroll.
(() => {
  const step = 1.25;
  for (const figure of document.querySelectorAll("[data-svc-diagram]")) {
    const view = figure.querySelector(".svc-diagram-view");
    const drawing = view?.querySelector("svg");
    const bar = figure.querySelector(".svc-diagram-bar");
    if (!drawing || !bar) continue;
    let size = 1, x = 0, y = 0, held = null;
    const show = () => {
      const moved = size !== 1 || x !== 0 || y !== 0;
      figure.toggleAttribute("data-moved", moved);
      drawing.style.transform = moved ? `translate(${x}px, ${y}px) scale(${size})` : "";
    };
    const zoom = (by, cx, cy) => {
      const next = Math.min(8, Math.max(0.25, size * by));
      // The point under the pointer, or the middle, stays where it is.
      const box = drawing.getBoundingClientRect();
      const dx = (cx ?? box.left + box.width / 2) - (box.left + box.width / 2);
      const dy = (cy ?? box.top + box.height / 2) - (box.top + box.height / 2);
      x += dx * (1 - next / size);
      y += dy * (1 - next / size);
      size = next;
      show();
    };
    const reset = () => {
      size = 1;
      x = y = 0;
      show();
    };
    const full = () => {
      reset();
      if (document.fullscreenElement) document.exitFullscreen();
      else figure.requestFullscreen().catch(() => {});
    };
    const acts = { in: () => zoom(step), out: () => zoom(1 / step), reset, full };
    const keys = { "+": acts.in, "=": acts.in, "-": acts.out, 0: reset, f: full };
    const ways = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    bar.hidden = false;
    if (!document.fullscreenEnabled) bar.querySelector("[data-action=full]").hidden = true;
    bar.addEventListener("click", (event) => acts[event.target.closest("button")?.dataset.action]?.());
    view.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const way = size !== 1 ? ways[event.key] : null;
      if (way) {
        x += way[0] * 40;
        y += way[1] * 40;
        show();
      } else if (keys[event.key]) keys[event.key]();
      else return;
      event.preventDefault();
    });
    view.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(event.deltaY < 0 ? step : 1 / step, event.clientX, event.clientY);
    }, { passive: false });
    view.addEventListener("pointerdown", (event) => {
      if (!figure.hasAttribute("data-moved") || event.button !== 0) return;
      held = { id: event.pointerId, x: event.clientX - x, y: event.clientY - y };
      view.setPointerCapture(event.pointerId);
      figure.setAttribute("data-held", "");
    });
    view.addEventListener("pointermove", (event) => {
      if (held?.id !== event.pointerId) return;
      x = event.clientX - held.x;
      y = event.clientY - held.y;
      show();
    });
    const drop = () => {
      held = null;
      figure.removeAttribute("data-held");
    };
    view.addEventListener("pointerup", drop);
    view.addEventListener("pointercancel", drop);
  }
})();
