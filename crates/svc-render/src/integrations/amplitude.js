// Only visits are counted; texts of forms and elements are not captured.
ready.amplitude = ({ key }) => {
  window.amplitude?.init(key, {
    autocapture: { sessions: true, pageViews: true, formInteractions: false, elementInteractions: false },
  });
};
