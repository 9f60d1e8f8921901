prepare.clarity = () => {
  window.clarity ??= queue("q");
};
