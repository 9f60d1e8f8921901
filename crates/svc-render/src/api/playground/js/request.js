const enc = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
const plain = (value) => (typeof value === "string" ? value : JSON.stringify(value));
export const request = (call, inputs) => {
  let path = call.path;
  const query = [];
  const headers = [];
  for (const p of call.parameters ?? []) {
    const value = inputs.parameters[`${p.in}:${p.name}`];
    if (value === undefined) continue;
    if (p.in === "path") path = path.replace(`{${p.name}}`, enc(plain(value)));
    if (p.in === "query") for (const one of Array.isArray(value) ? value : [value]) query.push(`${enc(p.name)}=${enc(plain(one))}`);
    if (p.in === "header") headers.push([p.name, plain(value)]);
    if (p.in === "cookie") headers.push(["Cookie", `${p.name}=${plain(value)}`]);
  }
  for (const s of (call.security ?? []).flat()) {
    const value = inputs.credentials?.[s.name];
    if (value === undefined) continue;
    if (s.type === "apiKey") {
      if (s.in === "header") headers.push([s.parameter, value]);
      if (s.in === "query") query.push(`${enc(s.parameter)}=${enc(value)}`);
      if (s.in === "cookie") headers.push(["Cookie", `${s.parameter}=${value}`]);
    } else if (typeof value === "object") headers.push(["Authorization", `Basic ${btoa(`${value.username}:${value.password}`)}`]);
    else headers.push(["Authorization", `Bearer ${value}`]);
  }
  let content = { kind: "empty" };
  if (inputs.body) {
    headers.push(["Content-Type", inputs.body.type]);
    content = { kind: "json", value: inputs.body.value };
  }
  return { method: call.method, url: inputs.server + path + (query.length ? `?${query.join("&")}` : ""), headers, content };
};
export const bodyText = (c) => (c.kind === "json" ? JSON.stringify(c.value) : c.kind === "form" ? c.pairs.join("&") : c.text);
