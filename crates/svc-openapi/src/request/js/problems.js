// What the schema of a row has against a value.

const MOST_PROBLEMS = 100;
const MOST_STEPS = 20000;
// In how many ways a pattern may be tried.
const MOST_TRIES = 1e6;

const DATE = "\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])";
const TIME = "([01]\\d|2[0-3]):[0-5]\\d";
const CLOCK = `${TIME}:([0-5]\\d|60)(\\.\\d+)?`;
const ZONE = `(z|[+-]${TIME})`;
const FORMATS = {
  date: DATE,
  "date-time": `${DATE}[t ]${CLOCK}${ZONE}`,
  time: `${CLOCK}${ZONE}?`,
  uuid: "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
  email: "[^\\s@]+@[^\\s@]+",
  ipv4: "((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(?!$)|$)){4}",
  uri: "[a-z][a-z0-9+.-]*:\\S*",
};

/**
 * What the schema in row `at` has against `value`: a list of `{path, key, expected}`. `path` leads
 * to the part that is wrong, `key` is the keyword it breaks (`unknown` for a property that may not
 * be there, `variant` when no alternative fits), `expected` its value.
 */
export function problems(call, at, value) {
  const found = [];
  inspect({ rows: call.schemas, steps: MOST_STEPS }, at, value, [], found);
  return found.slice(0, MOST_PROBLEMS);
}

function inspect(state, at, value, path, found) {
  const row = state.rows[at];
  if (row === undefined || state.steps-- <= 0 || found.length > MOST_PROBLEMS || path.length > 64) return;
  const wrong = (key, expected = row[key]) => found.push({ path, key, expected });
  if (value === null) {
    const listed = row.enum?.includes(null) || row.const === null || row.type === undefined;
    const variant = [row.variants, ...(row.further ?? [])].some((set) => set?.some(({ schema }) => isNullable(state.rows[schema])));
    if (!row.nullable && !listed && !variant) wrong("type");
    return;
  }
  if (row.type !== undefined && !row.type.some((type) => isOfType(value, type))) {
    // The content of a file is no text yet.
    if (!(row.file && typeof value === "object")) wrong("type");
    return;
  }
  if (row.const !== undefined && !same(row.const, value)) wrong("const");
  if (row.enum !== undefined && !row.enum.some((one) => same(one, value))) wrong("enum");
  if (isNumber(value)) numbers(row, value, wrong);
  else if (typeof value === "string") texts(row, value, wrong);
  else if (Array.isArray(value)) lists(state, row, value, path, found, wrong);
  else if (isObject(value)) objects(state, row, value, path, found, wrong);
  for (const set of [row.variants, ...(row.further ?? [])]) {
    if (set !== undefined) variants(state, row, set, value, path, found, wrong);
  }
}

const isNullable = (row) => row === undefined || row.nullable === true || row.type === undefined;

const isWhole = (value) => typeof value === "bigint" || Number.isInteger(value);

const isNumber = (value) => typeof value === "bigint" || typeof value === "number";

function isOfType(value, type) {
  if (type === "integer") return isWhole(value);
  if (type === "number") return typeof value === "bigint" || Number.isFinite(value);
  if (type === "array") return Array.isArray(value);
  return type === "object" ? isObject(value) : typeof value === type;
}

/** Whether two values of JSON are equal. */
function same(a, b) {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const names = Object.keys(a);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name]))
  );
}

function numbers(row, value, wrong) {
  if (value < row.minimum) wrong("minimum");
  if (value > row.maximum) wrong("maximum");
  if (value <= row.exclusiveMinimum) wrong("exclusiveMinimum");
  if (value >= row.exclusiveMaximum) wrong("exclusiveMaximum");
  if (typeof value === "bigint" && isWhole(row.multipleOf) && row.multipleOf > 0) {
    if (value % BigInt(row.multipleOf) !== 0n) wrong("multipleOf");
  } else if (row.multipleOf > 0) {
    // 0.3 is three times 0.1, whatever floats say.
    const times = Number(value) / Number(row.multipleOf);
    if (Math.abs(times - Math.round(times)) > 1e-9 * Math.max(1, Math.abs(times))) wrong("multipleOf");
  }
}

function texts(row, value, wrong) {
  const length = [...value].length;
  if (length < row.minLength) wrong("minLength");
  if (length > row.maxLength) wrong("maxLength");
  for (const pattern of row.patterns ?? (row.pattern === undefined ? [] : [row.pattern])) {
    if (!matches(pattern, value)) wrong("pattern", pattern);
  }
  const format = member(FORMATS, row.format);
  if (format && length <= 2000 && !new RegExp(`^${format}$`, "i").test(value)) wrong("format");
}

/** Whether a text fits a pattern; one that cannot be tried safely fits. */
function matches(pattern, text) {
  if (!(ways(pattern, text.length) <= MOST_TRIES)) return true;
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(pattern, flags).test(text);
    } catch {
      // Not a pattern of this dialect.
    }
  }
  return true;
}

/**
 * In how many ways an engine may try to fit a pattern at most: the product of the ways of all its
 * parts. Infinite where something with several ways repeats, or is referred to again.
 */
function ways(pattern, length) {
  let all = 1;
  // Of each open group: how many alternatives it has, and whether it has several ways inside.
  const open = [{ alternatives: 1, several: false }];
  let several = false;
  const group = () => open[open.length - 1];
  for (let at = 0; at < pattern.length; at++) {
    const c = pattern[at];
    let most = [1, 1];
    if (c === "\\") {
      if (/[1-9k]/.test(pattern[at + 1] ?? "")) return Infinity;
      at++;
    } else if (c === "[") {
      for (at++; at < pattern.length && pattern[at] !== "]"; at++) if (pattern[at] === "\\") at++;
    } else if (c === "(") {
      open.push({ alternatives: 1, several: false });
      // The mark of a group that does not capture.
      if (pattern[at + 1] === "?") at++;
    } else if (c === ")") {
      if (open.length === 1) return Infinity;
      ({ several } = open.pop());
      group().several ||= several;
      continue;
    } else if (c === "|") {
      all *= ++group().alternatives / (group().alternatives - 1);
      group().several = true;
    } else if (c === "*" || c === "+") {
      most = [0, length];
    } else if (c === "?") {
      most = [0, 1];
    } else if (c === "{") {
      const bounds = /^\{(\d*)(,?)(\d*)\}/.exec(pattern.slice(at, at + 24));
      if (bounds !== null) {
        at += bounds[0].length - 1;
        const last = bounds[2] === "" ? bounds[1] : bounds[3];
        most = [Number(bounds[1]), last === "" ? length : Math.min(Number(last), length)];
      }
    }
    if (several && (most[0] > 1 || most[1] > 1)) return Infinity;
    const choices = most[1] - most[0] + 1;
    if (choices > 1) {
      all *= choices;
      group().several = true;
    }
    several = false;
  }
  return all;
}

function lists(state, row, value, path, found, wrong) {
  if (value.length < row.minItems) wrong("minItems");
  if (value.length > row.maxItems) wrong("maxItems");
  if (row.uniqueItems) {
    const known = new Set(value.map((item) => jsonText(item)));
    if (known.size < value.length) wrong("uniqueItems");
  }
  value.forEach((item, index) => {
    const at = row.prefixItems?.[index] ?? row.items;
    if (at !== undefined) inspect(state, at, item, [...path, index], found);
  });
}

function objects(state, row, value, path, found, wrong) {
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  if (names.length < row.minProperties) wrong("minProperties");
  if (names.length > row.maxProperties) wrong("maxProperties");
  for (const name of row.required ?? []) {
    if (!names.includes(name)) found.push({ path: [...path, name], key: "required", expected: true });
  }
  for (const name of names) {
    const at = member(row.properties, name) ?? row.additional;
    if (typeof at === "number") inspect(state, at, value[name], [...path, name], found);
    // Alternatives may know the property.
    else if (at === false && !row.variants) found.push({ path: [...path, name], key: "unknown" });
  }
}

/** At least one alternative has to fit. Of several that do not, the nearest says why. */
function variants(state, row, set, value, path, found, wrong) {
  const chosen = isObject(value) && row.discriminator !== undefined ? member(value, row.discriminator) : undefined;
  const named = set.filter((variant) => variant.value !== undefined && variant.value === chosen);
  let nearest;
  for (const { schema } of named.length > 0 ? named : set) {
    const own = [];
    inspect(state, schema, value, path, own);
    if (own.length === 0) return;
    const is = own.some(({ path: at, key }) => key === "type" && at.length === path.length) ? Infinity : own.length;
    if (nearest === undefined || is < nearest.is) nearest = { is, own };
  }
  if (nearest === undefined) return;
  if (nearest.is === Infinity) wrong("variant", set.map(({ title }) => title));
  else found.push(...nearest.own);
}
