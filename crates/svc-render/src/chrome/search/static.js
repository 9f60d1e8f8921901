// The search of an exported site: substrings in an index that is fetched when the dialog opens.
(() => {
  const dialog = document.querySelector("dialog.svc-search[data-index]");
  if (!dialog) return;
  let index = null;
  const words = (text) => text.toLowerCase().split(/[^\p{L}\p{N}_-]+/u).filter(Boolean);
  const load = async () => {
    const response = await fetch(dialog.dataset.index);
    if (!response.ok) throw new Error(`status ${response.status}`);
    const { pages } = await response.json();
    for (const page of pages) {
      page.lowTitle = page.title.toLowerCase();
      page.lowText = page.text.toLowerCase();
      page.headings ??= [];
    }
    return pages;
  };
  const score = (page, terms) => {
    let sum = 0;
    let place = null;
    for (const term of terms) {
      let best = 0;
      if (page.lowTitle.split(/\W+/).includes(term)) best = 60;
      else if (page.lowTitle.includes(term)) best = 40;
      for (const heading of page.headings) {
        if (best < 24 && heading.text.toLowerCase().includes(term)) {
          best = 24;
          place ??= heading;
        }
      }
      if (best < 8 && page.lowText.includes(term)) best = 8;
      if (!best) return null;
      sum += best;
    }
    return { page, place, sum: sum * (page.boost || 1) - page.title.length / 100 };
  };
  const snippet = (page, terms) => {
    const at = Math.min(...terms.map((term) => page.lowText.indexOf(term)).filter((at) => at >= 0), 1e9);
    const from = at === 1e9 ? 0 : Math.max(0, at - 30);
    return (from ? "… " : "") + page.text.slice(from, from + 140);
  };
  const marks = (text, terms) => {
    const low = text.toLowerCase();
    const out = [];
    let from = 0;
    for (;;) {
      const hits = terms.map((term) => [low.indexOf(term, from), term.length]).filter(([at]) => at >= 0);
      if (!hits.length) return out;
      const [at, length] = hits.sort((a, b) => a[0] - b[0])[0];
      out.push([at, at + length]);
      from = at + length;
    }
  };
  window.svcStaticSearch = async (_, { q }) => {
    const terms = words(q);
    index ??= load();
    index.catch(() => (index = null));
    const hits = (await index)
      .map((page) => terms.length && score(page, terms))
      .filter(Boolean)
      .sort((a, b) => b.sum - a.sum);
    const results = hits.slice(0, 10).map(({ page, place }) => {
      const text = snippet(page, terms);
      const headings = place ? [place.text] : [];
      const heading_marks = place ? marks(place.text, terms) : [];
      const section = { id: place?.id ?? "", headings, heading_marks, snippet: text, snippet_marks: marks(text, terms) };
      const title_marks = marks(page.title, terms);
      return { path: dialog.dataset.base + page.path, title: page.title, title_marks, sections: [section] };
    });
    return { total: hits.length, correction: null, results };
  };
})();
