// Marks what a preview changes on a page, and a bar to show and hide the marks. Only pages of previews
// load this script.
(async () => {
  const script = document.currentScript;
  const root = document.documentElement;
  const KEY = "svc-changes";
  const path = encodeURIComponent(root.dataset.currentPath);
  const response = await fetch(`${new URL("../changes", script.src)}?path=${path}`).catch(() => null);
  if (!response?.ok) return;
  const page = await response.json();

  const stored = () => {
    try {
      return sessionStorage.getItem(KEY) === "on";
    } catch {
      return false;
    }
  };
  const store = (on) => {
    try {
      sessionStorage.setItem(KEY, on ? "on" : "off");
    } catch {
      // Without storage, each page begins without marks.
    }
  };
  const isAsked = new URLSearchParams(location.search).has("changes");
  if (isAsked) store(true);
  let on = isAsked || stored();

  const make = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const messages = page.messages;
  const filled = (text, value) => text.replace("{}", value);
  const block = (index) => document.querySelector(`.mdx-content [data-svc-block="${index}"]`);

  // The changes in the order of the page: their kind and the blocks, or what was removed before a block.
  const changes = page.changes.map((change) => ({
    ...change,
    elements: Array.from({ length: change.count ?? 0 }, (_, at) => block(change.first + at)).filter(Boolean),
  }));
  const head = [page.title && document.querySelector(".svc-page-heading h1"), page.description && document.querySelector(".svc-lead")].filter(Boolean);
  if (head.length) changes.unshift({ kind: "changed", elements: head });

  // ---- The marks.

  const made = [];
  const label = (element, kind) => {
    const text = make("span", { className: "svc-change-label", textContent: messages[kind] });
    text.dataset.svcKind = kind;
    made.push(text);
    const outside = element.closest("pre, svc-island, svg, hr, img, iframe, video, math, button");
    if (outside) outside.before(text);
    else if (element.matches("tr")) element.cells[0]?.prepend(text);
    else element.prepend(text);
  };
  // A note of what was removed, as an element that its parent may contain.
  const note = ({ first, count, removed, texts }) => {
    const box = make("div", { className: "svc-change-removed" });
    const title = make("span", { className: "svc-change-label", textContent: filled(messages.removed_blocks, removed) });
    title.dataset.svcKind = "removed";
    box.append(title);
    for (const text of texts) box.append(make("del", { textContent: text }));
    const next = block(first + count);
    const at = next ?? block(first + count - 1);
    if (!at) return null;
    const anchor = at.closest("summary")?.parentElement ?? at.closest(".svc-code") ?? at.closest("pre") ?? at;
    const parent = anchor.parentElement.localName;
    let outer = box;
    if (["ul", "ol"].includes(parent)) outer = make("li", { className: "svc-change-item" }, box);
    if (["tbody", "thead", "tfoot"].includes(parent)) {
      const width = Math.max(...[...anchor.parentElement.rows].map((row) => row.cells.length));
      outer = make("tr", { className: "svc-change-item" }, make("td", { colSpan: width }, box));
    }
    if (next) anchor.before(outer);
    else anchor.after(outer);
    made.push(outer);
    return outer;
  };
  const mark = () => {
    for (const change of changes) {
      for (const element of change.elements) element.dataset.svcChange = change.kind;
      if (change.elements.length) label(change.elements[0], change.kind);
      change.note = change.removed ? note(change) : null;
    }
  };
  const unmark = () => {
    for (const element of made.splice(0)) element.remove();
    for (const change of changes) {
      for (const element of change.elements) {
        delete element.dataset.svcChange;
        delete element.dataset.svcCurrent;
      }
    }
  };

  // ---- The bar.

  const status = make("span", { className: "svc-changes-status", role: "status" });
  const step = (text, arrow, by) => {
    const button = make("button", { type: "button", ariaLabel: text, title: text, textContent: arrow });
    button.onclick = () => go(current < 0 ? (by > 0 ? 0 : changes.length - 1) : (current + by + changes.length) % changes.length);
    return button;
  };
  let current = -1;
  const steps = make("span", { className: "svc-changes-steps" }, step(messages.previous, "↑", -1), step(messages.next, "↓", 1));
  const toggle = make("button", { type: "button", className: "svc-changes-toggle" });
  const bar = make("section", { className: "svc-changes", ariaLabel: messages.bar }, toggle, status, steps);

  const parts = (change) => [...change.elements, change.note].filter(Boolean);
  // Opens what the element is in: details, and panels of tabs.
  const reveal = (element) => {
    for (let at = element; at; at = at.parentElement) {
      if (at.localName === "details") at.open = true;
      if (at.matches(".svc-panels-panel")) at.previousElementSibling?.control?.click();
    }
  };
  const go = (index) => {
    for (const change of changes) for (const element of parts(change)) delete element.dataset.svcCurrent;
    current = index;
    const change = changes[index];
    const [first] = parts(change);
    for (const element of parts(change)) element.dataset.svcCurrent = "";
    status.textContent = `${index + 1} / ${changes.length} · ${messages[change.kind]}`;
    if (!first) return;
    reveal(first);
    let shown = first;
    while (shown.parentElement && !shown.getClientRects().length) shown = shown.parentElement;
    const isTall = shown.getBoundingClientRect().height > innerHeight / 2;
    shown.scrollIntoView({ block: isTall ? "start" : "center", behavior: "instant" });
  };
  const show = () => {
    unmark();
    current = -1;
    if (on) mark();
    const isNew = page.page === "added";
    toggle.hidden = changes.length === 0 && (isNew || !on);
    toggle.textContent = on ? messages.hide : filled(messages.show, changes.length);
    steps.hidden = !on || changes.length === 0;
    if (isNew) status.textContent = messages.new_page;
    else if (!on) status.textContent = "";
    else status.textContent = changes.length ? filled(messages.count, changes.length) : messages.none;
    bar.hidden = toggle.hidden && !status.textContent;
  };
  toggle.onclick = () => {
    on = !on;
    store(on);
    show();
  };

  const sheet = make("link", { rel: "stylesheet", href: new URL("change_marks.css", script.src).href });
  sheet.onload = () => {
    show();
    (document.querySelector(".svc-skip-link") ?? document.body.firstChild).after(bar);
    if (isAsked && changes.length) go(0);
  };
  document.head.append(sheet);
})();
