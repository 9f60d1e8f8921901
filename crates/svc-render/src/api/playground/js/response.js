// The response of a server. It is untrusted: it is only shown as text, as an image or media from a
// blob URL, or saved as a file.
import { button, copyButton, el, fill, id, size } from "./element.js";

// Maximum size of text that is shown, and of content that can be saved.
const SHOWN = 512 * 1024;
const KEPT = 32 * 1024 * 1024;
// Longer texts are not highlighted, because each token is an element.
const COLOURED = 64 * 1024;
const EVENTS = 500;
// Maximum depth of indentation.
const DEEPEST = 100;

// JSON as highlighted tokens.
export const jsonPieces = (text) => {
  const out = [];
  const pattern = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
  let at = 0;
  for (const found of text.matchAll(pattern)) {
    if (found.index > at) out.push(["plain", text.slice(at, found.index)]);
    if (found[1]) {
      out.push([found[2] ? "property" : "string", found[1]]);
      if (found[2]) out.push(["plain", found[2]]);
    } else out.push([found[3] ? "keyword" : "number", found[0]]);
    at = found.index + found[0].length;
  }
  out.push(["plain", text.slice(at)]);
  return out;
};

export const pieces = (list) =>
  list.filter(([, text]) => text).map(([kind, text]) => (kind === "plain" ? text : el("span", { "data-kind": kind }, text)));

// Formats JSON; returns nothing if it is not valid. Numbers are copied as text, because parsing
// would round large ones.
export const pretty = (text) => {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  const out = [];
  let depth = 0;
  let opened = false;
  const line = () => out.push("\n", "  ".repeat(Math.min(depth, DEEPEST)));
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g)) {
    const closes = token === "]" || token === "}";
    if (closes) depth -= 1;
    if (opened !== closes) line();
    opened = token === "[" || token === "{";
    if (opened) depth += 1;
    // Unnecessary escapes are decoded.
    out.push(token.includes("\\") ? JSON.stringify(JSON.parse(token)) : token);
    if (token === ",") line();
    else if (token === ":") out.push(" ");
  }
  return out.join("");
};

const codeBox = (label) => el("pre", { class: "svc-playground-code", tabindex: "0", role: "region", "aria-label": label });

const kindOf = (type, bytes) => {
  const essence = type.split(";")[0].trim().toLowerCase();
  if (essence === "text/event-stream") return "events";
  if (/(ndjson|jsonl|json-lines|json-seq|stream\+json)$/.test(essence)) return "lines";
  if (/(^|[/+])json$/.test(essence)) return "json";
  if (/^(image|audio|video)\//.test(essence)) return essence.split("/")[0];
  if (/^text\/|(^|[/+])(xml|yaml|javascript|x-www-form-urlencoded|graphql|toml)$/.test(essence)) return "text";
  if (essence === "" && bytes && !bytes.slice(0, 512).some((byte) => byte < 9)) return "text";
  return "binary";
};

const charset = (type) => {
  const name = /charset="?([\w-]+)/i.exec(type)?.[1];
  try {
    return new TextDecoder(name ?? "utf-8");
  } catch {
    return new TextDecoder();
  }
};

const fileName = (headers, type) => {
  const said = headers.find(([name]) => name.toLowerCase() === "content-disposition")?.[1] ?? "";
  const name = /filename="?([^";]+)/i.exec(said)?.[1];
  const end = type.split(";")[0].split("/")[1]?.replace(/^x-|\+.*$/g, "").replace(/[^\w.-]/g, "");
  return (name ?? `response.${end || "bin"}`).replace(/[/\\]/g, "_");
};

// Items of a stream, shown as they arrive.
const streamList = (t) => {
  const list = el("ol", { class: "svc-playground-events", tabindex: "0", "aria-label": t.response, "aria-live": "polite" });
  let count = 0;
  const add = (name, text) => {
    count += 1;
    if (count > EVENTS) list.firstElementChild.remove();
    const low = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    const made = text.length > COLOURED ? null : pretty(text);
    const code = el("pre", { class: "svc-playground-code" });
    // Many short items are easier to read on one line each.
    const short = text.length < 120 && !text.includes("\n");
    code.append(...(made ? pieces(jsonPieces(short ? text : made)) : [text.slice(0, SHOWN)]));
    list.append(el("li", { value: String(count) }, name ? el("span", { class: "svc-playground-type" }, name) : "", code));
    if (low) list.scrollTop = list.scrollHeight;
  };
  return { list, add };
};

// Parses `text/event-stream` and passes events to `add`.
export const eventReader = (add) => {
  let rest = "";
  let name = "";
  let data = [];
  return (text, last = false) => {
    rest += text;
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop();
    if ((last && rest) || rest.length > SHOWN) {
      lines.push(rest, "");
      rest = "";
    }
    for (const line of lines) {
      if (line === "") {
        if (data.length) add(name, data.join("\n"));
        name = "";
        data = [];
        continue;
      }
      const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line);
      if (field === "data") data.push(value);
      else if (field === "event") name = value;
    }
  };
};

// Splits text into lines and passes them to `add`.
export const lineReader = (add) => {
  let rest = "";
  return (text, last = false) => {
    const lines = (rest + text).split(/[\n\x1e]/);
    rest = last ? "" : lines.pop();
    if (rest.length > SHOWN) {
      lines.push(rest);
      rest = "";
    }
    for (const line of lines) if (line.trim()) add("", line.trim());
  };
};

// Shows a response of `send` in an element and returns a function that releases its resources.
// `counted` is called with the number of bytes as they arrive.
export const show = (place, answer, t, counted) => {
  const addresses = [];
  const address = (blob) => {
    const made = URL.createObjectURL(blob);
    addresses.push(made);
    return made;
  };
  const type = answer.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const body = el("div", { class: "svc-playground-body" });
  const headers = el(
    "div",
    { class: "svc-playground-scroll", tabindex: "0", role: "region", "aria-label": t.headers, hidden: true },
    el(
      "table",
      { class: "svc-playground-headers" },
      el("tbody", {}, answer.headers.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value)))),
    ),
  );
  const tools = el("div", { class: "svc-playground-tools" });
  const parts = [body, headers];
  const labels = [t.body, `${t.headers} (${answer.headers.length})`];
  const tabs = parts.map((part, at) => {
    part.id = id();
    const tab = button(labels[at], () => choose(at), { role: "tab", "aria-controls": part.id, class: "svc-playground-tab" });
    return tab;
  });
  const choose = (chosen) => {
    parts.forEach((part, at) => {
      part.hidden = at !== chosen;
      tabs[at].setAttribute("aria-selected", String(at === chosen));
      tabs[at].tabIndex = at === chosen ? 0 : -1;
    });
  };
  const bar = el("div", { role: "tablist", class: "svc-playground-tabs", "aria-label": t.response }, tabs);
  bar.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const next = tabs[(tabs.indexOf(document.activeElement) + 1) % tabs.length];
    next.click();
    next.focus();
  });
  choose(0);
  place.replaceChildren(el("div", { class: "svc-playground-bar" }, bar, tools), body, headers);

  const chunks = [];
  let bytes = 0;
  let over = false;
  const save = () => {
    const link = el("a", { href: address(new Blob(chunks, { type: "application/octet-stream" })), download: fileName(answer.headers, type) });
    link.click();
  };
  const tell = (text) => body.append(el("p", { class: "svc-playground-note" }, text));

  const finish = (kind) => {
    if (bytes === 0) return body.replaceChildren(el("p", { class: "svc-playground-empty" }, t.no_body));
    const blob = () => new Blob(chunks, { type: type.split(";")[0] });
    tools.append(button(t.download, save));
    if (kind === "image") {
      const image = el("img", { class: "svc-playground-picture", src: address(blob()), alt: t.response });
      image.addEventListener("error", () => image.replaceWith(el("p", { class: "svc-playground-note" }, `${type} · ${size(bytes)}`)));
      body.replaceChildren(image);
    } else if (kind === "audio" || kind === "video") {
      body.replaceChildren(el(kind, { class: "svc-playground-picture", src: address(blob()), controls: true, "aria-label": t.response }));
    } else if (kind === "binary") {
      body.replaceChildren(el("p", { class: "svc-playground-empty" }, `${type || "application/octet-stream"} · ${size(bytes)}`));
    } else if (kind === "json" || kind === "text") {
      let text = "";
      const decoder = charset(type);
      for (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
      const whole = kind === "json" && text.length <= 2 * SHOWN ? pretty(text) ?? text : text;
      const code = codeBox(t.response);
      const first = whole.slice(0, SHOWN);
      code.append(...(kind === "json" && first.length <= COLOURED ? pieces(jsonPieces(first)) : [first]));
      body.replaceChildren(code);
      tools.prepend(copyButton(t, () => whole));
      if (whole.length > SHOWN) tell(fill(t.only_first, size(SHOWN)));
    }
    if (over) tell(fill(t.only_first, size(KEPT)));
  };

  let reader = null;
  const run = async () => {
    reader = answer.body?.getReader();
    let kind = kindOf(type, new Uint8Array([0]));
    let feed = null;
    if (kind === "events" || kind === "lines") {
      const { list, add } = streamList(t);
      body.append(list);
      feed = kind === "events" ? eventReader(add) : lineReader(add);
    }
    const decoder = charset(type);
    for (;;) {
      const { done, value } = reader ? await reader.read() : { done: true };
      if (done) break;
      bytes += value.length;
      if (bytes <= KEPT) chunks.push(value);
      else over = true;
      counted(bytes);
      feed?.(decoder.decode(value, { stream: true }));
      if (over && !feed) {
        await reader.cancel();
        break;
      }
    }
    feed?.(decoder.decode(), true);
    if (type === "" && chunks.length) kind = kindOf("", chunks[0]);
    finish(kind);
  };
  return {
    done: run(),
    close: () => {
      reader?.cancel().catch(() => {});
      for (const made of addresses) URL.revokeObjectURL(made);
    },
  };
};
