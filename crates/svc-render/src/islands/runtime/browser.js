// Islands in the browser: hydrates the server's HTML, then renders updates by diffing.
// A node is { v, kids, parent, dom } and, for parts and slots, { dom, end }: two comments around
// HTML of the server.

const BASE = new URL(import.meta.url).pathname.split("/_svc/")[0];
const SVG = "http://www.w3.org/2000/svg";
const TEXT = Symbol();
let current; // the component being rendered
let at = 0; // its next hook
let cursor; // the next DOM node to take over; undefined when there is nothing to take over
let queue = new Set();
let effects = [];
let layouts = [];

// ---------------------------------------------------------------- hooks

function hook(make) {
  const { hooks } = current;
  if (at === hooks.length) hooks.push(make());
  return hooks[at++];
}

const changed = (old, next) => !old || !next || next.some((item, i) => !Object.is(item, old[i]));

export function useReducer(reduce, initial, make) {
  const node = current;
  const cell = hook(() => {
    const cell = [make ? make(initial) : initial];
    cell[1] = (action) => {
      const next = cell[2](cell[0], action);
      if (Object.is(next, cell[0])) return;
      cell[0] = next;
      enqueue(node);
    };
    return cell;
  });
  cell[2] = reduce;
  return [cell[0], cell[1]];
}

const step = (state, action) => (typeof action === "function" ? action(state) : action);
export const useState = (initial) =>
  useReducer(step, undefined, () => (typeof initial === "function" ? initial() : initial));
export const useRef = (value) => hook(() => ({ current: value }));
export function useMemo(make, needs) {
  const cell = hook(() => ({}));
  if (changed(cell.needs, needs)) {
    cell.value = make();
    cell.needs = needs;
  }
  return cell.value;
}
export const useCallback = (call, needs) => useMemo(() => call, needs);
const effect = (list) => (run, needs) => {
  const cell = hook(() => ({ effect: 1 }));
  if (changed(cell.needs, needs)) {
    cell.needs = needs;
    cell.run = run;
    (list ? layouts : effects).push(cell);
  }
};
export const useEffect = effect(0);
export const useLayoutEffect = effect(1);
export const useInsertionEffect = useLayoutEffect;
export const useImperativeHandle = (ref, make, needs) =>
  useLayoutEffect(() => setRef(ref, make()), needs);
export const useId = () => hook(() => `svc-${current.root.number}-${current.root.ids++}`);
export function useContext(context) {
  for (let node = current.parent; node; node = node.parent) {
    if (node.v.type.context === context) {
      node.readers.add(current);
      return node.v.props.value;
    }
  }
  return context.initial;
}
export function useSyncExternalStore(subscribe, get) {
  const [, again] = useReducer((n) => n + 1, 0);
  useEffect(() => subscribe(again), [subscribe]);
  return get();
}

function perform(cell) {
  stop(cell);
  if (!cell.gone) cell.stop = cell.run();
}
function stop(cell) {
  if (typeof cell.stop === "function") cell.stop();
  cell.stop = 0;
}
function commit() {
  while (layouts.length) layouts.splice(0).forEach(perform);
  if (effects.length) setTimeout(() => effects.splice(0).forEach(perform));
}

// ---------------------------------------------------------------- rendering again

let rounds = 0;
function enqueue(node) {
  if (!queue.size) queueMicrotask(flush);
  queue.add(node);
}
function flush() {
  const nodes = [...queue].sort((a, b) => a.depth - b.depth);
  queue = new Set();
  if (++rounds > 100) throw new Error("a component sets its state in every render");
  setTimeout(() => (rounds = 0));
  for (const node of nodes) {
    try {
      if (!node.gone) update(node, node.v);
    } catch (error) {
      console.error(error);
    }
  }
  commit();
}

function run(node) {
  const { v } = node;
  const before = [current, at];
  current = node;
  at = 0;
  try {
    return v.type.context ? v.props.children : v.type(v.props, v.ref);
  } finally {
    [current, at] = before;
  }
}

// ---------------------------------------------------------------- trees

function list(children) {
  return (Array.isArray(children) ? children : [children]).map((child) => {
    if (child == null || typeof child === "boolean") return null;
    if (Array.isArray(child)) return new Element(Fragment, { children: child });
    return child instanceof Element ? child : new Element(TEXT, String(child));
  });
}
// Components and fragments always have a node, so that their position is known.
function outcome(children) {
  const all = list(children);
  return all.some((child) => child) ? all : [new Element(TEXT, "")];
}
const isVirtual = (type) => type === Fragment || typeof type === "function";
const first = (node) => (isVirtual(node.v.type) ? first(node.kids.find((kid) => kid)) : node.dom);
const isFixed = (node) =>
  isVirtual(node.v.type) ? isFixed(node.kids.find((kid) => kid)) : node.fixed;
const last = (node) =>
  isVirtual(node.v.type) ? last(node.kids.findLast((kid) => kid)) : node.end || node.dom;

function put(node, dom, before) {
  const end = last(node);
  if (end.nextSibling === before && end.parentNode === dom) return;
  for (let own = first(node), next; ; own = next) {
    next = own.nextSibling;
    dom.insertBefore(own, before);
    if (own === end) break;
  }
}

function mount(v, parent, dom, before) {
  const { type, props } = v;
  const node = { v, parent, root: parent.root, depth: parent.depth + 1, kids: [] };
  node.svg = type === "svg" || (parent.svg && parent.v.type !== "foreignObject");
  const here = cursor;
  if (type === TEXT) {
    if (here && here.nodeType === 3 && props) {
      if (here.data.length > props.length && here.data.startsWith(props)) here.splitText(props.length);
      if (here.data !== props) here.data = props;
      node.dom = here;
      cursor = here.nextSibling;
    } else {
      node.dom = document.createTextNode(props);
      dom.insertBefore(node.dom, here || before);
    }
  } else if (isVirtual(type)) {
    if (type !== Fragment) {
      node.hooks = [];
      node.readers = new Set();
    }
    const kids = type === Fragment ? props.children : run(node);
    node.kids = outcome(kids).map((kid) => kid && mount(kid, node, dom, before));
  } else if (type === SLOT) {
    slot(node, dom, here, before);
  } else if (typeof type !== "string") {
    throw new Error("a component in the tree is not defined");
  } else if (isPart(type)) {
    part(node, dom, here, before);
  } else {
    host(node, dom, here, before);
  }
  return node;
}

function children(node, dom, from, end) {
  const before = cursor;
  cursor = from;
  node.kids = list(node.v.props.children).map((kid) => kid && mount(kid, node, dom, end));
  while (cursor && cursor !== end) {
    const next = cursor.nextSibling;
    cursor.remove();
    cursor = next;
  }
  cursor = before;
}

function host(node, dom, here, before) {
  const { type, props, ref } = node.v;
  const taken = here && here.nodeType === 1 && here.localName.toLowerCase() === type.toLowerCase();
  const own = taken
    ? here
    : node.svg
      ? document.createElementNS(SVG, type)
      : document.createElement(type);
  node.dom = own;
  for (const name in props) {
    if (!taken || name.startsWith("on")) set(node, name, undefined, props[name]);
  }
  if (!props.dangerouslySetInnerHTML && type !== "textarea") {
    children(node, own, taken ? own.firstChild : undefined, null);
  }
  if (!taken && type === "select" && props.defaultValue != null) own.value = props.defaultValue;
  control(node);
  if (taken) cursor = own.nextSibling;
  else dom.insertBefore(own, here || before);
  if (!taken && props.autoFocus) setTimeout(() => own.focus());
  setRef(ref, own);
}

function until(dom, mark) {
  while (dom && dom.data !== mark) dom = dom.nextSibling;
  return dom;
}

function slot(node, dom, here, before) {
  const { root } = node;
  const kept = root.kept[node.v.props.n];
  node.dom = root.marks["s" + node.v.props.n] || kept?.firstChild;
  if (!node.dom) {
    node.dom = document.createTextNode("");
    dom.insertBefore(node.dom, here || before);
    return;
  }
  node.end = until(node.dom, "/" + node.dom.data);
  if (here === node.dom) cursor = node.end.nextSibling;
  else {
    put(node, dom, here || before);
    scan(dom);
  }
}

// A built-in component: the server's HTML is retained, its children are rendered here.
function part(node, dom, here, before) {
  const { root } = node;
  const number = here === undefined ? -1 : root.parts++;
  const inside = root.marks["c" + number];
  const mark = root.marks["p" + number] || inside;
  if (mark && mark.svcTag === node.v.type) {
    node.dom = mark;
    node.end = until(mark, "/" + mark.data);
    // Panels of tabs are moved by the tabs and stay there.
    node.fixed = here !== mark;
    if (!node.fixed) cursor = node.end.nextSibling;
    if (inside) {
      node.from = inside;
      node.to = until(inside, "/" + inside.data);
      children(node, inside.parentNode, inside.nextSibling, node.to);
    } else {
      aside(node);
    }
    listen(node);
  } else {
    // Created after the first render: there is no HTML of the server, so only the children are
    // rendered.
    node.dom = node.from = document.createComment("");
    node.end = node.to = document.createComment("");
    dom.insertBefore(node.dom, here || before);
    dom.insertBefore(node.end, here || before);
    children(node, dom, undefined, node.end);
  }
}
// Children that the component does not render.
function aside(node) {
  const hidden = document.createDocumentFragment();
  hidden.append((node.from = document.createComment("")), (node.to = document.createComment("")));
  children(node, hidden, null, node.to);
}
function listen(node) {
  const own = node.dom.nextElementSibling;
  for (const name in node.v.props) {
    if (name.startsWith("on") && own) event(own, name, node.v.props[name]);
  }
}
// Replaces changed text where the server's HTML contains the old text.
function revise(node, old, next) {
  for (const name in next) {
    const [from, to] = [old[name], next[name]];
    if (from === to || name === "children") continue;
    if (!/^(string|number)$/.test(typeof from) || !/^(string|number)$/.test(typeof to)) continue;
    if (from === "") continue;
    const visit = (dom) => {
      if (dom.nodeType === 3 && dom.data.trim() === String(from)) dom.data = to;
      if (dom.nodeType === 1) {
        for (const own of dom.attributes) {
          if (own.value === String(from)) own.value = safe(own.name, to);
          else if (own.name === "style") own.value = own.value.replaceAll(from, to);
        }
      }
      for (let inner = dom.firstChild; inner; inner = inner.nextSibling) {
        if (inner === node.from) inner = node.to;
        else visit(inner);
      }
    };
    for (let dom = node.dom; dom !== node.end; dom = dom.nextSibling) {
      if (dom === node.from) dom = node.to;
      else visit(dom);
      if (dom === node.end) break;
    }
  }
  listen(node);
}

// Children in another form, such as code: inserts the new text without that form.
function rewrite(node, from, to) {
  if (!from || from === to.trim()) return;
  for (let dom = node.dom; dom !== node.end; dom = dom.nextSibling) {
    if (dom.nodeType !== 1) continue;
    for (const own of [...dom.querySelectorAll("code"), dom, ...dom.querySelectorAll("*")]) {
      if (own.textContent.trim() === from) {
        own.textContent = to;
        return;
      }
    }
  }
}

function update(node, v) {
  const old = node.v;
  const { type, props } = v;
  node.v = v;
  if (type === TEXT) {
    if (old.props !== props) node.dom.data = props;
  } else if (isVirtual(type)) {
    const dom = first(node).parentNode;
    const before = last(node).nextSibling;
    if (type.context && !Object.is(old.props.value, props.value)) node.readers.forEach(enqueue);
    differ(node, outcome(type === Fragment ? props.children : run(node)), dom, before);
  } else if (type === SLOT) {
    return;
  } else if (isPart(type)) {
    const { parentNode } = node.to;
    const before = parentNode.textContent;
    differ(node, list(props.children), parentNode, node.to);
    if (node.from !== node.dom) revise(node, old.props, props);
    if (parentNode.nodeType === 11) rewrite(node, before.trim(), parentNode.textContent);
  } else {
    for (const name in old.props) if (!(name in props)) set(node, name, old.props[name]);
    for (const name in props) {
      if (props[name] !== old.props[name]) set(node, name, old.props[name], props[name]);
    }
    if (!props.dangerouslySetInnerHTML) differ(node, list(props.children), node.dom, null);
    control(node);
    if (old.ref !== v.ref) {
      setRef(old.ref, null);
      setRef(v.ref, node.dom);
    }
  }
}

function differ(node, next, dom, before) {
  const old = new Map();
  const name = (v, index) => (v.key == null ? index : "$" + v.key);
  node.kids.forEach((kid, index) => kid && old.set(name(kid.v, index), kid));
  node.kids = next.map((v, index) => {
    if (!v) return null;
    const key = name(v, index);
    const same = old.get(key);
    if (!same || same.v.type !== v.type) return mount(v, node, dom, before);
    old.delete(key);
    if (same.v !== v) update(same, v);
    return same;
  });
  old.forEach((kid) => remove(kid, true));
  let anchor = before;
  for (const kid of node.kids.toReversed()) {
    if (!kid || isFixed(kid)) continue;
    put(kid, dom, anchor);
    anchor = first(kid);
  }
}

function remove(node, own) {
  node.gone = 1;
  for (const cell of node.hooks || []) {
    if (cell.effect) {
      cell.gone = 1;
      stop(cell);
    }
  }
  if (typeof node.v.type === "string") setRef(node.v.ref, null);
  const { root } = node;
  if (node.v.type === SLOT && node.end) {
    // Rendered HTML is retained because it can be shown later.
    const kept = (root.kept[node.v.props.n] = document.createDocumentFragment());
    put(node, kept, null);
    delete root.marks["s" + node.v.props.n];
    return;
  }
  const virtual = isVirtual(node.v.type);
  for (const kid of node.kids) if (kid) remove(kid, own && virtual);
  if (own && !virtual) {
    for (let dom = node.dom, next; dom; dom = next) {
      next = dom === (node.end || node.dom) ? null : dom.nextSibling;
      dom.remove();
    }
  }
}

// ---------------------------------------------------------------- attributes

const NUMBERS =
  /^(--|opacity|zIndex|zoom|scale|order|orphans|widows|aspectRatio|columns|columnCount|tabSize|animationIter|lineHeight|fontWeight|flex|grid(Row|Column|Area)|(fill|stroke|stop|flood)Opacity|stroke(Miter|Width))/;
const HYPHENS =
  /^(clip(Path|Rule)|text(Anchor|Rendering)|marker(Start|Mid|End)|(fill|stroke|font|stop|flood|letter|word|color|dominant|pointer|shape|vector|alignment|baseline|lighting|paint|writing|image)[A-Z])/;
const PROPERTY = /^(value|checked|muted|indeterminate)$/;

// Adds the base path to URLs of the site and rejects URLs with code.
function safe(name, value) {
  if (!/^(href|src|poster|action|xlink:href)$/.test(name)) return value;
  const text = String(value);
  if (/^[\s\0-\x1f]*(javascript|vbscript|data:text)/i.test(text.replace(/[\t\r\n]/g, ""))) return "";
  return /^\/(?!\/)/.test(text) && !text.startsWith(BASE + "/") ? BASE + text : value;
}

function set(node, name, old, value) {
  const { dom } = node;
  if (/^(children|autoFocus|suppress\w+)$/.test(name)) return;
  if (name.startsWith("on") && typeof (value ?? old) === "function") {
    event(dom, name, value);
  } else if (name === "dangerouslySetInnerHTML") {
    if (!old || !value || old.__html !== value.__html) dom.innerHTML = value ? value.__html : "";
  } else if (name === "style") {
    style(dom, old, value);
  } else if (/^default(Value|Checked)$/.test(name)) {
    dom[name] = value;
  } else if (PROPERTY.test(name) && node.v.type !== "li" && name in dom) {
    if (value == null) dom.removeAttribute(name);
  } else {
    if (name === "className") name = "class";
    else if (name === "htmlFor") name = "for";
    else if (name === "xlinkHref") name = "xlink:href";
    else if (node.svg && HYPHENS.test(name)) {
      name = name.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase());
    }
    const words = /^(aria|data)-|^(contentEditable|draggable|spellCheck)$/.test(name);
    if (value == null || typeof value === "function" || (value === false && !words)) {
      dom.removeAttribute(name);
    } else {
      dom.setAttribute(name, value === true && !words ? "" : safe(name, value));
    }
  }
}

function style(dom, old, value) {
  if (typeof value !== "object") {
    dom.style.cssText = value || "";
    return;
  }
  if (typeof old === "string") dom.style.cssText = "";
  else for (const name in old) if (!value || !(name in value)) one(dom.style, name, "");
  for (const name in value) if (!old || old[name] !== value[name]) one(dom.style, name, value[name]);
}
function one(style, name, value) {
  value ??= "";
  if (typeof value === "number" && value && !NUMBERS.test(name)) value += "px";
  if (name.startsWith("--")) style.setProperty(name, value);
  else style[name] = value;
}

// Controlled inputs are reset to the state after each event.
function control(node) {
  const { dom } = node;
  const { value, checked, type, muted, indeterminate } = node.v.props;
  if (node.v.type === "select" && Array.isArray(value)) {
    for (const option of dom.options) option.selected = value.map(String).includes(option.value);
  } else if (value != null && /^(input|textarea|select)$/.test(node.v.type) && type !== "file") {
    if (dom.value !== String(value)) dom.value = value;
  } else if (value != null && /^(option|button|progress|meter|li|data|param)$/.test(node.v.type)) {
    if (dom.getAttribute("value") !== String(value)) dom.setAttribute("value", value);
  }
  if (checked != null && dom.checked !== checked) dom.checked = checked;
  if (muted != null) dom.muted = muted;
  if (indeterminate != null) dom.indeterminate = indeterminate;
  if (value != null || checked != null) dom.svcNode = node;
}

function event(dom, name, call) {
  const capture = name.endsWith("Capture") && !name.startsWith("onGot") && !name.startsWith("onLost");
  let kind = name.slice(2, capture ? -7 : undefined).toLowerCase();
  if (kind === "doubleclick") kind = "dblclick";
  else if (kind === "focus") kind = "focusin";
  else if (kind === "blur") kind = "focusout";
  else if (kind === "change" && /^(input|textarea)$/.test(dom.localName)) {
    if (!/^(checkbox|radio|file)$/.test(dom.type)) kind = "input";
  }
  const calls = (dom.svcCalls ||= {});
  const key = kind + capture;
  // `onChange` and `onInput` can both listen to one event.
  const all = (calls[key] ||= new Map());
  if (!all.size && call) dom.addEventListener(kind, handle.bind(all), capture);
  if (call) all.set(name, call);
  else all.set(name, null);
}
function handle(event) {
  event.persist = NOTHING;
  event.nativeEvent ||= event;
  this.forEach((call) => call && call(event));
  const node = event.currentTarget.svcNode;
  if (node) queueMicrotask(() => node.gone || control(node));
}

function setRef(ref, value) {
  if (typeof ref === "function") ref(value);
  else if (ref) ref.current = value;
}

// ---------------------------------------------------------------- start

// The comments of an island: boundaries of parts (p), their children (c) and slots (s).
function marks(root, dom) {
  const walker = document.createTreeWalker(dom, NodeFilter.SHOW_COMMENT);
  const prefix = root.number + ".";
  for (let mark; (mark = walker.nextNode()); ) {
    const [, kind, number, tag] = /^([pcs])(\d+\.\d+)(?::(.*))?$/s.exec(mark.data) || [];
    if (!number || !number.startsWith(prefix)) continue;
    mark.svcTag = tag;
    root.marks[kind + number.slice(prefix.length)] ??= mark;
  }
}

function start(island) {
  const { m, n, i, p = "{}" } = island.dataset;
  const root = { number: i, ids: 0, parts: 0, marks: {}, kept: {}, depth: 0, v: { type: "" } };
  root.root = root;
  const modules = {};
  const needed = [m, ...[...p.matchAll(/"\$from":"([^"]+)"/g)].map((found) => found[1])];
  // Pages that are opened from the file system provide their own module loader.
  const load = (address) => (window.svcImport ? window.svcImport(address) : import(address));
  Promise.all(needed.map(async (address) => (modules[address] = await load(address))))
    .then(() => {
      for (const template of island.querySelectorAll("template[data-s]")) {
        const [number, index] = template.dataset.s.split(".");
        if (number !== i) continue;
        root.kept[index] = template.content;
        template.remove();
      }
      marks(root, island);
      cursor = island.firstChild || undefined;
      const top = new Element(modules[m][n], properties(p, modules));
      mount(top, root, island, null);
      while (cursor) {
        const next = cursor.nextSibling;
        cursor.remove();
        cursor = next;
      }
      commit();
      island.dataset.ready = "";
    })
    .catch((error) => console.error(`the component ${n} does not work:`, error))
    .finally(() => (cursor = undefined));
}

function scan(dom) {
  for (const island of dom.querySelectorAll("svc-island:not([data-seen])")) {
    island.dataset.seen = "";
    start(island);
  }
}

scan(document);
