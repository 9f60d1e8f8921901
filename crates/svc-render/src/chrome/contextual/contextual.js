// Finishes the entries of the page's menu and does what needs a script.
(() => {
  for (const menu of document.querySelectorAll("[data-svc-page-menu]")) {
    const twin = new URL(menu.dataset.twin, location.href).href;
    const mcp = new URL(menu.dataset.mcp, location.href).href;
    const packed = (value) => btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))));
    const fill = (form, encode, markdown) =>
      form
        .replaceAll("{page}", () => encode(twin))
        .replaceAll("{mcp}", () => encode(mcp))
        .replaceAll("{settings}", () => encode(packed({ url: mcp })))
        .replaceAll("{server}", () => encode(packed({ name: menu.dataset.name, transport: "HTTP", url: mcp })))
        .replaceAll("{markdown}", () => encode(markdown));
    let text = null;
    const markdown = () => {
      text ??= fetch(twin).then((response) => {
        if (!response.ok) throw new Error(response.status);
        return response.text();
      });
      return text;
    };
    const links = [...menu.querySelectorAll("a[data-form]")];
    // Until the text is there its address stands for it.
    for (const link of links) link.href = fill(link.dataset.form, encodeURIComponent, twin);
    const withText = links.filter((link) => link.dataset.form.includes("{markdown}"));
    const complete = () => {
      markdown().then(
        (found) => {
          // Longer addresses are refused by many servers.
          for (const link of withText) link.href = fill(link.dataset.form, encodeURIComponent, found.slice(0, 4000));
        },
        () => {
          text = null;
        },
      );
    };
    if (withText.length) {
      menu.addEventListener("pointerenter", complete, { once: true });
      menu.addEventListener("focusin", complete, { once: true });
    }
    const write = async (value) => {
      if (!navigator.clipboard) throw new Error("no clipboard");
      // A promise inside: some browsers forget the click while the text is fetched.
      const blob = Promise.resolve(value).then((found) => new Blob([found], { type: "text/plain" }));
      await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
    };
    const done = (button) => {
      button.dataset.done = "";
      menu.querySelector("[role=status]").textContent = menu.dataset.copied;
      setTimeout(() => {
        delete button.dataset.done;
        menu.querySelector("[role=status]").textContent = "";
      }, 1600);
    };
    menu.addEventListener("click", (event) => {
      const button = event.target.closest("[data-act]");
      if (!button) return;
      if (button.dataset.act === "print") {
        const list = button.closest("details");
        if (list) list.open = false;
        print();
        return;
      }
      const page = button.dataset.act === "copy-page";
      write(page ? markdown() : fill(button.dataset.form, String, "")).then(
        () => done(button),
        () => {
          text = null;
          if (page) location.assign(twin);
          else prompt("", fill(button.dataset.form, String, ""));
        },
      );
    });
  }
})();
