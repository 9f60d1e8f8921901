// The search dialog, loaded by opener.js.
const start = (dialog) => {
  const texts = dialog.dataset;
  const part = (name) => dialog.querySelector(`.svc-search-${name}`);
  const input = dialog.querySelector("input");
  const list = dialog.querySelector("ul");
  const status = dialog.querySelector("[role=status]");
  const [filters, correction, recent, empty] = ["filters", "correction", "heading", "empty"].map(part);
  const MAX_RECENT = 5;
  // Numbers of results, at first and after the reader has asked for more.
  const LIMIT = 10;
  const MAX_LIMIT = 50;
  let limit = LIMIT;
  // Sites below different paths of one host have their own.
  const RECENT = `svc-search-recent${new URL(texts.script, document.baseURI).pathname.split("/_svc/")[0]}`;

  const stored = (key) => {
    try {
      return JSON.parse(localStorage.getItem(key)) ?? [];
    } catch {
      return [];
    }
  };
  const store = (key, value) => {
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // Without storage nothing is remembered.
    }
  };

  const element = (name, className, ...children) => {
    const node = document.createElement(name);
    if (className) node.className = className;
    node.append(...children);
    return node;
  };
  const marked = (node, text, marks = []) => {
    let end = 0;
    for (const [from, to] of marks) {
      node.append(text.slice(end, from), element("mark", "", text.slice(from, to)));
      end = to;
    }
    node.append(text.slice(end));
    return node;
  };

  // Filters: the version and product of the page, unless the reader selects others.
  const selected = { version: texts.version, product: texts.product, tag: "", method: "" };
  const offer = (offered) => {
    if (filters.childElementCount) return;
    for (const name in selected) {
      const values = offered?.[name] ?? [];
      if (values.length < 2) continue;
      if (!values.includes(selected[name])) selected[name] = "";
      const label = dialog.getAttribute(`data-name-${name}`);
      const select = element("select", "", new Option(`${label}: ${texts.any}`, ""));
      for (const value of values) select.append(new Option(value, value));
      select.value = selected[name];
      select.setAttribute("aria-label", label);
      select.addEventListener("change", () => {
        selected[name] = select.value;
        restart();
      });
      filters.append(select);
      filters.hidden = false;
    }
  };
  const parameters = (text) => {
    const all = { q: text, language: texts.language, ...selected, limit: limit > LIMIT ? limit : "" };
    return Object.entries(all).filter(([, value]) => value);
  };
  const clearFilters = () => {
    for (const select of filters.querySelectorAll("select")) select.value = "";
    for (const name in selected) selected[name] = "";
    restart();
    input.focus();
  };

  // Options of the list.
  let current = 0;
  const options = () => [...list.querySelectorAll("[role=option]")];
  const select = (at) => {
    const all = options();
    input.setAttribute("aria-expanded", String(all.length > 0));
    if (!all.length) return input.removeAttribute("aria-activedescendant");
    current = (at + all.length) % all.length;
    all.forEach((option, i) => option.setAttribute("aria-selected", String(i === current)));
    all[current].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", all[current].id);
  };
  const option = (className, child) => {
    const item = element("li", className, child);
    item.setAttribute("role", "presentation");
    child.id = `search-result-${list.childElementCount}`;
    child.setAttribute("role", "option");
    child.tabIndex = -1;
    list.append(item);
  };
  const link = (result, section, isFirst) => {
    const anchor = element("a");
    anchor.href = result.path + (section.id ? `#${encodeURIComponent(section.id)}` : "");
    if (isFirst && result.group) anchor.append(element("small", "", result.group));
    const title = element("b");
    if (isFirst) marked(title, result.title, result.title_marks);
    if (isFirst && result.method) title.prepend(element("em", "", result.method), " ");
    const heading = section.headings.at(-1);
    if (heading && isFirst) title.append(" › ");
    if (heading) marked(title, heading, section.heading_marks);
    else if (!isFirst) marked(title, result.title, result.title_marks);
    anchor.append(title, marked(element("span"), section.snippet, section.snippet_marks));
    return anchor;
  };
  const wordsOf = (result) => {
    const texts = [[result.title, result.title_marks]];
    for (const section of result.sections) texts.push([section.snippet, section.snippet_marks]);
    const words = texts.flatMap(([text, marks]) => marks.map(([from, to]) => text.slice(from, to).toLowerCase()));
    return [...new Set(words)];
  };

  const showRecent = () => {
    const queries = stored(RECENT);
    recent.hidden = !queries.length;
    for (const query of queries) {
      const button = element("button", "", query);
      button.type = "button";
      button.addEventListener("click", () => {
        input.value = query;
        restart();
        input.focus();
      });
      option("svc-search-recent", button);
    }
    select(0);
  };
  const showEmpty = (text) => {
    empty.append(element("p", "", texts.nothing.replace("{}", () => text)), element("p", "", texts.hint));
    if (!Object.values(selected).some(Boolean)) return;
    const button = element("button", "", texts.clearFilters);
    button.type = "button";
    button.addEventListener("click", clearFilters);
    empty.append(button);
  };
  const showResults = (text, { total, correction: corrected, results }) => {
    const before = limit > LIMIT ? current : 0;
    correction.hidden = !corrected;
    correction.querySelector("button").textContent = corrected ?? "";
    status.textContent = texts.count.replace("{}", () => total);
    for (const result of results) {
      result.sections.forEach((section, i) => {
        const anchor = link(result, section, i === 0);
        anchor.addEventListener("click", () => remember(text, wordsOf(result)));
        option(i ? "svc-search-part" : "", anchor);
      });
    }
    if (!results.length) showEmpty(text);
    if (total > results.length && limit < MAX_LIMIT) {
      const button = element("button", "", texts.more);
      button.type = "button";
      button.addEventListener("click", () => {
        limit = MAX_LIMIT;
        show();
        input.focus();
      });
      option("svc-search-more", button);
    }
    select(before);
  };
  const clear = () => {
    list.replaceChildren();
    empty.replaceChildren();
    recent.hidden = correction.hidden = true;
  };
  // The query whose results are shown, and the key that waits for those of another one.
  let shown = null;
  let waiting = null;
  let turn = 0;
  const show = async () => {
    const own = ++turn;
    const text = input.value.trim();
    const query = parameters(input.value.trimStart());
    let answer = null;
    if (text) {
      try {
        answer = await find(dialog, query);
      } catch {
        // The reader is told below.
      }
      // An answer to an earlier query or to other filters is not shown.
      if (own !== turn) return;
    }
    clear();
    shown = text;
    if (answer) {
      showResults(text, answer);
    } else {
      status.textContent = text ? texts.failed : "";
      if (text) empty.append(element("p", "", texts.failed));
      else showRecent();
    }
    if (waiting && text) activate(waiting);
    waiting = null;
  };
  const restart = () => {
    limit = LIMIT;
    current = 0;
    return show();
  };
  // A click with the same modifier keys opens a tab or a window, as on any link.
  const activate = ({ ctrlKey, metaKey, shiftKey }) => {
    const init = { bubbles: true, cancelable: true, view: window, ctrlKey, metaKey, shiftKey };
    options()[current]?.dispatchEvent(new MouseEvent("click", init));
  };

  // The page that opens marks the words (marks.js).
  const remember = (text, words) => {
    store(RECENT, [text, ...stored(RECENT).filter((other) => other !== text)].slice(0, MAX_RECENT));
    store("svc-search-marks", { words, time: Date.now() });
  };

  const begin = async () => {
    restart();
    try {
      const { filters: offered } = await find(dialog, [["q", ""]]);
      offer(offered);
    } catch {
      // The search itself says that it failed.
    }
  };

  input.addEventListener("input", () => {
    waiting = null;
    restart();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      select(current + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      // The results shown may be those of an earlier query.
      if (shown === input.value.trim()) activate(event);
      else waiting = event;
    }
  });
  correction.querySelector("button").addEventListener("click", (event) => {
    input.value = event.target.textContent;
    restart();
    input.focus();
  });
  recent.querySelector("button").addEventListener("click", () => {
    store(RECENT, []);
    restart();
    input.focus();
  });
  return begin;
};

let begin = null;

// Called when the dialog has opened.
export const opened = (dialog) => {
  begin ??= start(dialog);
  return begin();
};
