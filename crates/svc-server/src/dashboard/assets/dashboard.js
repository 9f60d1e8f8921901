// What makes pages quicker to use. Everything works without it.

const announce = document.querySelector("[data-announce]");

const say = (text) => {
  if (!announce) return;
  announce.textContent = "";
  // A text that is set again is read again only after a pause.
  setTimeout(() => { announce.textContent = text; }, 50);
};

// Buttons that copy stand hidden until there is a script.
const showCopies = (root) => {
  for (const button of root.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard;
};

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (!button) return;
  const label = button.querySelector("[data-label]");
  const before = label?.textContent ?? "";
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.classList.add("is-done");
    if (label) label.textContent = "Copied";
    say("Copied");
  } catch {
    say("The browser did not allow to copy");
  }
  setTimeout(() => {
    button.classList.remove("is-done");
    if (label && before !== "Copied") label.textContent = before;
  }, 1600);
});

// A form is sent once, however often its button is pressed.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post") return;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "yes";
});
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

// The menu closes when something else is wanted.
const menus = () => document.querySelectorAll("details[data-menu][open]");
document.addEventListener("click", (event) => {
  for (const menu of menus()) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of menus()) {
    menu.open = false;
    menu.querySelector("summary")?.focus();
  }
});

// A filter counts as soon as it is chosen. Keys go through a list one by one, so that whoever uses
// them gets the button back.
for (const form of document.querySelectorAll("form[data-filter]")) {
  const [list, button] = [form.querySelector("select"), form.querySelector("button")];
  button.hidden = true;
  list.addEventListener("keydown", (event) => {
    if (event.key !== "Tab") button.hidden = false;
  });
  list.addEventListener("change", () => { if (button.hidden) form.requestSubmit(); });
}

// Capital letters that nobody sees in a password.
const caps = document.querySelector("[data-caps]");
if (caps) {
  const look = (event) => {
    if (event.getModifierState) caps.hidden = !event.getModifierState("CapsLock");
  };
  for (const kind of ["keydown", "keyup"]) addEventListener(kind, look);
}

// The tab of the page is in sight, also where there is no room for all of them.
const tabs = document.querySelector(".dash-tabs");
const tab = tabs?.querySelector("[aria-current]");
if (tab) tabs.scrollLeft = tab.offsetLeft - (tabs.clientWidth - tab.offsetWidth) / 2;

// Parts of a page that are still changing are fetched again. The page says which, and for how long.
const EVERY = 2500;

const atEnd = (log) => log.scrollHeight - log.scrollTop - log.clientHeight < 40;

const follow = (root) => {
  for (const log of root.querySelectorAll("[data-log]")) log.scrollTop = log.scrollHeight;
};

const renew = async () => {
  const parts = [...document.querySelectorAll("[data-live]")];
  if (parts.length === 0) return;
  try {
    if (document.hidden) return;
    const answer = await fetch(location.href, { cache: "no-store", credentials: "same-origin" });
    if (answer.redirected) {
      location.reload();
      return;
    }
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    // What was said of the state before is over.
    if (!fresh.getElementById("done")) document.getElementById("done")?.remove();
    for (const part of parts) {
      const next = fresh.getElementById(part.id);
      if (!next || next.outerHTML === part.dataset.seen) continue;
      const seen = next.outerHTML;
      // Nobody loses his place: neither in a text that he selects nor at a button.
      const busy = part.contains(document.activeElement) && !document.activeElement.matches("[data-log]");
      const selecting = !getSelection().isCollapsed && part.contains(getSelection().anchorNode);
      if (busy || selecting) continue;
      const log = part.querySelector("[data-log]");
      const [end, top, focus] = [log && atEnd(log), log?.scrollTop, log === document.activeElement];
      const before = part.querySelector("[data-status]")?.textContent;
      part.replaceChildren(...document.importNode(next, true).childNodes);
      part.dataset.seen = seen;
      if (!("live" in next.dataset)) delete part.dataset.live;
      showCopies(part);
      const now = part.querySelector("[data-log]");
      if (now && !end) now.scrollTop = top;
      else follow(part);
      if (now && focus) now.focus();
      const after = part.querySelector("[data-status]")?.textContent;
      if (after && after !== before) say(after);
    }
  } catch {
    // The server is away for a moment; the next time it may be there.
  } finally {
    setTimeout(renew, EVERY);
  }
};

showCopies(document);
follow(document);
setTimeout(renew, EVERY);
