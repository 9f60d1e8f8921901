// The contents mark what is read, in the column and in the row of narrow windows.
(() => {
  let links = [];
  let targets = [];
  let active = null;
  let queued = false;
  const lists = [".svc-toc", ".svc-toc-small"];
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
    active = link;
    for (const name of lists) {
      const list = document.querySelector(name);
      for (const each of list?.querySelectorAll(".toc-item a") ?? []) {
        each.parentElement.toggleAttribute("data-active", each.hash === link.hash);
        if (each.hash === link.hash) each.setAttribute("aria-current", "location");
        else each.removeAttribute("aria-current");
      }
    }
    const current = document.querySelector(".svc-toc-small-current");
    if (current) current.textContent = link.textContent;
    follow(document.querySelector(".svc-toc"), link);
  };
  // Only the list scrolls to the entry, never the page.
  const follow = (box, link) => {
    if (!box || box.scrollHeight <= box.clientHeight) return;
    const [own, around] = [link.getBoundingClientRect(), box.getBoundingClientRect()];
    if (own.top < around.top + 40) box.scrollTop += own.top - around.top - 80;
    else if (own.bottom > around.bottom - 40) box.scrollTop += own.bottom - around.bottom + 80;
  };
  const start = () => {
    active = null;
    // Where examples stand beside the text there is only the row.
    const list = document.querySelector(lists[0]) ?? document.querySelector(lists[1]);
    links = [...(list?.querySelectorAll(".toc-item a") ?? [])];
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
  document.addEventListener("click", (event) => {
    const small = event.target.closest?.(".svc-toc-small a")?.closest("details");
    if (small) small.open = false;
  });
  document.addEventListener("toggle", (event) => {
    if (!event.target.matches?.(".svc-toc-small[open]")) return;
    const list = event.target.querySelector("ul");
    const own = list.querySelector("[aria-current]");
    if (own) list.scrollTop = own.offsetTop - list.clientHeight / 2;
  }, true);
  document.addEventListener("svc:page", start);
  start();
})();
