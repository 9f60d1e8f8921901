// Search over an index that the server makes; it is fetched when the box opens for the first time.
(() => {
  const dialog = document.querySelector("dialog.svc-search");
  if (!dialog || !dialog.showModal) return;
  const input = dialog.querySelector("input");
  const list = dialog.querySelector("ul");
  const empty = dialog.querySelector(".svc-search-empty");
  let index = null;
  let selected = 0;

  const words = (text) => text.toLowerCase().split(/[^\p{L}\p{N}_-]+/u).filter(Boolean);

  const load = async () => {
    if (index) return;
    index = [];
    try {
      const response = await fetch(dialog.dataset.index);
      index = response.ok ? (await response.json()).pages : [];
      for (const page of index) {
        page.lowTitle = page.title.toLowerCase();
        page.lowText = page.text.toLowerCase();
        page.headings ??= [];
      }
    } catch {
      empty.textContent = dialog.dataset.failed;
    }
    show();
  };

  const score = (page, terms) => {
    let sum = 0;
    let place = null;
    for (const term of terms) {
      let best = 0;
      if (page.lowTitle.split(/\W+/).includes(term)) best = 60;
      else if (page.lowTitle.includes(term)) best = 40;
      for (const heading of page.headings) {
        if (best < 24 && heading.text.toLowerCase().includes(term)) {
          best = 24;
          place ??= heading;
        }
      }
      if (best < 8 && page.lowText.includes(term)) best = 8;
      if (!best) return null;
      sum += best;
    }
    return { page, place, sum: sum * (page.boost || 1) - page.title.length / 100 };
  };

  const snippet = (page, terms) => {
    const at = Math.max(0, Math.min(...terms.map((t) => page.lowText.indexOf(t)).filter((n) => n >= 0), 1e9));
    const from = at === 1e9 ? 0 : Math.max(0, at - 30);
    return (from ? "… " : "") + page.text.slice(from, from + 140);
  };

  const marked = (node, text, terms) => {
    const low = text.toLowerCase();
    let from = 0;
    while (from < text.length) {
      const hits = terms.map((t) => [low.indexOf(t, from), t.length]).filter(([at]) => at >= 0);
      if (!hits.length) break;
      const [at, length] = hits.sort((a, b) => a[0] - b[0])[0];
      node.append(text.slice(from, at));
      const mark = document.createElement("mark");
      mark.textContent = text.slice(at, at + length);
      node.append(mark);
      from = at + length;
    }
    node.append(text.slice(from));
  };

  const select = (at) => {
    const items = [...list.children];
    if (!items.length) return;
    selected = (at + items.length) % items.length;
    items.forEach((item, i) => item.setAttribute("aria-selected", String(i === selected)));
    items[selected].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", items[selected].id);
  };

  const show = () => {
    const terms = words(input.value);
    list.replaceChildren();
    empty.textContent = "";
    if (!terms.length || !index) return;
    const hits = index
      .map((page) => score(page, terms))
      .filter(Boolean)
      .sort((a, b) => b.sum - a.sum)
      .slice(0, 12);
    if (!hits.length) empty.textContent = dialog.dataset.nothing.replace("{}", () => input.value);
    hits.forEach(({ page, place }, at) => {
      const item = document.createElement("li");
      item.id = `search-result-${at}`;
      item.setAttribute("role", "option");
      const link = document.createElement("a");
      link.href = dialog.dataset.base + page.path + (place ? `#${place.id}` : "");
      link.tabIndex = -1;
      const title = document.createElement("b");
      marked(title, place ? `${page.title} › ${place.text}` : page.title, terms);
      const text = document.createElement("span");
      marked(text, snippet(page, terms), terms);
      link.append(title, text);
      item.append(link);
      list.append(item);
    });
    select(0);
  };

  const open = () => {
    if (dialog.open) return;
    dialog.showModal();
    input.select();
    load();
  };

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-svc-search]")) open();
    else if (event.target === dialog) dialog.close();
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    const slash = event.key === "/" && !typing && !event.metaKey && !event.ctrlKey;
    if (slash || (event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey))) {
      event.preventDefault();
      open();
    }
  });
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      select(selected + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter") {
      event.preventDefault();
      list.children[selected]?.querySelector("a").click();
    }
  });
})();
