(() => {
  // An item is the row of a folder or file; the list entry around it holds what is inside.
  const entry = (row) => row.closest("li");
  const folder = (row) => (row.tagName === "SUMMARY" ? row.parentElement : null);
  const list = (row) => row.parentElement.querySelector(":scope > ul");
  const row = (li) => li.querySelector(":scope > .svc-tree-row, :scope > details > .svc-tree-row");
  const rows = (ul) => (ul ? [...ul.children].map(row) : []);
  const name = (item) => item.querySelector(".svc-tree-name").textContent;
  const parent = (item) => {
    const li = entry(item).parentElement.closest("li");
    return li && li.closest("[role=tree]") ? row(li) : null;
  };
  // The items that can be seen, from top to bottom.
  const visible = (tree) => {
    const found = [];
    const walk = (ul) => {
      for (const item of rows(ul)) {
        found.push(item);
        const own = folder(item);
        if (!own || own.open) walk(list(item));
      }
    };
    walk(tree);
    return found;
  };
  const move = (tree, item) => {
    if (!item) return;
    for (const other of tree.querySelectorAll("[role=treeitem][tabindex='0']")) other.tabIndex = -1;
    item.tabIndex = 0;
    item.focus();
  };
  const open = (item, wanted) => {
    const own = folder(item);
    if (!own) return;
    own.open = wanted;
    // The event that tells of it comes later than the next key may.
    item.setAttribute("aria-expanded", wanted);
  };
  const equip = (tree) => {
    tree.setAttribute("role", "tree");
    const walk = (ul, level) => {
      const items = rows(ul);
      items.forEach((item, at) => {
        entry(item).setAttribute("role", "none");
        item.setAttribute("role", "treeitem");
        item.setAttribute("aria-level", level);
        item.setAttribute("aria-setsize", items.length);
        item.setAttribute("aria-posinset", at + 1);
        item.tabIndex = -1;
        const own = folder(item);
        if (own) {
          const tell = () => item.setAttribute("aria-expanded", own.open);
          own.setAttribute("role", "none");
          own.addEventListener("toggle", tell);
          tell();
        }
        const inner = list(item);
        if (inner) {
          inner.setAttribute("role", "group");
          walk(inner, level + 1);
        }
      });
    };
    walk(tree, 1);
    const [first] = rows(tree);
    if (first) first.tabIndex = 0;
    tree.addEventListener("keydown", (event) => press(tree, event));
    tree.addEventListener("click", (event) => {
      const hit = event.target instanceof Element && event.target.closest("[role=treeitem]");
      if (hit) move(tree, hit);
    });
  };
  let typed = "";
  let last = 0;
  const search = (tree, item, letter, now) => {
    typed = now - last < 700 ? typed + letter : letter;
    last = now;
    const all = visible(tree);
    const from = all.indexOf(item) + (typed.length === 1 ? 1 : 0);
    const order = [...all.slice(from), ...all.slice(0, from)];
    move(tree, order.find((other) => name(other).toLowerCase().startsWith(typed.toLowerCase())));
  };
  const press = (tree, event) => {
    const item = event.target.closest("[role=treeitem]");
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    const all = visible(tree);
    const at = all.indexOf(item);
    const own = folder(item);
    const mirrored = getComputedStyle(tree).direction === "rtl";
    const key = mirrored ? { ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft" }[event.key] || event.key : event.key;
    if (key === "ArrowDown") move(tree, all[at + 1]);
    else if (key === "ArrowUp") move(tree, all[at - 1]);
    else if (key === "Home") move(tree, all[0]);
    else if (key === "End") move(tree, all[all.length - 1]);
    else if (key === "ArrowRight") {
      if (own && !own.open) open(item, true);
      else move(tree, rows(list(item))[0]);
    } else if (key === "ArrowLeft") {
      if (own && own.open) open(item, false);
      else move(tree, parent(item));
    } else if (key === "Enter" || key === " ") {
      if (own) open(item, !own.open);
    } else if (key === "*") {
      for (const other of rows(entry(item).parentElement)) open(other, true);
    } else if (key.length === 1) {
      search(tree, item, key, event.timeStamp);
    } else return;
    event.preventDefault();
  };
  const start = () => {
    for (const tree of document.querySelectorAll("[data-svc-tree] > ul:not([role])")) equip(tree);
  };
  document.addEventListener("svc:page", start);
  start();
})();
