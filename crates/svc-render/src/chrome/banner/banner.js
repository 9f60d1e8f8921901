// The script before the first paint hides a banner that was closed before.
(() => {
  const banner = document.querySelector(".svc-banner");
  const button = banner?.querySelector("button");
  if (!button) return;
  button.addEventListener("click", () => {
    banner.remove();
    try {
      localStorage.setItem(`svc-banner:${document.documentElement.dataset.banner}`, "1");
    } catch {
      // Without storage it is there again on the next page.
    }
  });
})();
