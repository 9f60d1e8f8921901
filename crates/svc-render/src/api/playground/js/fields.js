// Inputs for values of a schema. An editor is `{ node, get, set, at, files }`: `get` returns the
// value, or `undefined` if there is none; `at` returns the row of a path in the value; `files`
// returns the selected files, and `filesBy` the same by property name. Optional values that are not
// primitive are created when the reader adds them, so that recursive schemas end.
import { jsonPretty, jsonText, parseJson, parseNumber } from "./call.js";
import { button, el, fill, iconButton, id, select } from "./element.js";

// Required values below this depth are created on demand as well.
const DEEP = 6;
// Nested alternatives below this depth are edited as JSON.
const DEEPEST = 20;

const schemaOf = (cx, at) => cx.call.schemas?.[at] ?? {};

const typesOf = (schema) => (schema.type ?? []).filter((type) => type !== "null");

const kindOf = (schema) => {
  // A part of the document that exceeded the size limit.
  if (schema.cut) return "json";
  if (schema.const !== undefined || schema.enum) return "enum";
  if (schema.file) return "file";
  if (schema.variants?.length) return "variants";
  const types = typesOf(schema);
  if (types.length > 1) return "types";
  if (types[0] === "boolean") return "boolean";
  if (types[0] === "integer" || types[0] === "number") return "number";
  if (types[0] === "string") return "text";
  if (types[0] === "array") return schema.items !== undefined || schema.prefixItems ? "array" : "json";
  if (types[0] === "object" || schema.properties) {
    return schema.properties || typeof schema.additional === "number" ? "object" : "json";
  }
  return "json";
};

const PLAIN = ["enum", "boolean", "number", "text", "file"];

// The type label after the name.
export const typeName = (cx, at, depth = 0) => {
  const schema = schemaOf(cx, at);
  if (schema.file) return "file";
  const types = (schema.type ?? []).map((type) => {
    if (type !== "array" || schema.items === undefined || depth > 3) return type;
    return `${typeName(cx, schema.items, depth + 1)}[]`;
  });
  const variants = depth > 3 ? [] : (schema.variants ?? []).map((one) => typeName(cx, one.schema, depth + 1));
  const name = types.join(" | ") || [...new Set(variants)].slice(0, 4).join(" | ") || "any";
  return schema.format ? `${name} · ${schema.format}` : name;
};

const shown = (value) => (typeof value === "string" ? value : jsonText(value));

const leaf = (input, get, set) => ({ node: input, get, set, at: () => null, files: () => [], focus: () => input.focus() });

// A single-line field, or a text area.
const textInput = (cx, given, attributes = {}, lines = false) =>
  el(lines ? "textarea" : "input", {
    class: `svc-playground-input${lines ? " svc-playground-lines" : ""}`,
    [lines ? "rows" : "type"]: lines ? "1" : "text",
    id: given.id,
    "aria-describedby": given.describedBy,
    "aria-required": given.required ? "true" : undefined,
    placeholder: given.placeholder,
    autocomplete: "off",
    spellcheck: "false",
    ...attributes,
    on: { input: cx.changed },
  });

const hint = (schema, given) => {
  const value = given.placeholder ?? schema.default;
  return value === undefined || value === null || typeof value === "object" ? undefined : String(value);
};

const editors = {
  enum(cx, schema, given) {
    const values = schema.const !== undefined ? [schema.const] : schema.enum;
    const choices = values.map((value, at) => [String(at), shown(value)]);
    const none = schema.default === undefined ? "—" : `— (${cx.t.default}: ${shown(schema.default)})`;
    const list = select([["", none], ...choices], {
      id: given.id,
      "aria-describedby": given.describedBy,
      "aria-required": given.required ? "true" : undefined,
    });
    list.addEventListener("change", cx.changed);
    if (given.required && values.length === 1) list.value = "0";
    const set = (value) => {
      const at = values.findIndex((one) => jsonText(one) === jsonText(value));
      list.value = at < 0 ? "" : String(at);
    };
    return leaf(list, () => (list.value === "" ? undefined : values[Number(list.value)]), set);
  },

  boolean(cx, schema, given) {
    return editors.enum(cx, { ...schema, enum: [true, false] }, given);
  },

  number(cx, schema, given) {
    const mode = typesOf(schema)[0] === "integer" ? "numeric" : "decimal";
    const input = textInput(cx, { ...given, placeholder: hint(schema, given) }, { inputmode: mode });
    const get = () => {
      const text = input.value.trim();
      if (text === "") return undefined;
      // Text that is not a number stays a string and is reported by the schema check.
      return /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(text) ? parseNumber(text) : text;
    };
    return leaf(input, get, (value) => (input.value = value === undefined ? "" : shown(value)));
  },

  text(cx, schema, given) {
    const placeholder = hint(schema, given);
    const types = { date: "date", time: "time", password: "password" };
    const modes = { email: "email", uri: "url", url: "url" };
    const attributes = { type: types[schema.format] ?? "text", inputmode: modes[schema.format] };
    if (schema.format === "time") attributes.step = "1";
    const isLine = attributes.type !== "text" || attributes.inputmode || schema.format === "date-time";
    // In a body, strings can contain line breaks, which a single-line field would drop.
    const lines = cx.lines && !isLine;
    if (lines) delete attributes.type;
    const input = textInput(cx, { ...given, placeholder }, attributes, lines);
    const set = (value) => {
      const text = value === undefined ? "" : shown(value);
      input.value = text;
      // A date that the browser's date field rejects is retained as text.
      if (!lines && input.value !== text) {
        input.type = "text";
        input.value = text;
      }
    };
    const own = leaf(input, () => (input.value === "" ? undefined : input.value), set);
    if (schema.format === "date-time") {
      const now = button(cx.t.now, () => {
        input.value = new Date().toISOString().replace(/\.\d+/, "");
        cx.changed();
      });
      own.node = el("div", { class: "svc-playground-joined" }, input, now);
    }
    return own;
  },

  file(cx, schema, given) {
    let file = null;
    const input = el("input", {
      type: "file",
      id: given.id,
      accept: cx.accept?.(given.name),
      class: "svc-playground-file-input",
      "aria-describedby": given.describedBy,
    });
    const name = el("span", {}, cx.t.choose_file);
    const zone = el("label", { class: "svc-playground-file", for: given.id }, input, name);
    const remove = iconButton("close", cx.t.remove, () => take(null), { hidden: true });
    const take = (chosen) => {
      file = chosen;
      name.textContent = file ? `${file.name} · ${file.size} B` : cx.t.choose_file;
      remove.hidden = !file;
      if (!file) input.value = "";
      cx.changed();
    };
    input.addEventListener("change", () => take(input.files[0] ?? null));
    zone.addEventListener("dragover", (event) => {
      event.preventDefault();
      zone.dataset.over = "";
    });
    zone.addEventListener("dragleave", () => delete zone.dataset.over);
    zone.addEventListener("drop", (event) => {
      event.preventDefault();
      delete zone.dataset.over;
      if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
    });
    const own = leaf(input, () => file?.name, () => {});
    return { ...own, node: el("div", { class: "svc-playground-joined" }, zone, remove), files: () => (file ? [file] : []) };
  },

  // Free JSON; text that is not JSON is used as a string.
  json(cx, schema, given) {
    const types = typesOf(schema);
    const sample = given.placeholder === undefined ? undefined : jsonPretty(given.placeholder);
    const input = el("textarea", {
      class: "svc-playground-input svc-playground-json",
      id: given.id,
      "aria-describedby": given.describedBy,
      rows: types[0] === "object" || types[0] === "array" ? "4" : "2",
      placeholder: sample ?? { object: "{ }", array: "[ ]" }[types[0]] ?? "",
      spellcheck: "false",
      on: { input: cx.changed },
    });
    const get = () => {
      const text = input.value.trim();
      if (text === "") return undefined;
      try {
        return parseJson(text);
      } catch {
        return input.value;
      }
    };
    const set = (value) => {
      input.value = value === undefined ? "" : typeof value === "string" ? value : jsonPretty(value);
    };
    return leaf(input, get, set);
  },

  array(cx, schema, given) {
    const list = el("div", { class: "svc-playground-list" });
    const box = el("div", { class: "svc-playground-nested", role: "group", "aria-labelledby": given.labelledBy });
    let items = [];
    const number = () => items.forEach((item, at) => item.name(String(at)));
    const add = (value) => {
      const at = schema.prefixItems?.[items.length] ?? schema.items;
      const item = row(cx, at, {
        name: String(items.length),
        required: true,
        depth: given.depth + 1,
        remove: () => {
          items = items.filter((other) => other !== item);
          item.node.remove();
          number();
          more.focus();
          cx.changed();
        },
      });
      items.push(item);
      list.append(item.node);
      if (value !== undefined) item.set(value);
      return item;
    };
    const more = button(cx.t.add_item, () => {
      add().focus();
      cx.changed();
    });
    box.append(list, more);
    const get = () => {
      const values = items.map((item) => item.get()).filter((value) => value !== undefined);
      return values.length || items.length || (given.required && given.depth > 0) ? values : undefined;
    };
    return {
      node: box,
      get,
      set: (value) => {
        items = [];
        list.replaceChildren();
        for (const one of Array.isArray(value) ? value.slice(0, 200) : []) add(one);
      },
      at: ([first, ...rest]) => items[first]?.at(rest) ?? null,
      files: () => items.flatMap((item) => item.files()),
      focus: () => (items[0] ?? add()).focus(),
    };
  },

  object(cx, schema, given) {
    const box = el("div", { class: "svc-playground-nested", role: "group", "aria-labelledby": given.labelledBy });
    if (given.bare) box.classList.add("svc-playground-bare");
    const needed = new Set(schema.required ?? []);
    const rows = new Map();
    const example = given.placeholder;
    const names = Object.keys(schema.properties ?? {}).filter((name) => !schemaOf(cx, schema.properties[name]).readOnly);
    const known = el("div", { class: "svc-playground-list" });
    const make = (name) => {
      const placeholder = example && typeof example === "object" ? example[name] : undefined;
      const required = needed.has(name);
      const own = row(cx, schema.properties[name], { name, required, placeholder, depth: given.depth + 1 });
      rows.set(name, own);
      return own.node;
    };
    known.append(...names.filter((name) => needed.has(name)).map(make));
    const rest = names.filter((name) => !needed.has(name));
    if (rest.length > 8 && needed.size > 0) {
      const more = el("details", { class: "svc-playground-more" }, el("summary", {}, fill(cx.t.more_fields, String(rest.length))));
      more.append(el("div", { class: "svc-playground-list" }, rest.map(make)));
      known.append(more);
    } else known.append(...rest.map(make));
    box.append(known);
    // Additional properties, named by the reader.
    const further = [];
    const others = el("div", { class: "svc-playground-list" });
    const add = (name, value) => {
      const at = typeof schema.additional === "number" ? schema.additional : -1;
      const own = row(cx, at, {
        name,
        named: true,
        required: true,
        depth: given.depth + 1,
        remove: () => {
          further.splice(further.indexOf(own), 1);
          own.node.remove();
          cx.changed();
        },
      });
      further.push(own);
      others.append(own.node);
      if (value !== undefined) own.set(value);
      return own;
    };
    box.append(others);
    if (typeof schema.additional === "number") {
      box.append(
        button(cx.t.add_field, () => {
          add("").focus();
          cx.changed();
        }),
      );
    }
    return {
      node: box,
      get: () => {
        const out = {};
        for (const [name, one] of rows) {
          const value = one.get();
          if (value !== undefined) out[name] = value;
        }
        for (const one of further) {
          const value = one.get();
          if (one.key() !== "" && value !== undefined) out[one.key()] = value;
        }
        return Object.keys(out).length || given.required ? out : undefined;
      },
      set: (value) => {
        const members = value && typeof value === "object" && !Array.isArray(value) ? value : {};
        for (const [name, one] of rows) one.set(members[name]);
        for (const one of further.splice(0)) one.node.remove();
        for (const [name, member] of Object.entries(members)) if (!rows.has(name)) add(name, member);
        for (const details of box.querySelectorAll(":scope > div > details")) {
          details.open = rest.some((name) => members[name] !== undefined);
        }
      },
      at: ([first, ...path]) => (rows.get(first) ?? further.find((one) => one.key() === first))?.at(path) ?? null,
      files: () => [...rows.values(), ...further].flatMap((one) => one.files()),
      filesBy: () => Object.fromEntries([...rows].map(([name, one]) => [name, one.files()])),
      focus: () => [...rows.values()][0]?.focus(),
    };
  },

  variants(cx, schema, given) {
    const options = schema.variants.map((one, at) => ({
      title: one.title || `${at + 1}: ${typeName(cx, one.schema)}`,
      schema: one.schema,
      value: one.value,
    }));
    const first = choice(cx, options, given, schema.discriminator);
    if (!Object.keys(schema.properties ?? {}).length && !schema.further?.length) return first;
    return together(cx, schema, given, first);
  },

  // A value of one of several types.
  types(cx, schema, given) {
    const options = typesOf(schema).map((type) => ({ title: type, own: { ...schema, type: [type] } }));
    return choice(cx, options, given);
  },
};

// An object's own properties, the selected alternative, and further alternatives.
const together = (cx, schema, given, first) => {
  const own = editors.object(cx, schema, { ...given, bare: true });
  const mine = (name) => Object.hasOwn(schema.properties ?? {}, name);
  const others = (schema.further ?? []).map((set) => editors.variants(cx, { variants: set }, { ...given, id: id() }));
  const choices = [first, ...others];
  const parts = [own, ...choices];
  return {
    node: el("div", { class: "svc-playground-list" }, parts.map((part) => part.node)),
    get: () => {
      const values = parts.map((part) => part.get()).filter((value) => value !== undefined);
      if (values.some((value) => typeof value !== "object" || Array.isArray(value))) return values[0];
      return values.length ? Object.assign({}, ...values.reverse()) : undefined;
    },
    set: (value) => {
      const isObject = value !== null && typeof value === "object" && !Array.isArray(value);
      const members = isObject ? Object.entries(value) : [];
      own.set(Object.fromEntries(members.filter(([name]) => mine(name))));
      const rest = Object.fromEntries(members.filter(([name]) => !mine(name) || name === schema.discriminator));
      first.set(isObject ? rest : value);
      // Properties that the first alternative does not have are passed to the others.
      for (const other of others) other.set(isObject ? Object.fromEntries(Object.entries(rest).filter(([name]) => !first.at([name]))) : undefined);
    },
    at: (path) => (mine(path[0]) ? own.at(path) : choices.map((part) => part.at(path)).find(Boolean)) ?? null,
    files: () => parts.flatMap((part) => part.files()),
    filesBy: () => Object.assign({}, ...parts.map((part) => part.filesBy?.() ?? {})),
    focus: () => own.focus() ?? first.focus(),
  };
};

// A selection of alternatives, and the editor of the selected one.
const choice = (cx, options, given, discriminator) => {
  const list = select(
    options.map((one, at) => [String(at), one.title]),
    { id: given.id, "aria-describedby": given.describedBy },
  );
  const place = el("div", { class: "svc-playground-choice" });
  let inner = null;
  const schemaAt = (one) => one.own ?? schemaOf(cx, one.schema);
  const show = () => {
    const one = options[Number(list.value)] ?? options[0];
    inner = editor(cx, schemaAt(one), { ...given, id: id(), required: true, depth: given.depth + 1 });
    const label = el("label", { class: "svc-visually-hidden", for: inner.inputId ?? "" }, one.title);
    place.replaceChildren(...(inner.inputId ? [label] : []), inner.node);
  };
  list.addEventListener("change", () => {
    show();
    cx.changed();
  });
  show();
  // Scores how well a value matches an alternative.
  const fits = (one, value) => {
    const schema = schemaAt(one);
    if (one.value !== undefined && value?.[discriminator] === one.value) return 1000;
    const type = Array.isArray(value) ? "array" : value === null ? "null" : typeof value === "bigint" ? "number" : typeof value;
    const types = schema.type ?? [];
    if (types.length && !types.includes(type) && !(type === "number" && types.includes("integer"))) return -1;
    if (schema.enum) return schema.enum.includes(value) ? 5 : -1;
    if (type !== "object") return 1;
    const names = Object.keys(value);
    const known = names.filter((name) => name in (schema.properties ?? {})).length;
    const missing = (schema.required ?? []).filter((name) => !(name in value)).length;
    return 1 + known - 2 * missing;
  };
  return {
    node: el("div", { class: "svc-playground-variants" }, list, place),
    get: () => {
      const one = options[Number(list.value)];
      const value = inner.get();
      if (discriminator && one?.value !== undefined && value && typeof value === "object") {
        return { [discriminator]: one.value, ...value };
      }
      return value;
    },
    set: (value) => {
      if (value !== undefined) {
        let best = 0;
        options.forEach((one, at) => {
          if (fits(one, value) > fits(options[best], value)) best = at;
        });
        list.value = String(best);
        show();
      }
      inner.set(value);
    },
    at: (path) => inner.at(path),
    files: () => inner.files(),
    filesBy: () => inner.filesBy?.() ?? {},
    focus: () => list.focus(),
  };
};

export const editor = (cx, schema, given) => {
  const kind = given.depth > DEEPEST ? "json" : kindOf(schema);
  const made = editors[kind](cx, schema, given);
  if (PLAIN.includes(kind) || kind === "json") made.inputId = given.id;
  return made;
};

// A named value: label, editor, and errors. With `given.named`, the reader can set the name.
export const row = (cx, at, given) => {
  const schema = schemaOf(cx, at);
  const own = { input: id(), label: id(), note: id(), problem: id() };
  const key = el("input", {
    class: "svc-playground-input svc-playground-key",
    type: "text",
    "aria-label": cx.t.name,
    placeholder: cx.t.name,
    on: { input: cx.changed },
  });
  key.value = given.named ? given.name : "";
  const about = given.description ?? schema.description;
  const note = about ? el("p", { class: "svc-playground-note", id: own.note, title: about }, about) : null;
  const problem = el("p", { class: "svc-playground-problem", id: own.problem, hidden: true });
  const describedBy = [note && own.note, own.problem].filter(Boolean).join(" ");
  const name = el("span", { class: "svc-playground-name" }, given.name);
  const kind = kindOf(schema);
  const plain = PLAIN.includes(kind) || kind === "json";
  const label = plain || kind === "variants" || kind === "types"
    ? el("label", { for: own.input, id: own.label, class: "svc-playground-label" }, name)
    : el("span", { id: own.label, class: "svc-playground-label" }, name);
  const head = el(
    "div",
    { class: "svc-playground-head" },
    given.named ? key : label,
    el("span", { class: "svc-playground-type" }, typeName(cx, at)),
    given.required && !given.remove ? el("span", { class: "svc-playground-required" }, cx.t.required) : "",
    given.deprecated ? el("span", { class: "svc-playground-deprecated" }, cx.t.deprecated) : "",
  );
  const place = el("div", { class: "svc-playground-value" });
  const node = el("div", { class: "svc-playground-row" }, head, place);
  if (!plain) node.classList.add("svc-playground-row-wide");

  const options = {
    id: own.input,
    name: given.name,
    labelledBy: own.label,
    describedBy,
    required: given.required,
    placeholder: given.placeholder,
    depth: given.depth ?? 0,
  };
  let inner = null;
  let isNull = false;
  let isEmpty = false;
  const lazy = !plain && (!given.required || options.depth > DEEP);
  const make = () => {
    // An added value is present even if it is empty.
    inner = editor(cx, schema, lazy ? { ...options, required: true } : options);
    if (given.named) inner.node.querySelector?.("input,textarea,select")?.setAttribute("aria-label", cx.t.value);
    place.replaceChildren(inner.node);
    opener.hidden = true;
    closer.hidden = !lazy;
    return inner;
  };
  const drop = () => {
    inner = null;
    place.replaceChildren();
    opener.hidden = false;
    closer.hidden = true;
  };
  const opener = iconButton("add", fill(cx.t.add, given.name), () => {
    make();
    inner.focus?.();
    cx.changed();
  });
  const closer = iconButton("close", fill(cx.t.remove_name, given.name), () => {
    drop();
    opener.focus();
    cx.changed();
  });
  const nuller = el(
    "button",
    {
      type: "button",
      class: "svc-playground-null",
      "aria-pressed": "false",
      title: fill(cx.t.send_null, given.name),
      on: {
        click: () => {
          setNull(!isNull);
          cx.changed();
        },
      },
    },
    "null",
  );
  const setNull = (yes) => {
    isNull = yes;
    nuller.setAttribute("aria-pressed", String(yes));
    place.toggleAttribute("inert", isNull || isEmpty);
  };
  // Sends only the name without a value, if the document allows it (`allowEmptyValue`).
  const emptier = el(
    "button",
    {
      type: "button",
      class: "svc-playground-null",
      "aria-pressed": "false",
      "aria-label": fill(cx.t.send_empty, given.name),
      title: fill(cx.t.send_empty, given.name),
      on: {
        click: () => {
          setEmpty(!isEmpty);
          cx.changed();
        },
      },
    },
    '""',
  );
  const setEmpty = (yes) => {
    isEmpty = yes;
    emptier.setAttribute("aria-pressed", String(yes));
    place.toggleAttribute("inert", isNull || isEmpty);
  };
  const isNullable = schema.nullable || schema.type?.includes("null");
  if (isNullable && kind !== "json") head.append(nuller);
  if (given.mayBeEmpty) head.append(emptier);
  head.append(opener, closer);
  if (given.remove) head.append(iconButton("close", fill(cx.t.remove_name, given.name), given.remove));
  if (lazy) drop();
  else make();
  if (note) node.append(note);
  node.append(problem);

  // Interface of the row for the check of the form.
  const handle = {
    complain: (text) => {
      problem.textContent = text;
      problem.hidden = false;
      node.dataset.wrong = "";
      for (let around = node.closest("details"); around; around = around.parentElement?.closest("details")) {
        around.open = true;
      }
      place.querySelector(`#${own.input}`)?.setAttribute("aria-invalid", "true");
    },
    focus: () => (place.querySelector(`#${own.input}`) ?? place.querySelector("input, select, textarea, button") ?? opener).focus(),
  };

  return {
    node,
    key: () => key.value.trim(),
    name: (text) => (name.textContent = text),
    get: () => (isEmpty ? "" : isNull ? null : inner?.get()),
    set: (value) => {
      setEmpty(value === "" && Boolean(given.mayBeEmpty));
      if (isEmpty) return;
      setNull(value === null && isNullable && kind !== "json");
      if (isNull) return;
      if (value === undefined && lazy) return drop();
      if (value !== undefined && !inner) make();
      inner?.set(value);
    },
    at: (path) => (path.length === 0 || !inner ? handle : inner.at(path) ?? handle),
    files: () => inner?.files() ?? [],
    filesBy: () => inner?.filesBy?.() ?? {},
    focus: () => (given.named && key.value === "" ? key : inner ?? opener).focus?.(),
  };
};

// Removes all error messages below an element.
export const calm = (root) => {
  for (const node of root.querySelectorAll("[data-wrong]")) {
    delete node.dataset.wrong;
    for (const input of node.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
    for (const problem of node.querySelectorAll(".svc-playground-problem")) problem.hidden = true;
  }
};
