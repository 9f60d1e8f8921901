// Lets the scripts of a site read its files when it is opened from a folder: there a browser runs
// scripts, but lets none of them read a file, and loads no module. What scripts read stands beside
// itself as a script that hands over its text.
(() => {
  const { root, module } = document.currentScript.dataset;
  const whole = (address) => new URL(address, document.baseURI).href;
  if (location.protocol !== "file:") {
    window.svcImport = (address) => import(whole(address));
  } else {
    const home = whole(root);
    const texts = new Map();
    const waiting = new Map();
    const modules = new Map();
    // Files that are no texts are handed over in Base64.
    const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    window.svcFile = (text, isBase64) => texts.set(document.currentScript.src, isBase64 ? bytes(text) : text);
    const read = (address) => {
      const source = `${address.split(/[?#]/)[0]}.js`;
      if (!waiting.has(source)) {
        const come = (done, failed) => {
          const script = document.createElement("script");
          script.src = source;
          script.onload = () => (texts.has(source) ? done(texts.get(source)) : script.onerror());
          script.onerror = () => failed(new TypeError(`${address} cannot be read`));
          document.head.append(script);
        };
        waiting.set(source, new Promise(come));
      }
      return waiting.get(source);
    };
    const other = window.fetch;
    window.fetch = async (input, init) => {
      const address = whole(input instanceof Request ? input.url : input);
      return address.startsWith(home) ? new Response(await read(address)) : other(input, init);
    };
    // A module with the modules that it names as addresses of their texts.
    const IMPORT = /\b(from|import)(\s*)(["'])(\.{0,2}\/[^"']+)\3/g;
    const pack = async (address) => {
      const text = await read(address);
      const inside = new Map();
      for (const [, , , , name] of text.matchAll(IMPORT)) inside.set(name, await packed(new URL(name, address).href));
      const complete = text
        .replace(IMPORT, (all, word, space, quote, name) => `${word}${space}${quote}${inside.get(name)}${quote}`)
        .replaceAll("import.meta.url", () => JSON.stringify(address));
      return URL.createObjectURL(new Blob([complete], { type: "text/javascript" }));
    };
    const packed = (address) => {
      if (!modules.has(address)) modules.set(address, pack(address));
      return modules.get(address);
    };
    window.svcImport = async (address) => import(await packed(whole(address)));
  }
  // Modules run when the page is there, as they would without this script.
  if (module) addEventListener("DOMContentLoaded", () => svcImport(module));
})();
