// Persistent state: values, history and the selected server without secrets in the browser; secrets
// in the tab, and in the browser only if the reader enables it.
import { jsonText, parseJson } from "./call.js";

const area = (kind) => {
  try {
    return window[kind];
  } catch {
    // Storage can be disabled; the state is then not saved.
    return null;
  }
};

export const read = (kind, key) => {
  try {
    return parseJson(area(kind)?.getItem(key) ?? "null");
  } catch {
    return null;
  }
};

export const write = (kind, key, value) => {
  try {
    if (value === null) area(kind)?.removeItem(key);
    else area(kind)?.setItem(key, jsonText(value));
  } catch {
    // Storage can be full or disabled.
  }
};

const SECRET = new Set(
  "auth authorization bearer credential credentials jwt passphrase passwd password pin secret session signature token apikey accesskey privatekey".split(" "),
);

// Whether a name suggests that its value is secret.
export const isSecret = (name) => {
  const words = String(name)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some((word, at) => SECRET.has(word) || SECRET.has(word + (words[at + 1] ?? "")));
};

// The value without parts that are secret by name or schema. The depth is limited by that of the
// document.
export const harmless = (call, at, value, depth = 0) => {
  const schema = call.schemas?.[at] ?? {};
  if (schema.format === "password" || depth > 60) return undefined;
  if (Array.isArray(value)) {
    return value.map((item) => harmless(call, schema.items, item, depth + 1)).filter((item) => item !== undefined);
  }
  if (value === null || typeof value !== "object") return value;
  const out = {};
  for (const [name, member] of Object.entries(value)) {
    if (isSecret(name)) continue;
    const variants = (schema.variants ?? []).map((one) => call.schemas[one.schema]?.properties?.[name]);
    const own = schema.properties?.[name] ?? variants.find((one) => one !== undefined) ?? schema.additional;
    const kept = harmless(call, own, member, depth + 1);
    if (kept !== undefined) out[name] = kept;
  }
  return out;
};

// The state of the form without secrets, for storage and links. Raw text is unchanged unless it is
// JSON.
export const withoutSecrets = (call, state) => {
  const schemes = new Set((call.security ?? []).flat().flatMap((one) => (one.parameter ? [one.parameter] : [])));
  const parameters = {};
  for (const parameter of call.parameters ?? []) {
    const key = `${parameter.in}:${parameter.name}`;
    if (!(key in state.parameters) || isSecret(parameter.name) || schemes.has(parameter.name)) continue;
    const kept = harmless(call, parameter.schema, state.parameters[key]);
    if (kept !== undefined) parameters[key] = kept;
  }
  let body = null;
  if (state.body) {
    const content = call.body?.content?.find((one) => one.type === state.body.type);
    body = { type: state.body.type };
    const kept = harmless(call, content?.schema, state.body.value);
    if (kept !== undefined) body.value = kept;
  }
  return { server: state.server, variables: state.variables, parameters, body };
};

const encode = (text) => {
  let bytes = "";
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};

const decode = (text) => {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(Uint8Array.from(bytes, (letter) => letter.charCodeAt(0)));
};

const MARK = "#try=";

// The URL of the page with the state in its fragment, which browsers do not send to servers.
export const link = (state) => {
  const address = new URL(location.href);
  address.searchParams.delete("playground");
  address.hash = "";
  return address.href.replace(/#$/, "") + MARK + encode(jsonText(state));
};

// The state in the fragment. Links are untrusted: only servers of the document can be selected, and
// free variables of server URLs are ignored, because they could send the reader's credentials
// elsewhere.
export const shared = (call, hash) => {
  if (!hash.startsWith(MARK) || hash.length > 60_000) return null;
  let state;
  try {
    state = parseJson(decode(hash.slice(MARK.length)));
  } catch {
    return null;
  }
  if (!state || typeof state !== "object") return null;
  const variables = {};
  const declared = call.servers?.[state.server]?.variables ?? {};
  for (const [name, value] of Object.entries(state.variables ?? {})) {
    if (declared[name]?.enum?.includes(value)) variables[name] = value;
  }
  return { ...state, variables };
};

const HISTORY = 10;

// Values and history of one page.
export const memory = (page) => {
  const values = `svc-playground:values:${page}`;
  const history = `svc-playground:history:${page}`;
  return {
    values: () => read("localStorage", values),
    keep: (state) => write("localStorage", values, state),
    history: () => {
      const list = read("localStorage", history);
      return Array.isArray(list) ? list : [];
    },
    remember: (entry) => {
      const list = read("localStorage", history);
      write("localStorage", history, [entry, ...(Array.isArray(list) ? list : [])].slice(0, HISTORY));
    },
    clear: () => {
      write("localStorage", history, null);
      write("localStorage", values, null);
    },
  };
};

// Names whose meaning differs between pages.
const VAGUE = /^(id|uuid|key|name|slug|type|version)$/i;

// State that the pages of a document share: the server with its variables, and values of path and
// header parameters, such as a tenant's name.
export const common = (servers) => {
  const key = `svc-playground:common:${servers.map((one) => one.url).join(" ")}`;
  const kept = () => {
    const value = read("localStorage", key);
    return value && typeof value === "object" ? value : {};
  };
  const isCommon = (name) => /^(path|header):/.test(name) && !VAGUE.test(name.slice(name.indexOf(":") + 1));
  return {
    server: () => {
      const { server, variables } = kept();
      return servers[server] ? { server, variables } : {};
    },
    parameters: (call) => {
      const own = (call.parameters ?? []).map((parameter) => `${parameter.in}:${parameter.name}`);
      return Object.fromEntries(Object.entries(kept().parameters ?? {}).filter(([name]) => own.includes(name)));
    },
    // Replaces the values of the parameters of a page.
    keep: ({ server, variables, parameters }, call) => {
      const names = (call.parameters ?? []).map((parameter) => `${parameter.in}:${parameter.name}`);
      const others = Object.entries(kept().parameters ?? {}).filter(([name]) => !names.includes(name));
      const own = Object.entries(parameters).filter(([name]) => isCommon(name));
      write("localStorage", key, { server, variables, parameters: Object.fromEntries([...others, ...own].slice(-50)) });
    },
    clear: () => write("localStorage", key, null),
  };
};

// Secrets are bound to their server, so that a server with a scheme of the same name does not get
// them.
export const vault = (servers) => {
  const key = `svc-playground:secrets:${servers.map((one) => one.url).join(" ")}`;
  const kept = () => read("localStorage", key);
  return {
    kept: () => kept() !== null,
    read: (scheme) => (kept() ?? read("sessionStorage", key) ?? {})[scheme],
    write: (scheme, value) => {
      const kind = kept() === null ? "sessionStorage" : "localStorage";
      const all = { ...read(kind, key), [scheme]: value };
      if (value === undefined) delete all[scheme];
      write(kind, key, all);
    },
    keep: (yes) => {
      const all = kept() ?? read("sessionStorage", key) ?? {};
      write("localStorage", key, yes ? all : null);
      write("sessionStorage", key, yes ? null : all);
    },
    forget: () => {
      write("localStorage", key, null);
      write("sessionStorage", key, null);
    },
  };
};
