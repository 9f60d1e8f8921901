managers.transcend = {
  watch({ purpose }, decide) {
    const airgap = (window.airgap ??= {});
    airgap.readyQueue ??= [];
    airgap.ready ??= (callback) => airgap.readyQueue.push(callback);
    airgap.ready((library) => {
      const check = () => decide(Boolean(library.getConsent()?.purposes?.[purpose]));
      library.addEventListener("consent-change", check);
      check();
    });
  },
  open: () => window.transcend?.showConsentManager(),
};
