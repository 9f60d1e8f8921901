(() => {
  const follow = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    let element = id && document.getElementById(id);
    for (; element; element = element.parentElement) {
      if (element instanceof HTMLDetailsElement) element.open = true;
    }
  };
  document.addEventListener("click", (event) => {
    const summary = event.target instanceof Element && event.target.closest(".svc-accordion-summary");
    if (!summary || summary.parentElement.open) return;
    history.replaceState(history.state, "", `#${encodeURIComponent(summary.parentElement.id)}`);
  });
  window.addEventListener("hashchange", follow);
  document.addEventListener("svc:page", follow);
  follow();
})();
