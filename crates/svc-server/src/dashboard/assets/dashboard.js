// Progressive enhancement: all pages work without this script.

const announce = document.querySelector("[data-announce]");

const say = (text) => {
  if (!announce) return;
  announce.textContent = "";
  // Screen readers announce an equal text again only after a pause.
  setTimeout(() => { announce.textContent = text; }, 50);
};

// Copy buttons are hidden without scripts.
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
    say("The browser did not allow copying");
  }
  setTimeout(() => {
    button.classList.remove("is-done");
    if (label && before !== "Copied") label.textContent = before;
  }, 1600);
});

// Prevents repeated submission of a form.
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

// Closes the menu on a click outside or Escape.
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

// Applies a filter as soon as it is selected. Keyboard users change the value step by step, so for
// them the button is shown again.
for (const form of document.querySelectorAll("form[data-filter]")) {
  const [list, button] = [form.querySelector("select"), form.querySelector("button")];
  button.hidden = true;
  list.addEventListener("keydown", (event) => {
    if (event.key !== "Tab") button.hidden = false;
  });
  list.addEventListener("change", () => { if (button.hidden) form.requestSubmit(); });
}

// Shows whether Caps Lock is on in a password field.
const caps = document.querySelector("[data-caps]");
if (caps) {
  const look = (event) => {
    if (event.getModifierState) caps.hidden = !event.getModifierState("CapsLock");
  };
  for (const kind of ["keydown", "keyup"]) addEventListener(kind, look);
}

// Scrolls the current tab into view if the tabs overflow.
const tabs = document.querySelector(".dash-tabs");
const tab = tabs?.querySelector("[aria-current]");
if (tab) tabs.scrollLeft = tab.offsetLeft - (tabs.clientWidth - tab.offsetWidth) / 2;

// Refreshes the parts of a page that are marked with `data-live`, as long as they are marked.
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
    // The notice about the previous state is outdated.
    if (!fresh.getElementById("done")) document.getElementById("done")?.remove();
    for (const part of parts) {
      const next = fresh.getElementById(part.id);
      if (!next || next.outerHTML === part.dataset.seen) continue;
      const seen = next.outerHTML;
      // Keeps the selection and the focus.
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
    // The server is unavailable for a moment; the next attempt may succeed.
  } finally {
    setTimeout(renew, EVERY);
  }
};

showCopies(document);
follow(document);
setTimeout(renew, EVERY);
