// Values of parameters as text, as style.rs lays them out.

// Characters that stay although they are reserved; null keeps everything.
const UNRESERVED = "";
const RESERVED = ":/?#[]@!$&'()*+,;=";
const IN_QUERY = ":/?[]@!$'()*,;=";
const IN_PATH = ":[]@!$&'()*+,;=";

const STYLES = ["matrix", "label", "simple", "form", "spaceDelimited", "pipeDelimited", "deepObject", "cookie"];
const DEEPEST = 32;

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** A scalar as text; what has parts, as JSON. */
const textOf = (value) => (typeof value === "string" ? value : jsonText(value));

/** The value of an own member, and of no inherited one. */
const member = (object, name) => (object && Object.hasOwn(object, name) ? object[name] : undefined);

const defaultStyle = (place) => (place === "path" || place === "header" ? "simple" : "form");

const explodes = (style) => style === "form" || style === "cookie" || style === "deepObject";

const PLACEHOLDERS = ["<string>", "<any>", "<api-key>", "<token>"];

/** `text` with percent escapes; placeholders of samples stay as they are. */
function escaped(text, keep) {
  if (keep === null || PLACEHOLDERS.includes(text)) return text;
  return text.replace(/[^A-Za-z0-9\-._~]/gu, (c) => {
    if (keep.includes(c)) return c;
    if ("!'()*".includes(c)) return "%" + c.charCodeAt(0).toString(16).toUpperCase();
    // Half a pair of surrogates is no character.
    return encodeURIComponent(/^[\ud800-\udfff]$/.test(c) ? "\ufffd" : c);
  });
}

/** One parameter as text; empty when there is nothing to send: an empty array or object. */
export function serialize(name, value, style, explode, keep) {
  if (style === "cookie") keep = null;
  const plain = keep === null;
  const key = escaped(name, plain ? null : UNRESERVED);
  const text = (part) => escaped(textOf(part), keep);
  if (style === "deepObject" && typeof value === "object" && value !== null) {
    const pairs = [];
    for (const [name, part] of Object.entries(value)) deepPairs(deepName(key, name), part, text, 0, pairs);
    return pairs.join("&");
  }
  const delimiter = style === "spaceDelimited" ? "%20" : style === "pipeDelimited" ? "%7C" : ",";
  if (Array.isArray(value)) return listed(key, value.map(text), style, explode, delimiter);
  if (isObject(value)) {
    const names = plain || keep === RESERVED ? keep : UNRESERVED;
    const pairs = Object.entries(value).map(([name, part]) => [escaped(name, names), text(part)]);
    return mapped(key, pairs, style, explode, delimiter);
  }
  const scalar = text(value);
  if (style === "matrix") return scalar === "" ? ";" + key : `;${key}=${scalar}`;
  if (style === "label") return "." + scalar;
  return style === "simple" ? scalar : `${key}=${scalar}`;
}

const MARKS = { matrix: [";", ";"], label: [".", "."], simple: [",", ""], cookie: ["; ", ""] };

function listed(key, items, style, explode, delimiter) {
  const [between, first] = MARKS[style] ?? ["&", ""];
  if (items.length === 0) return style === "matrix" && !explode ? `;${key}=` : "";
  if (style === "simple") return items.join(",");
  if (style === "label") return first + items.join(explode ? between : ",");
  if (explode) return first + items.map((item) => `${key}=${item}`).join(between);
  return `${first}${key}=${items.join(delimiter)}`;
}

function mapped(key, pairs, style, explode, delimiter) {
  if (pairs.length === 0) return "";
  const [between, first] = MARKS[style] ?? ["&", ""];
  if (explode) return first + pairs.map(([name, text]) => `${name}=${text}`).join(between);
  const flat = pairs.flat().join(delimiter);
  return style === "simple" || style === "label" ? first + flat : `${first}${key}=${flat}`;
}

const deepName = (name, part) => `${name}%5B${escaped(part, UNRESERVED)}%5D`;

function deepPairs(name, value, text, depth, pairs) {
  if (typeof value === "object" && value !== null && depth < DEEPEST) {
    for (const [part, inner] of Object.entries(value)) deepPairs(deepName(name, part), inner, text, depth + 1, pairs);
  } else {
    pairs.push(`${name}=${text(value)}`);
  }
}
