(() => {
  // Of an image with variants the original, whichever of them is shown.
  const original = (image) => (image.srcset.includes("/_svc/images/") ? image.src : image.currentSrc || image.src);
  const zooms = (image) => !image.closest("a, button, summary, .svc-zoom");
  const enlarge = (image) => {
    const dialog = document.createElement("dialog");
    dialog.className = "svc-zoom";
    dialog.setAttribute("aria-label", image.alt || document.querySelector("main")?.dataset.picture || "");
    const large = new Image();
    large.src = original(image);
    large.alt = image.alt;
    dialog.append(large);
    dialog.tabIndex = -1;
    dialog.addEventListener("click", () => dialog.close());
    dialog.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      dialog.close();
    });
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    dialog.focus();
  };
  // An image that fails gives way to a box with its description.
  const missing = (image) => {
    // A variant may be gone; then the original is loaded.
    if (image.srcset) {
      image.removeAttribute("srcset");
      return;
    }
    if (!image.closest(".prose")) return;
    if (!image.alt) {
      image.hidden = true;
      return;
    }
    const box = document.createElement("span");
    box.className = "svc-image-missing";
    box.setAttribute("role", "img");
    box.setAttribute("aria-label", image.alt);
    box.textContent = image.alt;
    image.replaceWith(box);
  };
  document.addEventListener("error", (event) => {
    if (event.target instanceof HTMLImageElement) missing(event.target);
  }, true);
  const start = () => {
    for (const image of document.querySelectorAll("img[data-svc-zoom]")) {
      if (image.complete && image.naturalWidth === 0 && image.loading !== "lazy") missing(image);
    }
    const name = document.querySelector("main")?.dataset.enlarge || "";
    for (const image of document.querySelectorAll("img[data-svc-zoom]:not([role])")) {
      if (!zooms(image) || image.hidden) continue;
      image.tabIndex = 0;
      image.setAttribute("role", "button");
      image.setAttribute("aria-haspopup", "dialog");
      image.setAttribute("aria-label", image.alt ? `${name}: ${image.alt}` : name);
      // An empty description says that there is nothing to see; a button cannot say so.
      if (!image.alt) image.removeAttribute("alt");
    }
    if (navigator.clipboard && window.ClipboardItem) {
      for (const button of document.querySelectorAll("[data-svc-picture-copy]")) button.hidden = false;
    }
  };
  // Every browser takes PNG from a page, few take anything else.
  const drawn = async (shown) => {
    const image = new Image();
    image.src = original(shown);
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    canvas.getContext("2d").drawImage(image, 0, 0);
    return new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
    });
  };
  const copy = async (button) => {
    const image = button.closest(".svc-picture").querySelector("img");
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": drawn(image) })]);
    } catch {
      // A picture of another site may be shown but not read; its address is what can be given.
      await navigator.clipboard.writeText(original(image));
    }
    button.dataset.done = "";
    setTimeout(() => delete button.dataset.done, 1600);
  };
  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const button = target && target.closest("[data-svc-picture-copy]");
    if (button) copy(button);
    else if (target instanceof HTMLImageElement && target.matches("[data-svc-zoom]") && zooms(target)) enlarge(target);
  });
  document.addEventListener("keydown", (event) => {
    const image = event.target;
    if (event.key !== "Enter" && event.key !== " ") return;
    if (!(image instanceof HTMLImageElement) || !image.matches("[data-svc-zoom][role=button]")) return;
    event.preventDefault();
    enlarge(image);
  });
  document.addEventListener("svc:page", start);
  start();
})();
