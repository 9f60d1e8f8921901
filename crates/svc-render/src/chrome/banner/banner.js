(() => {
  const banner = document.getElementById("banner");
  const button = banner?.querySelector("button");
  if (!button) return;
  // The key is the content: a new announcement shows again.
  const key = `svc-banner:${banner.dataset.key}`;
  try {
    if (localStorage.getItem(key)) banner.remove();
  } catch {
    // Without storage it simply stays until closed.
  }
  button.addEventListener("click", () => {
    banner.remove();
    try {
      localStorage.setItem(key, "1");
    } catch {
      // See above.
    }
  });
})();
