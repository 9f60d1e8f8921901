// The search of an exported site: a module searches the files of its index.
const staticSearch = (dialog) => {
  const { base, index, engine } = dialog.dataset;
  const whole = (address) => new URL(address, document.baseURI).href;
  // Pages that are opened from a folder bring another way to load modules.
  const module = (address) => (window.svcImport ? window.svcImport(address) : import(address));

  const read = async (address, options) => {
    const response = await fetch(whole(address), options);
    if (!response.ok) throw new Error(`${address}: status ${response.status}`);
    const bytes = await response.arrayBuffer();
    const isCompressed = new Uint8Array(bytes, 0, 1)[0] === 0x1f;
    // Some servers have decompressed it already.
    if (!isCompressed) return new Uint8Array(bytes);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };
  // All files except the first are in a directory of their version.
  let version = "";
  const load = async (name) => {
    if (name !== "meta") return read(`${index}${version}/${name}.bin`);
    const meta = await read(`${index}meta.bin`, { cache: "no-cache" });
    version = Array.from(meta.subarray(0, 4), (byte) => byte.toString(16).padStart(2, "0")).join("");
    return meta;
  };
  const open = async () => {
    const { svcSearchEngine } = await module(whole(engine));
    return svcSearchEngine(load);
  };

  let opened = null;
  return async (parameters) => {
    opened ??= open();
    opened.catch(() => (opened = null));
    const search = await opened;
    const offered = Object.fromEntries(search.facets().map(({ name, values }) => [name, values]));
    const { q: text, limit } = Object.fromEntries(parameters);
    const filters = parameters.filter(([name]) => name !== "q" && name !== "limit");
    const { hits, total, correction } = await search.search({ text, limit: limit && Number(limit), filters, snippetLength: 180 });
    const results = hits.map(({ path, title, titleMarks, facets, sections }) => {
      const facet = (name) => {
        const values = facets.filter(([own]) => own === name);
        return values.length === 1 ? values[0][1] : undefined;
      };
      return {
        path: base + path,
        title,
        title_marks: titleMarks,
        group: facet("group"),
        method: facet("method"),
        sections: sections.map(({ id, headings, headingMarks, snippet }) => ({
          id,
          headings,
          heading_marks: headingMarks,
          snippet: snippet.text,
          snippet_marks: snippet.marks,
        })),
      };
    });
    return { total, correction, filters: offered, results };
  };
};
