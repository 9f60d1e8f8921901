prepare.mixpanel = ({ token, host }) => {
  const calls = [[token, { api_host: host, track_pageview: true }, "mixpanel"]];
  // The library refuses to start without the version of its snippet.
  window.mixpanel ??= Object.assign([], { people: [], _i: calls, __SV: 1.2 });
};
