prepare.heap = ({ id }) => {
  window.heapReadyCb ??= [];
  const state = { envId: id, clientConfig: { shouldFetchServerConfig: false } };
  window.heap ??= Object.assign([], state);
};
