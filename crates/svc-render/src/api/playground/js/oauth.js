// Tokens of an authorization server: OAuth 2.0 (RFC 6749) with PKCE (RFC 7636), and OpenID Connect
// Discovery. All requests are sent directly from the browser.

const random = (bytes) => encode(crypto.getRandomValues(new Uint8Array(bytes)));

const encode = (bytes) => {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};

// Resolves a URL of the document against the server; only HTTP URLs are allowed.
const web = (address, server) => {
  const url = new URL(address, server && URL.canParse(server) ? server : location.href);
  if (url.protocol !== "https:" && url.protocol !== "http:") throw new Error(String(address));
  return url;
};

// The flows that an OpenID Connect provider supports.
export const discover = async (address) => {
  const response = await fetch(web(address), { credentials: "omit", referrerPolicy: "no-referrer" });
  const found = await response.json();
  const scopes = {};
  for (const scope of found.scopes_supported ?? ["openid"]) scopes[scope] = "";
  const flows = {};
  const { authorization_endpoint: authorizationUrl, token_endpoint: tokenUrl } = found;
  if (authorizationUrl && tokenUrl) flows.authorizationCode = { authorizationUrl, tokenUrl, scopes };
  if (tokenUrl && found.grant_types_supported?.includes("client_credentials")) flows.clientCredentials = { tokenUrl, scopes };
  return flows;
};

// Waits for the parameters of the redirect.
const answer = (signal, state) =>
  new Promise((resolve, reject) => {
    const channel = "BroadcastChannel" in window ? new BroadcastChannel("svc-oauth") : null;
    const done = () => {
      window.removeEventListener("message", onMessage);
      channel?.close();
    };
    const take = (data) => {
      if (typeof data?.svcOauth !== "string") return;
      const values = new URLSearchParams(data.svcOauth);
      // A response to another request, or a forged one.
      if (values.get("state") !== state) return;
      done();
      if (values.get("error")) reject(new Error(values.get("error_description") || values.get("error")));
      else resolve(values);
    };
    const onMessage = (event) => {
      if (event.origin === location.origin) take(event.data);
    };
    window.addEventListener("message", onMessage);
    // The authorization server may have severed the link to the opener window (COOP).
    if (channel) channel.onmessage = (event) => take(event.data);
    signal.addEventListener("abort", () => {
      done();
      reject(new DOMException("", "AbortError"));
    });
  });

const post = async (address, values, basic, signal) => {
  const headers = { accept: "application/json" };
  if (basic) headers.authorization = `Basic ${btoa(`${encodeURIComponent(basic[0])}:${encodeURIComponent(basic[1])}`)}`;
  const response = await fetch(address, {
    method: "POST",
    headers,
    body: new URLSearchParams(values),
    credentials: "omit",
    referrerPolicy: "no-referrer",
    signal,
  });
  const got = await response.json().catch(() => ({}));
  return { response, got };
};

// Requests a token. The client authenticates in the body, or with HTTP Basic if the server requires
// it.
const token = async (address, values, { client, secret }, signal) => {
  const own = { ...values, client_id: client };
  let { response, got } = await post(address, secret ? { ...own, client_secret: secret } : own, null, signal);
  if (secret && got.error === "invalid_client") {
    ({ response, got } = await post(address, values, [client, secret], signal));
  }
  if (!response.ok || !got.access_token) {
    throw new Error(got.error_description || got.error || `${response.status} ${response.statusText}`.trim());
  }
  return got;
};

const result = (got) => ({
  token: String(got.access_token),
  refresh: got.refresh_token ? String(got.refresh_token) : undefined,
  until: Number(got.expires_in) > 0 ? Date.now() + Number(got.expires_in) * 1000 : undefined,
});

// Data for renewing a token without the reader, after `authorize` returned the first one.
export const grantOf = (wish, given) => {
  const { refreshUrl, tokenUrl } = wish.flow;
  const address = (url) => url && web(url, wish.server).href;
  return {
    token: given.token,
    until: given.until,
    refresh: given.refresh && { token: given.refresh, address: address(refreshUrl || tokenUrl) },
    anew: wish.kind === "clientCredentials" ? { address: address(tokenUrl), scope: wish.scopes.join(" ") } : undefined,
    client: wish.client,
    secret: wish.secret,
  };
};

// Whether a token has expired, or will expire before a request arrives.
export const isOver = (grant, now = Date.now()) => Boolean(grant?.until) && now > grant.until - 10_000;

// Renews the token of a grant: with its refresh token, or by repeating a flow without interaction.
// Returns nothing if neither is possible.
export const renew = async (grant, signal) => {
  const ask = async (address, values) => {
    const got = result(await token(web(address), values, grant, signal));
    const refresh = got.refresh ? { ...grant.refresh, token: got.refresh } : grant.refresh;
    return { ...grant, token: got.token, until: got.until, refresh: refresh?.address ? refresh : undefined };
  };
  const anew = () => {
    const { address, scope } = grant.anew;
    return ask(address, { grant_type: "client_credentials", ...(scope && { scope }) });
  };
  if (!grant.refresh?.address) return grant.anew ? anew() : null;
  try {
    return await ask(grant.refresh.address, { grant_type: "refresh_token", refresh_token: grant.refresh.token });
  } catch (error) {
    if (!grant.anew || error.name === "AbortError") throw error;
    return anew();
  }
};

// The redirect URL of OAuth flows.
export const redirect = (base) => new URL(`${base}/_svc/oauth.html`, location.href).href;

// Requests a token with a flow: `{ kind, flow, server, base, client, secret, scopes, username,
// password, signal }`.
export const authorize = async (wish) => {
  const scope = wish.scopes.join(" ");
  if (wish.kind === "clientCredentials") {
    const values = { grant_type: "client_credentials", ...(scope && { scope }) };
    return result(await token(web(wish.flow.tokenUrl, wish.server), values, wish, wish.signal));
  }
  if (wish.kind === "password") {
    const values = { grant_type: "password", username: wish.username, password: wish.password, ...(scope && { scope }) };
    return result(await token(web(wish.flow.tokenUrl, wish.server), values, wish, wish.signal));
  }
  // Opened synchronously; later it would be blocked as a popup.
  const popup = window.open("", "svc-oauth", "popup,width=520,height=720");
  if (!popup) throw new Error("popup");
  try {
    const state = random(24);
    const address = web(wish.flow.authorizationUrl, wish.server);
    const query = address.searchParams;
    query.set("response_type", wish.kind === "implicit" ? "token" : "code");
    query.set("client_id", wish.client);
    query.set("redirect_uri", redirect(wish.base));
    query.set("state", state);
    if (scope) query.set("scope", scope);
    const verifier = random(48);
    if (wish.kind === "authorizationCode") {
      // Pages that are not served over TLS have no `crypto.subtle`.
      const bytes = new TextEncoder().encode(verifier);
      const digest = crypto.subtle ? await crypto.subtle.digest("SHA-256", bytes) : null;
      query.set("code_challenge", digest ? encode(new Uint8Array(digest)) : verifier);
      query.set("code_challenge_method", digest ? "S256" : "plain");
    }
    const answered = answer(wish.signal, state);
    popup.location.href = address.href;
    const values = await answered;
    if (wish.kind === "implicit") return result(Object.fromEntries(values));
    const got = await token(
      web(wish.flow.tokenUrl, wish.server),
      {
        grant_type: "authorization_code",
        code: values.get("code") ?? "",
        redirect_uri: redirect(wish.base),
        code_verifier: verifier,
      },
      wish,
      wish.signal,
    );
    return result(got);
  } finally {
    popup.close();
  }
};
