prepare.ga4 = ({ id }) => {
  const events = (window.dataLayer ??= []);
  // The library recognizes commands by their type, the arguments of a function.
  const command = function () {
    events.push(arguments);
  };
  window.gtag ??= command;
  command("js", new Date());
  command("config", id);
};
