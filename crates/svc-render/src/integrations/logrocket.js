// What readers type and the requests of the playground are not recorded.
ready.logrocket = ({ id }) => {
  window.LogRocket?.init(id, { dom: { inputSanitizer: true }, network: { isEnabled: false } });
};
