// One request on its way: straight from the browser where it can, else through the site's relay.
import { bodyText } from "./call.js";
import { read, write } from "./store.js";

const FORBIDDEN = new Set(
  "accept-charset accept-encoding access-control-request-headers access-control-request-method connection content-length cookie cookie2 date dnt expect host keep-alive origin referer set-cookie te trailer transfer-encoding upgrade user-agent via".split(" "),
);
const SAFE_HEADERS = new Set(["accept", "accept-language", "content-language"]);
const SIMPLE_TYPES = ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"];

// Headers that browsers do not let pages set.
export const forbidden = (headers) =>
  headers
    .map(([name]) => name)
    .filter((name) => FORBIDDEN.has(name.toLowerCase()) || /^(proxy|sec)-/i.test(name));

const typeOf = (headers) => headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";

// Whether browsers send the request to another origin without asking there first.
const isSimple = (method, headers, content) => {
  if (!["GET", "HEAD", "POST"].includes(method)) return false;
  return headers.every(([name, value]) => {
    const low = name.toLowerCase();
    if (low === "content-type") return SIMPLE_TYPES.includes(value.split(";")[0].trim().toLowerCase());
    return SAFE_HEADERS.has(low) && value.length <= 128;
  }) && content.kind !== "json";
};

// The body that `fetch` takes. `files` are the reader's, by property; the one that is a whole body
// has no name.
export const payload = (content, files) => {
  if (content.kind === "empty") return undefined;
  if (content.kind === "file") return files[""]?.[0] ?? new Blob([]);
  if (content.kind !== "multipart") return bodyText(content);
  const form = new FormData();
  // Which parts have a type and are no files.
  form.texts = new Set();
  for (const part of content.parts) {
    const file = part.file ? files[part.field]?.[part.index] : undefined;
    if (file) {
      // The browser's own guess at the type is better than none.
      const typed = part.type && part.type !== "application/octet-stream" ? new Blob([file], { type: part.type }) : file;
      form.append(part.name, typed, file.name);
    } else if (!part.file) {
      if (part.type) form.texts.add([...form].length);
      form.append(part.name, part.type ? new Blob([part.value], { type: part.type }) : part.value);
    }
  }
  return form;
};

// A request whose multipart body is written out. The browser would write parts that have a type as
// files of the name `blob`.
const written = (wanted) => {
  const form = wanted.body;
  if (!(form instanceof FormData)) return wanted;
  const random = crypto.getRandomValues(new Uint8Array(16));
  const boundary = `svc-${[...random].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  const quoted = (text) => text.replace(/[\r\n"]/g, encodeURIComponent);
  const parts = [...form].flatMap(([name, value], at) => {
    const isText = typeof value === "string";
    const file = isText || form.texts.has(at) ? "" : `; filename="${quoted(value.name)}"`;
    const type = isText ? "" : `Content-Type: ${value.type || "application/octet-stream"}\r\n`;
    return [`--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${file}\r\n${type}\r\n`, value, "\r\n"];
  });
  const headers = wanted.headers.filter(([name]) => name.toLowerCase() !== "content-type");
  headers.push(["Content-Type", `multipart/form-data; boundary=${boundary}`]);
  return { ...wanted, headers, body: new Blob([...parts, `--${boundary}--\r\n`]) };
};

const packed = (headers) => encodeURIComponent(JSON.stringify(headers));

const unpacked = (text) => {
  try {
    const list = JSON.parse(decodeURIComponent(text ?? ""));
    return list.map(([name, value]) => [String(name), String(value)]);
  } catch {
    return [];
  }
};

const BLOCKED = "svc-playground:relayed";

const direct = async (wanted, way) => {
  const headers = wanted.headers.filter(([name]) => !forbidden([[name, ""]]).length);
  const start = performance.now();
  const response = await fetch(wanted.url, {
    method: wanted.method,
    headers,
    body: wanted.body,
    credentials: way.credentials ? "include" : "omit",
    cache: "no-store",
    referrerPolicy: "no-referrer",
    signal: wanted.signal,
  });
  return {
    way: "direct",
    status: response.status,
    words: response.statusText,
    headers: [...response.headers],
    body: response.body,
    elapsed: performance.now() - start,
    left: forbidden(wanted.headers),
  };
};

const relayed = async (wanted, way) => {
  const start = performance.now();
  const response = await fetch(way.relay, {
    method: "POST",
    headers: {
      "content-type": "application/octet-stream",
      "svc-page": encodeURI(way.page),
      "svc-url": new URL(wanted.url, location.href).href,
      "svc-method": wanted.method,
      "svc-headers": packed(wanted.headers),
    },
    body: wanted.body,
    credentials: "same-origin",
    cache: "no-store",
    signal: wanted.signal,
  });
  const status = Number(response.headers.get("svc-status"));
  if (!status) {
    const said = await response.json().catch(() => ({}));
    return { way: "relay", refused: { status: response.status, message: typeof said.error === "string" ? said.error : "" } };
  }
  return {
    way: "relay",
    status,
    words: "",
    headers: unpacked(response.headers.get("svc-headers")),
    body: response.body,
    elapsed: Number(response.headers.get("svc-elapsed")) || performance.now() - start,
    left: [],
  };
};

// Why the browser got nothing: whether anybody answers there at all.
const reason = async (url, signal) => {
  const target = new URL(url, location.href);
  if (location.protocol === "https:" && target.protocol === "http:") return "mixed";
  try {
    await fetch(target.origin, { method: "HEAD", mode: "no-cors", credentials: "omit", referrerPolicy: "no-referrer", signal });
    return "cors";
  } catch {
    return "unreachable";
  }
};

// Sends `{ method, url, headers, body, content, signal }` on the way `{ relay, page, credentials }`.
// What cannot be sent at all is an exception; `failed` and `refused` are answers too.
export const send = async (given, way) => {
  const wanted = written(given);
  const { origin } = new URL(wanted.url, location.href);
  const blocked = read("sessionStorage", BLOCKED) ?? [];
  const away = origin !== location.origin;
  const safe = wanted.method === "GET" || wanted.method === "HEAD";
  const unasked = away && !safe && isSimple(wanted.method, wanted.headers, wanted.content);
  const impossible = forbidden(wanted.headers).length > 0 || wanted.method === "TRACE" || wanted.method === "CONNECT";
  if (way.relay && away && (impossible || unasked || blocked.includes(origin))) return relayed(wanted, way);
  try {
    new Headers(wanted.headers);
  } catch {
    return { way: "direct", failed: "header", left: [] };
  }
  try {
    return await direct(wanted, way);
  } catch (error) {
    if (error.name === "AbortError" || !away) throw error;
    if (!way.relay) return { way: "direct", failed: await reason(wanted.url, wanted.signal), left: forbidden(wanted.headers) };
    const answer = await relayed(wanted, way);
    if (!answer.refused) write("sessionStorage", BLOCKED, [...new Set([...blocked, origin])]);
    return answer;
  }
};
