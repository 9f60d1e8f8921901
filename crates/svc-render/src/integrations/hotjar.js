prepare.hotjar = ({ id, version }) => {
  window.hj ??= queue("q");
  window._hjSettings = { hjid: Number(id), hjsv: Number(version) };
};
