// Consent of the reader, which an entry of the local storage holds. Scripts of the site may set the
// entry too.
const manageConsent = ({ key, value }, decide) => {
  const dialog = document.querySelector(".svc-consent");
  const declinedKey = `svc-declined:${key}`;
  let opener = null;
  const read = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const write = (name, text) => {
    try {
      if (text === null) localStorage.removeItem(name);
      else localStorage.setItem(name, text);
    } catch {
      // Without storage the choice holds for this page.
    }
  };
  // An entry with another value is the choice of a reader who declined in a dialog of the site.
  const isUndecided = () => read(key) === null && read(declinedKey) === null;
  const close = () => {
    dialog.hidden = true;
    opener?.focus();
    opener = null;
  };
  const check = () => {
    if (read(key) === value) decide(true);
    if (!opener) dialog.hidden = !isUndecided();
    return dialog.hidden;
  };
  const choose = (accepted) => {
    if (accepted) write(key, value);
    else if (read(key) === value) write(key, null);
    write(declinedKey, accepted ? null : "1");
    close();
    decide(accepted);
  };
  dialog.addEventListener("click", (event) => {
    const choice = event.target.closest("[data-svc-choice]");
    if (choice) choose(choice.dataset.svcChoice === "accept");
  });
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && opener) close();
  });
  addEventListener("storage", check);
  // Changes by scripts of the same page send no event.
  const poll = () => {
    if (!check()) setTimeout(poll, 1000);
  };
  poll();
  return (button) => {
    opener = button;
    dialog.hidden = false;
    dialog.querySelector("button").focus();
  };
};

// Shows the button that lets the reader choose differently.
const showPrivacyButton = (open) => {
  const button = document.querySelector("[data-svc-privacy]");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", () => open(button));
};
