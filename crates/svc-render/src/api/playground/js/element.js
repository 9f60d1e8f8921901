// Creates elements without markup: text of documents, readers and servers is never parsed as HTML.

// `on` contains event listeners. `true` sets an attribute without a value; `false` and `undefined`
// omit it. Children are nodes or text; empty ones are omitted.
export const el = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      for (const [kind, listener] of Object.entries(value)) element.addEventListener(kind, listener);
    } else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== ""));
  return element;
};

let last = 0;

// Returns a unique id.
export const id = () => `svc-playground-${(last += 1)}`;

export const button = (label, act, attributes = {}) =>
  el("button", { type: "button", class: "svc-playground-button", ...attributes, on: { click: act } }, label);

// Inserts a value for `{}` in a text.
export const fill = (text, value) => text.replace("{}", () => value);

const drawing = (path) => {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
};

const ICONS = {
  close: "m4 4 8 8M12 4l-8 8",
  copy: "M6 6h7v7H6zM3 10V3h7",
  add: "M8 3v10M3 8h10",
  link: "M6.5 9.5 9.5 6.5M7 4.5l1-1a3 3 0 0 1 4.5 4.5l-1 1M9 11.5l-1 1A3 3 0 0 1 3.5 8l1-1",
  eye: "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6",
};

// A button with only an icon.
export const iconButton = (icon, label, act, attributes = {}) =>
  button(drawing(ICONS[icon]), act, {
    "aria-label": label,
    title: label,
    ...attributes,
    class: `svc-playground-icon ${attributes.class ?? ""}`.trim(),
  });

// Copies text to the clipboard, also on pages that are not served over TLS.
export const copy = async (text) => {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = el("textarea", { class: "svc-visually-hidden" });
  const around = document.querySelector("dialog[open]") ?? document.body;
  area.value = text;
  around.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
};

// A copy button with a short confirmation.
export const copyButton = (t, text, label = t.copy, icon = "copy") => {
  const own = iconButton(icon, label, async () => {
    await copy(text());
    own.dataset.done = t.copied;
    setTimeout(() => delete own.dataset.done, 1600);
  });
  return own;
};

// A select box; choices are `[value, label]`.
export const select = (choices, attributes = {}, chosen) => {
  const list = el(
    "select",
    { class: "svc-playground-input", ...attributes },
    choices.map(([value, label]) => el("option", { value }, label)),
  );
  if (chosen !== undefined) list.value = chosen;
  return list;
};

// Formats a size in bytes for readers.
export const size = (bytes) => {
  if (bytes < 1000) return `${bytes} B`;
  const [number, unit] = bytes < 1e6 ? [bytes / 1e3, "kB"] : [bytes / 1e6, "MB"];
  return `${number < 10 ? number.toFixed(1) : Math.round(number)} ${unit}`;
};
