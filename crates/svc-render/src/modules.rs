//! Files with imports and exports: pages, snippets, JSX files. Each is loaded once per page.

use std::collections::HashMap;
use std::rc::Rc;

use indexmap::IndexMap;
use svc_diagnostics::{
    Diagnostic, DiagnosticCode, Fix, SourceFile, Span, diagnostic_code, did_you_mean,
    is_shortened_path, is_typing_error,
};
use svc_mdx::{Document, Kind, Node, Options, walk};

use crate::ctx::input::RenderContext;
use crate::evaluate::{self, EngineComponent, Import, Value};
use crate::files::TrackedFiles;
use crate::islands::compile::Level;
use crate::islands::module_graph::{self, MODULE_INVALID, ModuleGraph};

/// Maximum length of a chain of imports.
const MAX_IMPORT_DEPTH: usize = 16;

/// An import of a file that does not exist.
pub(crate) static MISSING_IMPORT: DiagnosticCode =
    diagnostic_code!(error, "import-missing", "an imported file does not exist");
/// An imported name that the file does not export.
pub(crate) static MISSING_EXPORT: DiagnosticCode = diagnostic_code!(
    warning,
    "import-name-missing",
    "an imported file does not export the name"
);
/// Files that import each other.
pub(crate) static IMPORT_CYCLE: DiagnosticCode =
    diagnostic_code!(error, "import-cycle", "files import each other in a cycle");
/// Imports or exports that are not valid.
pub(crate) static BAD_MODULE: DiagnosticCode = diagnostic_code!(
    warning,
    "export-invalid",
    "an import or export is not valid"
);

/// Target of an imported name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Binding {
    /// The content of an MDX file.
    Content(String),
    /// An export of a file.
    Export { path: String, name: String },
    /// All exports of a file.
    Namespace(String),
}

/// A loaded file.
#[derive(Debug, Default)]
pub(crate) struct Module {
    /// The file; `None` only for the empty module.
    pub(crate) file: Option<SourceFile>,
    /// Content of the file; empty for JSX files.
    pub(crate) document: Document,
    /// Imported names.
    pub(crate) bindings: IndexMap<String, Binding>,
    /// Names that are imported from missing files.
    pub(crate) missing: Vec<String>,
    /// Exported and imported values by local name.
    pub(crate) values: IndexMap<String, Value>,
    /// Link definitions: URL and title.
    pub(crate) definitions: HashMap<String, (String, Option<String>)>,
    /// Footnotes.
    pub(crate) footnotes: HashMap<String, Vec<Node>>,
}

/// Cache of the files that the current page has loaded.
#[derive(Debug)]
pub(crate) struct Modules<'c> {
    tree: TrackedFiles<'c>,
    options: Options,
    loaded: HashMap<String, Rc<Module>>,
    loading: Vec<String>,
    /// Files as JavaScript modules.
    pub(crate) graph: ModuleGraph<'c>,
    without_scripts: bool,
    /// The tag of a built-in component with a name in any case.
    pub(crate) similar_tag: fn(&str) -> Option<&'static str>,
}

impl<'c> Modules<'c> {
    /// An empty cache. `is_built_in` decides whether a name is the tag of a built-in component;
    /// `similar_tag` finds such a tag in any case.
    pub(crate) fn new(
        cx: &RenderContext<'c>,
        is_built_in: fn(&str) -> bool,
        similar_tag: fn(&str) -> Option<&'static str>,
    ) -> Self {
        let math = cx.config.styling.latex != Some(false);
        Self {
            tree: cx.tree.clone(),
            options: Options {
                math,
                ..Options::default()
            },
            loaded: HashMap::new(),
            loading: Vec::new(),
            graph: ModuleGraph::new(cx.tree.clone(), &cx.options.site.base_path, is_built_in),
            without_scripts: cx.options.site.without_scripts,
            similar_tag,
        }
    }

    /// A module without names and content.
    pub(crate) fn empty(&self) -> Rc<Module> {
        Rc::default()
    }

    /// Parses the text of a page, which begins at byte `shift` of its file.
    pub(crate) fn page(
        &mut self,
        file: &SourceFile,
        text: &str,
        shift: u32,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Rc<Module> {
        let mut parsed = svc_mdx::parse(text, &self.options);
        diagnostics.extend(
            parsed
                .diagnostics
                .iter()
                .map(|diagnostic| diagnostic.diagnostic(file, shift)),
        );
        svc_mdx::unravel(&mut parsed.value);
        let mut module = Module {
            file: Some(file.clone()),
            ..Module::default()
        };
        let mut esm = String::new();
        let mut at = Vec::new();
        walk(&parsed.value.children, |node, _| {
            match &node.kind {
                Kind::Esm(text) => {
                    at.push((esm.len(), node.span.start));
                    esm.push_str(text);
                    esm.push('\n');
                }
                Kind::Definition {
                    identifier,
                    url,
                    title,
                } => {
                    // The first definition of a label wins.
                    module
                        .definitions
                        .entry(identifier.to_string())
                        .or_insert_with(|| (url.to_string(), title.as_deref().map(str::to_owned)));
                }
                Kind::FootnoteDefinition {
                    identifier,
                    children,
                } => {
                    module
                        .footnotes
                        .entry(identifier.to_string())
                        .or_insert_with(|| children.clone());
                }
                _ => {}
            }
            true
        });
        module.document = parsed.value;
        if !esm.is_empty() {
            self.code(
                &mut module,
                file,
                &esm,
                &|offset| {
                    let before = at.iter().rev().find(|(start, _)| *start <= offset);
                    let (start, origin) = before.copied().unwrap_or((0, 0));
                    let within = u32::try_from(offset - start.min(offset)).unwrap_or(0);
                    origin.saturating_add(within).saturating_add(shift)
                },
                diagnostics,
            );
        }
        Rc::new(module)
    }

    /// Loads an imported file. If it cannot be loaded, reports that at `span` in `from` and returns
    /// `None`.
    pub(crate) fn load(
        &mut self,
        path: &str,
        from: &SourceFile,
        span: Span,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Rc<Module>> {
        if let Some(module) = self.loaded.get(path) {
            return Some(Rc::clone(module));
        }
        if self.loading.iter().any(|open| open == path) || self.loading.len() >= MAX_IMPORT_DEPTH {
            diagnostics.push(
                Diagnostic::new(
                    &IMPORT_CYCLE,
                    format!("`{path}` is part of an import cycle"),
                )
                .at(from.location(span))
                .hint("move the shared code to a third file"),
            );
            return None;
        }
        let file = self.tree.text(path)?.clone();
        self.loading.push(path.to_owned());
        let module = if is_script(path) {
            let mut module = Module {
                file: Some(file.clone()),
                ..Module::default()
            };
            let text = file.text().clone();
            let position = |offset: usize| u32::try_from(offset).unwrap_or(0);
            self.code(&mut module, &file, &text, &position, diagnostics);
            Rc::new(module)
        } else {
            let text = file.text().clone();
            self.page(&file, &text, 0, diagnostics)
        };
        self.loading.pop();
        self.loaded.insert(path.to_owned(), Rc::clone(&module));
        Some(module)
    }

    /// Resolves the specifier of an import to a path.
    pub(crate) fn find(&self, from: &str, specifier: &str) -> Option<String> {
        module_graph::find(&self.tree, from, specifier)
    }

    /// Resolves `<Snippet file="…">` to a path.
    pub(crate) fn snippet(&self, from: &str, name: &str) -> Option<String> {
        let bare = name.trim_start_matches("./").trim_start_matches('/');
        let candidates = [
            format!("/snippets/{bare}"),
            format!("/_snippets/{bare}"),
            format!("/{bare}"),
            name.to_owned(),
        ];
        candidates
            .iter()
            .find_map(|candidate| self.find(from, candidate))
    }

    /// The importable file with the most similar name, for hints.
    fn nearest(&self, path: &str) -> Option<&str> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let all = || {
            self.tree
                .names()
                .map(|path| (path, path.rsplit('/').next().unwrap_or(path)))
                .filter(|(path, _)| is_importable(path))
        };
        let called = |name: &str| all().find(|(_, other)| *other == name).map(|entry| entry.0);
        // Compares file names only: typos in directories are rare.
        called(name).or_else(|| {
            let names = all().take(2_000).map(|(_, name)| name);
            called(did_you_mean(name, names)?)
        })
    }

    /// Reads the imports and exports of a file.
    fn code(
        &mut self,
        module: &mut Module,
        file: &SourceFile,
        text: &str,
        position: &dyn Fn(usize) -> u32,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let mut values = IndexMap::new();
        let mut parsed = evaluate::Module::parse(text);
        for import in std::mem::take(&mut parsed.imports) {
            let Import {
                default,
                named,
                namespace,
                source,
                offset,
            } = import;
            let start = position(offset);
            let end = start.saturating_add(u32::try_from(source.len() + 8).unwrap_or(0));
            let span = Span::new(start, end);
            let Some(path) = self.find(file.path(), &source) else {
                if source.starts_with('/') || source.starts_with('.') || source.contains(".mdx") {
                    self.missing(file, span, &source, diagnostics);
                }
                module.missing.extend(default.into_iter().chain(namespace));
                module
                    .missing
                    .extend(named.into_iter().map(|(_, local)| local));
                continue;
            };
            if let Some(local) = default {
                let binding = if is_script(&path) {
                    Binding::Export {
                        path: path.clone(),
                        name: "default".to_owned(),
                    }
                } else {
                    Binding::Content(path.clone())
                };
                module.bindings.insert(local, binding);
            }
            if let Some(local) = namespace {
                module
                    .bindings
                    .insert(local, Binding::Namespace(path.clone()));
            }
            for (imported, local) in named {
                let binding = if imported == "default" && !is_script(&path) {
                    Binding::Content(path.clone())
                } else {
                    self.value(
                        &path,
                        &imported,
                        &local,
                        file,
                        span,
                        &mut values,
                        diagnostics,
                    );
                    Binding::Export {
                        path: path.clone(),
                        name: imported,
                    }
                };
                module.bindings.insert(local, binding);
            }
        }
        let own = parsed.evaluate(&values);
        module.values = values;
        let components = match &own {
            Ok(own)
                if !own
                    .values()
                    .any(|value| matches!(value, Value::Function(_))) =>
            {
                IndexMap::new()
            }
            own => self.components(file, own.is_err(), diagnostics),
        };
        match own {
            Ok(own) => module.values.extend(own),
            // The engine runs what the evaluator cannot.
            Err(_) if !components.is_empty() => {}
            Err(error) => {
                let start = position(error.offset);
                let message = format!("invalid imports or exports: {}", error.message);
                diagnostics.push(
                    Diagnostic::new(&BAD_MODULE, message)
                        .at(file.location(Span::new(start, start.saturating_add(1))))
                        .hint("use only imports, exported constants and components"),
                );
            }
        }
        module.values.extend(components);
    }

    /// The exported components of a file that the evaluator cannot render; all components if the
    /// file cannot be evaluated.
    fn components(
        &mut self,
        file: &SourceFile,
        all: bool,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> IndexMap<String, Value> {
        if self.without_scripts {
            return IndexMap::new();
        }
        match self.graph.compiled(file.path()) {
            Some(Ok(compiled)) => compiled
                .components
                .iter()
                .filter(|(_, level)| all || *level != Level::Plain)
                .map(|(name, level)| {
                    let component = EngineComponent {
                        path: file.path().to_string(),
                        name: name.clone(),
                        island: *level == Level::Island,
                    };
                    (name.clone(), Value::Component(component.into()))
                })
                .collect(),
            // The evaluator renders what it can parse; otherwise its error is reported.
            Some(Err(error)) if is_script(file.path()) => {
                let start = u32::try_from(error.offset).unwrap_or(0);
                diagnostics.push(
                    Diagnostic::new(&MODULE_INVALID, error.message)
                        .at(file.location(Span::new(start, start.saturating_add(1))))
                        .hint(error.hint),
                );
                IndexMap::new()
            }
            _ => IndexMap::new(),
        }
    }

    fn missing(
        &self,
        file: &SourceFile,
        span: Span,
        source: &str,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let path = self.tree.mounts().import(file.path(), source);
        let near = self.nearest(&path);
        let hint = near.map_or_else(
            || "begin the path with `/`, relative to the root of the repository".to_owned(),
            |near| format!("did you mean `/{near}`?"),
        );
        diagnostics.push(
            Diagnostic::new(&MISSING_IMPORT, format!("`{source}` does not exist"))
                .at(file.location(span))
                .hint(hint)
                .fix(near.and_then(|near| {
                    if !is_typing_error(&path, near) && !is_shortened_path(&path, near) {
                        return None;
                    }
                    let statement = statement_before(file, span, source)?;
                    let end = statement.end as usize;
                    let source = Span::from_range(end..end + source.len());
                    let title = format!("write `/{near}`");
                    Some(Fix::new(title, file.location(source), format!("/{near}")))
                })),
        );
    }

    #[expect(clippy::too_many_arguments, reason = "one import in all its parts")]
    fn value(
        &mut self,
        path: &str,
        imported: &str,
        local: &str,
        file: &SourceFile,
        span: Span,
        values: &mut IndexMap<String, Value>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let Some(module) = self.load(path, file, span, diagnostics) else {
            return;
        };
        if let Some(value) = module.values.get(imported) {
            values.insert(local.to_owned(), value.clone());
            return;
        }
        let near = did_you_mean(imported, module.values.keys().map(String::as_str));
        let message = format!("`/{path}` does not export `{imported}`");
        let diagnostic = Diagnostic::new(&MISSING_EXPORT, message).at(file.location(span));
        diagnostics.push(match near {
            Some(near) => {
                let new = match imported == local {
                    true => format!("{near} as {local}"),
                    false => near.to_owned(),
                };
                let source = path.rsplit('/').next().unwrap_or(path);
                let names = statement_before(file, span, source);
                let fix = names.and_then(|names| Fix::replace(file, names, imported, &new));
                diagnostic.hint(format!("did you mean `{near}`?")).fix(fix)
            }
            None => diagnostic.hint(format!("add `export const {imported} = …` to the file")),
        });
    }
}

/// Maximum length of an import statement in bytes.
const MAX_STATEMENT_BYTES: usize = 4096;

/// The span from the start of an import statement to its source.
fn statement_before(file: &SourceFile, span: Span, source: &str) -> Option<Span> {
    let start = span.start as usize;
    let rest = file.text().get(start..)?;
    let end = rest.find(source).filter(|end| *end < MAX_STATEMENT_BYTES)?;
    Some(Span::from_range(start..start + end))
}

fn is_script(path: &str) -> bool {
    [".jsx", ".tsx", ".js", ".ts"]
        .iter()
        .any(|end| path.ends_with(end))
}

fn is_importable(path: &str) -> bool {
    is_script(path) || path.ends_with(".mdx") || path.ends_with(".md")
}
