// Checks sitemaps, feeds, JSON-LD, robots.txt and Link headers with npm packages, for `../tests/discovery.rs`.
// Reads `{modules, sitemaps, feeds, structured_data, robots, links}` and writes a list of problems. `modules` is the
// directory of the packages; the others are lists of `{name, text, ...}`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const input = JSON.parse(readFileSync(0, "utf8"));
const file = (path) => join(input.modules, path);
const load = (path) => import(pathToFileURL(file(path)).href);
const problems = [];
const check = (name, condition, message) => {
  if (!condition) problems.push(`${name}: ${message}`);
};
const attempt = async (name, task) => {
  try {
    return await task();
  } catch (error) {
    problems.push(`${name}: ${error.message ?? error}`);
    return undefined;
  }
};

// --- sitemaps: the XML schema of sitemaps.org, which the package `sitemap` contains, and that package's parser.
const { XmlDocument, XsdValidator } = await load("libxml2-wasm/lib/index.mjs");
const { xmlRegisterFsInputProviders } = await load("libxml2-wasm/lib/nodejs.mjs");
xmlRegisterFsInputProviders();
const { XMLToSitemapItemStream, parseSitemapIndex, ErrorLevel } = (await load("sitemap/dist/esm/index.js"));
const { Readable } = await import("node:stream");
// The schema requires declarations of foreign elements: the links to other languages.
const wrapper = `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema">
  <xsd:import namespace="http://www.sitemaps.org/schemas/sitemap/0.9" schemaLocation="${pathToFileURL(file("sitemap/schema/sitemap.xsd")).href}"/>
  <xsd:import namespace="http://www.w3.org/1999/xhtml" schemaLocation="${pathToFileURL(input.xhtml).href}"/>
</xsd:schema>`;
const schema = XsdValidator.fromDoc(XmlDocument.fromString(wrapper));
for (const { name, text } of input.sitemaps) {
  const document = await attempt(name, () => XmlDocument.fromString(text));
  if (!document) continue;
  if (document.root.name === "sitemapindex") {
    const parts = await attempt(name, () => parseSitemapIndex(Readable.from([text])));
    check(name, parts?.length > 0, "the index is empty");
    continue;
  }
  check(name, Buffer.byteLength(text) <= 50 * 1024 * 1024, "it is longer than 50 MB");
  await attempt(name, () => schema.validate(document));
  await attempt(name, async () => {
    const items = Readable.from([text]).pipe(new XMLToSitemapItemStream({ level: ErrorLevel.THROW }));
    const urls = new Set();
    for await (const item of items) {
      check(name, URL.canParse(item.url), `${item.url} is not a URL`);
      check(name, !urls.has(item.url), `${item.url} is listed twice`);
      urls.add(item.url);
      const own = item.links.filter((link) => link.url === item.url);
      check(name, item.links.length === 0 || own.length > 0, `${item.url} does not list itself`);
      for (const link of item.links) {
        const isTag = link.lang === "x-default" || Intl.getCanonicalLocales(link.lang).length === 1;
        check(name, isTag, `${link.lang} is not a language`);
      }
    }
    check(name, urls.size <= 50000, "it has more than 50,000 entries");
  });
}

// --- feeds: a parser, and the requirements of RSS 2.0 on what it found.
const { parseRssFeed } = await load("feedsmith/dist/index.mjs");
for (const { name, text } of input.feeds) {
  const document = await attempt(name, () => XmlDocument.fromString(text));
  const feed = document && (await attempt(name, () => parseRssFeed(text)));
  if (!feed) continue;
  for (const key of ["title", "link", "description"]) check(name, feed[key], `<${key}> of the channel is missing`);
  check(name, URL.canParse(feed.link), `${feed.link} is not a URL`);
  check(name, feed.atom?.links?.some((link) => link.rel === "self"), "there is no link to itself");
  const ids = new Set();
  for (const item of feed.items ?? []) {
    check(name, item.title || item.description, "an item has neither title nor description");
    check(name, URL.canParse(item.link), `${item.link} is not a URL`);
    check(name, item.guid?.value && !ids.has(item.guid.value), `the id ${item.guid?.value} is not unique`);
    ids.add(item.guid?.value);
    if (item.guid?.isPermaLink !== false) check(name, URL.canParse(item.guid?.value), "a permanent link is not a URL");
  }
  for (const date of document.find("//pubDate")) {
    const value = date.content;
    const form = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} (GMT|[+-]\d{4})$/;
    const weekday = new Date(value).toUTCString().slice(0, 3);
    check(name, form.test(value) && value.startsWith(weekday), `${value} is not a date of RFC 822`);
  }
}

// --- structured data: expansion, the vocabulary of schema.org, and the rules of Google for rich results.
const jsonld = (await load("jsonld/lib/index.js")).default;
const { Validator } = await load("@adobe/structured-data-validator/src/validator.js");
const vocabulary = await jsonld.fromRDF(
  readFileSync(file("@vocabulary/schema/schema.nq"), "utf8").replaceAll(" <http://schema.org/> .\n", " .\n"),
  { format: "application/n-quads" },
);
const SCHEMA = "http://schema.org/";
const prefixes = {
  schema: SCHEMA,
  rdf: "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
  rdfs: "http://www.w3.org/2000/01/rdf-schema#",
};
const compacted = await jsonld.compact(vocabulary, prefixes);
const known = new Set(compacted["@graph"].map((entity) => entity["@id"]));
// The published context of schema.org maps all of its terms to this vocabulary.
const context = { "@context": { "@vocab": SCHEMA, id: "@id", type: "@type" } };
const documentLoader = async (url) => {
  if (!/^https?:\/\/schema\.org\/?$/.test(url)) throw new Error(`the context ${url} is unknown`);
  return { contextUrl: null, documentUrl: url, document: context };
};
const validator = new Validator(compacted);
const walk = (name, node) => {
  if (Array.isArray(node)) return node.forEach((entry) => walk(name, entry));
  if (typeof node !== "object" || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    // Annotations of actions end in `-input` and `-output`.
    const property = key.replace(/-(input|output)$/, "");
    if (key.startsWith(SCHEMA)) check(name, known.has(`schema:${property.slice(SCHEMA.length)}`), `${key} is unknown`);
    if (key === "@type") {
      for (const type of [value].flat()) check(name, known.has(`schema:${type.slice(SCHEMA.length)}`), `${type} is unknown`);
    } else walk(name, value);
  }
};
for (const { name, text } of input.structured_data) {
  await attempt(name, async () => {
    const data = JSON.parse(text);
    const expanded = await jsonld.expand(data, { documentLoader, safe: true });
    check(name, expanded.length > 0, "it has no content");
    walk(name, expanded);
    // References in the graph lead to a node of the page, or are described in place.
    const defined = new Set();
    const references = [];
    const collect = (node) => {
      if (Array.isArray(node)) return node.forEach(collect);
      if (typeof node !== "object" || node === null) return;
      if (node["@id"]) (Object.keys(node).length > 1 ? (id) => defined.add(id) : (id) => references.push(id))(node["@id"]);
      Object.values(node).forEach(collect);
    };
    collect(data["@graph"]);
    for (const id of references) check(name, defined.has(id), `${id} is not described`);
    const byType = {};
    for (const node of data["@graph"]) (byType[node["@type"]] ??= []).push({ ...node, "@context": data["@context"] });
    const issues = await validator.validate({ jsonld: byType, microdata: {}, rdfa: {}, errors: [] });
    for (const issue of issues) {
      if (issue.severity === "ERROR") problems.push(`${name}: ${issue.rootType}: ${issue.issueMessage}`);
    }
  });
}

// --- robots.txt: what a parser allows which crawler.
const robotsParser = (await load("robots-parser/index.js")).default;
for (const { name, text, url, expected } of input.robots) {
  const robots = robotsParser(url, text);
  for (const [agent, page, allowed] of expected) {
    check(name, robots.isAllowed(page, agent) === allowed, `${agent} ${allowed ? "may not" : "may"} read ${page}`);
  }
  for (const sitemap of robots.getSitemaps()) check(name, URL.canParse(sitemap), `${sitemap} is not a URL`);
}

// --- Link headers (RFC 8288).
const LinkHeader = (await load("http-link-header/lib/link.js")).default;
for (const { name, text, expected } of input.links) {
  await attempt(name, () => {
    const found = LinkHeader.parse(text).refs.map((link) => [link.rel, link.uri]);
    check(name, JSON.stringify(found) === JSON.stringify(expected), `${JSON.stringify(found)}`);
  });
}
console.log(JSON.stringify(problems));
