// What the services add: functions that run before their script is inserted and after it has
// loaded, and those that manage consent.
const prepare = {};
const ready = {};
const managers = {};

// A function that collects its calls until the library of a service replaces it.
const queue = (name) => {
  const collect = (...call) => collect[name].push(call);
  collect[name] = [];
  return collect;
};
