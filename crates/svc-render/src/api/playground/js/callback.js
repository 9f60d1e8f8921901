// The page to which authorization servers send the reader back: it hands the address on and closes.
(() => {
  const fragment = location.hash.slice(1);
  const svcOauth = fragment.includes("state=") ? fragment : location.search.slice(1);
  history.replaceState(null, "", location.pathname);
  window.opener?.postMessage({ svcOauth }, location.origin);
  if ("BroadcastChannel" in window) {
    const channel = new BroadcastChannel("svc-oauth");
    channel.postMessage({ svcOauth });
    channel.close();
  }
  setTimeout(() => window.close(), 200);
})();
