prepare.hightouch = ({ key, host }) => {
  window.htevents ??= Object.assign([["page"]], { _writeKey: key, _loadOptions: { apiHost: host } });
};
