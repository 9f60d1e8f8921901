// Filled-in values to a request, as build.rs makes it.

/** A header has no line breaks. */
const oneLine = (text) => text.replace(/\p{Cc}/gu, " ");

/** RFC 4648, section 4, of the bytes of a text. */
function base64(text) {
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const bytes = [];
  for (const part of escaped(text, UNRESERVED).match(/%..|./gs) ?? []) {
    bytes.push(part.length > 1 ? parseInt(part.slice(1), 16) : part.charCodeAt(0));
  }
  let out = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const bits = (bytes[at] << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    for (let digit = 0; digit < 4; digit++) {
      out += at + digit <= bytes.length ? digits[(bits >> (18 - 6 * digit)) & 63] : "=";
    }
  }
  return out;
}

/** The request that `inputs` mean. */
export function request(call, inputs) {
  const value = (parameter) => member(inputs.parameters, `${parameter.in}:${parameter.name}`);
  const query = [];
  const cookies = [];
  const headers = [];
  for (const parameter of call.parameters) {
    const own = value(parameter);
    if (own === undefined || parameter.in === "path") continue;
    const text = laidOut(parameter, own);
    if (parameter.in === "header") headers.push([parameter.name, oneLine(text)]);
    else if (text !== "") (parameter.in === "query" ? query : cookies).push(text);
  }
  for (const [name, given] of Object.entries(inputs.credentials ?? {})) {
    const scheme = call.security.flat().find((scheme) => scheme.name === name);
    if (scheme === undefined || scheme.type === "mutualTLS") continue;
    const token = isObject(given) ? `${given.username ?? ""}:${given.password ?? ""}` : String(given);
    if (scheme.type === "apiKey") {
      const pair = () => serialize(scheme.parameter, token, "form", true, UNRESERVED);
      if (scheme.in === "query") query.push(pair());
      else if (scheme.in === "cookie") cookies.push(pair());
      else headers.push([scheme.parameter, oneLine(token)]);
    } else {
      headers.push(["Authorization", oneLine(authorization(scheme, token))]);
    }
  }
  let url = (inputs.server ?? "").replace(/\/+$/, "") + filledPath(call, value);
  if (query.length > 0) url += (url.includes("?") ? "&" : "?") + query.join("&");
  if (cookies.length > 0) headers.push(["Cookie", cookies.join("; ")]);
  const content = inputs.body ? bodyContent(call, inputs.body, inputs.files ?? {}) : { kind: "empty" };
  if (content.kind !== "empty" && content.kind !== "multipart") {
    headers.push(["Content-Type", oneLine(inputs.body.type)]);
  }
  return { method: call.method.toUpperCase().replace(/[^A-Za-z0-9_-]/g, ""), url, headers, content };
}

/** The text of a body; empty where it has none. */
export function bodyText(content) {
  if (content.kind === "json") return content.typed ?? jsonPretty(content.value);
  if (content.kind === "form") return content.pairs.join("&");
  return content.kind === "text" ? content.text : "";
}

function authorization(scheme, token) {
  if (scheme.type === "http" && scheme.scheme === "basic") {
    // The placeholder stays readable, and says what has to be done.
    return "Basic " + (token === "<username>:<password>" ? "<base64 of username:password>" : base64(token));
  }
  const word = scheme.type === "http" && scheme.scheme !== "bearer" ? scheme.scheme : "Bearer";
  return `${word} ${token}`;
}

/** The path with its parameters; one without a value stays as `{name}`. */
function filledPath(call, value) {
  const path = call.path.split("#")[0];
  return path.replace(/\{([^}]*)\}/g, (whole, name) => {
    const parameter = call.parameters.find((other) => other.in === "path" && other.name === name);
    const own = parameter && value(parameter);
    return own === undefined ? whole : laidOut(parameter, own);
  });
}

/** A parameter in its style, or as its media type says. */
function laidOut(parameter, value) {
  if (parameter.wholeQuery) return wholeQuery(parameter, value);
  const { name, in: place, style, explode } = parameter;
  let keep = place === "header" ? null : UNRESERVED;
  if (parameter.allowReserved && place === "query") keep = IN_QUERY;
  if (parameter.allowReserved && place === "path") keep = IN_PATH;
  if (parameter.contentType !== undefined) {
    return serialize(name, textOf(value), defaultStyle(place), true, keep);
  }
  if (place === "cookie" && style === "form") {
    // Escaped text has no `&` of its own.
    return serialize(name, value, "form", explode, UNRESERVED).replaceAll("&", "; ");
  }
  return serialize(name, value, style, explode, keep);
}

/** A whole query: pairs where it is a form, else the value as its media type writes it. */
function wholeQuery(parameter, value) {
  const form = (parameter.contentType ?? "").startsWith("application/x-www-form-urlencoded");
  if (form && isObject(value)) return formPairs(undefined, value).join("&");
  return escaped(textOf(value), form && typeof value === "string" ? RESERVED : UNRESERVED);
}

const formPairs = (encodings, value) =>
  Object.entries(value)
    .map(([name, part]) => formField(member(encodings, name), name, part))
    .filter((pair) => pair !== "");

/** One field of a form, after its `encoding`. */
function formField(encoding, name, value) {
  const style = STYLES.includes(encoding?.style) ? encoding.style : undefined;
  const explode = encoding?.explode;
  const reserved = encoding?.allowReserved;
  const plain = style === undefined && explode === undefined && reserved === undefined;
  const own = style ?? "form";
  // Without a style, an object is its JSON.
  if (plain && isObject(value)) value = jsonText(value);
  return serialize(name, value, own, explode ?? explodes(own), reserved ? IN_QUERY : UNRESERVED);
}

/** The body as its media type wants it. */
function bodyContent(call, body, files) {
  const { type, value = null } = body;
  const declared = call.body?.content.find((media) => media.type === type);
  const row = declared && call.schemas[declared.schema];
  const kind = type.split(";")[0].trim().toLowerCase();
  if (kind === "application/x-www-form-urlencoded" && isObject(value)) {
    return { kind: "form", pairs: formPairs(declared?.encoding, withoutNull(value)) };
  }
  if (kind.startsWith("multipart/") && isObject(value)) {
    const parts = [];
    for (const [name, part] of Object.entries(withoutNull(value))) {
      const at = member(row?.properties, name);
      const property = at === undefined ? undefined : call.schemas[at];
      multipart(call.schemas, member(declared?.encoding, name), property, name, part, files, parts);
    }
    return { kind: "multipart", parts };
  }
  if (kind.endsWith("/json") || kind.endsWith("+json")) return { kind: "json", value, typed: body.typed };
  if (kind.endsWith("/xml") || kind.endsWith("+xml")) {
    const text = typeof value === "string" ? value : xmlText(call.schemas, declared?.schema, value);
    return { kind: "text", text };
  }
  const textual = kind.startsWith("text/") || kind.includes("json") || kind.includes("yaml");
  const written = typeof value === "string" && !["", "<string>", "<any>"].includes(value);
  const binary = declared?.schema ? row.file === "binary" : !written;
  if (files[""] !== undefined || (!textual && (binary || !written))) {
    return { kind: "file", name: files[""] ?? "file" + extension(kind) };
  }
  // Of a stream of JSON one item is shown.
  return value === null ? { kind: "empty" } : { kind: "text", text: textOf(value) };
}

const withoutNull = (value) => Object.fromEntries(Object.entries(value).filter(([, part]) => part !== null));

/** The parts of one property of a multipart body. */
function multipart(rows, encoding, property, name, value, files, parts) {
  // Of several accepted types the first one is an example.
  const written = encoding?.contentType?.split(",")[0].trim();
  const item = property?.items === undefined ? undefined : rows[property.items];
  const row = property?.file === "binary" ? property : item?.file === "binary" ? item : undefined;
  if (row) {
    const wanted = written !== undefined && !written.includes("*") ? written : undefined;
    const type = wanted ?? row.mediaType ?? "application/octet-stream";
    const stem = name.replace(/[^A-Za-z0-9_-]/g, "") || "file";
    const given = member(files, name) ?? stem + extension(type);
    [given].flat().forEach((value, index) => {
      parts.push({ name, value, file: true, type, field: name, index });
    });
  } else if (Array.isArray(value) && written === undefined) {
    for (const item of value) parts.push(textPart(name, item));
  } else {
    parts.push(textPart(name, value, written));
  }
}

const textPart = (name, value, written) => ({
  name,
  value: textOf(value),
  file: false,
  type: written ?? (typeof value === "object" && value !== null ? "application/json" : null),
});

// Endings of files by their media types.
const ENDINGS = {
  image: { png: "png", jpeg: "jpg", gif: "gif", webp: "webp", "svg+xml": "svg" },
  application: { pdf: "pdf", zip: "zip", gzip: "gz", json: "json" },
  text: { csv: "csv", plain: "txt" },
  audio: { mpeg: "mp3", wav: "wav" },
  video: { mp4: "mp4" },
};

/** The usual ending of files of a media type. */
function extension(type) {
  const [family, kind] = type.split(";")[0].trim().split("/");
  return "." + (member(member(ENDINGS, family), kind) ?? "bin");
}
