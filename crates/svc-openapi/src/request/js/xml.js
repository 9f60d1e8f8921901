// A value as XML, as xml.rs writes it.

const DEEPEST_ELEMENT = 64;

/** The document; names, attributes and wrappers come from `xml` of the rows. */
function xmlText(rows, at, value) {
  const row = at === undefined ? undefined : rows[at];
  const name = ownName(row) ?? row?.name ?? "root";
  const out = ['<?xml version="1.0" encoding="UTF-8"?>\n'];
  (Array.isArray(value) ? xmlList : xmlElement)(rows, row, name, value, 0, out);
  return out.join("").trimEnd();
}

const prefixed = (row, name) => (row?.xml?.prefix === undefined ? name : `${row.xml.prefix}:${name}`);

const ownName = (row) => (row?.xml?.name === undefined ? undefined : prefixed(row, row.xml.name));

const indentOf = (depth) => "  ".repeat(Math.min(depth, DEEPEST_ELEMENT));

/** A name that is one in XML. */
function safeName(name) {
  const safe = name.replace(/[^\p{Alphabetic}\p{N}\-_.:]/gu, "_");
  return /^[\p{Alphabetic}_]/u.test(safe) ? safe : "_" + safe;
}

const entities = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

function xmlElement(rows, row, name, value, depth, out) {
  const indent = indentOf(depth);
  name = safeName(name);
  let tag = `${indent}<${name}`;
  if (row?.xml?.namespace !== undefined) {
    const attribute = row.xml.prefix === undefined ? "xmlns" : "xmlns:" + safeName(row.xml.prefix);
    tag += ` ${attribute}="${entities(row.xml.namespace)}"`;
  }
  const members = isObject(value) && depth < DEEPEST_ELEMENT ? Object.entries(value) : [];
  const inner = [];
  for (const [own, part] of members) {
    const at = member(row?.properties, own);
    const schema = at === undefined ? undefined : rows[at];
    const shown = ownName(schema) ?? prefixed(schema, own);
    if (schema?.xml?.attribute) tag += ` ${safeName(shown)}="${entities(textOf(part))}"`;
    else (Array.isArray(part) ? xmlList : xmlElement)(rows, schema, shown, part, depth + 1, inner);
  }
  const text = isObject(value) || value === null ? "" : entities(textOf(value));
  if (inner.length > 0) out.push(`${tag}>\n${inner.join("")}${indent}</${name}>\n`);
  else if (text === "") out.push(`${tag}/>\n`);
  else out.push(`${tag}>${text}</${name}>\n`);
}

/** An array: its items under their own or its name, in a wrapper where one is asked for. */
function xmlList(rows, row, name, value, depth, out) {
  const items = row?.items === undefined ? undefined : rows[row.items];
  const itemName = ownName(items) ?? name;
  const wrapped = row?.xml?.wrapped || depth === 0;
  const indent = indentOf(depth);
  const wrapper = safeName(name);
  if (wrapped) out.push(`${indent}<${wrapper}>\n`);
  if (depth < DEEPEST_ELEMENT) {
    for (const item of value) xmlElement(rows, items, itemName, item, depth + (wrapped ? 1 : 0), out);
  }
  if (wrapped) out.push(`${indent}</${wrapper}>\n`);
}
