(() => {
  // An address may hold a `%` that means nothing.
  const hash = () => {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch {
      return "";
    }
  };
  const key = "svc-view";
  const stored = () => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const radios = () => [...document.querySelectorAll("#multi-view-dropdown input")];
  const show = (title) => {
    for (const view of document.querySelectorAll("[data-svc-view]")) {
      view.toggleAttribute("data-off", view.dataset.svcView !== title);
    }
    for (const radio of radios()) radio.checked = radio.value === title;
    // The contents list only what can be seen.
    for (const link of document.querySelectorAll(".toc-item a")) {
      const target = document.getElementById(decodeURIComponent(link.hash.slice(1)));
      link.parentElement.hidden = Boolean(target?.closest("[data-svc-view][data-off]"));
    }
  };
  const follow = () => {
    const target = location.hash && document.getElementById(hash());
    const view = target && target.closest("[data-svc-view]");
    if (!view) return false;
    show(view.dataset.svcView);
    target.scrollIntoView();
    return true;
  };
  const start = () => {
    const all = radios();
    if (!all.length || follow()) return;
    const known = all.find((radio) => radio.value === stored()) || all[0];
    show(known.value);
  };
  document.addEventListener("change", (event) => {
    const radio = event.target;
    if (!(radio instanceof HTMLInputElement) || !radio.closest("#multi-view-dropdown")) return;
    show(radio.value);
    try {
      localStorage.setItem(key, radio.value);
    } catch {
      // Without storage the choice holds for this page only.
    }
  });
  window.addEventListener("hashchange", follow);
  document.addEventListener("svc:page", start);
  start();
})();
