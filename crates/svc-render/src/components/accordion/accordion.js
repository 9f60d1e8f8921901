(() => {
  // An address may hold a `%` that means nothing.
  const hash = () => {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch {
      return "";
    }
  };
  // `#outer:inner` names an accordion inside another one.
  const find = (name) => {
    const whole = document.getElementById(name);
    if (whole || !name.includes(":")) return whole;
    let scope = document;
    let found = null;
    for (const part of name.split(":")) {
      const next = part && scope.querySelector(`[id="${CSS.escape(part)}"]`);
      if (next) scope = found = next;
    }
    return found;
  };
  const follow = () => {
    const target = find(hash());
    let shut = false;
    for (let element = target; element; element = element.parentElement) {
      if (!(element instanceof HTMLDetailsElement) || element.open) continue;
      element.open = true;
      shut = true;
    }
    if (shut || (target && location.hash.includes(":"))) target.scrollIntoView();
  };
  document.addEventListener("click", (event) => {
    const summary = event.target instanceof Element && event.target.closest(".svc-accordion-summary");
    if (!summary) return;
    const { open, id } = summary.parentElement;
    const own = `#${encodeURIComponent(id)}`;
    if (!open) history.replaceState(history.state, "", own);
    else if (location.hash === own) history.replaceState(history.state, "", location.pathname + location.search);
  });
  window.addEventListener("hashchange", follow);
  document.addEventListener("svc:page", follow);
  follow();
})();
