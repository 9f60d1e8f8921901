// Code that sends a request: runs the templates of the languages, as template.rs does.

const JSON_WORDS = ["null", "true", "false"];
const DEEPEST_LINES = 100;

/** JSON on lines of its own, in the words of a language. */
function jsonLines(value, indent, unit, words, depth) {
  if (value === null) return words[0];
  if (typeof value === "boolean") return value ? words[1] : words[2];
  const list = Array.isArray(value);
  const entries = typeof value === "object" ? Object.entries(value) : [];
  if (entries.length === 0 || depth >= DEEPEST_LINES) return jsonText(value);
  const next = indent + unit;
  const lines = entries.map(([name, item]) => {
    const key = list ? "" : JSON.stringify(name) + ": ";
    return next + key + jsonLines(item, next, unit, words, depth + 1);
  });
  const [open, close] = list ? "[]" : "{}";
  return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}

/** A value as JSON on lines of its own. */
export const jsonPretty = (value) => jsonLines(value, "", "  ", JSON_WORDS, 0);

/** The code that sends `request` in a language, as pieces `{kind, text}`. */
export function sample(language, request) {
  const run = new Run(language, sampleValues(request));
  run.parts(parsed(language.template));
  run.flush();
  const last = run.tokens.at(-1);
  if (last) last.text = last.text.trimEnd();
  return run.tokens.filter((token) => token.text !== "");
}

/** What templates may ask for. */
function sampleValues({ method, url, headers, content }) {
  const basic = (value) => (value === "Basic <base64 of username:password>" ? "<username>:<password>" : null);
  const header = ([name, value]) => ({ name, value, line: `${name}: ${value}`, user: basic(value) });
  const isType = ([name]) => name.toLowerCase() === "content-type";
  const has = content.kind !== "empty";
  const needs = ["POST", "PUT", "PATCH"].includes(method);
  const text = bodyText(content);
  const values = {
    method,
    head: method === "HEAD",
    url,
    headers: headers.map(header),
    plain_headers: headers.filter((one) => !isType(one)).map(header),
    content_type: headers.find(isType)?.[1] ?? null,
    body: has,
    empty_body: !has && needs,
    sends: has || needs,
  };
  if (content.kind === "json") {
    // What is not an object or a list has no better form than its text.
    const compound = typeof content.value === "object" && content.value !== null;
    if (compound) values.json = content.value;
    else values.text = text;
    // Where all numbers are floats, larger ones are themselves only in a text.
    if (compound && areFloats(content.value)) values.floats = content.value;
    else values.source = text;
    values.plain = values.payload = text;
  } else if (content.kind === "text") {
    values.text = values.source = values.plain = values.payload = text;
  } else if (content.kind === "form") {
    values.pairs = content.pairs.map((item) => ({ item }));
    values.text = values.source = values.payload = text;
  } else if (content.kind === "file") {
    values.file = content.name;
    values.files = true;
    values.at_file = "@" + content.name;
  } else if (content.kind === "multipart") {
    values.files = content.parts.some((part) => part.file);
    values.typed = content.parts.some((part) => part.type !== null);
    // What HTML calls a field has no type; some clients write none.
    values.typed_text = content.parts.some((part) => !part.file && part.type !== null);
    values.parts = content.parts.map(samplePart);
  }
  return values;
}

/** Whether a value has no whole number beyond 2^53. */
function areFloats(value) {
  if (typeof value !== "object" || value === null) return typeof value !== "bigint";
  return Object.values(value).every(areFloats);
}

function samplePart({ name, value, file, type }) {
  const quoted = (text) => text.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
  const fileName = file ? `; filename="${quoted(value)}"` : "";
  const disposition = `form-data; name="${quoted(name)}"${fileName}`;
  const suffix = type === null ? "" : `;type=${type}`;
  const head = type === null ? "" : `Content-Type: ${type}\r\n`;
  return {
    name,
    value,
    file: file ? value : null,
    type,
    simple: type === null ? `${name}=${value}` : null,
    form: file ? `${name}=@${value}${suffix}` : `${name}="${quoted(value)}"${suffix}`,
    disposition,
    part_head: `Content-Disposition: ${disposition}\r\n${head}\r\n`,
  };
}

/** A template as texts (strings) and tags (objects). */
function parsed(template) {
  const pieces = [];
  let start = 0;
  for (const found of template.matchAll(/\{\{(.*?)\}\}/gs)) {
    const tag = found[1];
    const open = found.index;
    const line = template.slice(0, open).lastIndexOf("\n") + 1;
    const close = open + found[0].length;
    const next = template[close];
    // A tag alone on its line leaves no line behind.
    const alone =
      (/^[#/]/.test(tag) || tag === "else") &&
      line >= start &&
      template.slice(line, open).trim() === "" &&
      (next === undefined || next === "\n");
    pieces.push(template.slice(start, alone ? line : open), tag);
    start = close + (alone && next !== undefined ? 1 : 0);
  }
  pieces.push(template.slice(start));
  return block(pieces.values())[0];
}

/** Parts up to the end of the block that is open; and the tag that ended it. */
function block(pieces) {
  const parts = [];
  for (;;) {
    const text = pieces.next();
    if (text.done) return [parts, ""];
    parts.push(text.value);
    const { value: tag, done } = pieces.next();
    if (done) return [parts, ""];
    if (tag.startsWith("#if ")) {
      const [then, end] = block(pieces);
      parts.push({ test: tag.slice(4), then, otherwise: end === "else" ? block(pieces)[0] : [] });
    } else if (tag.startsWith("#each ")) {
      parts.push({ each: tag.slice(6), body: block(pieces)[0] });
    } else if (tag === "else" || tag.startsWith("/")) {
      return [parts, tag];
    } else {
      const [name, filter] = tag.split("|");
      parts.push({ name, filter });
    }
  }
}

class Run {
  constructor(language, values) {
    this.language = language;
    this.scopes = [values];
    // The line so far, for the indentation of what follows.
    this.line = "";
    // Program text that has no colours yet.
    this.plain = "";
    this.tokens = [];
  }

  get(name) {
    const scope = this.scopes.findLast((scope) => Object.hasOwn(scope, name));
    return scope === undefined ? null : scope[name];
  }

  holds(name) {
    const value = this.get(name);
    return Array.isArray(value) ? value.length > 0 : value !== null && value !== false && value !== "";
  }

  parts(parts) {
    for (const part of parts) {
      if (typeof part === "string") {
        this.text(part);
      } else if (part.test !== undefined) {
        this.parts(this.holds(part.test) ? part.then : part.otherwise);
      } else if (part.each !== undefined) {
        const items = this.get(part.each);
        for (const item of Array.isArray(items) ? items : []) {
          this.scopes.push(item);
          this.parts(part.body);
          this.scopes.pop();
        }
      } else {
        this.value(part);
      }
    }
  }

  value({ name, filter }) {
    const { language } = this;
    const value = this.get(name);
    const indent = /^\s*/.exec(this.line)[0];
    if (filter === "native") this.text(jsonLines(value, indent, language.indent, language.words, 0));
    else if (filter === "lit") this.string(shortLiteral(language, textOf(value)));
    else if (filter === "raw") this.string(longLiteral(language, textOf(value), indent));
    else this.text(textOf(value));
  }

  text(text) {
    this.plain += text;
    this.advance(text);
  }

  string(text) {
    this.flush();
    this.tokens.push({ kind: "string", text });
    this.advance(text);
  }

  advance(text) {
    const at = text.lastIndexOf("\n");
    this.line = at < 0 ? this.line + text : text.slice(at + 1);
  }

  flush() {
    colour(this.language.keywords, this.plain, this.tokens);
    this.plain = "";
  }
}

/** Splits program text of our own templates into tokens. */
function colour(keywords, text, tokens) {
  const pattern =
    /(?<string>(["'`])(?:\\.|(?!\2)[^\\])*(?:\2|\\?$))|(?<number>[0-9][A-Za-z0-9.]*)|(?<word>[\p{Alphabetic}_$#<][\p{Alphabetic}\p{N}_]*)|[^\p{Alphabetic}\p{N}_$#<"'`]+|./gsu;
  for (const { 0: piece, groups, index } of text.matchAll(pattern)) {
    let kind = "plain";
    if (groups.string !== undefined) kind = "string";
    else if (groups.number !== undefined) kind = "number";
    else if (groups.word !== undefined) {
      if (keywords.includes(piece)) kind = "keyword";
      else if (text[index + piece.length] === "(" && /^\p{Alphabetic}/u.test(piece)) kind = "function";
    }
    const last = tokens.at(-1);
    if (kind === "plain" && last?.kind === "plain") last.text += piece;
    else tokens.push({ kind, text: piece });
  }
}

/** A string literal. */
function shortLiteral({ short }, text) {
  if (short === "shell") return `'${text.replaceAll("'", "'\\''")}'`;
  if (short === "doubled") return `'${text.replaceAll("'", "''")}'`;
  if (short === "single") return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  return `"${text.replace(/["\\$]|\p{Cc}/gu, (c) => escapedIn(short, c))}"`;
}

function escapedIn(short, c) {
  if (c === "$") return short === "dollar" ? "\\$" : c;
  const known = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" }[c];
  if (known !== undefined) return known;
  const code = c.charCodeAt(0);
  if (short === "braces") return `\\u{${code.toString(16)}}`;
  if (short !== "octal") return "\\u" + code.toString(16).padStart(4, "0");
  // Control characters are one byte, or two that begin with 0xC2.
  const bytes = code < 128 ? [code] : [0xc2, code];
  return bytes.map((byte) => "\\" + byte.toString(8).padStart(3, "0")).join("");
}

/** A string literal that keeps its lines where the language can. */
function longLiteral(language, text, indent) {
  const { long } = language;
  if (text.includes("\n") && long === "pieces") {
    const lines = text.match(/[^\n]*\n|[^\n]+$/g);
    return lines.map((line) => shortLiteral(language, line)).join(`\n${indent}  `);
  }
  if (text.includes("\n") && typeof long === "object") {
    const { open, close, never, end } = long;
    const fits =
      !/(?![\n\t])\p{Cc}/u.test(text) &&
      !never.some((mark) => text.includes(mark)) &&
      (end === "" || !text.endsWith(end));
    if (fits) return open + text + close;
  }
  return shortLiteral(language, text);
}
