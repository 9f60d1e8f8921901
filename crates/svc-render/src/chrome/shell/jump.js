// A link to a part of the page that is near glides there; one to a part far away jumps, as every
// address with a fragment does when it is opened.
(() => {
  const root = document.documentElement;
  let timer = 0;
  const rest = () => {
    clearTimeout(timer);
    root.classList.remove("svc-glide");
  };
  addEventListener("scrollend", rest);
  document.addEventListener("click", (event) => {
    rest();
    const link = event.target.closest?.("a[href*='#']");
    if (!link || link.origin + link.pathname + link.search !== location.origin + location.pathname + location.search) return;
    let target = null;
    try {
      target = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    } catch {
      // An address that is not encoded well.
    }
    if (!target || Math.abs(target.getBoundingClientRect().top) > 2 * innerHeight) return;
    root.classList.add("svc-glide");
    timer = setTimeout(rest, 1000);
  });
})();
