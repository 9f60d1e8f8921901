(() => {
  // An address may hold a `%` that means nothing.
  const hash = () => {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch {
      return "";
    }
  };
  const key = "svc-panels";
  const read = () => {
    try {
      return JSON.parse(localStorage.getItem(key) || "[]");
    } catch {
      return [];
    }
  };
  const remember = (title) => {
    try {
      const titles = [title, ...read().filter((other) => other !== title)].slice(0, 40);
      localStorage.setItem(key, JSON.stringify(titles));
    } catch {
      // Without storage the choice holds for this page only.
    }
  };
  const radios = (box) => [...box.querySelectorAll(":scope > .svc-panels-radio")];
  const choose = (title, except) => {
    for (const box of document.querySelectorAll("[data-svc-panels][data-sync]")) {
      if (box === except) continue;
      const same = radios(box).find((radio) => radio.value === title);
      if (same) same.checked = true;
    }
  };
  const openHash = () => {
    const id = hash();
    let target = id && document.getElementById(id);
    if (!target) return;
    const element = target;
    for (; target; target = target.parentElement) {
      if (target instanceof HTMLDetailsElement) target.open = true;
      if (!target.classList.contains("svc-panels-panel")) continue;
      const label = target.previousElementSibling;
      const radio = label && label.previousElementSibling;
      if (radio instanceof HTMLInputElement) radio.checked = true;
    }
    keepLists();
    element.scrollIntoView();
  };
  // A list in place of the tabs, where the author wants one.
  const list = (box) => {
    const select = document.createElement("select");
    select.className = "svc-panels-select";
    select.setAttribute("aria-label", box.getAttribute("aria-label"));
    for (const radio of radios(box)) select.append(new Option(radio.nextElementSibling.textContent, radio.id));
    select.addEventListener("change", () => {
      const radio = document.getElementById(select.value);
      radio.checked = true;
      radio.dispatchEvent(new Event("change", { bubbles: true }));
    });
    box.prepend(select);
  };
  const keepLists = () => {
    for (const select of document.querySelectorAll(".svc-panels-select")) {
      const chosen = radios(select.parentElement).find((radio) => radio.checked);
      if (chosen) select.value = chosen.id;
    }
  };
  const start = () => {
    for (const box of document.querySelectorAll("[data-svc-panels][data-dropdown]")) {
      if (!box.querySelector(":scope > .svc-panels-select")) list(box);
    }
    const titles = read();
    for (const box of document.querySelectorAll("[data-svc-panels][data-sync]")) {
      const all = radios(box);
      const title = titles.find((known) => all.some((radio) => radio.value === known));
      const chosen = title && all.find((radio) => radio.value === title);
      if (chosen) chosen.checked = true;
    }
    openHash();
    keepLists();
  };
  document.addEventListener("change", (event) => {
    const radio = event.target;
    if (!(radio instanceof HTMLInputElement) || !radio.matches(".svc-panels-radio")) return;
    const box = radio.parentElement;
    queueMicrotask(keepLists);
    if (!("sync" in box.dataset) || !radio.value) return;
    const top = radio.nextElementSibling.getBoundingClientRect().top;
    choose(radio.value, box);
    remember(radio.value);
    // Panels above may have changed their height; the reader stays where they clicked.
    window.scrollBy({ top: radio.nextElementSibling.getBoundingClientRect().top - top, behavior: "instant" });
  });
  window.addEventListener("hashchange", openHash);
  document.addEventListener("svc:page", start);
  start();
})();
