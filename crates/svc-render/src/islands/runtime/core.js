// Shared by server and browser: elements, contexts, and helpers.

export const Fragment = "";

class Element {
  constructor(type, props, key, ref) {
    this.type = type;
    this.props = props;
    this.key = key;
    this.ref = ref;
  }
}

export const isValidElement = (value) => value instanceof Element;

export function h(type, attributes, ...children) {
  const { key, ref, ...props } = attributes || {};
  if (children.length) props.children = children.length > 1 ? children : children[0];
  return new Element(type, props, key, ref);
}

// A position of rendered HTML of the page: children and elements that were passed to an island.
const SLOT = {};

export function createContext(initial) {
  const context = { initial, Consumer: (props) => props.children(useContext(context)) };
  context.Provider = (props) => props.children;
  context.Provider.context = context;
  return context;
}

const NOTHING = () => {};
export const memo = (type) => type;
export const forwardRef = (render) => (props, ref) => render(props, ref);
export const createRef = () => ({ current: null });
export const useDeferredValue = (value) => value;
export const useTransition = () => [false, (action) => action()];
export const startTransition = (action) => action();
export const useDebugValue = NOTHING;
export const Suspense = (props) => props.children;

// Replacement for components of packages that are not available: renders their children.
export const $x = (props) => (props && props.children) || null;

// A built-in component, or the content of an MDX file, by its name.
const isPart = (type) => /^[A-Z\0]/.test(type);

const toArray = (children) =>
  Array.isArray(children)
    ? children.flatMap(toArray)
    : children == null || typeof children === "boolean"
      ? []
      : [children];
export const Children = {
  toArray,
  map: (children, visit) => toArray(children).map(visit),
  forEach: (children, visit) => toArray(children).forEach(visit),
  count: (children) => toArray(children).length,
  only: (child) => child,
};

export function cloneElement(element, props, ...children) {
  const { key, ref } = element;
  return h(element.type, { ...element.props, key, ref, ...props }, ...children);
}

// Slots are `{"$slot": number}` in the props, components are `{"$from": url, name}`.
const properties = (text, modules) =>
  JSON.parse(text, (_, value) =>
    value && value.$slot >= 0
      ? new Element(SLOT, { n: value.$slot }, value.$slot)
      : value && value.$from
        ? modules[value.$from][value.name]
        : value,
  );
