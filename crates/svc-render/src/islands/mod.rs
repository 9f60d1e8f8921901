//! Components that require a JavaScript engine: state, events, and JavaScript that the evaluator
//! does not support.
//!
//! A module of the repository is compiled (`compile`), its components run once in a sandbox
//! (`sandbox`), and the resulting tree is converted to HTML (`tree`). Components without
//! interactivity end there. The others are islands: the same module runs in the browser, where
//! `runtime/browser.js` hydrates the HTML.
//!
//! Format of the HTML, shared by the three parts:
//!
//! - `<svc-island data-i data-m data-n data-p>` contains the HTML; the attributes are its number,
//!   the URL of its module, the exported name, and its props as JSON. HTML among the props, such as
//!   children written in a page, is a slot: `{"$slot": 0}`.
//! - `<!--s1.0-->…<!--/s1.0-->` is slot 0 of island 1; a slot that is not visible yet is stored in
//!   `<template data-s="1.0">`.
//! - `<!--p1.2:Card-->…<!--/p1.2:Card-->` is a built-in component, the third of island 1 in
//!   rendering order; `<!--c1.2:Card-->…` are its children, wherever the component renders them.
//! - All other nodes are those that the component returned, in the same order and without others
//!   between them.

pub(crate) mod compile;
pub(crate) mod fallback;
pub(crate) mod module_graph;
pub(crate) mod node;
pub(crate) mod runtime;
pub(crate) mod sandbox;
pub(crate) mod state;
mod tree;

#[cfg(test)]
mod tests;

pub use sandbox::{ComponentEngine, ComponentRunner, ComponentSession, LocalEngine, SessionError};

use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::{Map, Value as Json, json};
use svc_diagnostics::{Diagnostic, DiagnosticCode, Span, diagnostic_code};
use svc_mdx::{Kind, Node as MdxNode};

use self::module_graph::ModuleGraph;
use self::node::{Island, IslandNode};
use self::sandbox::{ComponentError, Job};
use crate::article::children::Children;
use crate::article::tag::Tag;
use crate::ctx::{Ctx, RenderContext};
use crate::evaluate::{EngineComponent, JsxChild, Value};
use crate::html::Html;
use crate::modules::{Binding, Module};

/// A component that cannot be rendered.
pub(crate) static COMPONENT_FAILED: DiagnosticCode = diagnostic_code!(
    error,
    "component-failed",
    "a component could not be rendered"
);

/// Maximum number of components that run per page.
const MAX_ISLANDS: u32 = 200;
/// Maximum number of failed components per page; further ones are skipped, because each can use its
/// full time limit.
const MAX_FAILURES: usize = 10;
/// Weight of a failure that had to be stopped from outside, which takes longer.
const STOP_WEIGHT: usize = 4;

/// Compiles the module with this name (the decoded URL path after `/_svc/islands/`) from the files
/// of the site; `None` if there is none.
pub fn island_module(cx: &RenderContext<'_>, name: &str) -> Option<String> {
    if cx.options.site.without_scripts {
        return None;
    }
    let path = module_graph::path_of(name)?;
    let mut table = ModuleGraph::new(
        cx.tree.clone(),
        &cx.options.site.base_path,
        crate::components::is_tag,
    );
    if cx.tree.text(path).is_none() || !table.is_url(path, name) {
        return None;
    }
    let compiled = table.compiled(path)?.ok()?;
    Some(compiled.minified.clone())
}

/// Renders a component that runs in the engine.
pub(crate) fn render(cx: &mut Ctx<'_>, tag: &Tag<'_>, component: &EngineComponent) -> Html {
    let mut call = ComponentCall::new(component);
    let props = call.props(cx, tag);
    cx.islands.count += 1;
    if cx.islands.count > MAX_ISLANDS {
        let message = format!(
            "the page exceeds the limit of {MAX_ISLANDS} components that need a JavaScript engine"
        );
        if cx.out.is_first(&COMPONENT_FAILED, "") {
            let hint = "split the page, or combine components";
            cx.report(&COMPONENT_FAILED, tag.span, message, hint);
        }
        return Html::new();
    }
    let key = (component.path.clone(), component.name.clone());
    if cx.islands.failed.contains(&key) || cx.islands.failures >= MAX_FAILURES {
        return note(cx, &component.name, "it failed before on this page");
    }
    let number = cx.islands.count;
    match call.run(cx, number, &props) {
        Ok(steps) => {
            let nodes = tree::nodes(&steps).unwrap_or_default();
            call.render_tree(cx, tag.span, number, &props, &nodes)
        }
        Err(ComponentError::Thrown { message, .. }) if component.island && is_browser(&message) => {
            // The component uses browser APIs in its first render, so it is rendered only there.
            call.render_tree(cx, tag.span, number, &props, &[])
        }
        Err(failure) => {
            cx.islands.failed.insert(key);
            cx.islands.failures += 1;
            call.render_failure(cx, tag, &failure)
        }
    }
}

/// Whether an error message means that a browser API is missing.
fn is_browser(message: &str) -> bool {
    const NAMES: &[&str] = &[
        "window",
        "document",
        "navigator",
        "location",
        "localStorage",
        "sessionStorage",
        "matchMedia",
        "fetch",
        "crypto",
        "performance",
        "IntersectionObserver",
        "ResizeObserver",
        "MutationObserver",
        "HTMLElement",
        "Image",
        "Audio",
        "URL",
        "URLSearchParams",
        "Intl",
        "history",
        "screen",
        "self",
        "btoa",
        "atob",
        "TextEncoder",
        "TextDecoder",
        "AbortController",
        "structuredClone",
    ];
    let name = message.strip_suffix(" is not defined");
    name.is_some_and(|name| NAMES.contains(&name.trim_matches('\'')))
}

/// A use of a component on a page.
struct ComponentCall<'c> {
    component: &'c EngineComponent,
    slots: Vec<Html>,
    /// Files of components that are passed as props.
    prop_files: Vec<String>,
}

impl<'c> ComponentCall<'c> {
    fn new(component: &'c EngineComponent) -> Self {
        Self {
            component,
            slots: Vec::new(),
            prop_files: Vec::new(),
        }
    }

    /// Converts attributes and children to JSON; markup becomes slots.
    fn props(&mut self, cx: &mut Ctx<'_>, tag: &Tag<'_>) -> String {
        let mut all = Map::new();
        for (name, value, _) in tag.props.iter() {
            if let Some(value) = self.json(cx, value, 0) {
                all.insert(name.to_owned(), value);
            }
        }
        if !tag.children.is_empty() {
            let plain = match tag.children {
                Children::Nodes(
                    [
                        MdxNode {
                            kind: Kind::Text(text),
                            ..
                        },
                    ],
                ) => Some(text.to_string()),
                Children::Parts([JsxChild::Text(text)]) => Some(text.clone()),
                _ => None,
            };
            let children = match plain {
                Some(text) => Json::from(cx.variables.expand(&text).into_owned()),
                None => {
                    let html = cx.children(tag.children);
                    self.slot(html)
                }
            };
            all.insert("children".to_owned(), children);
        }
        Json::Object(all).to_string()
    }

    /// Converts a component that is passed as a prop.
    fn reference(&mut self, cx: &mut Ctx<'_>, path: String, name: &str) -> Option<Json> {
        let table = &mut cx.modules.graph;
        table.compiled(&path)?.ok()?;
        let url = table.url(&path);
        if !self.prop_files.contains(&path) {
            self.prop_files.push(path);
        }
        Some(json!({ "$from": url, "name": name }))
    }

    fn slot(&mut self, html: Html) -> Json {
        self.slots.push(html);
        json!({ "$slot": self.slots.len() - 1 })
    }

    fn json(&mut self, cx: &mut Ctx<'_>, value: &Value, depth: usize) -> Option<Json> {
        if depth > 24 {
            return None;
        }
        match value {
            Value::Undefined => None,
            Value::Function(_) => {
                let (path, name) = defined(&cx.scope.module, value)?;
                self.reference(cx, path, &name)
            }
            Value::Component(component) => {
                self.reference(cx, component.path.clone(), &component.name)
            }
            Value::Null => Some(Json::Null),
            Value::Bool(flag) => Some(Json::from(*flag)),
            Value::Number(number) => Some(json_number(*number)),
            Value::String(text) => Some(Json::from(cx.variables.expand(text).into_owned())),
            Value::Array(items) => {
                let items = items
                    .iter()
                    .map(|item| self.json(cx, item, depth + 1).unwrap_or(Json::Null));
                Some(Json::Array(items.collect()))
            }
            Value::Object(entries) => {
                let mut out = Map::new();
                for (name, value) in entries.iter() {
                    if let Some(value) = self.json(cx, value, depth + 1) {
                        out.insert(name.clone(), value);
                    }
                }
                Some(Json::Object(out))
            }
            Value::Element(_) => {
                let html = cx.value(value);
                Some(self.slot(html))
            }
        }
    }

    /// Runs the component in the sandbox.
    fn run(&self, cx: &mut Ctx<'_>, number: u32, props: &str) -> Result<String, ComponentError> {
        let base = &cx.input.options.site.base_path;
        let runtime = runtime::runtime_url(base);
        let mut modules = Vec::new();
        if cx.islands.loaded.insert(runtime.clone()) {
            modules.push((runtime.clone(), runtime::server().to_owned()));
        }
        let table = &mut cx.modules.graph;
        let entry = table.url(&self.component.path);
        let prop_urls = self.prop_files.iter().map(|path| table.url(path)).collect();
        for path in closure(table, &self.component.path, &self.prop_files) {
            let url = table.url(&path);
            if cx.islands.loaded.contains(&url) {
                continue;
            }
            match table.compiled(&path) {
                Some(Ok(compiled)) => {
                    modules.push((url.clone(), compiled.code.clone()));
                    cx.islands.loaded.insert(url);
                }
                Some(Err(error)) => {
                    return Err(ComponentError::Thrown {
                        message: format!("`/{path}`: {}", error.message),
                        location: None,
                    });
                }
                None => {}
            }
        }
        if cx.islands.session.is_none() {
            cx.islands.session = cx.input.engine.and_then(ComponentEngine::session);
        }
        let Some(session) = &mut cx.islands.session else {
            // The next component starts a new session with all modules.
            cx.islands.loaded.clear();
            return Err(ComponentError::Engine);
        };
        let job = Job {
            modules,
            entry,
            runtime,
            name: self.component.name.clone(),
            number,
            props: props.to_owned(),
            prop_modules: prop_urls,
        };
        sandbox::render(&mut **session, &job).map_err(|stopped| {
            if let sandbox::RenderError::Session(_) = stopped {
                cx.islands.session = None;
                cx.islands.loaded.clear();
                cx.islands.failures += STOP_WEIGHT - 1;
            }
            stopped.into()
        })
    }

    /// Converts a tree to HTML in the scope of the component's file.
    fn render_tree(
        self,
        cx: &mut Ctx<'_>,
        span: Span,
        number: u32,
        props: &str,
        nodes: &[IslandNode],
    ) -> Html {
        let Some(module) = self.module(cx, span) else {
            return Html::new();
        };
        let island = Island {
            number,
            slots: self.slots,
        };
        if !self.component.island {
            return cx.within_program(&module, |cx| {
                let value = tree::markup(cx, nodes, &island.slots);
                cx.value(&value)
            });
        }
        let inner = cx.within_program(&module, |cx| tree::html(cx, &island, nodes));
        let url = cx.modules.graph.url(&self.component.path);
        add_modules(cx, &self.component.path, &self.prop_files);
        let mut out = Html::new();
        out.lit("<svc-island")
            .attr("data-i", &number.to_string())
            .attr("data-m", &url)
            .attr("data-n", &self.component.name);
        if props != "{}" {
            out.attr("data-p", props);
        }
        out.lit(">").add(&inner);
        let mut shown = Vec::new();
        tree::visible_slots(nodes, &mut shown);
        for (index, html) in island.slots.iter().enumerate() {
            if !shown.contains(&index) {
                out.lit("<template")
                    .attr("data-s", &format!("{number}.{index}"))
                    .lit(">");
                tree::slot(&island, index, html, &mut out);
                out.lit("</template>");
            }
        }
        out.lit("</svc-island>");
        out
    }

    fn module(&self, cx: &mut Ctx<'_>, span: Span) -> Option<Rc<Module>> {
        let own = &cx.scope.module;
        if own
            .file
            .as_ref()
            .is_some_and(|file| **file.path() == *self.component.path)
        {
            return Some(Rc::clone(own));
        }
        let file = cx.scope.file.clone();
        let span = span.shifted(cx.scope.shift);
        cx.modules
            .load(&self.component.path, &file, span, &mut cx.out.diagnostics)
    }

    /// Reports why the component was not rendered.
    fn render_failure(&self, cx: &mut Ctx<'_>, tag: &Tag<'_>, failure: &ComponentError) -> Html {
        let (what, hint) = match failure {
            ComponentError::Time => (
                "it runs for more than 100 ms".to_owned(),
                "look for an endless loop, or move long work to `useEffect`",
            ),
            ComponentError::Memory => (
                "it needs more than 32 MB".to_owned(),
                "look for a list or a text that grows without limit",
            ),
            ComponentError::Depth => (
                "it calls itself too often".to_owned(),
                "look for a component that renders itself",
            ),
            ComponentError::Size => (
                "it shows too much".to_owned(),
                "render a part of the list, or split the component",
            ),
            ComponentError::Thrown { message, .. } => (
                message.clone(),
                "move code that needs the browser to `useEffect`; the first render runs on the server",
            ),
            ComponentError::Engine => (
                "the engine for components does not run".to_owned(),
                "check the memory and process limits of the server; programs that embed svc must start an engine",
            ),
        };
        let message = format!("`{}` could not be rendered: {what}", self.component.name);
        match self.location(cx, failure) {
            Some(location) => cx.out.diagnostics.push(
                Diagnostic::new(&COMPONENT_FAILED, message)
                    .at(location)
                    .hint(hint),
            ),
            None => cx.report(&COMPONENT_FAILED, tag.span, message, hint),
        }
        note(cx, &self.component.name, &what)
    }

    /// Location of an error in a file of the site.
    fn location(
        &self,
        cx: &mut Ctx<'_>,
        failure: &ComponentError,
    ) -> Option<svc_diagnostics::Location> {
        let ComponentError::Thrown {
            location: Some((url, line)),
            ..
        } = failure
        else {
            return None;
        };
        let table = &mut cx.modules.graph;
        let path = closure(table, &self.component.path, &self.prop_files)
            .into_iter()
            .find(|path| table.url(path) == *url)?;
        let file = cx.input.tree.text(&path)?;
        let before = usize::try_from(line.saturating_sub(1)).ok()?;
        let text = file.text();
        let start = text
            .split_inclusive('\n')
            .take(before)
            .map(str::len)
            .sum::<usize>();
        let length = text.get(start..)?.lines().next().map_or(0, str::len);
        Some(file.location(Span::from_range(start..start + length)))
    }
}

/// File and name of a component that a file defines or imports.
fn defined(module: &Module, value: &Value) -> Option<(String, String)> {
    let mut own = module.values.iter();
    let (name, _) =
        own.find(|(name, own)| name.starts_with(char::is_uppercase) && *own == value)?;
    match module.bindings.get(name) {
        Some(Binding::Export { path, name }) => Some((path.clone(), name.clone())),
        Some(_) => None,
        None => {
            let file = module.file.as_ref()?;
            Some((file.path().to_string(), name.clone()))
        }
    }
}

/// All files that a component and the components among its props import, directly or indirectly.
fn closure(table: &mut ModuleGraph<'_>, path: &str, prop_files: &[String]) -> BTreeSet<String> {
    let roots = prop_files.iter().map(String::as_str).chain([path]);
    let mut all = BTreeSet::new();
    for root in roots {
        all.extend(table.closure(root).into_keys());
    }
    all
}

/// Adds the module of a component and all its imports to the modules for the browser.
fn add_modules(cx: &mut Ctx<'_>, path: &str, prop_files: &[String]) {
    let table = &mut cx.modules.graph;
    for path in closure(table, path, prop_files) {
        let url = table.url(&path);
        if cx.islands.modules.contains_key(&url) {
            continue;
        }
        if let Some(Ok(compiled)) = table.compiled(&path) {
            cx.islands.strings.push_str(&compiled.strings);
            cx.islands
                .modules
                .insert(url, compiled.minified.as_str().into());
        }
    }
}

/// The placeholder of a failed component in previews; empty otherwise.
fn note(cx: &Ctx<'_>, name: &str, what: &str) -> Html {
    let mut out = Html::new();
    if cx.input.options.site.dev {
        out.lit("<p class=\"svc-island-note\" role=\"note\"><code>")
            .esc(name)
            .lit("</code> ")
            .esc(what)
            .lit("</p>");
    }
    out
}

/// Converts a number to JSON; integers without a decimal point.
fn json_number(number: f64) -> Json {
    #[expect(clippy::cast_possible_truncation, reason = "checked right before")]
    if number.fract() == 0.0 && number.abs() < 9e15 {
        Json::from(number as i64)
    } else {
        Json::from(number)
    }
}
