//! The script in a JavaScript engine.

use rquickjs::function::Args;
use rquickjs::module::Evaluated;
use rquickjs::{
    CatchResultExt, Context, Ctx, Function, Module, Promise, Runtime, TypedArray, Value,
};
use svc_search::{SEARCH_SCRIPT, Shard};

const PRELUDE: &str = r"
globalThis.TextDecoder = class {
  decode(bytes) {
    return decodeUtf8(Array.from(bytes));
  }
};
";

/// What the tests call: it loads from memory and formats results.
const HARNESS: &str = r#"
const shards = new Map();
const loads = [];
let engine = null;
let blocked = "none";

const load = async (name) => {
  if (name.startsWith(blocked)) throw new Error(`${name} is blocked`);
  loads.push(name);
  return shards.get(name);
};
const marked = (text, marks) => `[${text}] ${marks.flat().join(",")}`;
const format = ({ hits, total, correction }) => {
  const pages = hits.map(({ path, title, titleMarks, sections }) => {
    const parts = sections.map(
      ({ id, headings, snippet }) => `\n  ${id} ${headings.join("/")} ${marked(snippet.text, snippet.marks)}`,
    );
    return `\n${path} ${marked(title, titleMarks)}${parts.join("")}`;
  });
  return `${total}|${correction ?? "none"}${pages.join("")}`;
};
export const add = (name, bytes) => void shards.set(name, bytes);
export const block = (kind) => void (blocked = kind);
export const names = () => loads.join(" ");
export const open = async () => void (engine = await svcSearchEngine(load));
export const start = async (units, limit, offset, filters) => {
  const text = units.map((unit) => String.fromCharCode(unit)).join("");
  return format(await engine.search({ text, limit, offset, filters }));
};
export const facets = () => engine.facets().map(({ name, values }) => `${name}: ${values.join(" ")}`).join("|");
export const all = async (promises) => (await Promise.all(promises)).join("\0");
"#;

/// A search.
#[derive(Debug, Clone)]
pub(super) struct Request {
    /// UTF-16 units, with which JavaScript may also write surrogates that are no characters.
    pub(super) text: Vec<u16>,
    pub(super) limit: usize,
    pub(super) offset: usize,
    pub(super) filters: Vec<(String, String)>,
}

impl Request {
    pub(super) fn new(text: &str) -> Self {
        Self {
            text: text.encode_utf16().collect(),
            limit: 10,
            offset: 0,
            filters: Vec::new(),
        }
    }
}

/// The script with shards.
pub(super) struct Engine<'js> {
    ctx: Ctx<'js>,
    module: Module<'js, Evaluated>,
}

/// Calls `test` with the script.
pub(super) fn with_engine(shards: &[Shard], test: impl FnOnce(&Engine<'_>)) {
    let runtime = Runtime::new().unwrap();
    runtime.set_max_stack_size(4 << 20);
    let context = Context::full(&runtime).unwrap();
    context.with(|ctx| {
        let decode = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let decode = Function::new(ctx.clone(), decode).unwrap();
        ctx.globals().set("decodeUtf8", decode).unwrap();
        ctx.eval::<(), _>(PRELUDE).unwrap();
        let source = format!("{SEARCH_SCRIPT}{HARNESS}");
        let declared = Module::declare(ctx.clone(), "engine", source);
        let (module, promise) = declared.catch(&ctx).unwrap().eval().catch(&ctx).unwrap();
        promise.finish::<()>().catch(&ctx).unwrap();
        let engine = Engine { ctx, module };
        for shard in shards {
            let bytes = TypedArray::new(engine.ctx.clone(), shard.bytes.clone()).unwrap();
            engine
                .function("add")
                .call::<_, ()>((shard.name.as_str(), bytes))
                .unwrap();
        }
        test(&engine);
    });
}

impl<'js> Engine<'js> {
    fn function(&self, name: &str) -> Function<'js> {
        self.module.get(name).unwrap()
    }

    fn finish(&self, promise: &Promise<'js>) -> Result<String, String> {
        let value = promise.finish::<Value<'js>>().catch(&self.ctx);
        let value = value.map_err(|error| error.to_string())?;
        Ok(value.get().unwrap_or_default())
    }

    /// Opens the index, also for the second time.
    pub(super) fn open(&self) -> Result<(), String> {
        self.finish(&self.function("open").call(()).unwrap())
            .map(|_| ())
    }

    fn start(&self, request: &Request) -> Promise<'js> {
        let mut args = Args::new(self.ctx.clone(), 4);
        let filters = request.filters.iter();
        let filters: Vec<Vec<String>> = filters.map(|(k, v)| vec![k.clone(), v.clone()]).collect();
        args.push_arg(request.text.clone()).unwrap();
        args.push_arg(request.limit).unwrap();
        args.push_arg(request.offset).unwrap();
        args.push_arg(filters).unwrap();
        self.function("start").call_arg(args).unwrap()
    }

    /// Searches and formats the results.
    pub(super) fn search(&self, request: &Request) -> Result<String, String> {
        self.finish(&self.start(request))
    }

    /// Searches everything at the same time.
    pub(super) fn search_all(&self, requests: &[Request]) -> Result<Vec<String>, String> {
        let promises: Vec<Promise<'js>> = requests.iter().map(|r| self.start(r)).collect();
        let all = self.finish(&self.function("all").call((promises,)).unwrap())?;
        Ok(all.split('\0').map(str::to_owned).collect())
    }

    /// Lets shards whose names begin with `kind` fail to load.
    pub(super) fn block(&self, kind: &str) {
        self.function("block").call::<_, ()>((kind,)).unwrap();
    }

    /// Names of the shards that were loaded.
    pub(super) fn loads(&self) -> Vec<String> {
        let names: String = self.function("names").call(()).unwrap();
        names.split(' ').map(str::to_owned).collect()
    }

    pub(super) fn facets(&self) -> String {
        self.function("facets").call(()).unwrap()
    }
}
