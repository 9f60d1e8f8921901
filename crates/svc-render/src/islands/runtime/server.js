// The first render, in the sandbox: converts a tree to a list of steps for the server.
// [0, text]  [1, tag, attributes, html?]  [2] end  [3, slot]  [4, component, attributes]

let hooks = [];
let at = 0;
let again = false;
let island = 0;
let ids = 0;
let contexts = new Map();

function hook(make) {
  if (at === hooks.length) hooks.push(make());
  return hooks[at++];
}

export function useReducer(reduce, initial, make) {
  const cell = hook(() => {
    const cell = [make ? make(initial) : initial];
    cell[1] = (action) => {
      const next = reduce(cell[0], action);
      again ||= !Object.is(next, cell[0]);
      cell[0] = next;
    };
    return cell;
  });
  return [cell[0], cell[1]];
}

const step = (state, action) => (typeof action === "function" ? action(state) : action);
export const useState = (initial) =>
  useReducer(step, undefined, () => (typeof initial === "function" ? initial() : initial));
export const useRef = (current) => hook(() => ({ current }));
export const useMemo = (make) => make();
export const useCallback = (call) => call;
export const useEffect = NOTHING;
export const useLayoutEffect = NOTHING;
export const useInsertionEffect = NOTHING;
export const useImperativeHandle = NOTHING;
export const useId = () => hook(() => `svc-${island}-${ids++}`);
export const useContext = (context) =>
  contexts.has(context) ? contexts.get(context) : context.initial;
export const useSyncExternalStore = (_, get, server) => (server || get)();

function call(type, props, ref) {
  if (type.prototype && type.prototype.render) {
    throw new Error("class components are not supported, write a function with hooks");
  }
  hooks = [];
  for (let times = 0; times < 25; times++) {
    at = 0;
    again = false;
    const result = type(props, ref);
    if (!again) return result;
  }
  throw new Error("the component sets its state in every render");
}

function value(item, depth) {
  if (item instanceof Element) {
    const inner = [];
    emit(item, inner);
    return { $: inner };
  }
  if (depth > 20 || typeof item === "function" || typeof item === "symbol") return undefined;
  if (typeof item === "bigint") return String(item);
  if (Array.isArray(item)) return item.map((inner) => value(inner, depth + 1));
  if (item && typeof item === "object") {
    const out = {};
    for (const name in item) out[name] = value(item[name], depth + 1);
    return out;
  }
  return item;
}

function attributes(props) {
  const out = {};
  for (const name in props) {
    if (name !== "children" && name !== "dangerouslySetInnerHTML") {
      const shown = value(props[name], 0);
      if (shown !== undefined && shown !== null) out[name] = shown;
    }
  }
  return out;
}

let chosen;

function host(type, props, out) {
  const given = attributes(props);
  let { children } = props;
  if ("defaultValue" in given) {
    given.value ??= given.defaultValue;
    delete given.defaultValue;
  }
  if ("defaultChecked" in given) {
    given.checked ??= given.defaultChecked;
    delete given.defaultChecked;
  }
  const before = chosen;
  if (type === "textarea" && "value" in given) {
    children = String(given.value);
    delete given.value;
  } else if (type === "select" && "value" in given) {
    chosen = [].concat(given.value).map(String);
    delete given.value;
  } else if (type === "option" && chosen) {
    const own = String(given.value ?? toArray(children).join(""));
    if (chosen.includes(own)) given.selected = true;
  }
  const html = props.dangerouslySetInnerHTML && props.dangerouslySetInnerHTML.__html;
  if (html == null) {
    out.push([1, type, given]);
    emit(children, out);
  } else {
    out.push([1, type, given, String(html)]);
  }
  out.push([2]);
  chosen = before;
}

function emit(item, out) {
  if (item == null || typeof item === "boolean") return;
  if (Array.isArray(item)) {
    for (const inner of item) emit(inner, out);
    return;
  }
  if (!(item instanceof Element)) {
    if (typeof item === "object" || typeof item === "function") {
      throw new Error("an object or a function is no content; show one of its values");
    }
    out.push([0, String(item)]);
    return;
  }
  const { type, props } = item;
  if (type === Fragment) {
    emit(props.children, out);
  } else if (type === SLOT) {
    out.push([3, props.n]);
  } else if (typeof type === "function") {
    if (type.context) {
      const before = contexts;
      contexts = new Map(contexts).set(type.context, props.value);
      emit(props.children, out);
      contexts = before;
    } else {
      emit(call(type, props, item.ref), out);
    }
  } else if (typeof type === "string" && isPart(type)) {
    out.push([4, type, attributes(props)]);
    emit(props.children, out);
    out.push([2]);
  } else if (typeof type === "string") {
    host(type, props, out);
  } else {
    throw new Error("a component in the tree is not defined");
  }
}

// Deterministic output: no time and no random numbers before hydration.
let seed = 1;
Math.random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
const Now = Date;
globalThis.Date = class extends Now {
  constructor(...given) {
    if (given.length) super(...given);
    else super(Now.UTC(2026, 0, 1));
  }
  static now() {
    return Now.UTC(2026, 0, 1);
  }
};
// The engine has no locales; these have the results of the evaluator.
Number.prototype.toLocaleString = function (_, options) {
  if (!Number.isFinite(+this) || Math.abs(this) >= 1e21) return String(this);
  const { minimumFractionDigits: min = 0, maximumFractionDigits: max = Math.max(min, 3) } =
    options || {};
  const [whole, part = ""] = this.toFixed(max).split(".");
  const fraction = part.slice(0, min) + part.slice(min).replace(/0+$/, "");
  return whole.replace(/\B(?=(\d{3})+$)/g, ",") + (fraction && `.${fraction}`);
};
String.prototype.localeCompare = function (other) {
  const pairs = [
    [this.toLowerCase(), String(other).toLowerCase()],
    [String(this), String(other)],
  ];
  const [a, b] = pairs.find(([a, b]) => a !== b) || ["", ""];
  return a < b ? -1 : a > b ? 1 : 0;
};
for (const name of ["setTimeout", "setInterval", "requestAnimationFrame", "queueMicrotask"]) {
  globalThis[name] = () => 0;
}
for (const name of ["clearTimeout", "clearInterval", "cancelAnimationFrame"]) {
  globalThis[name] = NOTHING;
}
globalThis.console = new Proxy({}, { get: () => NOTHING });

export function $render(type, number, text, modules) {
  if (typeof type !== "function") throw new Error("this export is not a component");
  island = number;
  ids = 0;
  chosen = undefined;
  contexts = new Map();
  const out = [];
  emit(new Element(type, properties(text, modules)), out);
  return JSON.stringify(out);
}
