// Marks the words of a search on the page that it opened, until the reader presses Escape.
export const mark = () => {
  const KEY = "svc-search-marks";
  const MAX_AGE_MS = 15_000;
  const MAX_MARKS = 500;
  const take = () => {
    try {
      const saved = JSON.parse(localStorage.getItem(KEY));
      localStorage.removeItem(KEY);
      return saved && Date.now() - saved.time < MAX_AGE_MS ? saved.words : [];
    } catch {
      return [];
    }
  };
  const apply = () => {
    const words = take().filter(Boolean).sort((a, b) => b.length - a.length);
    const article = document.getElementById("content") ?? document.querySelector("article, main");
    if (!words.length || !article) return;
    const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join("|")})`, "giu");
    const highlight = new Highlight();
    const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() && highlight.size < MAX_MARKS) {
      const node = walker.currentNode;
      for (const found of node.data.matchAll(pattern)) {
        const range = new Range();
        range.setStart(node, found.index);
        range.setEnd(node, found.index + found[0].length);
        highlight.add(range);
      }
    }
    CSS.highlights.set("svc-search", highlight);
    document.documentElement.classList.add("svc-marked");
  };
  if (window.CSS?.highlights) apply();
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    CSS.highlights?.delete("svc-search");
    document.documentElement.classList.remove("svc-marked");
  });
};
