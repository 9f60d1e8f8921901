// Remembers the language that a reader selects: the start page opens in it the next time.
(() => {
  const remember = (event) => {
    const item = event.target.closest("[data-svc-language]");
    if (!item || !event.target.closest("a")) return;
    const home = new URL(`${item.parentElement.dataset.base}/`, document.baseURI).pathname;
    const secure = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `svc_language=${item.dataset.svcLanguage}; Path=${home}; Max-Age=31536000; SameSite=Lax${secure}`;
  };
  // Other buttons than the first open the page in a new tab.
  for (const kind of ["click", "auxclick"]) document.addEventListener(kind, remember);
})();
