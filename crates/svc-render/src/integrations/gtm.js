prepare.gtm = () => {
  (window.dataLayer ??= []).push({ event: "gtm.js", "gtm.start": Date.now() });
};
