managers.onetrust = {
  // The library calls this function when it starts and after each choice.
  watch({ category }, decide) {
    window.OptanonWrapper = () => decide((window.OnetrustActiveGroups ?? "").split(",").includes(category));
  },
  open: () => window.OneTrust?.ToggleInfoDisplay(),
};
