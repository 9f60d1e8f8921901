// JSON that keeps whole numbers beyond 2^53, which a number would round: they are `bigint`s.

const JSON_TOKENS = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** The number that a text means, as JSON writes it. */
export function parseNumber(text) {
  const value = Number(text);
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(text) ? value : BigInt(text);
}

/** The value of a JSON text; an exception where it is none. */
export function parseJson(text) {
  const value = JSON.parse(text);
  if (!/\d{16}/.test(text)) return value;
  // Large numbers travel as strings behind a mark, and strings that begin with the mark get a second
  // one. Valid JSON can write this mark in one way only.
  const marked = text.replace(JSON_TOKENS, (token, colon) => {
    if (colon !== undefined) return token;
    if (token.startsWith('"')) return token.startsWith('"\\u0000') ? `"\\u0000${token.slice(1)}` : token;
    return typeof parseNumber(token) === "bigint" ? `"\\u0000${token}"` : token;
  });
  return JSON.parse(marked, (_, part) => {
    if (typeof part !== "string" || part[0] !== "\0") return part;
    return part[1] === "\0" ? part.slice(1) : BigInt(part.slice(1));
  });
}

/** A value as JSON on one line. */
export function jsonText(value) {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => jsonText(item ?? null)).join(",")}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`).join(",")}}`;
}

