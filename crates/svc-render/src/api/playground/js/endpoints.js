// The method button, which opens a searchable list of the other endpoints of the navigation. It has
// the order of the site's search, and until that responds the endpoints that contain what is typed.
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
  return { node: el("li", {}, item), words, href: link.href, method: pill.dataset.method.toUpperCase() };
};

// Finds endpoints with the script of the search dialog. Returns their URLs, the best first.
const find = async (text, methods) => {
  const dialog = document.querySelector("dialog.svc-search");
  const { script, language, version } = dialog.dataset;
  const whole = (address) => new URL(address, document.baseURI).href;
  // Pages that are opened from a folder bring another way to load modules.
  const search = await (window.svcImport ? window.svcImport(whole(script)) : import(whole(script)));
  const parameters = [["q", text], ["limit", 50], ["language", language], ["version", version]];
  const filters = parameters.concat(methods.map((method) => ["method", method]));
  const { results } = await search.find(dialog, filters.filter(([, value]) => value));
  return results.map(({ path }) => whole(path));
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
  const show = (shown) => {
    for (const one of rows) one.node.hidden = !shown.includes(one);
    list.append(...shown.map((one) => one.node));
    none.textContent = shown.length ? "" : fill(t.nothing_found, search.value);
  };
  const narrow = async () => {
    const text = search.value;
    const wanted = text.toLowerCase().split(/\s+/);
    const near = rows.filter((one) => wanted.every((word) => one.words.includes(word)));
    show(near);
    if (!text.trim()) return;
    const methods = [...new Set(rows.map((one) => one.method))];
    const best = await find(text.trimStart(), methods).catch(() => []);
    if (search.value !== text) return;
    const known = best.map((href) => rows.find((one) => one.href === href)).filter(Boolean);
    show([...new Set([...known, ...near])]);
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
    list.querySelector("li:not([hidden]) a")?.click();
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
