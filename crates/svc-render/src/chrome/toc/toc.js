(() => {
  let links = [];
  let targets = [];
  let active = null;
  let queued = false;
  const mark = () => {
    queued = false;
    if (!links.length) return;
    const line = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + 8 || 120;
    let found = 0;
    targets.forEach((target, at) => {
      if (target && target.getBoundingClientRect().top <= line) found = at;
    });
    const end = innerHeight + scrollY >= document.documentElement.scrollHeight - 4 && scrollY > 0;
    const link = links[end ? links.length - 1 : found];
    if (link === active) return;
    active?.removeAttribute("aria-current");
    link.setAttribute("aria-current", "location");
    active = link;
  };
  const start = () => {
    links = [...document.querySelectorAll(".toc-item a")];
    // Inside the text: a heading may have the id of a part of the page around it.
    targets = links.map((link) => {
      const id = decodeURIComponent(link.hash.slice(1));
      return document.querySelector(`.mdx-content [id="${CSS.escape(id)}"]`);
    });
    mark();
  };
  addEventListener(
    "scroll",
    () => {
      if (!queued) requestAnimationFrame(mark);
      queued = true;
    },
    { passive: true },
  );
  document.addEventListener("svc:page", start);
  start();
})();
