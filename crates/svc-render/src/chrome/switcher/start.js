// On the start page of an exported site: opens that in the language that the reader has selected
// before, or else in the one that the browser prefers. The lookup is that of a server (RFC 4647).
(() => {
  const { base, languages } = document.currentScript.dataset;
  const home = new URL(`${base}/`, document.baseURI);
  // Files have no cookies; links of the site lead to the page as it is.
  if (location.protocol === "file:" || document.referrer.startsWith(home.href)) return;
  const starts = languages.split(" ").map((start) => start.split("="));
  const aliases = { cmn: "zh", cn: "zh", in: "id", iw: "he", jp: "ja", nb: "no", nn: "no" };
  const canonical = (tag) => {
    const [first, ...rest] = tag.toLowerCase().split(/[-_]/);
    const primary = aliases[first] ?? first;
    const has = (...names) => names.some((name) => rest.includes(name));
    if (primary === "zh") return has("hant") || (has("tw", "hk", "mo") && !has("hans")) ? "zh-hant" : "zh-hans";
    return primary === "ja" ? primary : [primary, ...rest].join("-");
  };
  const tags = starts.map(([code]) => canonical(code));
  const lookup = (tag) => {
    const parts = canonical(tag).split("-");
    while (parts.length > 1 && !tags.includes(parts.join("-"))) parts.pop();
    const found = parts.join("-");
    return tags.includes(found) ? tags.indexOf(found) : tags.findIndex((each) => each.split("-")[0] === found);
  };
  const selected = document.cookie.match(/(?:^|; )svc_language=([^;]*)/)?.[1];
  let at = starts.findIndex(([code]) => code === selected);
  for (const tag of navigator.languages ?? []) if (at < 0) at = lookup(tag);
  if (at > 0) location.replace(new URL(starts[at][1], document.baseURI).href + location.search + location.hash);
})();
