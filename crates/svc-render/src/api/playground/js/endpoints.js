// The method button, which opens a searchable list of the other endpoints of the navigation.
import { el, fill, id } from "./element.js";

// Distinct links to endpoint pages, without the current page.
const others = () => {
  const found = new Map();
  for (const pill of document.querySelectorAll("a.svc-nav-link > .method-nav-pill:not([data-method=webhook])")) {
    const link = pill.parentElement;
    if (!link.hasAttribute("aria-current")) found.set(link.href, link);
  }
  return [...found.values()];
};

const row = (link) => {
  const address = new URL(link.href);
  address.searchParams.set("playground", "open");
  const pill = link.querySelector(".method-nav-pill");
  const name = link.querySelector(".svc-nav-label")?.textContent ?? "";
  const item = el("a", { class: "svc-popup-item", href: address.href }, pill.cloneNode(true), el("span", {}, name));
  const words = `${pill.dataset.method} ${name} ${address.pathname}`.toLowerCase();
  return { node: el("li", {}, item), item, words };
};

export const endpoints = (call, t) => {
  const name = call.method.toUpperCase();
  const method = el("span", { class: "svc-method", "data-method": call.method.toLowerCase() }, name);
  const links = others();
  if (!links.length) return method;
  let rows = [];
  const list = el("ul", { id: id() });
  const search = el("input", {
    type: "search",
    class: "svc-playground-input",
    "aria-label": t.search,
    "aria-controls": list.id,
    placeholder: t.search,
    autocomplete: "off",
    spellcheck: "false",
  });
  const none = el("p", { class: "svc-playground-note", role: "status" });
  const narrow = () => {
    const wanted = search.value.toLowerCase().split(/\s+/);
    for (const one of rows) one.node.hidden = !wanted.every((word) => one.words.includes(word));
    none.textContent = rows.every((one) => one.node.hidden) ? fill(t.nothing_found, search.value) : "";
  };
  const box = el(
    "details",
    { class: "svc-playground-endpoints svc-popup" },
    el("summary", { "aria-label": `${name}: ${t.search}` }, method),
    el("div", { class: "svc-popup-list" }, search, list, none),
  );
  search.addEventListener("input", narrow);
  search.addEventListener("keydown", (event) => {
    // In the text field these keys move the cursor.
    if (event.key === "Home" || event.key === "End") event.stopPropagation();
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
    event.stopPropagation();
    rows.find((one) => !one.node.hidden)?.item.click();
  });
  box.addEventListener("toggle", () => {
    if (!box.open) return;
    if (!rows.length) {
      rows = links.map(row);
      list.append(...rows.map((one) => one.node));
    }
    search.value = "";
    narrow();
    search.focus();
  });
  return box;
};
