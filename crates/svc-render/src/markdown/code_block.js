(() => {
  const copyText = (text) => {
    if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
    const area = document.createElement("textarea");
    area.value = text;
    area.style.position = "fixed";
    area.style.opacity = "0";
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    return Promise.resolve();
  };
  const start = (root) => {
    for (const button of root.querySelectorAll("[data-svc-copy]")) button.hidden = false;
    for (const block of root.querySelectorAll("[data-svc-code][data-expandable]")) {
      const more = block.querySelector("[data-svc-more]");
      if (!more || !more.hidden) continue;
      more.hidden = false;
      block.dataset.folded = "";
    }
  };
  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const copy = target && target.closest("[data-svc-copy]");
    if (copy) {
      const own = copy.closest("[data-svc-code]") || copy.parentElement;
      const code = own.querySelector("pre code, [data-svc-copy-text]");
      if (!code) return;
      const removed = code.querySelector(".line-remove");
      const text = removed
        ? [...code.querySelectorAll(".line:not(.line-remove)")].map((line) => line.textContent).join("\n")
        : code.textContent;
      copyText(text).then(() => {
        copy.dataset.done = "";
        setTimeout(() => delete copy.dataset.done, 1600);
      });
      return;
    }
    const more = target && target.closest("[data-svc-more]");
    if (more) {
      const block = more.closest("[data-svc-code]");
      const folded = "folded" in block.dataset;
      if (folded) delete block.dataset.folded;
      else block.dataset.folded = "";
      const text = more.firstElementChild;
      [text.textContent, more.dataset.other] = [more.dataset.other, text.textContent];
    }
  });
  start(document);
  document.addEventListener("svc:page", () => start(document));
})();
