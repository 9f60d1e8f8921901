// Elements without markup: whatever a document, a reader or a server wrote becomes text.

// `on` holds listeners; a value that is `true` stands for an attribute alone, `false` and
// `undefined` for none. Children are nodes or texts; empty ones are left out.
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

// An id that no other element has.
export const id = () => `svc-playground-${(last += 1)}`;

export const button = (label, act, attributes = {}) =>
  el("button", { type: "button", class: "svc-playground-button", ...attributes, on: { click: act } }, label);

// A text with `{}` as the place of a name.
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

// A button that only shows a drawing.
export const iconButton = (icon, label, act, attributes = {}) =>
  button(drawing(ICONS[icon]), act, {
    "aria-label": label,
    title: label,
    ...attributes,
    class: `svc-playground-icon ${attributes.class ?? ""}`.trim(),
  });

// Puts a text on the clipboard; also on pages that are not served over TLS.
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

// A button that copies and says so for a moment.
export const copyButton = (t, text, label = t.copy, icon = "copy") => {
  const own = iconButton(icon, label, async () => {
    await copy(text());
    own.dataset.done = t.copied;
    setTimeout(() => delete own.dataset.done, 1600);
  });
  return own;
};

// Choices as `[value, label]`.
export const select = (choices, attributes = {}, chosen) => {
  const list = el(
    "select",
    { class: "svc-playground-input", ...attributes },
    choices.map(([value, label]) => el("option", { value }, label)),
  );
  if (chosen !== undefined) list.value = chosen;
  return list;
};

// A size for people.
export const size = (bytes) => {
  if (bytes < 1000) return `${bytes} B`;
  const [number, unit] = bytes < 1e6 ? [bytes / 1e3, "kB"] : [bytes / 1e6, "MB"];
  return `${number < 10 ? number.toFixed(1) : Math.round(number)} ${unit}`;
};
