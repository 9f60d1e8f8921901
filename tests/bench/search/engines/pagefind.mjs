// Usage: node pagefind.mjs DIRECTORY LANGUAGE LIMIT < queries.json > responses.json
// Queries are texts; a response is the URLs of the results and the time in milliseconds.
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [directory, language, limit] = process.argv.slice(2);
const base = `${pathToFileURL(directory)}/`;

// Node cannot fetch files.
globalThis.fetch = async (url) => {
  const bytes = await readFile(new URL(String(url).split("?")[0], base));
  return new Response(bytes);
};

const pagefind = await import(`${base}pagefind.js`);
await pagefind.options({ basePath: base, baseUrl: "/" });
await pagefind.init(language);

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const responses = [];
// Reading a page is slow, because it makes excerpts.
const urls = new Map();
const url = async (result) => {
  if (!urls.has(result.id)) urls.set(result.id, (await result.data()).url);
  return urls.get(result.id);
};
for (const query of JSON.parse(Buffer.concat(chunks))) {
  const start = performance.now();
  const { results } = await pagefind.search(query);
  const time = performance.now() - start;
  responses.push([await Promise.all(results.slice(0, Number(limit)).map(url)), time]);
}
process.stdout.write(JSON.stringify(responses));
