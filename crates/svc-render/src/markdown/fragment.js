(() => {
  // Ids of headings keep the quotation marks of their text; links are often typed with straight ones.
  const plain = (text) => text.replace(/["'“”„‘’‚:]/g, "");
  const follow = () => {
    let name = "";
    try {
      name = decodeURIComponent(location.hash.slice(1));
    } catch {
      // An address may hold a `%` that means nothing.
    }
    const wanted = plain(name);
    if (!wanted || document.getElementById(name)) return;
    const near = [...document.querySelectorAll("main [id]")].find((element) => plain(element.id) === wanted);
    if (near) near.scrollIntoView();
  };
  window.addEventListener("hashchange", follow);
  document.addEventListener("svc:page", follow);
  follow();
})();
