// Parts of schemas that come when a reader opens them; without this script their links lead to them.
(() => {
  const coming = new WeakMap();
  const linkIn = (part) => part.querySelector(":scope > [data-svc-part-link] > a");
  // Ids inside of a part are its own: before they stand in the page they get the id of the place.
  const settle = (root, owner) => {
    for (const element of root.querySelectorAll("[id]")) element.id = `${owner}-${element.id}`;
    for (const link of root.querySelectorAll('a[href^="#"]')) {
      link.setAttribute("href", `#${encodeURIComponent(owner)}-${link.getAttribute("href").slice(1)}`);
    }
    for (const inner of root.querySelectorAll("[data-svc-part]")) {
      const own = inner.dataset.svcPart;
      inner.dataset.svcPart = own ? `${owner}-${own}` : owner;
    }
  };
  const load = async (part) => {
    const link = linkIn(part);
    if (!link) return;
    part.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(link.href);
      if (!answer.ok) throw new Error(answer.statusText);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const inside = page.querySelector("[data-svc-part-inside]");
      if (!inside) throw new Error("nothing inside");
      settle(inside, part.dataset.svcPart);
      link.parentElement.replaceWith(...inside.childNodes);
    } catch {
      // The link stays: it says what is wrong better than this script could.
      coming.delete(part);
    }
    part.removeAttribute("aria-busy");
  };
  const bring = (part) => {
    if (!coming.has(part)) coming.set(part, load(part));
    return coming.get(part);
  };
  // This event does not rise, but it can be caught on its way down.
  document.addEventListener("toggle", (event) => {
    if (event.target.open && event.target.matches("[data-svc-part]")) bring(event.target);
  }, true);

  const wanted = () => {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch {
      return "";
    }
  };
  const show = (target) => {
    for (let element = target; element; element = element.parentElement) {
      if (element instanceof HTMLDetailsElement) element.open = true;
    }
    // Now that it is there, the browser goes to it and marks it.
    location.replace(location.hash);
  };
  // A link may lead into parts inside of parts: the one with the longest name of its place first.
  const follow = async () => {
    const id = wanted();
    if (!id) return;
    const tried = new Set();
    for (;;) {
      const target = document.getElementById(id);
      if (target) {
        // A closed part hides its place from the browser, which could not go there by itself.
        const closed = target.parentElement?.closest("details:not([open])");
        if (tried.size > 0 || (closed && target.matches(".svc-field, .svc-variant"))) show(target);
        return;
      }
      const fits = [...document.querySelectorAll("[data-svc-part]")].filter(
        (part) => !tried.has(part) && linkIn(part) && id.startsWith(`${part.dataset.svcPart}-`),
      );
      if (fits.length === 0 || tried.size > 20) return;
      const part = fits.reduce((a, b) => (b.dataset.svcPart.length > a.dataset.svcPart.length ? b : a));
      tried.add(part);
      await bring(part);
      if (wanted() !== id) return;
    }
  };

  // All closed parts at once, also those that come from elsewhere: level by level, as schemas may
  // contain themselves.
  const FOLDS = ".svc-response, .svc-api-nested, .svc-variant";
  const MAX_LEVELS = 4;
  const MAX_PARTS = 60;
  const opened = new Set();
  const isOpen = (button) => "all" in button.dataset;
  const turn = (button, open) => {
    if (open === isOpen(button)) return;
    if (open) button.dataset.all = "";
    else delete button.dataset.all;
    [button.textContent, button.dataset.other] = [button.dataset.other, button.textContent];
  };
  const openAll = async (button) => {
    turn(button, true);
    let left = MAX_PARTS;
    for (let level = 0; level <= MAX_LEVELS; level++) {
      if (level === MAX_LEVELS) left = 0;
      const coming = [];
      for (const fold of document.querySelectorAll(FOLDS)) {
        if (fold.open && !linkIn(fold)) continue;
        if (linkIn(fold)) {
          if (left-- <= 0) continue;
          coming.push(bring(fold));
        }
        if (!fold.open) opened.add(fold);
        fold.open = true;
      }
      if (!coming.length) return;
      await Promise.all(coming);
      if (!isOpen(button)) return;
    }
  };
  const closeAll = (button) => {
    turn(button, false);
    for (const fold of document.querySelectorAll(FOLDS)) {
      if (opened.has(fold) || !fold.matches(".svc-response")) fold.open = false;
    }
    opened.clear();
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.(".svc-api-expand");
    if (!button) return;
    if (isOpen(button)) closeAll(button);
    else openAll(button);
  });
  const start = () => {
    const button = document.querySelector(".svc-api-expand");
    if (button) button.hidden = false;
    if (button && "open" in button.dataset) openAll(button);
    follow();
  };
  window.addEventListener("hashchange", follow);
  document.addEventListener("svc:page", start);
  start();
})();
