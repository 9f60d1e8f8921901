//! Elements: imported and exported components, built-in components, HTML.

use std::rc::Rc;

use indexmap::IndexMap;
use svc_diagnostics::{DiagnosticCode, Span, did_you_mean};
use svc_mdx::{AttributeKind, AttributeValue, Element};

use super::attributes::Props;
use super::children::Children;
use super::expression::{rendered, value};
use super::module::{Binding, IMPORT_CYCLE, Module};
use crate::components;
use crate::ctx::{Ctx, MAX_DEPTH, MAX_SNIPPETS, ParentContext, SourceContext};
use crate::evaluate::{self, Function, JsxTag, Value};
use crate::html::Html;
use crate::islands;
use crate::markdown;

/// A component that is neither built in nor imported.
pub(crate) static UNKNOWN_COMPONENT: DiagnosticCode = DiagnosticCode::warning(
    "component-unknown",
    "a component is neither built in nor imported",
);

/// An element with its attributes evaluated.
#[derive(Debug, Clone)]
pub(crate) struct Tag<'n> {
    /// Name as written: `Card`, `Tree.File`, `div`.
    pub(crate) name: &'n str,
    /// Span of the opening tag, for diagnostics.
    pub(crate) span: Span,
    pub(crate) props: Props,
    pub(crate) children: Children<'n>,
}

/// Renders an element of a page.
pub(crate) fn element(cx: &mut Ctx<'_>, element: &Element, span: Span) -> Html {
    let children = Children::Nodes(&element.children);
    let Some(name) = element.name.as_deref() else {
        return cx.children(children);
    };
    let mut props = Props::default();
    for attribute in &element.attributes {
        match &attribute.kind {
            AttributeKind::Named { name, value } => {
                let value = match value {
                    AttributeValue::None => Value::Bool(true),
                    AttributeValue::String(text) => {
                        let text = super::substitute(cx, text);
                        Value::from(text.as_ref())
                    }
                    AttributeValue::Expression { value, span } => cx.evaluate(value, *span),
                };
                props.push(name.to_string(), value, attribute.span);
            }
            AttributeKind::Spread(text) => {
                if let Value::Object(object) = cx.evaluate(text, attribute.span) {
                    for (key, value) in object.iter().take(200) {
                        props.push(key.clone(), value.clone(), attribute.span);
                    }
                }
            }
        }
    }
    // Diagnostics mark only the opening tag up to the end of its name.
    let end = element.name_span.end.max(span.start.saturating_add(1));
    let tag = Tag {
        name,
        span: Span::new(span.start, end),
        props,
        children,
    };
    render_tag(cx, &tag)
}

/// Renders an element, independent of its source.
pub(crate) fn render_tag(cx: &mut Ctx<'_>, tag: &Tag<'_>) -> Html {
    nested(cx, |cx| dispatch(cx, tag))
}

/// Renders an element of an expression or of an engine component.
pub(crate) fn render_jsx(
    cx: &mut Ctx<'_>,
    tag: &JsxTag,
    props: Props,
    children: Children<'_>,
) -> Html {
    let name = match tag {
        JsxTag::Name(name) => name.as_str(),
        JsxTag::Component(component) => component.name.as_str(),
        JsxTag::Content(path) => path.as_str(),
        JsxTag::Fragment | JsxTag::Rendered(_) => "",
    };
    let element = Tag {
        name,
        span: Span::default(),
        props,
        children,
    };
    nested(cx, |cx| match tag {
        JsxTag::Component(component) => islands::render(cx, &element, component),
        JsxTag::Content(path) => snippet(cx, &element, path),
        JsxTag::Name(_) | JsxTag::Fragment | JsxTag::Rendered(_) => dispatch(cx, &element),
    })
}

/// Calls `render` at one more level of nesting.
fn nested(cx: &mut Ctx<'_>, render: impl FnOnce(&mut Ctx<'_>) -> Html) -> Html {
    if cx.depth >= MAX_DEPTH || !cx.charge(16) {
        return Html::new();
    }
    cx.depth += 1;
    let html = render(cx);
    cx.depth -= 1;
    html
}

fn dispatch(cx: &mut Ctx<'_>, tag: &Tag<'_>) -> Html {
    let base = tag.name.split('.').next().unwrap_or(tag.name);
    let module = Rc::clone(&cx.source.module);
    if let Some(binding) = module.bindings.get(base) {
        return imported(cx, tag, binding);
    }
    let defined = cx
        .source
        .locals
        .get(tag.name)
        .or_else(|| module.values.get(tag.name))
        .cloned();
    if let Some(component) = defined
        && starts_upper(tag.name)
    {
        return custom(cx, tag, &component, &module);
    }
    if let Some(spec) = components::find(tag.name) {
        cx.parents.push(ParentContext::Plain);
        let html = components::render(cx, spec, tag);
        cx.parents.pop();
        return html;
    }
    if !starts_upper(tag.name) && !tag.name.contains('.') {
        return markdown::html_element(cx, tag);
    }
    unknown(cx, tag)
}

fn starts_upper(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

fn unknown(cx: &mut Ctx<'_>, tag: &Tag<'_>) -> Html {
    let module = Rc::clone(&cx.source.module);
    let root = tag.name.split('.').next().unwrap_or(tag.name);
    // The missing import is reported already.
    let is_missing = module.missing.iter().any(|name| name == root);
    if !is_missing && cx.report_once(&UNKNOWN_COMPONENT, tag.name) {
        let mut known: Vec<&str> = components::tags().collect();
        known.extend(module.bindings.keys().map(String::as_str));
        let near = did_you_mean(tag.name, known);
        let hint = near.map_or_else(
            || {
                format!(
                    "import it: `import {{ {} }} from \"/snippets/…\"`",
                    tag.name
                )
            },
            |near| format!("did you mean `{near}`?"),
        );
        let message = format!(
            "unknown component `{}`; only its content is rendered",
            tag.name
        );
        cx.report(&UNKNOWN_COMPONENT, tag.span, message, hint);
    }
    cx.children(tag.children)
}

fn imported(cx: &mut Ctx<'_>, tag: &Tag<'_>, binding: &Binding) -> Html {
    match binding {
        Binding::Content(path) => snippet(cx, tag, path),
        Binding::Export { path, name } => export(cx, tag, path, name),
        Binding::Namespace(path) => {
            let name = tag.name.split_once('.').map_or("default", |(_, name)| name);
            export(cx, tag, path, name)
        }
    }
}

fn load(cx: &mut Ctx<'_>, path: &str, span: Span) -> Option<Rc<Module>> {
    let file = cx.source.file.clone();
    let span = span.shifted(cx.source.shift);
    cx.modules.load(path, &file, span, &mut cx.diagnostics)
}

fn export(cx: &mut Ctx<'_>, tag: &Tag<'_>, path: &str, name: &str) -> Html {
    let Some(module) = load(cx, path, tag.span) else {
        return cx.children(tag.children);
    };
    match module.values.get(name).cloned() {
        Some(component) => custom(cx, tag, &component, &module),
        None => match module.bindings.get(name).cloned() {
            // A re-export of another file.
            Some(binding) if cx.snippets.len() < MAX_SNIPPETS => imported(cx, tag, &binding),
            _ => cx.children(tag.children),
        },
    }
}

/// The props object that is passed to a component: attributes and children.
fn arguments(cx: &mut Ctx<'_>, tag: &Tag<'_>) -> IndexMap<String, Value> {
    let mut all: IndexMap<String, Value> = tag
        .props
        .iter()
        .map(|(name, value, _)| (name.to_owned(), value.clone()))
        .collect();
    if !tag.children.is_empty() {
        let html = cx.children(tag.children);
        all.insert("children".to_owned(), rendered(cx, html));
    }
    all
}

/// Calls `render` with the scope of another file.
pub(crate) fn within(
    cx: &mut Ctx<'_>,
    module: &Rc<Module>,
    locals: Rc<IndexMap<String, Value>>,
    render: impl FnOnce(&mut Ctx<'_>) -> Html,
) -> Html {
    let file = module
        .file
        .clone()
        .unwrap_or_else(|| cx.source.file.clone());
    let same = file.path() == cx.source.file.path();
    let shift = if same { cx.source.shift } else { 0 };
    let source = SourceContext {
        file,
        shift,
        module: Rc::clone(module),
        locals,
    };
    let before = std::mem::replace(&mut cx.source, source);
    let html = render(cx);
    cx.source = before;
    html
}

/// Like [`within`] for generated content: its headings are not added to the table of contents,
/// which lists only headings of the page itself.
pub(crate) fn within_program(
    cx: &mut Ctx<'_>,
    module: &Rc<Module>,
    render: impl FnOnce(&mut Ctx<'_>) -> Html,
) -> Html {
    cx.toc_off += 1;
    let html = within(cx, module, Rc::default(), render);
    cx.toc_off -= 1;
    html
}

/// Renders a component that a file defines: a function, or a constant.
fn custom(cx: &mut Ctx<'_>, tag: &Tag<'_>, component: &Value, module: &Rc<Module>) -> Html {
    match component {
        Value::Function(function) => {
            let arguments = arguments(cx, tag);
            call(cx, tag, (component, function), arguments, module)
        }
        Value::Component(component) => islands::render(cx, tag, component),
        shown => within_program(cx, module, |cx| value(cx, shown)),
    }
}

fn call(
    cx: &mut Ctx<'_>,
    tag: &Tag<'_>,
    (component, function): (&Value, &Function),
    arguments: IndexMap<String, Value>,
    module: &Rc<Module>,
) -> Html {
    let limits = cx.limits();
    let env = super::expression::Env {
        locals: Rc::default(),
        module: Rc::clone(module),
    };
    let props = Value::from(arguments);
    match evaluate::call(function, std::slice::from_ref(&props), &env, limits) {
        Ok(result) => {
            if result.needs_engine
                && let Some(html) = islands::call(cx, module, component, &props)
            {
                return html;
            }
            within_program(cx, module, |cx| value(cx, &result.value))
        }
        Err(error) => {
            let message = format!("`{}` cannot be rendered: {}", tag.name, error.message);
            let hint = "avoid browser APIs and long loops; the component is rendered on the server";
            cx.report(&super::BAD_EXPRESSION, tag.span, message, hint);
            Html::new()
        }
    }
}

/// Renders the content of an MDX file with the attributes as its variables.
pub(crate) fn snippet(cx: &mut Ctx<'_>, tag: &Tag<'_>, path: &str) -> Html {
    let cycle = cx.snippets.iter().any(|open| **open == *path);
    if cycle || cx.snippets.len() >= MAX_SNIPPETS {
        if cx.report_once(&IMPORT_CYCLE, path) {
            let message = if cycle {
                format!("`/{path}` includes itself")
            } else {
                format!("`/{path}` exceeds the nesting limit of {MAX_SNIPPETS} snippets")
            };
            cx.report(
                &IMPORT_CYCLE,
                tag.span,
                message,
                "remove one of the nested snippets",
            );
        }
        return Html::new();
    }
    let Some(module) = load(cx, path, tag.span) else {
        return Html::new();
    };
    let locals = Rc::new(arguments(cx, tag));
    cx.snippets.push(path.into());
    let html = within(cx, &module, locals, |cx| {
        markdown::nodes(cx, &module.document.children)
    });
    cx.snippets.pop();
    html
}
