// Opens the playground of an endpoint. The playground itself is loaded when somebody opens it.
(() => {
  const variables = {};
  const tell = () => document.dispatchEvent(new Event("svc:server-variables"));
  // For scripts of the site: values for variables of server addresses, ahead of all others.
  const playground = {
    setServerVariables(values) {
      Object.assign(variables, values);
      tell();
    },
    clearServerVariables() {
      for (const name of Object.keys(variables)) delete variables[name];
      tell();
    },
  };
  for (const name of ["svc", "mintlify"]) {
    const own = (window[name] ??= {});
    own.api = { ...own.api, playground };
  }
  const style = (href) =>
    new Promise((done, failed) => {
      if (document.querySelector(`link[href="${href}"]`)) return done();
      const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href, onload: done, onerror: failed });
      document.head.append(link);
    });
  // Pages that are opened from a folder bring another way to load modules.
  const module = (address) => (window.svcImport ? window.svcImport(address) : import(address));
  const open = async (root) => {
    root.setAttribute("aria-busy", "true");
    try {
      const [{ open }] = await Promise.all([module(root.dataset.form), style(root.dataset.style)]);
      await open(root, () => variables);
    } catch (error) {
      console.warn(error);
      const note = document.createElement("p");
      note.setAttribute("role", "alert");
      note.textContent = root.dataset.failed;
      root.nextElementSibling?.matches("[role=alert]") || root.after(note);
    }
    root.removeAttribute("aria-busy");
  };
  document.addEventListener("click", (event) => {
    const root = event.target.closest?.("[data-svc-try]")?.closest("[data-svc-playground]");
    if (root) open(root);
  });
  const root = document.querySelector("[data-svc-playground]");
  const asked = new URLSearchParams(location.search).get("playground") === "open" || location.hash.startsWith("#try=");
  if (root && (asked || "open" in root.dataset)) open(root);
  window.addEventListener("hashchange", () => root && location.hash.startsWith("#try=") && open(root));
})();
