// The page for an address that does not exist: says the address, and searches for its words.
(() => {
  const place = document.querySelector("[data-svc-missing]");
  if (!place) return;
  let path = location.pathname;
  try {
    path = decodeURIComponent(path);
  } catch {
    // An address that is not encoded well is shown as it is.
  }
  place.textContent = path.slice(0, 200);
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-svc-missing-search]")) return;
    const input = document.querySelector("dialog.svc-search input");
    if (!input) return;
    input.value = (path.split("/").findLast(Boolean)?.match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.select();
  });
})();
