(() => {
  const start = () => {
    if (!navigator.clipboard) return;
    for (const button of document.querySelectorAll(".svc-color-copy")) button.hidden = false;
  };
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element && event.target.closest(".svc-color-copy");
    if (!button) return;
    const { light, dark } = button.parentElement.dataset;
    const value = document.documentElement.classList.contains("dark") ? dark : light;
    navigator.clipboard.writeText(value).then(() => {
      button.dataset.done = "";
      setTimeout(() => delete button.dataset.done, 1600);
    });
  });
  document.addEventListener("svc:page", start);
  start();
})();
