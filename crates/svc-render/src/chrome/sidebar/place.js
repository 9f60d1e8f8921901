// Runs before the first paint: the list of pages stands as it stood on the page before, with the
// groups open that were open there; the page itself is always in sight. The row of tabs shows the
// tab of the page.
(() => {
  const held = (sidebar) => {
    const links = sidebar.querySelectorAll("nav a");
    // Lists of other sections have other lengths.
    return `svc-sidebar:${links[0]?.pathname}:${links.length}`;
  };
  const groups = (sidebar) => [...sidebar.querySelectorAll("nav details")];
  // Which of the two scrolls depends on the theme's shell.
  const scroller = (sidebar) => {
    const parts = [sidebar, sidebar.querySelector(".svc-sidebar-content")];
    return parts.find((part) => part.scrollHeight > part.clientHeight + 1);
  };
  // A closed drawer is not laid out, and measuring it would do that.
  const isClosed = (sidebar) => sidebar.querySelector("nav")?.checkVisibility?.() === false;
  const stored = (sidebar) => {
    try {
      return JSON.parse(sessionStorage.getItem(held(sidebar)));
    } catch {
      // Without storage the page is looked for.
      return null;
    }
  };
  let opened = false;
  const place = () => {
    const row = document.querySelector(".svc-tabs-row");
    const tab = row?.querySelector("[data-active]");
    if (tab) {
      const [own, around] = [tab.getBoundingClientRect(), row.getBoundingClientRect()];
      row.scrollLeft += own.left + own.width / 2 - around.left - around.width / 2;
    }
    const sidebar = document.querySelector(".svc-sidebar");
    if (!sidebar) return;
    const before = stored(sidebar);
    const current = sidebar.querySelector("nav [aria-current]");
    if (before?.open && !opened) {
      groups(sidebar).forEach((group, at) => {
        group.open = before.open.includes(at) || group.contains(current) || Boolean(current?.parentElement.contains(group));
      });
    }
    opened = true;
    if (isClosed(sidebar)) return;
    const part = scroller(sidebar);
    if (!part) return;
    if (before?.top) part.scrollTop = before.top;
    if (!current) return;
    const own = current.getBoundingClientRect();
    const around = part.getBoundingClientRect();
    if (own.top < around.top || own.bottom > around.bottom) {
      part.scrollTop += own.top - around.top - part.clientHeight / 3;
    }
  };
  document.addEventListener("svc:place", place);
  addEventListener("pagehide", () => {
    const sidebar = document.querySelector(".svc-sidebar");
    if (!sidebar) return;
    const open = [];
    groups(sidebar).forEach((group, at) => group.open && open.push(at));
    const top = isClosed(sidebar) ? stored(sidebar)?.top : Math.round(scroller(sidebar)?.scrollTop ?? 0);
    try {
      sessionStorage.setItem(held(sidebar), JSON.stringify({ top, open }));
    } catch {
      // See above.
    }
  });
  // A frame is drawn as soon as there is something to draw: the list may still be on its way then.
  // On a slow line parts of it would be seen to move, so it is shown when it is in its place.
  const root = document.documentElement;
  root.classList.add("svc-placing");
  const early = () => {
    if (!root.classList.contains("svc-placing")) return;
    const ready = document.querySelector(".svc-main");
    if (ready) place();
    if (ready || document.readyState !== "loading") root.classList.remove("svc-placing");
    else requestAnimationFrame(early);
  };
  requestAnimationFrame(early);
  // Frames may be held back, as by a transition; nothing waits for them once the page is there.
  document.addEventListener("DOMContentLoaded", early);
})();
