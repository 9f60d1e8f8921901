(() => {
  const key = () => `svc-open:${location.pathname}`;
  const all = () => [...document.querySelectorAll(".svc-expandable")];
  const read = () => {
    try {
      return JSON.parse(sessionStorage.getItem(key()) || "{}");
    } catch {
      return {};
    }
  };
  document.addEventListener("click", (event) => {
    const summary = event.target instanceof Element && event.target.closest(".svc-expandable-summary");
    if (!summary) return;
    const known = read();
    // The click turns it round after this.
    known[all().indexOf(summary.parentElement)] = !summary.parentElement.open;
    try {
      sessionStorage.setItem(key(), JSON.stringify(known));
    } catch {
      // Without storage everything is as the author wants it next time.
    }
  });
  const start = () => {
    const known = read();
    all().forEach((element, at) => {
      if (at in known) element.open = known[at];
    });
  };
  document.addEventListener("svc:page", start);
  start();
})();
