(() => {
  const start = () => {
    const views = [...document.querySelectorAll("[data-svc-view]")];
    const titles = [...new Set(views.map((view) => view.dataset.svcView))];
    if (titles.length < 2 || document.querySelector(".svc-view-select")) return;
    const select = document.createElement("select");
    select.className = "svc-view-select";
    select.setAttribute("aria-label", document.getElementById("main")?.dataset.pageForm || "");
    for (const title of titles) select.append(new Option(title, title));
    const show = () => {
      for (const view of views) {
        view.classList.add("svc-view-chosen");
        view.hidden = view.dataset.svcView !== select.value;
      }
    };
    select.addEventListener("change", show);
    views[0].before(select);
    show();
  };
  document.addEventListener("svc:page", start);
  start();
})();
