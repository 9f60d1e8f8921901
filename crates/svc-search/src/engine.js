// Searches the shards of a static index. The parts are named after the modules that they follow:
// they must find the same results in the same order, so that their numbers use + - * / only.

// fold.rs

const UNSPACED =
  "\\u0e00-\\u0eff\\u1000-\\u109f\\u1100-\\u11ff\\u1780-\\u17ff\\u3005-\\u3007\\u3040-\\u30fa\\u30fc-\\u30ff" +
  "\\u3130-\\u318f\\u31f0-\\u31ff\\u3400-\\u9fff\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}";
const TOKEN = `\\p{Alphabetic}\\p{N}\\u0300-\\u036f${UNSPACED}`;
const IS_UNSPACED = new RegExp(`[${UNSPACED}\\u30fb]`, "u");
const TOKEN_RUNS = new RegExp(`[${TOKEN}]+`, "gu");
const SPACING_RUNS = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, "gu");
const CHUNKS = /\P{White_Space}+/gu;
const IS_WHITESPACE = /\p{White_Space}/u;
const IS_ASCII = /^[\0-\x7f]*$/;

const compose = (text) => (IS_ASCII.test(text) ? text : text.normalize("NFKC"));

const fold = (text) => {
  const lower = text.toLowerCase();
  if (IS_ASCII.test(text)) return lower;
  const stripped = lower.normalize("NFD").replace(/([a-zα-ω])[\u0300-\u036f]+/g, "$1");
  return stripped.normalize("NFC").replace(/ß/g, "ss").replace(/ς/g, "σ");
};

// Letters of a text by index: characters, not UTF-16 units.
const letters = (text) => (/[\ud800-\udfff]/.test(text) ? Array.from(text) : text);

const utf8Length = (text) => {
  let length = 0;
  for (const c of text) {
    const code = c.codePointAt(0);
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
};

// terms.rs

const MAX_TERM_CHARS = 40;
const WORD = 0;
const PART = 1;
const COMPOUND = 2;
const IS_COMPOUND = new RegExp(`^[${TOKEN}_\\-.:/#+|@$]*$`, "u");
const IS_HYPHENATED = new RegExp(`^[${TOKEN}][${TOKEN}\\-]*$`, "u");
const HAS_PARTS = /[\p{Uppercase}\p{N}]/u;
const IS_UPPERCASE = /\p{Uppercase}/u;
const IS_LOWERCASE = /\p{Lowercase}/u;
const IS_NUMERIC = /\p{N}/u;

// Calls `visit({ text, position, kind, chunk, start, end })` for each term. `start` and `end` are
// offsets in the composed text.
const visitTerms = (text, visit) => {
  const splitter = { text: compose(text), position: 0, chunk: 0, visit };
  for (const chunk of splitter.text.matchAll(CHUNKS)) {
    visitChunk(splitter, chunk[0], chunk.index);
    splitter.chunk += 1;
  }
};

const visitChunk = (splitter, chunk, offset) => {
  const runs = [...chunk.matchAll(TOKEN_RUNS)];
  if (!runs.length) return;
  const first = splitter.position;
  for (const run of runs) visitRun(splitter, run[0], offset + run.index);
  const start = runs[0].index;
  const last = runs[runs.length - 1];
  let end = last.index + last[0].length;
  const suffix = /^[#+]*/.exec(chunk.slice(end))[0].length;
  end += suffix;
  visitFlag(splitter, chunk, offset, start, end, first);
  const isSpaced = !runs.some((run) => IS_UNSPACED.test(run[0]));
  if (isSpaced && (runs.length > 1 || suffix > 0)) {
    visitCompounds(splitter, chunk.slice(start, end), offset + start, first);
  }
};

const visitRun = (splitter, run, offset) => {
  for (const { 0: part, index } of run.matchAll(SPACING_RUNS)) {
    if (IS_UNSPACED.test(part)) visitPairs(splitter, part, offset + index);
    else visitToken(splitter, part, offset + index);
  }
};

const visitPairs = (splitter, run, offset) => {
  const pair = Array.from(run);
  for (let i = 0; i < pair.length; i++) {
    const end = offset + pair[i].length;
    visit(splitter, WORD, offset, end + (pair[i + 1] || "").length, splitter.position);
    splitter.position += 1;
    offset = end;
  }
};

const visitToken = (splitter, word, offset) => {
  visit(splitter, WORD, offset, offset + word.length, splitter.position);
  for (const part of partsOf(word)) {
    const end = offset + part.length;
    if (part.length < word.length) visit(splitter, PART, offset, end, splitter.position);
    splitter.position += 1;
    offset = end;
  }
};

const visitFlag = (splitter, chunk, offset, start, end, position) => {
  const dashes = /-*$/.exec(chunk.slice(0, start))[0].length;
  if (dashes !== 1 && dashes !== 2) return;
  const from = start - dashes;
  const length = chunk.slice(from, end).search(/[=,[|]/);
  visit(splitter, COMPOUND, offset + from, offset + (length < 0 ? end : from + length), position);
};

const visitCompounds = (splitter, text, offset, first) => {
  if (!IS_COMPOUND.test(text)) return;
  visit(splitter, COMPOUND, offset, offset + text.length, first);
  if (!/[.:/]/.test(text)) return;
  let position = first;
  for (const segment of text.split(/[.:/]/)) {
    const words = segment.match(TOKEN_RUNS) || [];
    if (words.length > 1) visit(splitter, COMPOUND, offset, offset + segment.length, position);
    for (const word of words) position += partsOf(word).length;
    offset += segment.length + 1;
  }
};

const visit = (splitter, kind, start, end, position) => {
  const written = splitter.text.slice(start, end);
  if (written.length > MAX_TERM_CHARS && letters(written).length > MAX_TERM_CHARS) return;
  let text = fold(written);
  if (kind === COMPOUND && IS_HYPHENATED.test(written)) text = text.replace(/-/g, "");
  splitter.visit({ text, position, kind, chunk: splitter.chunk, start, end });
};

const partsOf = (word) => {
  if (!HAS_PARTS.test(word)) return [word];
  const out = [];
  const chars = Array.from(word);
  let start = 0;
  for (let i = 1; i < chars.length; i++) {
    const [last, c, next] = [chars[i - 1], chars[i], chars[i + 1]];
    const isUpper = IS_UPPERCASE.test(c);
    const beginsPart =
      (IS_LOWERCASE.test(last) && isUpper) ||
      (IS_UPPERCASE.test(last) && isUpper && next && IS_LOWERCASE.test(next)) ||
      IS_NUMERIC.test(last) !== IS_NUMERIC.test(c);
    if (beginsPart && i - start > 1 && next) {
      out.push(chars.slice(start, i).join(""));
      start = i;
    }
  }
  out.push(chars.slice(start).join(""));
  return out;
};

// query.rs

const MAX_QUERY_BYTES = 1000;
const MAX_TOKENS = 16;
const QUOTES = /["“”„]/;

const queryTokens = (written) => {
  const text = compose(cut(String(written)));
  const query = { text, words: [], compounds: [], phrases: [], nextChunk: 0 };
  let start = 0;
  text.split(QUOTES).forEach((part, number) => {
    const first = query.words.length;
    pushWords(query, part, start);
    const end = query.words.length;
    if (number % 2 && end > first + 1) query.phrases.push([first, end]);
    start += part.length + 1;
  });
  const last = text.slice(-1);
  const isOpen = last !== "" && !IS_WHITESPACE.test(last) && !QUOTES.test(last);
  if (query.words.length) {
    const word = query.words[query.words.length - 1];
    word.isOpen = isOpen;
    const compound = query.compounds[query.compounds.length - 1];
    if (compound) compound.isOpen = isOpen && compound.chunk === word.chunk;
  }
  query.words.length = Math.min(query.words.length, MAX_TOKENS);
  let parts = MAX_TOKENS;
  for (const word of query.words) {
    word.parts = word.parts.slice(0, parts);
    parts -= word.parts.length;
  }
  query.compounds.length = Math.min(query.compounds.length, MAX_TOKENS);
  query.phrases = query.phrases.filter(([, end]) => end <= MAX_TOKENS);
  return query;
};

const cut = (text) => {
  // Lone surrogates are no characters.
  text = text.slice(0, MAX_QUERY_BYTES + 1).replace(/[\ud800-\udfff]/gu, "\ufffd");
  let [bytes, end] = [0, 0];
  for (const c of text) {
    bytes += utf8Length(c);
    if (bytes > MAX_QUERY_BYTES) break;
    end += c.length;
  }
  return text.slice(0, end);
};

const pushWords = (query, text, offset) => {
  const first = query.nextChunk;
  visitTerms(text, (term) => {
    const chunk = first + term.chunk;
    query.nextChunk = chunk + 1;
    const last = query.words[query.words.length - 1];
    const [start, end] = [offset + term.start, offset + term.end];
    if (term.kind === COMPOUND) pushCompound(query, term.text, chunk);
    else if (term.kind === PART) last?.parts.push(term.text);
    // The last letter of an unspaced script is part of the pair before it.
    else if (!last || last.end !== end) {
      query.words.push({ text: term.text, parts: [], isOpen: false, chunk, position: term.position, start, end });
    }
  });
};

const pushCompound = (query, text, chunk) => {
  const last = query.compounds[query.compounds.length - 1];
  if (!last || last.chunk !== chunk) query.compounds.push({ text, chunk, isOpen: false });
  else if (utf8Length(last.text) < utf8Length(text)) last.text = text;
};

// edit_table.rs

class EditTable {
  constructor(word, max) {
    this.word = letters(word);
    this.max = max;
    this.letters = [];
    this.width = this.word.length + 1;
    this.rows = Array.from({ length: this.width }, (_, i) => Math.min(i, max + 1));
    this.prefixEdits = [this.rows[this.width - 1]];
  }

  shared(term) {
    let shared = 0;
    while (shared < this.letters.length && term[shared] === this.letters[shared]) shared += 1;
    this.letters.length = shared;
    this.rows.length = (shared + 1) * this.width;
    this.prefixEdits.length = shared + 1;
    return shared;
  }

  push(c, depth) {
    const { word, max, rows, width, letters } = this;
    const far = max + 1;
    const start = depth * width;
    letters.push(c);
    while (rows.length < start + width) rows.push(far);
    if (depth <= max) rows[start] = depth;
    const high = Math.min(depth + max, width - 1);
    let least = rows[start];
    for (let i = Math.max(depth - max, 1); i <= high; i++) {
      const above = start - width + i;
      const letter = word[i - 1];
      let edits = rows[above - 1] + (letter === c ? 0 : 1);
      edits = Math.min(edits, rows[above] + 1, rows[start + i - 1] + 1, far);
      if (depth > 1 && i > 1 && letter === letters[depth - 2] && word[i - 2] === c) {
        edits = Math.min(edits, rows[above - width - 2] + 1);
      }
      rows[start + i] = edits;
      least = Math.min(least, edits);
    }
    this.prefixEdits.push(Math.min(this.prefixEdits[depth - 1], rows[start + width - 1]));
    return least < far;
  }
}

// dictionary.rs

// The first index from `low` to `high` for which `isBefore` is false.
const partition = (low, high, isBefore) => {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
};

// Whether a text is before another in the order of characters, which is that of UTF-8.
const isLess = (a, b) => {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i += 1;
  if (i === a.length || i >= b.length) return i < b.length;
  return a.codePointAt(i) < b.codePointAt(i);
};

const similarTerms = (terms, word, max, prefixes) => {
  const table = new EditTable(word, max);
  const out = [];
  let at = 0;
  while (at < terms.length) {
    const term = letters(terms[at].text);
    const depth = similarBeginning(table, term, prefixes);
    if (depth < 0) {
      // No term with this beginning is similar.
      const beginning = Array.from(table.letters).join("");
      at = gallop(terms, at + 1, (text) => text.startsWith(beginning));
      continue;
    }
    const edits = table.rows[(depth + 1) * table.width - 1];
    const prefixEdits = table.prefixEdits[depth];
    if (edits <= max) out.push({ term: terms[at], edits, isPrefix: false });
    else if (prefixes && prefixEdits <= max) out.push({ term: terms[at], edits: prefixEdits, isPrefix: true });
    at += 1;
  }
  return out;
};

// The length of a term of which each beginning may be similar, or -1.
const similarBeginning = (table, term, prefixes) => {
  let depth = table.shared(term);
  while (depth < term.length) {
    depth += 1;
    const isPossible = table.push(term[depth - 1], depth);
    if (!isPossible && !(prefixes && table.prefixEdits[depth] <= table.max)) return -1;
  }
  return depth;
};

const gallop = (terms, from, isBefore) => {
  let [low, high, step] = [from, from, 1];
  while (high < terms.length && isBefore(terms[high].text)) {
    low = high + 1;
    high = Math.min(high + step, terms.length);
    step *= 2;
  }
  return partition(low, high, (i) => isBefore(terms[i].text));
};

// shards/bytes.rs

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  take(length) {
    const start = this.at;
    this.at += length;
    if (!(this.at <= this.bytes.length)) throw new Error("search: truncated shard");
    return this.bytes.subarray(start, this.at);
  }

  number() {
    let [number, factor, byte] = [0, 1, 0x80];
    for (; byte >= 0x80 && factor < 2 ** 35; factor *= 0x80) {
      byte = this.bytes[this.at++];
      if (byte === undefined) throw new Error("search: truncated shard");
      number += (byte & 0x7f) * factor;
    }
    return number;
  }

  signed() {
    const number = this.number();
    return number % 2 ? -(number - 1) / 2 : number / 2;
  }

  // Numbers need at least one byte each.
  count() {
    const count = this.number();
    if (count > this.bytes.length - this.at) throw new Error("search: truncated shard");
    return count;
  }

  numbers(count) {
    const out = [];
    while (out.length < count) out.push(this.number());
    return out;
  }

  gaps(count) {
    let last = 0;
    return this.numbers(count).map((gap) => (last += gap));
  }

  signedGaps(count, last) {
    const out = [];
    while (out.length < count) out.push((last += this.signed()));
    return out;
  }

  floats(count, size) {
    const bytes = this.take(count * size);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const at = (i) => (size === 4 ? view.getFloat32(i * 4, true) : view.getFloat64(i * 8, true));
    return Array.from({ length: count }, (_, i) => at(i));
  }

  texts() {
    const lengths = this.numbers(this.count());
    const text = decoder.decode(this.take(this.number()));
    let at = 0;
    return lengths.map((length) => text.slice(at, (at += length)));
  }

  sorted() {
    let last = "";
    return this.texts().map((rest) => (last = last.slice(0, this.number()) + rest));
  }
}

// Loads each shard once. Only those that were loaded are remembered, so that others are retried.
class Shards {
  constructor(load) {
    this.load = load;
    this.promises = new Map();
    this.loaded = new Map();
    this.version = null;
  }

  get(name, decode) {
    let promise = this.promises.get(name);
    if (!promise) {
      promise = this.fetch(name, decode);
      this.promises.set(name, promise);
      promise.catch(() => this.promises.delete(name));
    }
    return promise;
  }

  async fetch(name, decode) {
    const reader = new Reader(await this.load(name));
    const version = Array.from(reader.take(4), (byte) => byte.toString(16).padStart(2, "0")).join("");
    this.version ??= version;
    if (version !== this.version) throw new Error(`search: ${name} is of another version`);
    const shard = decode(reader);
    this.loaded.set(name, shard);
    return shard;
  }
}

// index.rs, shards/meta.rs, shards/terms.rs

class Index {
  static async open(load) {
    const index = new Index();
    index.shards = new Shards(load);
    index.chunks = new Map();
    await index.shards.get("meta", (reader) => index.readMeta(reader));
    return index;
  }

  readMeta(reader) {
    const names = reader.texts();
    const weights = reader.floats(names.length, 8);
    this.weights = Object.fromEntries(names.map((name, i) => [name, weights[i]]));
    this.stopwords = new Set(reader.texts());
    this.correctionRatio = reader.number();
    this.starts = {};
    for (const kind of ["terms", "postings", "positions", "texts"]) {
      this.starts[kind] = reader.gaps(reader.count());
    }
    this.starts.titles = this.starts.terms;
    this.firstTerms = reader.texts();
    this.firstStems = reader.texts();
    this.similarShards = Array.from({ length: reader.count() }, () => {
      const [isCommon, minLetters, maxLetters] = reader.numbers(3);
      return { isCommon, minLetters, maxLetters };
    });
    this.readPages(reader);
  }

  readPages(reader) {
    this.pageCount = reader.count();
    let section = 0;
    this.firstSections = [0, ...reader.numbers(this.pageCount).map((count) => (section += count))];
    this.sectionPages = new Uint32Array(section);
    for (let page = 0; page < this.pageCount; page++) {
      this.sectionPages.fill(page, this.firstSections[page], this.firstSections[page + 1]);
    }
    this.boosts = reader.floats(this.pageCount, 4);
    const names = reader.texts();
    const values = reader.texts();
    this.facets = names.map((name, i) => [name, values[i]]);
    this.facetSets = Array.from({ length: reader.count() }, () => reader.gaps(reader.count()));
    this.pageFacets = reader.numbers(this.pageCount);
  }

  get sectionCount() {
    return this.sectionPages.length;
  }

  // The number of the shard that contains a term or section.
  shardOf(kind, item) {
    const starts = this.starts[kind];
    return partition(0, starts.length, (i) => starts[i] <= item) - 1;
  }

  // Loads the shards of terms or sections.
  async load(kind, items) {
    const numbers = new Set(Array.from(items, (item) => this.shardOf(kind, item)));
    const decode = { postings: readPostings, positions: readPositions, titles: readTitles, texts: readTexts }[kind];
    const load = (number) => this.shards.get(`${kind}-${number}`, (reader) => decode(reader, this, this.starts[kind][number]));
    await Promise.all(Array.from(numbers, load));
  }

  // A loaded shard, and the index of a term or section in it.
  locate(kind, item) {
    const number = this.shardOf(kind, item);
    return [this.shards.loaded.get(`${kind}-${number}`), item - this.starts[kind][number]];
  }

  // Terms have a number, a text, a frequency and the numbers of their forms.
  termShard(number) {
    return this.shards.get(`terms-${number}`, (reader) => readTerms(reader, this.starts.terms[number]));
  }

  // Rare words are corrected to common terms only, which need fewer shards.
  async similar(word, max, prefixes, onlyCommon) {
    const length = letters(word).length;
    const loads = [];
    this.similarShards.forEach(({ isCommon, minLetters, maxLetters }, i) => {
      if ((onlyCommon && !isCommon) || maxLetters < length - max || (!prefixes && minLetters > length + max)) return;
      loads.push(this.shards.get(`similar-${i}`, readSimilar));
    });
    return (await Promise.all(loads)).flatMap((terms) => similarTerms(terms, word, max, prefixes));
  }

  term(number) {
    const shard = this.shardOf("terms", number);
    return this.termShard(shard).then((terms) => terms[number - this.starts.terms[shard]]);
  }

  async find(word) {
    const { firstTerms } = this;
    const shard = partition(0, firstTerms.length, (i) => !isLess(word, firstTerms[i])) - 1;
    if (shard < 0) return null;
    const terms = await this.termShard(shard);
    const term = terms[partition(0, terms.length, (i) => isLess(terms[i].text, word))];
    return term && term.text === word ? term : null;
  }

  async withPrefix(prefix) {
    const { firstTerms } = this;
    const first = partition(0, firstTerms.length, (i) => !isLess(prefix, firstTerms[i]));
    const loads = [];
    for (let i = Math.max(first - 1, 0); i < firstTerms.length; i++) {
      if (i >= first && !firstTerms[i].startsWith(prefix)) break;
      loads.push(this.termShard(i));
    }
    const terms = await Promise.all(loads);
    return terms.flat().filter((term) => term.text.startsWith(prefix));
  }

  // The number of a term with a stem.
  async findStem(stem) {
    const { firstStems } = this;
    const shard = partition(0, firstStems.length, (i) => !isLess(stem, firstStems[i])) - 1;
    if (shard < 0) return null;
    const { texts, terms } = await this.shards.get(`stems-${shard}`, readStems);
    const at = partition(0, texts.length, (i) => isLess(texts[i], stem));
    return texts[at] === stem ? terms[at] : null;
  }

  // Sections and impacts of a term.
  postings(term) {
    const [{ ends, sections, impacts }, at] = this.locate("postings", term.number);
    const start = at && ends[at - 1];
    return { sections: sections.subarray(start, ends[at]), impacts: impacts.subarray(start, ends[at]) };
  }

  positionBytes(term) {
    const [{ ends, bytes }, at] = this.locate("positions", term.number);
    return bytes.subarray(at && ends[at - 1], ends[at]);
  }

  positions(term, sections, visit) {
    const bytes = this.positionBytes(term);
    if (!bytes.length) return;
    const reader = new Reader(bytes);
    let next = 0;
    for (const section of this.postings(term).sections) {
      while (next < sections.length && sections[next] < section) next += 1;
      if (next === sections.length) return;
      const ofSection = new Reader(reader.take(reader.number()));
      if (sections[next] !== section) continue;
      for (let position = 0; ofSection.at < ofSection.bytes.length; ) {
        position += ofSection.number();
        visit(section, position);
      }
    }
  }
}

const readTerms = (reader, first) => {
  const texts = reader.sorted();
  const frequencies = reader.numbers(texts.length);
  const terms = texts.map((text, i) => ({ number: first + i, text, frequency: frequencies[i], forms: null }));
  const counts = reader.numbers(reader.count());
  let last = first;
  for (const count of counts) {
    const forms = reader.signedGaps(count, last);
    last = forms[forms.length - 1];
    for (const form of forms) if (terms[form - first]) terms[form - first].forms = forms;
  }
  return terms;
};

const readSimilar = (reader) => {
  const texts = reader.sorted();
  const numbers = reader.gaps(texts.length);
  const frequencies = reader.numbers(texts.length);
  return texts.map((text, i) => ({ number: numbers[i], text, frequency: frequencies[i] }));
};

const readStems = (reader) => {
  const texts = reader.sorted();
  return { texts, terms: reader.signedGaps(texts.length, 0) };
};

// The ends of lists with these lengths.
const endsOf = (lengths) => {
  let end = 0;
  return lengths.map((length) => (end += length));
};

// Lists of ascending numbers.
const readLists = (reader, counts) => Uint32Array.from(counts.flatMap((count) => reader.gaps(count)));

const readPostings = (reader) => {
  const counts = reader.numbers(reader.count());
  const sections = readLists(reader, counts);
  return { ends: endsOf(counts), sections, impacts: reader.take(sections.length) };
};

const readPositions = (reader) => {
  const ends = endsOf(reader.numbers(reader.count()));
  return { ends, bytes: reader.take(ends[ends.length - 1] || 0) };
};

const readTitles = (reader) => {
  const count = reader.count();
  return ["pages", "sections"].map(() => {
    const counts = reader.numbers(count);
    const items = readLists(reader, counts);
    return { ends: endsOf(counts), items, lengths: reader.numbers(items.length) };
  });
};

const readTexts = (reader, index, first) => {
  const headings = reader.numbers(reader.count());
  const texts = reader.texts();
  let [at, page, path, title] = [0, -1, "", ""];
  return headings.map((count, i) => {
    if (index.sectionPages[first + i] !== page) {
      page = index.sectionPages[first + i];
      [path, title] = [texts[at++], texts[at++]];
    }
    const id = texts[at++];
    const own = texts.slice(at, (at += count));
    return { path, title, id, headings: own, text: texts[at++], code: texts[at++] };
  });
};

// logarithm.rs

const log2 = (number) => {
  let result = 0;
  for (; number >= 2; number /= 2) result += 1;
  let digit = 0.5;
  for (let i = 0; i < 8; i++) {
    number *= number;
    if (number >= 2) {
      number /= 2;
      result += digit;
    }
    digit /= 2;
  }
  return result;
};

// expand.rs

const MAX_TERMS = 64;
const MIN_LETTERS_ONE_EDIT = 4;
const MIN_LETTERS_TWO_EDITS = 8;
const MIN_COMPOUND_LETTERS = 6;
const MIN_STEM_LETTERS = 4;
const MAX_SUFFIX_LETTERS = 4;
const MIN_PART_LETTERS = 4;
const LINKING_LETTERS = ["", "s", "es", "n", "en", "e"];
const MIN_IMPORTANCE = 1 / 64;
const MIN_SENTENCE_TOKENS = 3;
const MAX_RARE_SECTIONS = 2;

const matchTokens = async (index, query) => {
  const [joined, compounds, words] = await Promise.all([
    joinedTerms(index, query.words),
    Promise.all(query.compounds.map(({ text, isOpen }) => matchToken(index, text, isOpen, true))),
    Promise.all(query.words.map(({ text, isOpen }) => matchToken(index, text, isOpen, false))),
  ]);
  const out = [];
  let [chunk, factor] = [-1, 1];
  for (const [number, word] of query.words.entries()) {
    if (chunk !== word.chunk) {
      chunk = word.chunk;
      factor = matchCompound(index, query, compounds, chunk, out);
    }
    const matches = words[number];
    if (!matches.matches.length) {
      const parts = word.parts.length ? word.parts : await split(index, word.text);
      if (parts.length) {
        out.push(...(await Promise.all(parts.map((part) => matchToken(index, part, false, false)))));
        continue;
      }
    }
    // A word that is repeated counts once.
    const isKnown = !word.isOpen && !matches.corrections.length;
    if (isKnown && query.words.slice(0, number).some(({ text }) => text === word.text)) continue;
    matches.importance *= factor;
    if (query.words.length >= MIN_SENTENCE_TOKENS && index.stopwords.has(word.text)) {
      matches.importance *= index.weights.stopword;
    }
    matches.word = number;
    // "auto vacuum" also finds "autovacuum".
    for (const term of joined.slice(number, number + 2)) {
      if (term) matches.matches.push({ term, weight: index.weights.joined });
    }
    out.push(matches);
  }
  return out;
};

const matchCompound = (index, query, compounds, chunk, out) => {
  const matches = compounds[query.compounds.findIndex((compound) => compound.chunk === chunk)];
  if (!matches || !matches.matches.length) return 1;
  const { compound_parts, compound_parts_similar, compound_word } = index.weights;
  matches.importance *= compound_word;
  out.push(matches);
  return matches.isExact ? compound_parts : compound_parts_similar;
};

const joinedTerms = async (index, words) => {
  const pairs = words.slice(1).map((word, i) => index.find(words[i].text + word.text));
  return [null, ...(await Promise.all(pairs)), null];
};

const split = async (index, word) => {
  const chars = Array.from(word);
  for (let end = chars.length - MIN_PART_LETTERS; end >= MIN_PART_LETTERS; end--) {
    const [first, rest] = [chars.slice(0, end).join(""), chars.slice(end).join("")];
    if (!(await index.find(rest))) continue;
    for (const linking of LINKING_LETTERS) {
      if (!first.endsWith(linking)) continue;
      const stem = first.slice(0, first.length - linking.length);
      if (await index.find(stem)) return [stem, rest];
    }
  }
  return [];
};

const matchToken = async (index, word, isOpen, isCompound) => {
  const { weights } = index;
  const matches = [];
  const exact = await index.find(word);
  if (exact) matches.push({ term: exact, weight: 1 });
  const forms = exact ? exact.forms || [] : await nearestClass(index, word);
  const stem = exact ? weights.stem : weights.stem_of_unknown;
  for (const term of await Promise.all(forms.map((form) => index.term(form)))) {
    if (term !== exact) matches.push({ term, weight: stem });
  }
  // The word itself decides how rare it is, longer and similar words only if it is unknown.
  let known = matches.length;
  let isUnknown = !exact;
  if (isOpen) {
    await addLonger(index, word, matches);
    isUnknown &&= matches.length === known;
    known ||= matches.length;
  }
  let frequency = frequencyOf(matches.slice(0, known));
  let similar = [];
  if (isUnknown || (!isCompound && frequency <= MAX_RARE_SECTIONS)) {
    const first = matches.length;
    const minLetters = isCompound ? MIN_COMPOUND_LETTERS : MIN_LETTERS_ONE_EDIT;
    const [weight, least] = isUnknown ? [1, 1] : [weights.edit_of_word, frequency * index.correctionRatio];
    await addSimilar(index, word, isOpen && isUnknown, minLetters, least, matches);
    similar = matches.slice(first);
    for (const match of similar) match.weight *= weight;
    if (frequency === 0) frequency = frequencyOf(similar);
  }
  const corrections = similar.map((match) => match.term);
  return { matches, importance: importanceOf(index, frequency), isExact: !!exact, corrections, isCompound, word: null };
};

const frequencyOf = (matches) => matches.reduce((sum, match) => sum + match.term.frequency, 0);

const isNew = (matches) => {
  const numbers = new Set(matches.map((match) => match.term.number));
  return (term) => !numbers.has(term.number);
};

const addLonger = async (index, word, out) => {
  const weight = out.length ? index.weights.prefix_of_word : index.weights.prefix;
  const longer = (await index.withPrefix(word)).filter(isNew(out));
  longer.sort((a, b) => b.frequency - a.frequency || a.number - b.number);
  for (const term of longer.slice(0, MAX_TERMS)) out.push({ term, weight });
};

const addSimilar = async (index, word, isOpen, minLetters, minFrequency, out) => {
  const count = letters(word).length;
  if (count < minLetters || IS_UNSPACED.test(word)) return;
  const max = count < MIN_LETTERS_TWO_EDITS ? 1 : 2;
  // Rare words are corrected to frequent ones, which need fewer shards.
  const isUnknown = isNew(out);
  const similar = (await index.similar(word, max, isOpen, minFrequency >= index.correctionRatio)).filter(
    ({ term }) => isUnknown(term) && term.frequency >= minFrequency,
  );
  similar.sort(
    (a, b) =>
      a.edits - b.edits ||
      a.isPrefix - b.isPrefix ||
      b.term.frequency - a.term.frequency ||
      a.term.number - b.term.number,
  );
  const { edit, edit_prefix } = index.weights;
  for (const { term, edits, isPrefix } of similar.slice(0, MAX_TERMS)) {
    let weight = edit;
    if (edits > 1) weight *= edit;
    if (isPrefix) weight *= edit_prefix;
    out.push({ term, weight });
  }
};

const nearestClass = async (index, word) => {
  const chars = Array.from(word);
  const shortest = Math.max(MIN_STEM_LETTERS, chars.length - MAX_SUFFIX_LETTERS);
  for (let end = chars.length - 1; end >= shortest; end--) {
    const number = await index.findStem(chars.slice(0, end).join(""));
    if (number !== null) return (await index.term(number)).forms || [number];
  }
  return [];
};

const importanceOf = (index, frequency) => {
  const count = index.sectionCount;
  frequency = Math.min(frequency, count);
  return Math.max(log2(1 + (count - frequency + 0.5) / (frequency + 0.5)), MIN_IMPORTANCE);
};

// phrase.rs

const sectionsWithPhrases = async (index, query) => {
  let out = null;
  for (const [start, end] of query.phrases) {
    const sections = await sectionsWithPhrase(index, query.words.slice(start, end));
    out = out ? intersection(out, sections) : sections;
  }
  return out;
};

const intersection = (a, b) => new Set(Array.from(a).filter((item) => b.has(item)));

const sectionsWithPhrase = async (index, words) => {
  const terms = await Promise.all(words.map((word) => index.find(word.text)));
  if (terms.includes(null)) return new Set();
  const numbers = terms.map((term) => term.number);
  await Promise.all([index.load("postings", numbers), index.load("positions", numbers)]);
  const sections = terms.map((term) => new Set(index.postings(term).sections)).reduce(intersection);
  const sorted = Array.from(sections);
  // The positions at which the phrase would begin, according to each word.
  let starts = null;
  for (const [i, term] of terms.entries()) {
    if (!index.positionBytes(term).length) continue;
    const distance = words[i].position - words[0].position;
    const own = new Set();
    index.positions(term, sorted, (section, position) => {
      if (position >= distance) own.add(section * 2 ** 24 + position - distance);
    });
    starts = starts ? intersection(starts, own) : own;
  }
  // Without starts, all words are so common that their positions are not stored.
  return starts ? new Set(Array.from(starts, (start) => Math.floor(start / 2 ** 24))) : sections;
};

// visibility.rs

// For each page whether it has the facets of a query, or `null` if all have.
const visiblePages = (index, filters) => {
  if (!filters.length) return null;
  const has = (set, name) =>
    filters.some(([facet, value]) => {
      const isOwn = (number) => index.facets[number][0] === name && index.facets[number][1] === value;
      return facet === name && set.some(isOwn);
    });
  const sets = index.facetSets.map((set) => filters.every(([name]) => has(set, name)));
  return index.pageFacets.map((set) => sets[set]);
};

// score.rs

const scoreSections = (index, tokens, isVisible) => {
  const [sections, pages] = [index.sectionCount, index.pageCount];
  const scores = {
    sections: new Float64Array(sections),
    pages: new Float64Array(pages),
    found: new Float64Array(pages),
  };
  // Scores for one word, and where they are not 0.
  const sectionBest = new Float64Array(sections);
  const pageBest = new Float64Array(pages);
  // The most important word comes first, as sums depend on the order.
  for (const token of [...tokens].sort((a, b) => b.importance - a.importance)) {
    const found = [];
    for (const { term, weight } of token.matches) {
      const factor = (weight * token.importance) / 255;
      const postings = index.postings(term);
      postings.sections.forEach((section, i) => {
        if (sectionBest[section] === 0) found.push(section);
        sectionBest[section] = Math.max(sectionBest[section], postings.impacts[i] * factor);
      });
    }
    const foundPages = [];
    for (const section of found) {
      const score = sectionBest[section];
      sectionBest[section] = 0;
      if (!isVisible(section)) continue;
      const page = index.sectionPages[section];
      scores.sections[section] += score;
      if (pageBest[page] === 0) foundPages.push(page);
      pageBest[page] = Math.max(pageBest[page], score);
    }
    for (const page of foundPages) {
      scores.pages[page] += pageBest[page];
      pageBest[page] = 0;
      scores.found[page] += token.importance;
    }
  }
  return scores;
};

// rank.rs

const MAX_CANDIDATES = 30;
const MAX_SECTIONS = 3;
const MAX_POSITION_TERMS = 8;
const MIN_COVERAGE = [0.75, 0.3];
const MIN_PAGES = 30;
const MIN_MARKED_IMPORTANCE = 0.1;

const search = async (index, { text, limit = 10, offset = 0, filters = [], snippetLength = 160 }) => {
  const query = queryTokens(text);
  const tokens = await matchTokens(index, query);
  if (tokens.every((token) => !token.matches.length)) return { hits: [], total: 0, correction: null };
  const [phrases, titleTerms] = await loadTerms(index, query, tokens);
  const visible = visiblePages(index, filters);
  const isVisible = (section) =>
    (!visible || visible[index.sectionPages[section]]) && (!phrases || phrases.has(section));
  const scores = scoreSections(index, tokens, isVisible);
  const pages = pageScores(index, scores, tokens);
  const order = (a, b) => b.score - a.score || a.page - b.page;
  pages.sort(order);
  const first = pages.slice(0, MAX_CANDIDATES);
  compareTitlesAndPositions(index, tokens, titleTerms, first);
  first.sort(order);
  const hits = [...first, ...pages.slice(MAX_CANDIDATES)].slice(offset, offset + limit);
  const matched = { terms: matchedTerms(tokens), chunks: index.chunks };
  return {
    hits: await Promise.all(hits.map((page) => hitOf(index, matched, page.page, bestSections(index, page, scores), snippetLength))),
    total: pages.length,
    correction: correct(index, query, tokens, visible),
  };
};

// Loads what the words of a query need, at the same time.
const loadTerms = async (index, query, tokens) => {
  const matches = tokens.flatMap((token) => token.matches);
  const compared = tokens.length > 1 ? tokens.flatMap((token) => token.matches.slice(0, MAX_POSITION_TERMS)) : [];
  const numbers = (list) => list.map((match) => match.term.number);
  return (
    await Promise.all([
      sectionsWithPhrases(index, query),
      loadTitleTerms(index, tokens),
      index.load("postings", numbers(matches)),
      index.load("positions", numbers(compared)),
    ])
  ).slice(0, 2);
};

const pageScores = (index, scores, tokens) => {
  const total = tokens.reduce((sum, token) => sum + token.importance, 0);
  const most = scores.found.reduce((a, b) => Math.max(a, b), 0);
  const share = index.weights.page;
  const isEnough = (coverage) => (found) => found > 0 && found >= most * coverage;
  const [coverage, less] = MIN_COVERAGE;
  const hasEnough = scores.found.filter(isEnough(coverage)).length < MIN_PAGES ? isEnough(less) : isEnough(coverage);
  const out = [];
  for (let page = 0; page < index.pageCount; page++) {
    const found = scores.found[page];
    if (!hasEnough(found)) continue;
    let [section, best] = [index.firstSections[page], 0];
    for (let i = section; i < index.firstSections[page + 1]; i++) {
      if (scores.sections[i] > best) [section, best] = [i, scores.sections[i]];
    }
    const coverage = found / total;
    const score = scores.pages[page] * share + best * (1 - share);
    out.push({ page, section, score: score * coverage * coverage * index.boosts[page] });
  }
  return out;
};

const compareTitlesAndPositions = (index, tokens, titleTerms, pages) => {
  const w = index.weights;
  const near = nearness(index, tokens, pages);
  const titles = overlaps(index, tokens, titleTerms, 0, pages.map(({ page }) => page));
  const headings = overlaps(index, tokens, titleTerms, 1, pages.map(({ section }) => section));
  pages.forEach((page, i) => {
    let factor = 1 + near[i] * w.near;
    const title = titles.get(page.page);
    factor += w.title_part * title.ofText * title.ofQuery;
    if (title.ofQuery === 1) {
      factor += w.title_all;
      if (title.ofText === 1) factor += w.title_exact;
    }
    const heading = headings.get(page.section);
    factor += w.heading_exact * heading.ofText * heading.ofQuery;
    page.score *= factor;
  });
};

const nearness = (index, tokens, pages) => {
  const sections = pages.map(({ section }) => section).sort((a, b) => a - b);
  const positions = tokens.length > 1 ? tokens.map((token) => positionsOf(index, token, sections)) : [];
  return pages.map(({ section }) => {
    let [sum, pairs] = [0, 0];
    for (let i = 1; i < positions.length; i++) {
      pairs += 1;
      const [a, b] = [positions[i - 1].get(section), positions[i].get(section)];
      if (a && b) sum += pairNearness(a, b);
    }
    return pairs === 0 ? 0 : sum / pairs;
  });
};

const positionsOf = (index, token, sections) => {
  const out = new Map();
  for (const { term } of token.matches.slice(0, MAX_POSITION_TERMS)) {
    index.positions(term, sections, (section, position) => {
      if (!out.has(section)) out.set(section, []);
      out.get(section).push(position);
    });
  }
  for (const list of out.values()) list.sort((a, b) => a - b);
  return out;
};

const bestSections = (index, { page, section: best }, scores) => {
  const score = (section) => scores.sections[section];
  const others = [];
  for (let section = index.firstSections[page]; section < index.firstSections[page + 1]; section++) {
    if (section !== best && score(section) > 0 && score(section) >= score(best) / 2) others.push(section);
  }
  others.sort((a, b) => score(b) - score(a));
  return [best, ...others.slice(0, MAX_SECTIONS - 1)];
};

const correct = (index, query, tokens, visible) => {
  let [corrected, end] = ["", 0];
  for (const { word, corrections } of tokens) {
    if (!corrections.length || word === null) continue;
    const original = query.words[word];
    const isVisible = (term) => index.postings(term).sections.some((section) => visible[index.sectionPages[section]]);
    const best = visible ? corrections.find(isVisible) : corrections[0];
    if (!best || original.start < end) return null;
    corrected += query.text.slice(end, original.start) + best.text;
    end = original.end;
  }
  return end === 0 ? null : corrected + query.text.slice(end);
};

const matchedTerms = (tokens) => {
  const most = tokens.reduce((max, token) => Math.max(max, token.importance), 0);
  const out = new Map();
  tokens.forEach((token, number) => {
    if (token.importance < most * MIN_MARKED_IMPORTANCE) return;
    for (const { term, weight } of token.matches) {
      const importance = token.importance * weight;
      const other = out.get(term.text);
      if (!other || other.importance < importance) out.set(term.text, { token: number, importance });
    }
  });
  return out;
};

// The words of a query that match each term in titles. Instead of the titles of some pages, the
// occurrences of some terms in all titles are compared.
const loadTitleTerms = async (index, tokens) => {
  const out = new Map();
  for (const token of tokens) {
    for (const { term } of token.isCompound ? [] : token.matches) {
      out.set(term.number, [...(out.get(term.number) || []), token]);
    }
  }
  await index.load("titles", out.keys());
  return out;
};

// How much of a query is in each title, and how much of the title in the query; `kind` is 0 for
// titles of pages and 1 for headings of sections.
const overlaps = (index, tokens, titleTerms, kind, items) => {
  const count = tokens.filter((token) => !token.isCompound).length || 1;
  const out = new Map(items.map((item) => [item, { count: 0, length: 1, tokens: new Set() }]));
  for (const [term, matching] of titleTerms) {
    const [shard, at] = index.locate("titles", term);
    const { ends, items, lengths } = shard[kind];
    for (let i = at && ends[at - 1]; i < ends[at]; i++) {
      const overlap = out.get(items[i]);
      if (!overlap) continue;
      overlap.count += 1;
      overlap.length = lengths[i];
      for (const token of matching) overlap.tokens.add(token);
    }
  }
  for (const overlap of out.values()) {
    overlap.ofText = overlap.count / overlap.length;
    overlap.ofQuery = overlap.tokens.size / count;
  }
  return out;
};

const pairNearness = (a, b) => {
  let best = 0;
  for (const position of a) {
    const next = partition(0, b.length, (i) => b[i] <= position);
    if (next < b.length) best = Math.max(best, 1 / (b[next] - position));
    if (next > 0) best = Math.max(best, 0.5 / Math.max(position - b[next - 1], 1));
  }
  return best;
};

// results.rs

const hitOf = async (index, matched, page, sections, snippetLength) => {
  await index.load("texts", sections);
  const parts = sections.map((section) => {
    const [shard, at] = index.locate("texts", section);
    return shard[at];
  });
  const { path, title } = parts[0];
  return {
    path,
    title,
    titleMarks: merge(occurrences(matched, title)),
    facets: index.facetSets[index.pageFacets[page]].map((number) => index.facets[number]),
    sections: parts.map((part) => ({
      id: part.id,
      headings: part.headings,
      headingMarks: merge(occurrences(matched, part.headings[part.headings.length - 1] || "")),
      snippet: snippetOf(matched, part, snippetLength),
    })),
  };
};

// snippet.rs

const MAX_LEAD_CHARS = 40;

const snippetOf = (matched, section, maxChars) => {
  let text = section.text;
  let all = occurrences(matched, text);
  if (!all.length) {
    const inCode = occurrences(matched, section.code);
    if (inCode.length) [text, all] = [section.code, inCode];
  }
  const [start, end] = bestRange(text, all, maxChars);
  const before = start > 0 ? "… " : "";
  const inside = all.filter((occurrence) => start <= occurrence.start && occurrence.end <= end);
  const marks = merge(inside).map((mark) => mark.map((at) => at - start + before.length));
  const after = /\P{White_Space}/u.test(text.slice(end)) ? " …" : "";
  return { text: before + text.slice(start, end).replace(/[\t-\r]/g, " ") + after, marks };
};

const occurrences = (matched, text) => {
  const out = [];
  for (const { 0: written, index } of text.matchAll(CHUNKS)) {
    for (const { text, start, end } of chunkTerms(matched.chunks, written)) {
      const term = matched.terms.get(text);
      if (term) out.push({ start: index + start, end: index + end, term });
    }
  }
  return out;
};

const MAX_CHUNKS = 20_000;

// The terms of a text without spaces. Most of these occur often.
const chunkTerms = (chunks, written) => {
  let terms = chunks.get(written);
  if (terms) return terms;
  terms = [];
  const isComposed = compose(written) === written;
  visitTerms(written, ({ text, start, end }) => {
    // Spans are of the composed text.
    terms.push(isComposed ? { text, start, end } : { text, start: 0, end: written.length });
  });
  if (chunks.size >= MAX_CHUNKS) chunks.clear();
  chunks.set(written, terms);
  return terms;
};

const merge = (ranges) => {
  const out = [];
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = out[out.length - 1];
    if (last && start < last[1]) last[1] = Math.max(last[1], end);
    else out.push([start, end]);
  }
  return out;
};

const bestRange = (text, all, maxChars) => {
  let [best, most] = [0, 0];
  all.forEach((first, number) => {
    const end = advance(text, first.start, maxChars - Math.floor(maxChars / 4));
    let [tokens, sum] = [0, 0];
    for (let i = number; i < all.length && all[i].end <= end; i++) {
      const bit = 1 << all[i].term.token % 32;
      // A word that occurs again shows little more.
      sum += all[i].term.importance * (tokens & bit ? 0.05 : 1);
      tokens |= bit;
    }
    if (sum > most) [best, most] = [first.start, sum];
  });
  const start = beginningOf(text, best, Math.floor(maxChars / 2));
  let end = advance(text, start, maxChars);
  if (end < text.length) {
    // Cut between words, unless there are no spaces.
    let cut = end - 1;
    while (cut >= start && !IS_WHITESPACE.test(text[cut])) cut -= 1;
    if (cut >= start && utf8Length(text.slice(start, cut)) * 2 > utf8Length(text.slice(start, end))) end = cut;
  }
  while (end > start && IS_WHITESPACE.test(text[end - 1])) end -= 1;
  return [start, end];
};

const beginningOf = (text, at, maxChars) => {
  let start = at;
  const isSentence = (i) =>
    i === 0 || /[\n。]/.test(text[i - 1]) || (i < at && /[.!?]/.test(text[i - 1]) && IS_WHITESPACE.test(text[i]));
  while (at - start <= maxChars * 2 && !isSentence(start)) start -= 1;
  if (letters(text.slice(start, at)).length > maxChars) {
    const lead = Array.from(text.slice(Math.max(at - MAX_LEAD_CHARS * 2 - 2, 0), at)).slice(-MAX_LEAD_CHARS - 1);
    start = lead.length > MAX_LEAD_CHARS ? at - lead.join("").length : 0;
    const space = text.slice(start, at).search(IS_WHITESPACE);
    if (space > 0) start += space;
  }
  while (start < text.length && IS_WHITESPACE.test(text[start])) start += 1;
  return start;
};

const advance = (text, at, chars) => {
  for (; chars > 0 && at < text.length; chars--) at += text.codePointAt(at) > 0xffff ? 2 : 1;
  return at;
};

// The names of facets and their values that occur.
const facetsOf = (index) => {
  const out = new Map();
  for (const [name, value] of index.facets) out.set(name, [...(out.get(name) || []), value]);
  return Array.from(out, ([name, values]) => ({ name, values }));
};

// Opens an index. `load` gets the name of a shard and returns a promise of its bytes.
export const svcSearchEngine = async (load) => {
  const index = await Index.open(load);
  return { search: (query) => search(index, query), facets: () => facetsOf(index), version: index.shards.version };
};
