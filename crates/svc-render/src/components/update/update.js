(() => {
  // An address may hold a `%` that means nothing.
  const hash = () => {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch {
      return "";
    }
  };
  const buttons = () => [...document.querySelectorAll("#changelog-filters [data-tag]")];
  const chosen = () => buttons().filter((button) => button.ariaPressed === "true").map((button) => button.dataset.tag);
  const tags = (update) => [...update.querySelectorAll(":scope > .svc-update-side .svc-update-tag")].map((tag) => tag.textContent);
  const show = () => {
    const wanted = chosen();
    const left = new Set();
    for (const update of document.querySelectorAll(".svc-update")) {
      const own = tags(update);
      update.hidden = !wanted.every((tag) => own.includes(tag));
      if (!update.hidden) own.forEach((tag) => left.add(tag));
    }
    // A tag that no entry on show has would leave nothing.
    for (const button of buttons()) {
      button.disabled = button.ariaPressed !== "true" && !left.has(button.dataset.tag);
    }
    const clear = document.querySelector("#changelog-filters [data-svc-clear]");
    if (clear) clear.hidden = !wanted.length;
    for (const link of document.querySelectorAll(".toc-item a")) {
      const target = document.getElementById(decodeURIComponent(link.hash.slice(1)));
      const entry = target && target.closest(".svc-update");
      if (entry) link.parentElement.hidden = entry.hidden;
    }
  };
  const remember = () => {
    const address = new URL(location.href);
    const wanted = chosen();
    if (wanted.length) address.searchParams.set("tags", wanted.join(","));
    else address.searchParams.delete("tags");
    history.replaceState(history.state, "", address);
  };
  const choose = (wanted) => {
    for (const button of buttons()) button.setAttribute("aria-pressed", wanted.includes(button.dataset.tag));
    show();
  };
  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const button = target && target.closest("#changelog-filters [data-tag]");
    if (button) {
      button.setAttribute("aria-pressed", button.ariaPressed !== "true");
      show();
      remember();
    } else if (target && target.closest("[data-svc-clear]")) {
      choose([]);
      remember();
      buttons()[0]?.focus();
    }
  });
  const start = () => {
    const asked = new URLSearchParams(location.search).get("tags");
    if (!asked) return;
    // A tag may hold a comma itself.
    const known = buttons().map((button) => button.dataset.tag);
    choose(known.includes(asked) ? [asked] : asked.split(",").map((tag) => tag.trim()));
    const target = location.hash && document.getElementById(hash());
    if (target) target.scrollIntoView();
  };
  document.addEventListener("svc:page", start);
  start();
})();
