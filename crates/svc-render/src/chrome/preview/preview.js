// A page that a writer previews: it follows what changes without losing the reader's place, and
// shows what is wrong.
(() => {
  const folder = new URL(".", document.currentScript.src);
  const root = document.documentElement;
  const memory = "svc-preview";
  const parse = (html) => new DOMParser().parseFromString(html, "text/html");
  const mark = (text) => /svc;desc="([^"]*)"/.exec(text || "")?.[1] || null;
  const [visit] = performance.getEntriesByType("navigation");
  // The state of the site that this page shows, as far as the browser tells.
  let state = visit?.serverTiming?.find((entry) => entry.name === "svc")?.description || null;

  // ---- Loading the page again, with everything where it was.

  const places = () => [...document.querySelectorAll("main details, main input[type=radio]")];
  const reload = () => {
    const at = document.activeElement;
    const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary")];
    const kept = {
      path: location.pathname,
      scroll: [scrollX, scrollY],
      open: places().map((each) => (each.matches("details") ? each.open : each.checked)),
      focus: at === document.body ? null : { id: at?.id, index: all.indexOf(at) },
    };
    try {
      sessionStorage.setItem(memory, JSON.stringify(kept));
    } catch {
      // Without storage the page begins at its top.
    }
    location.reload();
  };
  const restore = () => {
    let kept = null;
    try {
      kept = JSON.parse(sessionStorage.getItem(memory));
      sessionStorage.removeItem(memory);
    } catch {
      // See above.
    }
    if (kept?.path !== location.pathname) return;
    const now = places();
    if (now.length === kept.open.length) {
      now.forEach((each, at) => {
        if (each.matches("details")) each.open = kept.open[at];
        else each.checked = kept.open[at];
      });
    }
    const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary")];
    const focus = kept.focus && ((kept.focus.id && document.getElementById(kept.focus.id)) || all[kept.focus.index]);
    focus?.focus({ preventScroll: true });
    scrollTo({ left: kept.scroll[0], top: kept.scroll[1], behavior: "instant" });
  };

  // ---- Putting into the page what differs between two answers of the server. What scripts and the
  // reader changed since stays: only what the server says differently is touched.

  // Parts whose scripts begin once, when the page is loaded.
  const ONCE = "svc-island, [data-svc-diagram], [data-svc-playground], script, iframe";
  // Parts that are taken whole.
  const WHOLE = "pre, svg, table, [data-svc-code], .katex";
  class Stuck extends Error {}

  const isOnce = (node) => node instanceof Element && (node.matches(ONCE) || node.querySelector(ONCE));
  const isAlike = (one, other) =>
    one.nodeType === other.nodeType && one.nodeName === other.nodeName && (one.id || "") === (other.id || "");

  const attributes = (live, before, after) => {
    const names = new Set([...before.getAttributeNames(), ...after.getAttributeNames()]);
    for (const name of names) {
      const [old, next] = [before.getAttribute(name), after.getAttribute(name)];
      if (old === next) continue;
      if (name === "class") {
        live.classList.remove(...before.classList);
        live.classList.add(...after.classList);
      } else if (next === null) live.removeAttribute(name);
      else live.setAttribute(name, next);
    }
  };

  // Which live node each node of the earlier answer became. Scripts add nodes, and take none away.
  const pairs = (live, before) => {
    const found = new Map();
    let at = live.firstChild;
    for (const child of before.childNodes) {
      const blank = child.nodeType !== Node.ELEMENT_NODE && !child.data?.trim();
      let next = at;
      while (next && !isAlike(next, child)) next = next.nextSibling;
      if (next) {
        found.set(child, next);
        at = next.nextSibling;
      } else if (!blank) throw new Stuck();
    }
    return found;
  };

  // The longest common row of equal children, after what is equal at both ends.
  const matches = (before, after) => {
    const key = (node) => node.outerHTML ?? `${node.nodeType}${node.data}`;
    const [old, next] = [before.map(key), after.map(key)];
    const same = new Map();
    let start = 0;
    let [a, b] = [old.length, next.length];
    while (start < a && start < b && old[start] === next[start]) same.set(start, start++);
    while (a > start && b > start && old[a - 1] === next[b - 1]) same.set(--b, --a);
    if ((a - start) * (b - start) > 250000) return same;
    const rows = Array.from({ length: a - start + 1 }, () => new Uint16Array(b - start + 1));
    for (let i = a - 1; i >= start; i--) {
      for (let j = b - 1; j >= start; j--) {
        const [r, c] = [i - start, j - start];
        rows[r][c] = old[i] === next[j] ? rows[r + 1][c + 1] + 1 : Math.max(rows[r + 1][c], rows[r][c + 1]);
      }
    }
    for (let [i, j] = [start, start]; i < a && j < b; ) {
      if (old[i] === next[j]) same.set(j++, i++);
      else if (rows[i + 1 - start][j - start] >= rows[i - start][j + 1 - start]) i++;
      else j++;
    }
    return same;
  };

  const opened = (node) => [...node.querySelectorAll("details, input[type=radio]")];
  const replace = (live, after) => {
    if (isOnce(live) || isOnce(after)) throw new Stuck();
    const made = document.importNode(after, true);
    if (live instanceof Element && made instanceof Element) {
      const [was, is] = [opened(live), opened(made)];
      if (was.length === is.length) {
        is.forEach((each, at) => {
          if (each.matches("details")) each.open = was[at].open;
          else each.checked = was[at].checked;
        });
      }
      if (made.matches("details") && live.matches("details")) made.open = live.open;
    }
    live.replaceWith(made);
  };

  const patch = (live, before, after) => {
    if (before.isEqualNode(after)) return;
    if (live.nodeType !== Node.ELEMENT_NODE || live.matches(WHOLE) || live.matches(ONCE)) {
      replace(live, after);
      return;
    }
    const found = pairs(live, before);
    attributes(live, before, after);
    const [old, next] = [[...before.childNodes], [...after.childNodes]];
    const same = matches(old, next);
    const kept = new Set(same.values());
    let left = 0;
    // Where the next new node goes: behind the live node of the one before.
    let last = null;
    const insert = (node) => {
      if (isOnce(node)) throw new Stuck();
      const made = document.importNode(node, true);
      if (last) last.after(made);
      else live.prepend(made);
      last = made;
    };
    next.forEach((node, at) => {
      if (same.has(at)) {
        for (; left < same.get(at); left++) drop(old[left], found);
        left = same.get(at) + 1;
        last = found.get(old[left - 1]) || last;
        return;
      }
      // Something stood here that may be what this was.
      while (left < old.length && !kept.has(left) && !found.has(old[left])) left++;
      const was = old[left];
      if (was && !kept.has(left) && was.nodeName === node.nodeName && (was.id || "") === (node.id || "")) {
        const own = found.get(was);
        const behind = own.nextSibling;
        patch(own, was, node);
        last = own.isConnected ? own : behind ? behind.previousSibling : live.lastChild;
        left++;
        return;
      }
      insert(node);
    });
    for (; left < old.length; left++) if (!kept.has(left)) drop(old[left], found);
  };
  const drop = (node, found) => found.get(node)?.remove();

  const patchHead = (before, after) => {
    const text = (node) => node.outerHTML;
    const [old, next] = [[...before.head.children], [...after.head.children]];
    const [had, has] = [new Set(old.map(text)), new Set(next.map(text))];
    const [gone, come] = [old.filter((node) => !has.has(text(node))), next.filter((node) => !had.has(text(node)))];
    const code = (node) => node.matches("script, link[rel=modulepreload]");
    if ([...gone, ...come].some(code)) throw new Stuck();
    const lost = gone.map((node) => [...document.head.children].find((live) => live.isEqualNode(node)));
    come.forEach((node) => {
      const made = document.importNode(node, true);
      // The new one takes the place of one of its kind, as the order of styles counts.
      const at = lost.findIndex((live) => live?.nodeName === node.nodeName);
      if (at < 0) document.head.append(made);
      else lost.splice(at, 1)[0].replaceWith(made);
    });
    lost.forEach((live) => live?.remove());
  };

  // ---- Following the site.

  // The last answer for this page. The first one was read by the browser; it is asked for again, as
  // nothing else tells it from what scripts made of it.
  let served = null;
  const ask = async () => {
    const answer = await fetch(location.pathname + location.search, { headers: { accept: "text/html" }, cache: "no-store" });
    return { html: await answer.text(), state: mark(answer.headers.get("server-timing")) };
  };
  const first = async () => {
    const answer = await ask();
    if (state === null || answer.state === state) served = parse(answer.html);
    state ??= answer.state;
  };

  const own = (address) => {
    const url = new URL(address, location.href);
    return url.origin === location.origin && !url.pathname.includes("/_svc/") ? decodeURIComponent(url.pathname) : null;
  };
  const refreshed = (address) => {
    const url = new URL(address, location.href);
    url.searchParams.set("preview", state);
    return url.href;
  };
  // Files beside the page have the same address after a change.
  const files = (changed) => {
    const hit = (address) => {
      const path = own(address);
      return path && (!changed || changed.some((name) => path.endsWith(`/${name}`)));
    };
    for (const script of document.querySelectorAll("script[src]")) {
      if (changed && hit(script.src)) throw new Stuck();
    }
    for (const link of document.querySelectorAll("link[rel=stylesheet]")) {
      if (!hit(link.href)) continue;
      const next = link.cloneNode();
      next.href = refreshed(link.href);
      next.onload = next.onerror = () => link.remove();
      link.after(next);
    }
    for (const picture of document.querySelectorAll("img[src]")) {
      if (hit(picture.src)) picture.src = refreshed(picture.src);
    }
  };

  const update = async (changed) => {
    const answer = await ask();
    const next = parse(answer.html);
    if (!served) return reload();
    const inside = document.querySelector(".mdx-content");
    const anchor = [...(inside?.querySelectorAll(":scope *") ?? [])].find(
      (each) => each.getBoundingClientRect().bottom > 80 && !served.isEqualNode(next),
    );
    const [top, left, scroll] = [anchor?.getBoundingClientRect().top, scrollX, scrollY];
    const focus = document.activeElement;
    const name = focus?.id;
    try {
      if (!served.isEqualNode(next)) {
        attributes(root, served.documentElement, next.documentElement);
        patchHead(served, next);
        patch(document.body, served.body, next.body);
        document.dispatchEvent(new Event("svc:page"));
      }
      state = answer.state ?? state;
      files(changed);
    } catch (error) {
      if (!(error instanceof Stuck)) console.error(error);
      return reload();
    }
    served = next;
    if (name && !focus.isConnected) document.getElementById(name)?.focus({ preventScroll: true });
    const moved = anchor?.isConnected ? anchor.getBoundingClientRect().top - top : 0;
    const to = anchor?.isConnected ? scrollY + moved : scroll;
    if (to !== scrollY) scrollTo({ left, top: to, behavior: "instant" });
  };

  let source = null;
  let work = Promise.resolve();
  const told = async (news) => {
    const [run] = news.state.split(".");
    if (state !== null && state.split(".")[0] !== run) return reload();
    if (state !== null && news.state !== state) {
      const before = Number(state.split(".")[1]);
      await update(Number(news.state.split(".")[1]) === before + 1 ? news.changed : null);
      // What the page shows may be newer by now.
      state = newer(state, news.state);
    }
    await check();
  };
  const newer = (one, other) => (Number(one.split(".")[1]) >= Number(other.split(".")[1]) ? one : other);
  const open = () => {
    if (source && source.readyState !== EventSource.CLOSED) return;
    source = new EventSource(new URL("events", folder));
    source.onopen = () => show({ lost: false });
    source.onmessage = (event) => {
      const news = JSON.parse(event.data);
      work = work.then(() => told(news)).catch(() => {});
    };
    source.onerror = () => {
      show({ lost: true });
      if (source.readyState === EventSource.CLOSED) setTimeout(open, 1000);
    };
  };
  // A page that nobody sees needs no connection, of which browsers have few.
  const look = () => {
    if (!document.hidden) return open();
    source?.close();
    source = null;
  };

  // ---- Showing what is wrong.

  const view = { problems: [], warnings: 0, held: false, lost: false, closed: "" };
  const check = async () => {
    const address = new URL("problems", folder);
    address.searchParams.set("path", location.pathname);
    const answer = await fetch(`${address.origin}${address.pathname}?path=${location.pathname}`, { cache: "no-store" });
    show(await answer.json());
  };
  const make = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
  const STYLE = `
    :host { all: initial; }
    * { box-sizing: border-box; }
    .panel, .badge { position: fixed; z-index: 2147483000; inset-inline: 0; bottom: 0; color: var(--svc-text, #111); background: var(--svc-bg, #fff); font: 14px/1.5 var(--svc-font-body, system-ui, sans-serif); }
    .panel { max-height: min(70vh, 34rem); overflow: auto; overscroll-behavior: contain; border-top: 3px solid var(--svc-danger-text, #b91c1c); box-shadow: 0 -8px 32px rgb(0 0 0 / 25%); padding: 0 max(16px, calc((100% - 60rem) / 2)) 12px; }
    header { position: sticky; top: 0; display: flex; gap: 12px; align-items: center; justify-content: space-between; padding: 12px 0 8px; background: inherit; }
    h2, h3 { margin: 0; font: 600 15px/1.4 var(--svc-font-heading, inherit); }
    h3 { margin-top: 12px; font-size: 14px; }
    p { margin: 4px 0; }
    details { margin-top: 6px; }
    details p { max-width: 72ch; }
    summary { width: fit-content; color: var(--svc-text-soft, #555); cursor: pointer; }
    summary:focus-visible { outline: 2px solid var(--svc-accent, #0a7d4f); outline-offset: 2px; }
    ol { margin: 0; padding: 0; list-style: none; }
    li { padding: 10px 0; border-top: 1px solid var(--svc-border, #ddd); }
    .what { font-weight: 600; }
    .code, .place, .more { color: var(--svc-text-soft, #555); font-size: 13px; font-weight: 400; }
    .place { font-family: var(--svc-font-code, monospace); overflow-wrap: anywhere; }
    .place a { color: inherit; }
    code, pre { font: 13px/1.6 var(--svc-font-code, monospace); }
    pre { margin: 6px 0; padding: 8px 0; overflow-x: auto; color: var(--svc-code-text, inherit); background: var(--svc-code-bg, #f6f6f6); border: 1px solid var(--svc-code-border, #ddd); border-radius: var(--svc-radius-m, 8px); }
    .line { display: block; width: max-content; min-width: 100%; padding: 0 12px; white-space: pre; }
    .line.own { background: var(--svc-danger-bg, #fee2e2); }
    .number { display: inline-block; min-width: 3ch; margin-inline-end: 1.5ch; text-align: end; color: var(--svc-text-soft, #777); user-select: none; }
    mark { color: inherit; background: none; text-decoration: underline wavy var(--svc-danger-text, #b91c1c); text-underline-offset: 3px; }
    button { flex: none; min-height: 32px; padding: 4px 12px; color: inherit; background: var(--svc-bg-soft, #f4f4f4); border: 1px solid var(--svc-border-strong, #bbb); border-radius: var(--svc-radius-m, 8px); font: inherit; cursor: pointer; }
    button:focus-visible { outline: 2px solid var(--svc-accent, #0a7d4f); outline-offset: 2px; }
    .badge { inset-inline: auto 16px; bottom: 16px; padding: 0; background: none; display: flex; gap: 8px; align-items: center; }
    .badge button, .badge span { background: var(--svc-bg, #fff); border: 1px solid var(--svc-danger-text, #b91c1c); border-radius: 999px; padding: 4px 14px; box-shadow: 0 4px 16px rgb(0 0 0 / 20%); }
    .badge span { border-color: var(--svc-border-strong, #bbb); }
    @media print { .panel, .badge { display: none; } }
  `;
  let shadow = null;
  // In words with code: the names that somebody wrote stand in back-ticks.
  const words = (text) => text.split("`").map((part, at) => (at % 2 ? make("code", { textContent: part }) : part));
  const frame = ({ line, column, end, lines }) => {
    const rows = lines.map(([number, text]) => {
      const row = make("span", { className: number === line ? "line own" : "line" });
      row.append(make("span", { className: "number", textContent: number, ariaHidden: "true" }));
      if (number !== line) row.append(text);
      else {
        const letters = [...text];
        const stop = end > column ? end - 1 : letters.length;
        const part = (from, to) => letters.slice(from, to).join("");
        row.append(part(0, column - 1), make("mark", { textContent: part(column - 1, stop) }), part(stop));
      }
      return row;
    });
    return make("pre", { tabIndex: 0, ariaLabel: `Line ${line}` }, ...rows);
  };
  const part = ({ heading, path, text }) => {
    if (heading) return [make("h3", { textContent: heading })];
    if (!path) return [make("p", {}, ...words(text))];
    const rows = text.replace(/\n$/, "").split("\n");
    const lines = rows.map((row) => make("span", { className: "line", textContent: row || " " }));
    return [make("p", { className: "place", textContent: path }), make("pre", { tabIndex: 0, ariaLabel: path }, ...lines)];
  };
  // Codes whose explanation the writer reads: it stays open when the problems are rendered another time.
  const unfolded = new Set();
  const explain = (code, explanation) => {
    const details = make("details", {}, make("summary", { textContent: `About ${code}` }));
    details.append(...explanation.flatMap(part));
    details.open = unfolded.has(code);
    details.ontoggle = () => unfolded[details.open ? "add" : "delete"](code);
    return details;
  };
  const item = ({ code, message, hint, explanation, place }) => {
    const entry = make("li");
    entry.append(make("p", { className: "what" }, ...words(message), " ", make("span", { className: "code", textContent: code })));
    if (place) {
      const textContent = `${place.file}:${place.line}:${place.column}`;
      const href = view.editor?.replace("{file}", encodeURI(place.file)).replace("{line}", place.line).replace("{column}", place.column);
      entry.append(make("p", { className: "place" }, href ? make("a", { href, textContent }) : textContent));
      if (place.lines.length) entry.append(frame(place));
    }
    if (hint) entry.append(make("p", {}, ...words(hint)));
    if (explanation?.length) entry.append(explain(code, explanation));
    return entry;
  };
  const key = () => JSON.stringify([view.held, view.problems.map(({ code, message, place }) => [code, message, place?.file])]);
  let drawn = null;
  const show = (news) => {
    Object.assign(view, news);
    const now = JSON.stringify(view);
    if (now === drawn) return;
    drawn = now;
    if (!shadow) {
      if (!view.problems.length && !view.lost) return;
      const host = make("svc-preview");
      shadow = host.attachShadow({ mode: "open" });
      const voice = make("div", { className: "voice" });
      shadow.append(make("style", { textContent: STYLE }), voice);
      // Beside the body, so that it is no part of the page.
      root.append(host);
    }
    shadow.querySelector(".panel")?.remove();
    shadow.querySelector(".badge")?.remove();
    const title = `${count(view.problems.length, "problem")}${view.warnings ? `, ${count(view.warnings, "warning")}` : ""}`;
    if (!view.problems.length || view.closed === key()) {
      const badge = make("div", { className: "badge" });
      if (view.lost) badge.append(make("span", { role: "status", textContent: "The preview is not running; this page waits for it." }));
      if (view.problems.length) {
        const more = make("button", { type: "button", textContent: title });
        more.onclick = () => {
          show({ closed: "" });
          shadow.querySelector(".panel button").focus();
        };
        badge.append(more);
      }
      if (badge.childElementCount) shadow.append(badge);
      return;
    }
    const close = make("button", { type: "button", textContent: "Close" });
    close.onclick = () => show({ closed: key() });
    const head = view.held ? `${title}. The page shows the site as it was before.` : title;
    const panel = make("section", { className: "panel", role: "alertdialog", ariaLabel: "Problems of this page" });
    panel.append(make("header", {}, make("h2", { textContent: head }), close));
    panel.append(make("ol", {}, ...view.problems.map(item)));
    if (view.warnings) panel.append(make("p", { className: "more" }, "The warnings stand in the terminal, and ", make("code", { textContent: "svc validate" }), " lists all of them."));
    panel.onkeydown = (event) => {
      if (event.key === "Escape") {
        event.stopPropagation();
        close.click();
      }
    };
    shadow.append(panel);
  };
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || !shadow?.querySelector(".panel")) return;
    if (document.querySelector("dialog[open]") || root.classList.contains("nav-open")) return;
    show({ closed: key() });
  });

  restore();
  document.addEventListener("visibilitychange", look);
  // What a page from the browser's memory shows is old.
  addEventListener("pageshow", (event) => event.persisted && reload());
  work = first().catch(() => {});
  look();
})();
