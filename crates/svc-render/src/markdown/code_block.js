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
  // What was typed, without prompts and without what was answered; all of it when there is no prompt.
  const commands = (lines) => {
    const prompt = /^\s*(?:[\w.~@:/-]*\$|%|\w\S*@\S+#|>>>|\.\.\.)(?: |$)/;
    let open = false;
    const typed = lines.filter((line) => {
      const mine = open || prompt.test(line);
      open = mine && line.endsWith("\\");
      return mine;
    });
    return typed.length ? typed.map((line) => line.replace(prompt, "")) : lines;
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
      const kept = [...code.querySelectorAll(".line:not(.line-remove)")];
      let lines = kept.length ? kept.map((line) => line.textContent) : [code.textContent];
      if ("prompt" in own.dataset) lines = commands(lines);
      const text = lines.join("\n");
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
