// Sends a request: directly from the browser if possible, otherwise through the relay of the site.
import { bodyText } from "./call.js";
import { read, write } from "./store.js";

const FORBIDDEN = new Set(
  "accept-charset accept-encoding access-control-request-headers access-control-request-method connection content-length cookie cookie2 date dnt expect host keep-alive origin referer set-cookie te trailer transfer-encoding upgrade user-agent via".split(" "),
);
const SAFE_HEADERS = new Set(["accept", "accept-language", "content-language"]);
const SIMPLE_TYPES = ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"];

// Headers that browsers do not allow pages to set.
export const forbidden = (headers) =>
  headers
    .map(([name]) => name)
    .filter((name) => FORBIDDEN.has(name.toLowerCase()) || /^(proxy|sec)-/i.test(name));

const typeOf = (headers) => headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";

// Whether a cross-origin request needs no preflight.
const isSimple = (method, headers, content) => {
  if (!["GET", "HEAD", "POST"].includes(method)) return false;
  return headers.every(([name, value]) => {
    const low = name.toLowerCase();
    if (low === "content-type") return SIMPLE_TYPES.includes(value.split(";")[0].trim().toLowerCase());
    return SAFE_HEADERS.has(low) && value.length <= 128;
  }) && content.kind !== "json";
};

// The body for `fetch`. `files` are the selected files by property; a file that is the whole body
// has no name.
export const payload = (content, files) => {
  if (content.kind === "empty") return undefined;
  if (content.kind === "file") return files[""]?.[0] ?? new Blob([]);
  if (content.kind !== "multipart") return bodyText(content);
  const form = new FormData();
  // Parts that have a media type but are not files.
  form.texts = new Set();
  for (const part of content.parts) {
    const file = part.file ? files[part.field]?.[part.index] : undefined;
    if (file) {
      // The media type that the browser guesses is better than none.
      const typed = part.type && part.type !== "application/octet-stream" ? new Blob([file], { type: part.type }) : file;
      form.append(part.name, typed, file.name);
    } else if (!part.file) {
      if (part.type) form.texts.add([...form].length);
      form.append(part.name, part.type ? new Blob([part.value], { type: part.type }) : part.value);
    }
  }
  return form;
};

// A request with a serialized multipart body. Browsers would send parts with a media type as files
// named `blob`.
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

// Determines why there was no response: whether the server is reachable at all.
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

// Sends `{ method, url, headers, body, content, signal }` with the transport `{ relay, page,
// credentials }`. Throws if the request cannot be sent at all; `failed` and `refused` are results.
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
