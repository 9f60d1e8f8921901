(() => {
  document.addEventListener("click", (event) => {
    const image = event.target instanceof HTMLImageElement ? event.target : null;
    if (!image || !image.matches("[data-svc-zoom]") || image.closest("a, button, summary")) return;
    const dialog = document.createElement("dialog");
    dialog.className = "svc-zoom";
    dialog.setAttribute("aria-label", image.alt || document.getElementById("main")?.dataset.picture || "");
    const large = new Image();
    large.src = image.currentSrc || image.src;
    large.alt = image.alt;
    dialog.append(large);
    dialog.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  });
})();
