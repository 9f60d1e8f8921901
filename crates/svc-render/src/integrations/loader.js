// Loads the services of the page: at once, after the reader agrees, or when the service that
// manages consent grants it.
const block = document.querySelector("script[data-svc-integrations]");

const insert = ({ name, url, attributes, settings }) => {
  prepare[name]?.(settings);
  const script = document.createElement("script");
  script.async = true;
  for (const [key, value] of Object.entries(attributes)) script.setAttribute(key, value);
  if (ready[name]) script.addEventListener("load", () => ready[name](settings));
  script.src = url;
  document.head.append(script);
};

// Session recordings must not contain what readers enter in the playground, such as keys of an API.
const hidePlayground = () => {
  const hide = (element) => {
    if (!element.matches?.("dialog.svc-playground")) return;
    element.classList.add("ph-no-capture", "heap-ignore", "mp-block", "amp-block");
    for (const name of ["data-hj-suppress", "data-private"]) element.setAttribute(name, "");
    element.setAttribute("data-clarity-mask", "true");
  };
  for (const element of document.body.children) hide(element);
  const added = (changes) => changes.forEach((change) => change.addedNodes.forEach(hide));
  new MutationObserver(added).observe(document.body, { childList: true });
};

const run = ({ services, manager, cookies }) => {
  let loaded = false;
  const decide = (granted) => {
    if (granted && !loaded) {
      loaded = true;
      hidePlayground();
      services.forEach(insert);
    } else if (!granted && loaded) {
      // Only a new page is without the scripts that run.
      location.reload();
    }
  };
  if (manager) {
    const { watch, open } = managers[manager.name];
    showPrivacyButton(open);
    watch(manager.settings, decide);
    insert(manager);
  } else if (cookies) {
    showPrivacyButton(manageConsent(cookies, decide));
  } else {
    decide(true);
  }
};

// A page that is opened from a folder has no visitors, and one that is rendered ahead has not been
// visited yet.
if (block && location.protocol.startsWith("http")) {
  const start = () => run(JSON.parse(block.textContent));
  if (document.prerendering) document.addEventListener("prerenderingchange", start, { once: true });
  else start();
}
