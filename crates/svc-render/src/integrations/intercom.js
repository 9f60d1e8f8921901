prepare.intercom = ({ id }) => {
  const calls = (window.Intercom ??= queue("q"));
  // The library also adds calls through this name.
  calls.c ??= (call) => calls.q.push(call);
  calls("boot", { app_id: id });
};
