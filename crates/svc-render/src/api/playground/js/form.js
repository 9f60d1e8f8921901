// The playground of an operation: a dialog with the form, the code of the request, and the
// response.
import { authorization, sessionValue } from "./auth.js";
import { jsonPretty, jsonText, parseJson, problems, request, sample } from "./call.js";
import { button, copyButton, el, fill, iconButton, id, select, size } from "./element.js";
import { endpoints } from "./endpoints.js";
import { calm, editor, row } from "./fields.js";
import { pieces, show } from "./response.js";
import { forbidden, payload, send } from "./send.js";
import { common, link, memory, read, shared, vault, withoutSecrets, write } from "./store.js";

const PLACES = ["path", "query", "header", "cookie"];
const LANGUAGES = new URL("./languages.json", import.meta.url);

const json = async (address) => {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${response.status} ${address}`);
  return parseJson(await response.text());
};

const essence = (type) => type.split(";")[0].trim().toLowerCase();
const isJson = (type) => /[/+]json$/.test(essence(type));

const section = (title, ...children) => {
  const heading = id();
  return el(
    "section",
    { class: "svc-playground-section", "aria-labelledby": heading },
    el("h3", { id: heading }, title),
    ...children,
  );
};

// Debounces an action; `now` runs it immediately.
const later = (act, wait) => {
  let timer = 0;
  const now = () => {
    if (!timer) return;
    clearTimeout(timer);
    timer = 0;
    act();
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(now, wait);
  };
  return { soon, now };
};

// Server and its variables.
const serverPart = (cx) => {
  const servers = cx.call.servers ?? [];
  const which = select(
    servers.map((one, at) => [String(at), one.description ? `${one.url} — ${one.description}` : one.url]),
    { "aria-label": cx.t.server },
    "0",
  );
  const place = el("div", { class: "svc-playground-list" });
  let variables = new Map();
  const showVariables = (values = {}) => {
    variables = new Map();
    const declared = Object.entries(servers[Number(which.value)]?.variables ?? {});
    const rows = declared.map(([name, variable]) => {
      const own = id();
      const attributes = { id: own, class: "svc-playground-input", on: { input: cx.changed, change: cx.changed } };
      const input = variable.enum?.length
        ? select(variable.enum.map((value) => [value, value]), attributes)
        : el("input", { ...attributes, type: "text", autocomplete: "off", spellcheck: "false" });
      if (variable.enum?.length) input.addEventListener("change", cx.changed);
      input.value = values[name] ?? variable.default ?? "";
      if (variable.enum?.length && input.selectedIndex < 0) input.value = variable.default ?? variable.enum[0];
      variables.set(name, input);
      return el(
        "div",
        { class: "svc-playground-row" },
        el("div", { class: "svc-playground-head" }, el("label", { class: "svc-playground-label", for: own }, el("span", { class: "svc-playground-name" }, name))),
        el("div", { class: "svc-playground-value" }, input),
        variable.description ? el("p", { class: "svc-playground-note", title: variable.description }, variable.description) : "",
      );
    });
    place.replaceChildren(...rows);
  };
  which.addEventListener("change", () => {
    showVariables(cx.runtime());
    cx.changed();
  });
  showVariables();
  const values = () => Object.fromEntries([...variables].map(([name, input]) => [name, input.value]));
  return {
    node: section(cx.t.server, servers.length > 1 ? which : el("code", { class: "svc-playground-server" }, servers[0]?.url ?? "/"), place),
    // The server URL; a relative one is resolved against this site.
    address: () => {
      const own = values();
      const text = (servers[Number(which.value)]?.url ?? "").replace(/\{([^{}]+)\}/g, (all, name) => own[name] ?? all);
      try {
        return new URL(text || "/", location.href).href.replace(/\/$/, "");
      } catch {
        return text;
      }
    },
    get: () => ({ server: Number(which.value), variables: values() }),
    set: (state) => {
      if (servers[state.server]) which.value = String(state.server);
      showVariables({ ...state.variables, ...cx.runtime() });
    },
  };
};

const TITLES = { path: "path_parameters", query: "query_parameters", header: "headers", cookie: "cookies" };

const parameterPart = (cx) => {
  const rows = new Map();
  const nodes = PLACES.flatMap((place) => {
    const own = (cx.call.parameters ?? []).filter((parameter) => parameter.in === place);
    if (!own.length) return [];
    const list = own.map((parameter) => {
      const made = row(cx, parameter.schema, {
        name: parameter.name,
        required: parameter.required,
        deprecated: parameter.deprecated,
        description: parameter.description,
        placeholder: parameter.placeholder,
        mayBeEmpty: parameter.in === "query" && parameter.allowEmptyValue,
        depth: 0,
      });
      rows.set(`${place}:${parameter.name}`, { parameter, made });
      return made.node;
    });
    const blocked = place === "cookie" || forbidden(own.map((parameter) => [parameter.name, ""])).length > 0;
    const note = blocked && !cx.way.relay ? el("p", { class: "svc-playground-note" }, cx.t.not_from_pages) : "";
    return [section(cx.t[TITLES[place]], note, el("div", { class: "svc-playground-list" }, list))];
  });
  return {
    nodes,
    get: () => {
      const out = {};
      for (const [key, { made }] of rows) {
        const value = made.get();
        if (value !== undefined) out[key] = value;
      }
      return out;
    },
    set: (values) => {
      for (const [key, { made }] of rows) made.set(values?.[key]);
    },
    prefill: () => {
      for (const { parameter, made } of rows.values()) made.set(parameter.value);
    },
    // `[row, path, what]` of all errors.
    wrong: () => {
      const out = [];
      for (const { parameter, made } of rows.values()) {
        const value = made.get();
        if (value === undefined) {
          if (parameter.required) out.push([made, [], { key: "required" }, parameter.in === "path"]);
        } else if (value !== "" || !parameter.allowEmptyValue) {
          // Browsers resolve these as dot segments of the path.
          if (parameter.in === "path" && /^(\.|%2e){1,2}$/i.test(String(value))) {
            out.push([made, [], { key: "value" }, true]);
            continue;
          }
          for (const found of problems(cx.call, parameter.schema, value)) out.push([made, found.path ?? [], found, false]);
        }
      }
      return out;
    },
  };
};

// Whether a value contains no input of the reader.
const hollow = (value) =>
  value === undefined || (value !== null && typeof value === "object" && Object.values(value).every(hollow));

// The body: a form generated from the schema, or raw text.
const bodyPart = (outer) => {
  // Strings in a body can have line breaks, and its files have the types of the media type.
  const accept = (name) => {
    const types = content().encoding?.[name]?.contentType;
    return types === "application/octet-stream" ? undefined : types;
  };
  const cx = { ...outer, lines: true, accept };
  const contents = cx.call.body?.content ?? [];
  if (!contents.length) return null;
  const type = select(contents.map((one, at) => [String(at), one.type]), { "aria-label": cx.t.content_type });
  const place = el("div", { class: "svc-playground-fields" });
  const tools = el("div", { class: "svc-playground-actions" });
  const problem = el("p", { class: "svc-playground-problem", id: id(), hidden: true });
  const content = () => contents[Number(type.value)] ?? contents[0];
  const schemaAt = (at) => cx.call.schemas?.[at] ?? {};
  let fields = null;
  let text = null;
  const area = () =>
    el("textarea", {
      class: "svc-playground-input svc-playground-json",
      rows: "10",
      "aria-label": cx.t.body,
      "aria-describedby": problem.id,
      spellcheck: "false",
      placeholder: typeof content().example === "string" ? content().example : content().example === undefined ? undefined : jsonPretty(content().example),
      on: { input: cx.changed },
    });
  // Whether the body can be edited as text, and whether it has a form.
  const canText = () => !/^(multipart\/|application\/x-www-form-urlencoded)/.test(essence(content().type)) && !schemaAt(content().schema).file;
  const hasForm = () => {
    const schema = schemaAt(content().schema);
    if (schema.file || !canText()) return true;
    return Boolean(schema.properties || schema.variants?.length || schema.type?.includes("array"));
  };
  const parsed = () => {
    const own = text.value.trim();
    if (own === "") return undefined;
    if (!isJson(content().type)) return text.value;
    try {
      return parseJson(own);
    } catch {
      return text.value;
    }
  };
  // Text is sent unchanged, because some servers distinguish `1.0` from `1`.
  const typed = () => {
    if (!text || !isJson(content().type)) return undefined;
    try {
      parseJson(text.value);
      return text.value.trim();
    } catch {
      return undefined;
    }
  };
  const get = () => {
    if (text) return parsed();
    const value = fields?.get();
    // Empty parts of the form were not entered by the reader.
    return !cx.call.body.required && hollow(value) ? undefined : value;
  };
  const written = (value) => (value === undefined ? "" : typeof value === "string" && !isJson(content().type) ? value : jsonPretty(value));
  const set = (value) => {
    if (text) text.value = written(value);
    else fields?.set(value);
  };
  const build = (asText, value) => {
    fields = text = null;
    if (asText) {
      text = area();
      place.replaceChildren(text);
    } else {
      const schema = schemaAt(content().schema);
      const options = { required: cx.call.body.required, placeholder: content().example, depth: 0 };
      if (schema.properties && !schema.variants?.length) {
        fields = editor(cx, schema, { ...options, id: id(), bare: true });
      } else fields = row(cx, content().schema, { ...options, name: cx.t.body, required: true });
      place.replaceChildren(fields.node);
    }
    if (value !== undefined) set(value);
    showTools();
  };
  const examples = () => {
    const named = content().examples ?? [];
    if (named.length < 2) {
      const value = named[0]?.value ?? content().example;
      if (value === undefined || value === null) return "";
      return button(cx.t.use_example, () => {
        set(value);
        cx.changed();
      });
    }
    const list = select(
      [["", cx.t.use_example], ...named.map((one, at) => [String(at), one.summary || one.name || String(at + 1)])],
      { "aria-label": cx.t.use_example, class: "svc-playground-input svc-playground-small" },
    );
    list.addEventListener("change", () => {
      if (list.value !== "") set(named[Number(list.value)].value);
      list.value = "";
      cx.changed();
    });
    return list;
  };
  const showTools = () => {
    const word = isJson(content().type) ? "JSON" : cx.t.text;
    const modes = canText() && hasForm()
      ? el(
          "div",
          { class: "svc-playground-modes", role: "group", "aria-label": cx.t.body },
          [cx.t.form, word].map((label, at) =>
            button(
              label,
              () => {
                const value = get();
                build(at === 1, value);
                cx.changed();
                tools.querySelectorAll(".svc-playground-modes button")[at].focus();
              },
              { "aria-pressed": String((at === 1) === Boolean(text)) },
            ),
          ),
        )
      : "";
    tools.replaceChildren(...[modes, examples()].filter(Boolean));
  };
  const start = (value) => build(!hasForm(), value);
  type.addEventListener("change", () => {
    start(content().value);
    cx.changed();
  });
  // A pasted object with known names fills the form.
  place.addEventListener("paste", (event) => {
    if (text || !fields || event.target.matches(".svc-playground-json")) return;
    const names = Object.keys(schemaAt(content().schema).properties ?? {});
    let value;
    try {
      value = parseJson(event.clipboardData.getData("text"));
    } catch {
      return;
    }
    if (!value || typeof value !== "object" || !Object.keys(value).some((name) => names.includes(name))) return;
    event.preventDefault();
    set(value);
    cx.changed();
  });
  start(content().value);
  const title = cx.call.body.required ? cx.t.body : cx.t.body_optional;
  return {
    node: section(
      title,
      el("div", { class: "svc-playground-bar" }, contents.length > 1 ? type : el("span", { class: "svc-playground-type" }, contents[0].type), tools),
      place,
      problem,
    ),
    get: () => {
      const value = get();
      return value === undefined && !cx.call.body.required ? null : { type: content().type, value, typed: typed() };
    },
    set: (state) => {
      const at = contents.findIndex((one) => one.type === state?.type);
      if (at >= 0) type.value = String(at);
      start(state?.value);
    },
    prefill: () => {
      type.value = "0";
      start(content().value);
    },
    files: () => {
      const by = fields?.filesBy?.() ?? {};
      const whole = fields && schemaAt(content().schema).file ? fields.files() : [];
      return whole.length ? { "": whole } : by;
    },
    calm: () => (problem.hidden = true),
    wrong: () => {
      const value = get();
      const whole = {
        at: () => whole,
        complain: (words) => {
          problem.textContent = words;
          problem.hidden = false;
        },
        focus: () => (text ?? place.querySelector("input, select, textarea, button"))?.focus(),
      };
      if (value === undefined) return cx.call.body.required ? [[whole, [], { key: "required" }, false]] : [];
      if (text && isJson(content().type) && typeof value === "string") {
        try {
          parseJson(text.value);
        } catch {
          return [[whole, [], { key: "json" }, false]];
        }
      }
      if (content().schema === undefined || (typeof value === "string" && !isJson(content().type))) return [];
      const from = text ? whole : { at: (path) => (path.length ? fields.at(path) : null) ?? whole };
      return problems(cx.call, content().schema, value).map((found) => [from, found.path ?? [], found, false]);
    },
  };
};

const KEYS = { minLength: "length_min", maxLength: "length_max", minItems: "items_min", maxItems: "items_max", const: "enum" };

// Converts an error to a message.
const words = (t, found) => {
  const known = t[`wrong_${KEYS[found.key] ?? found.key}`] ?? t.wrong_value;
  const limit = found.expected;
  return fill(known, Array.isArray(limit) ? limit.join(", ") : String(limit ?? ""));
};

// Placeholder for credentials in the code; copying inserts the real ones.
const placeholder = (scheme) => {
  if (scheme.type === "http" && scheme.scheme === "basic") return "<username>:<password>";
  return scheme.type === "apiKey" ? "<api-key>" : "<token>";
};

const codePart = (cx, languages) => {
  const names = (cx.call.languages ?? Object.keys(languages)).filter((name) => languages[name]);
  const labels = names.map((name) => languages[name].label ?? name);
  const titles = read("localStorage", "svc-panels") ?? [];
  const known = Array.isArray(titles) ? titles.find((title) => labels.includes(title)) : null;
  const which = select(
    names.map((name, at) => [name, labels[at]]),
    { "aria-label": cx.t.code, class: "svc-playground-input svc-playground-small" },
    names[Math.max(0, labels.indexOf(known))],
  );
  const code = el("pre", { class: "svc-playground-code", tabindex: "0", role: "region", "aria-label": cx.t.request });
  const pieced = (credentials) => sample(languages[which.value], request(cx.call, cx.inputs(credentials)));
  const draw = () => {
    if (!names.length) return;
    const secret = {};
    for (const alternative of cx.call.security ?? []) {
      for (const scheme of alternative) if (cx.chosen().has(scheme.name)) secret[scheme.name] = placeholder(scheme);
    }
    code.replaceChildren(...pieces(pieced(secret).map((one) => [one.kind, one.text])));
  };
  which.addEventListener("change", () => {
    const title = labels[names.indexOf(which.value)];
    const before = Array.isArray(titles) ? titles.filter((other) => other !== title) : [];
    write("localStorage", "svc-panels", [title, ...before].slice(0, 40));
    draw();
  });
  const copy = copyButton(cx.t, () => pieced(cx.credentials()).map((one) => one.text).join(""));
  return {
    node: section(cx.t.request, el("div", { class: "svc-playground-bar svc-playground-corner" }, which, copy), code),
    draw,
  };
};

const historyPart = (cx, restore) => {
  const list = el("ul", { class: "svc-popup-list" });
  const box = el("details", { class: "svc-playground-history svc-popup" }, el("summary", { class: "svc-playground-button" }, cx.t.history), list);
  box.addEventListener("toggle", () => {
    if (!box.open) return;
    const all = cx.memory.history();
    const entries = all.map((entry) => {
      const time = new Date(entry.at).toLocaleString(document.documentElement.lang, { dateStyle: "short", timeStyle: "short" });
      const open = button(
        el("span", {}, String(entry.path), el("small", {}, `${time} · ${entry.status || "—"} · ${Math.round(entry.ms)} ms`)),
        () => {
          box.open = false;
          restore(entry.state);
        },
        { class: "svc-popup-item" },
      );
      return el("li", {}, open);
    });
    if (!all.length) entries.push(el("li", { class: "svc-playground-note" }, cx.t.no_history));
    else {
      const clear = () => {
        cx.memory.clear();
        box.open = false;
        box.querySelector("summary").focus();
      };
      entries.push(el("li", {}, button(cx.t.clear_history, clear, { class: "svc-popup-item" })));
    }
    list.replaceChildren(...entries);
  });
  return box;
};

// File names in the format of the request.
const names = (files) => {
  const out = {};
  for (const [field, list] of Object.entries(files)) {
    if (list.length) out[field] = list.length > 1 ? list.map((file) => file.name) : list[0].name;
  }
  return out;
};

// Values for the reader from the page on which the reader signed in.
const readerInputs = async (address) => {
  if (!address) return {};
  try {
    return (await json(address)).apiPlaygroundInputs ?? {};
  } catch {
    return {};
  }
};

const build = async (root, runtime) => {
  const { call: address, texts, page, base, relay, credentials, reader } = root.dataset;
  const [call, t, languages, own] = await Promise.all([json(address), json(texts), json(LANGUAGES), readerInputs(reader)]);
  const cx = {
    call,
    t,
    base,
    runtime,
    session: own,
    way: { relay, page, credentials: credentials !== undefined },
    vault: vault(call.servers ?? []),
    memory: memory(base + page),
    common: common(call.servers ?? []),
    changed: () => changed(),
    server: () => server.address(),
    inputs: (secrets) => ({
      server: server.address(),
      parameters: parameters.get(),
      body: body?.get() ?? null,
      credentials: secrets,
      files: names(body?.files() ?? {}),
    }),
    credentials: () => secrets?.get() ?? {},
    chosen: () => new Set(secrets ? secrets.names() : []),
  };
  let changed = () => {};
  const server = serverPart(cx);
  const secrets = authorization(cx);
  const parameters = parameterPart(cx);
  const body = bodyPart(cx);
  const code = codePart(cx, languages);

  const state = () => ({ ...server.get(), parameters: parameters.get(), body: body?.get() ?? null });
  const harmless = () => withoutSecrets(call, state());
  const given = {};
  for (const parameter of call.parameters ?? []) {
    const value = sessionValue(own, parameter.in, parameter.name);
    if (value !== undefined) given[`${parameter.in}:${parameter.name}`] = value;
  }
  const prefill = () => {
    parameters.prefill();
    parameters.set({ ...parameters.get(), ...given });
    body?.prefill();
  };
  prefill();
  const first = parameters.get();
  const firstVariable = (at, name) => own.server?.[name] ?? call.servers?.[at]?.variables?.[name]?.default;
  // The state without secrets, and without values that the reader has not changed: those of the
  // session and of the document may be others at the next visit.
  const changes = () => {
    const kept = harmless();
    const isNew = ([name, value]) => jsonText(value) !== jsonText(first[name]);
    const parameters = Object.fromEntries(Object.entries(kept.parameters).filter(isNew));
    const isNewVariable = ([name, value]) => value !== firstVariable(kept.server, name);
    const variables = Object.fromEntries(Object.entries(kept.variables).filter(isNewVariable));
    return { ...kept, parameters, variables };
  };
  const restore = (kept) => {
    server.set(kept);
    parameters.set(kept.parameters);
    if (body) body.set(kept.body);
    changed();
  };

  const formId = id();
  const form = el(
    "form",
    { class: "svc-playground-form", id: formId, novalidate: true },
    server.node,
    secrets ? section(t.authorization, secrets.node) : "",
    parameters.nodes,
    body ? body.node : "",
  );
  const address_ = el("code", { class: "svc-playground-address", tabindex: "0" });
  const go = el("button", { type: "submit", form: formId, class: "svc-playground-send", "data-method": call.method.toLowerCase() }, t.send);
  const status = el("p", { class: "svc-playground-status", role: "status" });
  const place = el("div", { class: "svc-playground-answer" }, el("p", { class: "svc-playground-empty" }, t.send_to_see));
  const answerHeading = id();
  const answerBox = el(
    "section",
    { class: "svc-playground-section svc-playground-response", "aria-labelledby": answerHeading },
    el("div", { class: "svc-playground-bar" }, el("h3", { id: answerHeading }, t.response), status),
    place,
  );
  const reset = button(t.reset, () => {
    cx.memory.clear();
    cx.common.clear();
    prefill();
    server.set({ server: 0, variables: own.server });
    calm(form);
    changed();
  });
  const share = copyButton(t, () => link(harmless()), t.copy_link, "link");
  const dialog = el(
    "dialog",
    { class: "svc-playground", "aria-label": `${t.try_it}: ${call.method.toUpperCase()} ${call.path}`, tabindex: "-1" },
    el(
      "header",
      { class: "svc-playground-top" },
      endpoints(call, t),
      address_,
      go,
      el("div", { class: "svc-playground-menu" }, historyPart(cx, restore), reset, share, iconButton("close", t.close, () => dialog.close())),
    ),
    el("div", { class: "svc-playground-columns" }, form, el("div", { class: "svc-playground-side" }, code.node, answerBox)),
  );

  // Uses the response media types of the document unless the reader overrides them.
  const made = () => {
    const wanted = request(call, cx.inputs(cx.credentials()));
    const accept = (call.accept ?? []).join(", ");
    const own = wanted.headers.some(([name]) => name.toLowerCase() === "accept");
    if (accept && !own && accept.length < 128) wanted.headers.push(["Accept", accept]);
    return wanted;
  };
  const paint = () => {
    // Hides keys in the query.
    address_.textContent = request(call, cx.inputs({})).url;
    code.draw();
    const kept = changes();
    cx.memory.keep(kept);
    cx.common.keep(kept, call);
  };
  const drawing = later(paint, 60);
  // Saves input made directly before leaving the page.
  addEventListener("pagehide", drawing.now);
  let insists = false;
  changed = () => {
    insists = false;
    if (!running) go.textContent = t.send;
    drawing.soon();
  };

  let running = null;
  let shown = null;
  const say = (parts) => {
    status.replaceChildren(...parts.flatMap((part, at) => (at ? [" · ", part] : [part])));
  };
  const explain = (...lines) => place.replaceChildren(el("div", { class: "svc-playground-trouble" }, lines));

  const check = () => {
    calm(form);
    body?.calm();
    const wrong = [...parameters.wrong(), ...(body?.wrong() ?? [])];
    for (const [from, path, found] of wrong) (from.at(path) ?? from).complain(words(t, found));
    if (!wrong.length) return true;
    const [from, path] = wrong[0];
    (from.at(path) ?? from).focus();
    // The document can be wrong, so other errors do not block sending; a URL with a missing part
    // does.
    const hole = wrong.some(([, , , hole]) => hole);
    if (insists && !hole) return true;
    insists = !hole;
    go.textContent = hole ? t.send : t.send_anyway;
    say([fill(t.wrong_count, String(wrong.length))]);
    return false;
  };

  const trouble = (answer, wanted) => {
    if (answer.refused) {
      say([t.not_sent]);
      return explain(el("p", {}, fill(t.relay_refused, answer.refused.message || String(answer.refused.status))));
    }
    say([t.not_sent]);
    if (answer.failed === "cors") {
      const names = wanted.headers.map(([name]) => name.toLowerCase()).join(", ");
      const lines = [`Access-Control-Allow-Origin: ${location.origin}`];
      if (names) lines.push(`Access-Control-Allow-Headers: ${names}`);
      if (!["GET", "HEAD", "POST"].includes(wanted.method)) lines.push(`Access-Control-Allow-Methods: ${wanted.method}`);
      return explain(
        el("p", {}, fill(t.cors, location.origin)),
        el("pre", { class: "svc-playground-code", tabindex: "0", role: "region", "aria-label": t.headers }, lines.join("\n")),
        el("p", {}, t.cors_else),
      );
    }
    explain(el("p", {}, { mixed: t.mixed, header: t.bad_header }[answer.failed] ?? fill(t.unreachable, new URL(wanted.url, location.href).origin)));
  };

  const remember = (status, ms) => {
    const kept = harmless();
    const plain = request(call, { ...cx.inputs({}), parameters: kept.parameters, body: null }).url;
    cx.memory.remember({ at: Date.now(), path: plain.slice(0, 300), status, ms, state: kept });
  };

  const submit = async () => {
    if (running) return running.abort();
    if (!check()) return;
    drawing.now();
    running = new AbortController();
    shown?.close();
    go.textContent = t.cancel;
    go.dataset.busy = "";
    say([t.sending]);
    place.replaceChildren();
    const start = performance.now();
    try {
      const unrenewed = await secrets?.renew(running.signal);
      const wanted = made();
      const answer = await send(
        { ...wanted, body: payload(wanted.content, body?.files() ?? {}), signal: running.signal },
        cx.way,
      );
      if (answer.failed || answer.refused) {
        trouble(answer, wanted);
        remember(0, performance.now() - start);
      } else {
        const pill = el("span", { class: "svc-status", "data-class": String(answer.status)[0] }, `${answer.status} ${answer.words}`.trim());
        const way = el("span", { "data-way": answer.way }, answer.way === "relay" ? t.way_relay : t.way_direct);
        const took = `${Math.round(answer.elapsed)} ms`;
        const tell = (bytes) => say([pill, took, size(bytes), way]);
        tell(0);
        remember(answer.status, answer.elapsed);
        shown = show(place, answer, t, tell);
        await shown.done;
        if (unrenewed) place.append(el("p", { class: "svc-playground-note" }, unrenewed));
        if (answer.left.length) {
          place.append(el("p", { class: "svc-playground-note" }, fill(t.headers_left, answer.left.join(", "))));
        }
      }
    } catch (error) {
      if (error.name === "AbortError") say([t.cancelled]);
      else {
        say([t.not_sent]);
        explain(el("p", {}, String(error.message)));
      }
    }
    running = null;
    delete go.dataset.busy;
    go.textContent = t.send;
    insists = false;
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      submit();
    } else if (event.target.matches("input") && !["GET", "HEAD"].includes(call.method.toUpperCase())) {
      // Requests with side effects are sent only with the button.
      event.preventDefault();
    }
  });
  let pressed = null;
  dialog.addEventListener("pointerdown", (event) => (pressed = event.target));
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog && pressed === dialog) dialog.close();
  });
  document.addEventListener("svc:server-variables", () => {
    const own = server.get();
    server.set({ ...own, variables: own.variables });
    changed();
  });

  const saved = cx.memory.values();
  // The server may have been changed on another page in the meantime.
  const last = { ...server.get(), ...saved, ...cx.common.server() };
  restore({
    ...last,
    variables: { ...own.server, ...saved?.variables, ...cx.common.server().variables },
    parameters: { ...parameters.get(), ...cx.common.parameters(call), ...saved?.parameters },
    body: saved?.body ?? body?.get() ?? null,
  });
  paint();
  document.body.append(dialog);
  return { dialog, restore, call, t };
};

const made = new WeakMap();

// Opens the playground of an endpoint, with the state of a shared link.
export const open = async (root, runtime) => {
  if (!made.has(root)) made.set(root, build(root, runtime));
  let own;
  try {
    own = await made.get(root);
  } catch (error) {
    made.delete(root);
    throw error;
  }
  const state = shared(own.call, location.hash);
  if (state) own.restore(state);
  if (own.dialog.open) return;
  own.dialog.showModal();
  if (matchMedia("(max-width: 60rem)").matches) own.dialog.focus();
  else own.dialog.querySelector(".svc-playground-form :is(input, select, textarea)")?.focus();
};
