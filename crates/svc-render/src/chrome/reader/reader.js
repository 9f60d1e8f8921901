// Values of the reader in the text: the page is the same for all readers with the same groups.
(async () => {
  const places = document.querySelectorAll("[data-svc-user]");
  if (places.length === 0) return;
  const response = await fetch(places[0].dataset.url).catch(() => null);
  if (!response?.ok) return;
  const { user } = await response.json();
  const step = (value, name) => (Object.hasOwn(Object(value), name) ? value[name] : undefined);
  for (const place of places) {
    const value = place.dataset.svcUser.split(".").reduce(step, user);
    const text = Array.isArray(value) ? value.join(", ") : value;
    if (["string", "number"].includes(typeof text)) place.textContent = text;
  }
})();
