// Opens the search dialog. The rest of its script is loaded when a reader is about to search.
(() => {
  const dialog = document.querySelector("dialog.svc-search");
  if (!dialog || !dialog.showModal) return;
  const address = new URL(dialog.dataset.script, document.baseURI).href;
  let loaded = null;
  const load = () => {
    // Pages that are opened from a folder bring another way to load modules.
    loaded ??= window.svcImport ? window.svcImport(address) : import(address);
    loaded.catch(() => (loaded = null));
    return loaded;
  };
  const open = async () => {
    if (dialog.open) return;
    dialog.showModal();
    dialog.querySelector("input").select();
    try {
      (await load()).opened(dialog);
    } catch {
      dialog.querySelector(".svc-search-empty").textContent = dialog.dataset.failed;
    }
  };
  for (const type of ["pointerover", "focusin"]) {
    document.addEventListener(type, (event) => {
      if (!loaded && event.target.closest?.("[data-svc-search]")) load().catch(() => {});
    });
  }
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-svc-search]")) {
      event.preventDefault();
      open();
    } else if (event.target === dialog) dialog.close();
    else if (dialog.contains(event.target) && event.target.closest("li a") && !event.metaKey && !event.ctrlKey && !event.shiftKey) dialog.close();
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    const slash = event.key === "/" && !typing && !event.metaKey && !event.ctrlKey;
    if (slash || (event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey))) {
      event.preventDefault();
      open();
    }
  });
  // A search has opened this page, or a section of it.
  const mark = () => {
    try {
      if (localStorage.getItem("svc-search-marks")) load().then((search) => search.mark(), () => {});
    } catch {
      // Without storage nothing is marked.
    }
  };
  mark();
  addEventListener("hashchange", mark);
})();
