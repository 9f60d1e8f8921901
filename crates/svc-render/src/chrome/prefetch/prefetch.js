// Fetches the page behind a link when a reader is about to follow it, so that it opens at once.
(() => {
  const connection = navigator.connection;
  if (connection?.saveData || /2g/.test(connection?.effectiveType ?? "")) return;
  const relations = document.createElement("link").relList;
  if (!relations?.supports?.("prefetch")) return;
  const seen = new Set([location.pathname]);
  let timer = 0;
  const fetchPage = (link) => {
    const url = new URL(link.href);
    seen.add(url.pathname);
    const hint = document.createElement("link");
    hint.rel = "prefetch";
    hint.href = url.pathname + url.search;
    document.head.append(hint);
  };
  const wanted = (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || link.origin !== location.origin || link.download || link.target) return null;
    // Files have an ending, pages have none.
    const last = link.pathname.split("/").pop();
    if (seen.has(link.pathname) || seen.size > 60 || last.includes(".")) return null;
    return link;
  };
  // A pointer that only passes by fetches nothing.
  document.addEventListener("pointerover", (event) => {
    clearTimeout(timer);
    const link = wanted(event);
    if (link) timer = setTimeout(fetchPage, 65, link);
  });
  document.addEventListener("pointerdown", (event) => {
    const link = wanted(event);
    if (link) fetchPage(link);
  });
  document.addEventListener("focusin", (event) => {
    clearTimeout(timer);
    const link = wanted(event);
    if (link) timer = setTimeout(fetchPage, 300, link);
  });
})();
