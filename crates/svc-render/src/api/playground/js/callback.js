// Redirect page of OAuth flows: passes its URL to the playground and closes.
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
