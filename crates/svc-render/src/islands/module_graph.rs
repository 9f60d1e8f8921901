//! Module graph of a site: URLs and code of its modules.
//!
//! The URL of a module contains a hash of its text and of everything it imports, so it can be
//! cached forever, and a request for it can be served from the files alone.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::rc::Rc;
use std::sync::Arc;

use svc_data::percent;
use svc_diagnostics::{DiagnosticCode, diagnostic_code};
use svc_mdx::{Document, Kind, Options, walk};

use super::compile::{CompileError, CompileOptions, CompiledModule, Import, compile};
use super::runtime;
use crate::files::TrackedFiles;

/// URL path of modules, below the base path.
const URL_PREFIX: &str = "/_svc/islands/";
/// Maximum number of modules that one module may import, directly or indirectly.
const MAX_MODULES: usize = 64;

/// A module that cannot be compiled.
pub(crate) static MODULE_INVALID: DiagnosticCode = diagnostic_code!(
    error,
    "component-invalid",
    "a file with components cannot be compiled"
);

/// Cache of the modules that a page uses.
#[derive(Debug)]
pub(crate) struct ModuleGraph<'c> {
    tree: TrackedFiles<'c>,
    base: String,
    /// Whether a name is the tag of a built-in component.
    is_built_in: fn(&str) -> bool,
    nodes: HashMap<String, Rc<ModuleNode>>,
}

/// A file.
#[derive(Debug)]
struct ModuleNode {
    /// Code of the file; in an MDX file everything except imports and exports is blanked out.
    code: Arc<str>,
    /// Specifiers and the files they resolve to.
    imports: Vec<(String, Option<String>)>,
    compiled: OnceCell<Result<Rc<CompiledModule>, CompileError>>,
}

impl<'c> ModuleGraph<'c> {
    pub(crate) fn new(tree: TrackedFiles<'c>, base: &str, is_built_in: fn(&str) -> bool) -> Self {
        Self {
            tree,
            base: base.to_owned(),
            is_built_in,
            nodes: HashMap::new(),
        }
    }

    /// Compiles the module of a file, or returns the cached result.
    pub(crate) fn compiled(
        &mut self,
        path: &str,
    ) -> Option<Result<Rc<CompiledModule>, CompileError>> {
        let unit = self.node(path)?;
        if let Some(ready) = unit.compiled.get() {
            return Some(ready.clone());
        }
        let mut resolved = HashMap::new();
        for (specifier, target) in &unit.imports {
            let import = match target {
                None if matches!(specifier.as_str(), "react" | "preact" | "preact/hooks") => {
                    Import::Runtime
                }
                None => Import::Missing,
                Some(target) => {
                    let module = self.url(target);
                    if is_markdown(target) {
                        Import::Content {
                            path: target.clone(),
                            module,
                        }
                    } else {
                        Import::Module(module)
                    }
                }
            };
            resolved.insert(specifier.clone(), import);
        }
        let runtime = runtime::runtime_url(&self.base);
        let setting = CompileOptions {
            runtime: &runtime,
            resolve: &|specifier| resolved.get(specifier).cloned().unwrap_or(Import::Missing),
            is_part: &self.is_built_in,
        };
        let compiled_module = compile(&unit.code, &setting).map(Rc::new);
        Some(unit.compiled.get_or_init(|| compiled_module).clone())
    }

    /// The URL of a file's module.
    pub(crate) fn url(&mut self, path: &str) -> String {
        let closure = self.closure(path);
        let mut hasher = DefaultHasher::new();
        (path, &self.base, runtime::runtime_url(&self.base)).hash(&mut hasher);
        for (path, code) in &closure {
            (path, &**code).hash(&mut hasher);
        }
        let path = percent::encode(path, percent::SEGMENTS);
        let hash = hasher.finish();
        format!("{}{URL_PREFIX}{path}.{hash:016x}.js", self.base)
    }

    /// Whether `name` is the decoded end of the current URL of a file's module.
    pub(crate) fn is_url(&mut self, path: &str, name: &str) -> bool {
        let url = self.url(path);
        let hash = |text: &str| {
            text.strip_suffix(".js")?
                .rsplit('.')
                .next()
                .map(str::to_owned)
        };
        hash(&url).is_some() && hash(&url) == hash(name)
    }

    /// A file and everything it imports, by path.
    pub(crate) fn closure(&mut self, path: &str) -> BTreeMap<String, Arc<str>> {
        let mut all = BTreeMap::new();
        let mut open = vec![path.to_owned()];
        while let Some(next) = open.pop() {
            if all.len() >= MAX_MODULES || all.contains_key(&next) {
                continue;
            }
            if let Some(unit) = self.node(&next) {
                open.extend(unit.imports.iter().filter_map(|(_, target)| target.clone()));
                all.insert(next, Arc::clone(&unit.code));
            }
        }
        all
    }

    fn node(&mut self, path: &str) -> Option<Rc<ModuleNode>> {
        if let Some(unit) = self.nodes.get(path) {
            return Some(Rc::clone(unit));
        }
        let file = self.tree.text(path)?;
        let code: Arc<str> = if is_markdown(path) {
            let body = svc_source::front_matter(file).value.1;
            let text = file.text().get(body as usize..).unwrap_or("");
            let parsed = svc_mdx::parse(text, &Options::default());
            code_of(file.text(), body as usize, &parsed.value).into()
        } else {
            Arc::clone(file.text())
        };
        Some(self.insert(path, code))
    }

    /// Adds a module that consists of the code of a file and one more statement. Returns its path;
    /// `None` if the file does not exist.
    pub(super) fn extended(
        &mut self,
        path: &str,
        statement: &str,
        number: usize,
    ) -> Option<String> {
        let code = format!("{}\n;{statement}", self.node(path)?.code);
        let path = format!("{path}:{number}");
        self.insert(&path, code.into());
        Some(path)
    }

    fn insert(&mut self, path: &str, code: Arc<str>) -> Rc<ModuleNode> {
        let mut imports: Vec<(String, Option<String>)> = Vec::new();
        for specifier in specifiers(&code) {
            if !imports.iter().any(|(known, _)| *known == specifier) {
                let target = find(&self.tree, path, &specifier);
                imports.push((specifier, target));
            }
        }
        let unit = Rc::new(ModuleNode {
            code,
            imports,
            compiled: OnceCell::new(),
        });
        self.nodes.insert(path.to_owned(), Rc::clone(&unit));
        unit
    }
}

/// Specifiers of a module: every quoted text after `from`. False positives are harmless.
fn specifiers(code: &str) -> Vec<String> {
    let mut out = Vec::new();
    for (at, keyword) in code.match_indices("from") {
        let rest = code.get(at + keyword.len()..).unwrap_or("").trim_start();
        let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
            continue;
        };
        let inner = rest.get(1..).unwrap_or("");
        // No specifier is longer; the bound keeps the search linear.
        let end = inner
            .bytes()
            .take(300)
            .position(|byte| byte == quote as u8 || byte == b'\n');
        if let Some(specifier) = end.and_then(|end| inner.get(..end)) {
            out.push(specifier.to_owned());
        }
    }
    out
}

/// The file path in the name of a module.
pub(super) fn path_of(name: &str) -> Option<&str> {
    let (stem, hash) = name.strip_suffix(".js")?.rsplit_once('.')?;
    (hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(stem)
}

/// The imports and exports of an MDX file at their offsets; everything else is blanked out except
/// line breaks.
fn code_of(text: &str, body: usize, document: &Document) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let blank = |from: usize, to: usize, out: &mut String| {
        for byte in text.get(from..to).unwrap_or("").bytes() {
            out.push(if byte == b'\n' { '\n' } else { ' ' });
        }
    };
    walk(&document.children, |node, _| {
        if matches!(node.kind, Kind::Esm(_)) {
            let start = body + node.span.start as usize;
            let end = body + node.span.end as usize;
            if start >= at {
                blank(at, start, &mut out);
                out.push_str(text.get(start..end).unwrap_or(""));
                at = end;
            }
        }
        true
    });
    out
}

/// Whether a file is Markdown.
fn is_markdown(path: &str) -> bool {
    path.ends_with(".mdx") || path.ends_with(".md")
}

/// Resolves a specifier to a file: as written, or with a default extension.
pub(crate) fn find(tree: &TrackedFiles<'_>, from: &str, specifier: &str) -> Option<String> {
    let path = tree.mounts().import(from, specifier);
    let endings = ["", ".mdx", ".md", ".jsx", ".tsx", ".js", ".ts"];
    endings
        .iter()
        .map(|end| format!("{path}{end}"))
        .find(|path| tree.text(path).is_some())
}
