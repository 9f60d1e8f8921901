// Credentials of a request: a selection of the document's security alternatives, with the fields of
// each scheme.
import { button, copyButton, el, fill, iconButton, id, select } from "./element.js";
import { authorize, discover, grantOf, isOver, redirect, renew } from "./oauth.js";

const KINDS = { authorizationCode: "Authorization code", clientCredentials: "Client credentials", implicit: "Implicit", password: "Password" };

// A password field whose content can be revealed.
const secretField = (cx, label, attributes = {}) => {
  const own = id();
  const input = el("input", {
    class: "svc-playground-input",
    type: "password",
    id: own,
    autocomplete: "off",
    spellcheck: "false",
    "data-1p-ignore": true,
    ...attributes,
  });
  const eye = iconButton(
    "eye",
    fill(cx.t.show_secret, label),
    () => {
      const hidden = input.type === "password";
      input.type = hidden ? "text" : "password";
      eye.setAttribute("aria-pressed", String(hidden));
    },
    { "aria-pressed": "false" },
  );
  return { input, node: el("div", { class: "svc-playground-row" }, head(own, label), el("div", { class: "svc-playground-joined" }, input, eye)) };
};

const head = (own, label, kind = "") =>
  el(
    "div",
    { class: "svc-playground-head" },
    el("label", { for: own, class: "svc-playground-label" }, el("span", { class: "svc-playground-name" }, label)),
    kind ? el("span", { class: "svc-playground-type" }, kind) : "",
  );

const plainField = (label, attributes = {}) => {
  const own = id();
  const input = el("input", { class: "svc-playground-input", type: "text", id: own, autocomplete: "off", spellcheck: "false", ...attributes });
  return { input, node: el("div", { class: "svc-playground-row" }, head(own, label), input) };
};

const note = (...text) => el("p", { class: "svc-playground-note" }, ...text);

// Converts an OAuth error to a message.
const refusal = (cx, error) => {
  if (error.message === "popup") return cx.t.popup_blocked;
  return error instanceof TypeError ? cx.t.token_unreachable : fill(cx.t.token_refused, error.message);
};

// The OAuth form of a scheme; the token is written to the token field.
const tokenBox = (cx, scheme, flows, got) => {
  const kinds = Object.keys(flows).filter((kind) => kind in KINDS);
  const saved = cx.vault.read(`${scheme.name} client`) ?? {};
  const flow = select(kinds.map((kind) => [kind, KINDS[kind]]), { "aria-label": cx.t.flow });
  const client = plainField(cx.t.client_id);
  const secret = secretField(cx, cx.t.client_secret);
  const username = plainField(cx.t.username);
  const password = secretField(cx, cx.t.password);
  client.input.value = saved.client ?? "";
  secret.input.value = saved.secret ?? "";
  const scopes = el("div", { class: "svc-playground-scopes", role: "group", "aria-label": cx.t.scopes });
  const said = el("p", { class: "svc-playground-note", role: "status" });
  let running = null;
  const address = el("p", { class: "svc-playground-note" }, `${cx.t.redirect_address} `, el("code", {}, redirect(cx.base)));
  address.append(copyButton(cx.t, () => redirect(cx.base)));
  const show = () => {
    const kind = flow.value;
    secret.node.hidden = kind === "implicit";
    username.node.hidden = password.node.hidden = kind !== "password";
    address.hidden = kind !== "authorizationCode" && kind !== "implicit";
    const wanted = new Set(scheme.scopes ?? []);
    scopes.replaceChildren(
      ...Object.entries(flows[kind]?.scopes ?? {}).map(([name, text]) =>
        el(
          "label",
          { title: text || undefined },
          el("input", { type: "checkbox", value: name, checked: wanted.has(name) }),
          el("span", {}, name, text ? el("small", {}, ` ${text}`) : ""),
        ),
      ),
    );
  };
  flow.addEventListener("change", show);
  show();
  const ask = button(cx.t.get_token, async () => {
    if (running) return running.abort();
    running = new AbortController();
    ask.textContent = cx.t.cancel;
    said.textContent = cx.t.waiting;
    cx.vault.write(`${scheme.name} client`, { client: client.input.value, secret: secret.input.value });
    try {
      const wish = {
        kind: flow.value,
        flow: flows[flow.value],
        server: cx.server(),
        base: cx.base,
        client: client.input.value,
        secret: flow.value === "implicit" ? "" : secret.input.value,
        username: username.input.value,
        password: password.input.value,
        scopes: [...scopes.querySelectorAll(":checked")].map((box) => box.value),
        signal: running.signal,
      };
      const given = await authorize(wish);
      got(grantOf(wish, given));
      const until = given.until ? new Date(given.until).toLocaleTimeString(document.documentElement.lang) : "";
      said.textContent = until ? fill(cx.t.token_until, until) : cx.t.token_there;
    } catch (error) {
      said.textContent = error.name === "AbortError" ? "" : refusal(cx, error);
    }
    running = null;
    ask.textContent = cx.t.get_token;
  });
  return el(
    "div",
    { class: "svc-playground-token" },
    kinds.length > 1 ? flow : el("p", { class: "svc-playground-note" }, KINDS[kinds[0]]),
    client.node,
    secret.node,
    username.node,
    password.node,
    scopes,
    address,
    el("div", { class: "svc-playground-actions" }, ask),
    said,
  );
};

// The value of a parameter in `apiPlaygroundInputs` of the reader's session, or undefined.
export const sessionValue = (session, place, name) => {
  const same = place === "header" ? (own) => own.toLowerCase() === name.toLowerCase() : (own) => own === name;
  return Object.entries(session[place] ?? {}).find(([own]) => same(own))?.[1];
};

// The credentials of a scheme in the reader's session, or undefined.
const sessionCredentials = (session, scheme) => {
  if (scheme.type === "apiKey") return sessionValue(session, scheme.in, scheme.parameter ?? scheme.name);
  const [, kind, rest] = String(sessionValue(session, "header", "Authorization") ?? "").match(/^(\S+) +(.+)$/) ?? [];
  const wanted = scheme.type === "http" ? scheme.scheme : "bearer";
  if (kind?.toLowerCase() !== wanted?.toLowerCase()) return undefined;
  if (wanted.toLowerCase() !== "basic") return rest;
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(rest), (letter) => letter.charCodeAt(0)));
  } catch {
    return undefined;
  }
};

// What the fields of a scheme contain first.
const initial = (cx, scheme) => cx.vault.read(scheme.name) ?? sessionCredentials(cx.session, scheme) ?? scheme.value;

const schemes = {
  // A single text field below a name.
  token(cx, scheme, label, about) {
    const field = secretField(cx, label);
    const set = (value) => (field.input.value = typeof value === "string" ? value : "");
    set(initial(cx, scheme));
    field.input.addEventListener("input", () => {
      cx.vault.write(scheme.name, field.input.value || undefined);
      cx.changed();
    });
    const node = el("div", {}, field.node, about ? note(about) : "");
    const put = (value) => {
      set(value);
      cx.vault.write(scheme.name, value);
      cx.changed();
    };
    return { node, get: () => field.input.value || undefined, set, put };
  },

  basic(cx, scheme) {
    const username = plainField(cx.t.username);
    const password = secretField(cx, cx.t.password);
    const set = (value) => {
      const [first, ...rest] = typeof value === "string" ? value.split(":") : [value?.username, value?.password];
      username.input.value = first ?? "";
      password.input.value = rest.filter((part) => part !== undefined).join(":");
    };
    set(initial(cx, scheme));
    const get = () => {
      const pair = { username: username.input.value, password: password.input.value };
      return pair.username || pair.password ? pair : undefined;
    };
    for (const field of [username, password]) {
      field.input.addEventListener("input", () => {
        cx.vault.write(scheme.name, get());
        cx.changed();
      });
    }
    return { node: el("div", {}, username.node, password.node), get, set };
  },

  oauth(cx, scheme) {
    const own = schemes.token(cx, scheme, cx.t.token);
    const kept = `${scheme.name} grant`;
    const take = (grant) => {
      cx.vault.write(kept, grant);
      own.put(grant.token);
    };
    // A token that was typed by the reader has no grant.
    own.renew = async (signal) => {
      const grant = cx.vault.read(kept);
      if (grant?.token !== own.get() || !isOver(grant)) return;
      const next = await renew(grant, signal);
      if (next) take(next);
    };
    const box = el("details", { class: "svc-playground-more" }, el("summary", {}, cx.t.get_token));
    box.addEventListener(
      "toggle",
      async () => {
        if (scheme.type !== "openIdConnect") return box.append(tokenBox(cx, scheme, scheme.flows ?? {}, take));
        const said = note(cx.t.waiting);
        box.append(said);
        try {
          const flows = await discover(scheme.openIdConnectUrl);
          said.replaceWith(tokenBox(cx, { scopes: ["openid"], ...scheme }, flows, take));
        } catch {
          said.textContent = cx.t.token_unreachable;
        }
      },
      { once: true },
    );
    own.node.append(box);
    return own;
  },
};

const fieldsOf = (cx, scheme) => {
  if (scheme.type === "http" && scheme.scheme === "basic") return schemes.basic(cx, scheme);
  if (scheme.type === "oauth2" || scheme.type === "openIdConnect") return schemes.oauth(cx, scheme);
  if (scheme.type === "mutualTLS") return { node: note(cx.t.mutual_tls), get: () => undefined, set: () => {} };
  if (scheme.type === "apiKey") {
    const place = { header: cx.t.in_header, query: cx.t.in_query, cookie: cx.t.in_cookie }[scheme.in] ?? "{}";
    return schemes.token(cx, scheme, scheme.parameter ?? scheme.name, fill(place, scheme.parameter ?? scheme.name));
  }
  return schemes.token(cx, scheme, cx.t.token, scheme.bearerFormat);
};

const titleOf = (cx, alternative) =>
  alternative.map((scheme) => scheme.name.replace(/[_-]+/g, " ")).join(" & ") || cx.t.no_authorization;

// The section of the form; `get` returns the credentials of the selected alternative.
export const authorization = (cx) => {
  const alternatives = cx.call.security ?? [];
  if (!alternatives.some((one) => one.length)) return null;
  const place = el("div", { class: "svc-playground-schemes" });
  let fields = new Map();
  const which = select(
    alternatives.map((one, at) => [String(at), titleOf(cx, one)]),
    { "aria-label": cx.t.authorization },
  );
  const show = () => {
    fields = new Map();
    const chosen = alternatives[Number(which.value)] ?? [];
    place.replaceChildren(
      ...chosen.map((scheme) => {
        const own = fieldsOf(cx, scheme);
        fields.set(scheme.name, own);
        const title = chosen.length > 1 ? el("p", { class: "svc-playground-scheme" }, scheme.name) : "";
        const about = scheme.description ? note(scheme.description) : "";
        return el("div", { role: "group", "aria-label": scheme.name }, title, own.node, about);
      }),
    );
  };
  which.addEventListener("change", () => {
    show();
    cx.changed();
  });
  show();
  const keep = el("input", { type: "checkbox", checked: cx.vault.kept() });
  keep.addEventListener("change", () => cx.vault.keep(keep.checked));
  const forget = button(cx.t.forget, () => {
    cx.vault.forget();
    keep.checked = false;
    for (const own of fields.values()) own.set(undefined);
    show();
    cx.changed();
  });
  const node = el(
    "div",
    {},
    alternatives.length > 1 ? which : "",
    place,
    el("div", { class: "svc-playground-keep" }, el("label", {}, keep, el("span", {}, cx.t.keep)), forget),
  );
  return {
    node,
    // Names of the schemes of the selected alternative.
    names: () => [...fields.keys()],
    // Renews expired tokens. If that fails, returns the message; the old token is then sent.
    renew: async (signal) => {
      try {
        for (const own of fields.values()) await own.renew?.(signal);
      } catch (error) {
        if (error.name === "AbortError") throw error;
        return refusal(cx, error);
      }
    },
    get: () => {
      const out = {};
      for (const [name, own] of fields) {
        const value = own.get();
        if (value !== undefined) out[name] = value;
      }
      return out;
    },
  };
};
