prepare.segment = ({ key, cdn }) => {
  window.analytics ??= Object.assign([["page"]], { _writeKey: key, _cdn: cdn });
};
