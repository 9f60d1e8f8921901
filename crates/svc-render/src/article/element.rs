//! Elements: imported and exported components, built-in components, HTML.

use std::rc::Rc;

use indexmap::IndexMap;
use svc_diagnostics::{DiagnosticCode, Span, diagnostic_code, did_you_mean};
use svc_mdx::{AttributeKind, AttributeValue, Element};

use super::children::Children;
use super::expression::BAD_EXPRESSION;
use super::snippet::{arguments, load, snippet};
use super::tag::{Props, Tag};
use crate::components;
use crate::ctx::{Ctx, FileScope, MAX_SNIPPETS, ParentContext};
use crate::evaluate::{self, Function, JsxTag, Value};
use crate::html::Html;
use crate::islands::{self, fallback};
use crate::markdown;
use crate::modules::{Binding, Module};

/// A component that is neither built in nor imported.
pub(crate) static UNKNOWN_COMPONENT: DiagnosticCode = diagnostic_code!(
    warning,
    "component-unknown",
    "a component is neither built in nor imported"
);

impl Ctx<'_> {
    /// Renders an element of a page.
    pub(crate) fn element(&mut self, element: &Element, span: Span) -> Html {
        let children = Children::Nodes(&element.children);
        let Some(name) = element.name.as_deref() else {
            return self.children(children);
        };
        let mut props = Props::default();
        for attribute in &element.attributes {
            match &attribute.kind {
                AttributeKind::Named { name, value } => {
                    let value = match value {
                        AttributeValue::None => Value::Bool(true),
                        AttributeValue::String(text) => {
                            let text = self.substitute(text);
                            Value::from(text.as_ref())
                        }
                        AttributeValue::Expression { value, span } => self.evaluate(value, *span),
                    };
                    props.push(name.to_string(), value, attribute.span);
                }
                AttributeKind::Spread(text) => {
                    if let Value::Object(object) = self.evaluate(text, attribute.span) {
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
        self.tag(&tag)
    }

    /// Renders an element, independent of its source.
    pub(crate) fn tag(&mut self, tag: &Tag<'_>) -> Html {
        self.nested(|cx| dispatch(cx, tag))
    }

    /// Renders an element of an expression or of an engine component.
    pub(crate) fn jsx_tag(&mut self, tag: &JsxTag, props: Props, children: Children<'_>) -> Html {
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
        let mut html = self.nested(|cx| match tag {
            JsxTag::Component(component) => islands::render(cx, &element, component),
            JsxTag::Content(path) => snippet(cx, &element, path),
            JsxTag::Name(_) | JsxTag::Fragment | JsxTag::Rendered(_) => dispatch(cx, &element),
        });
        self.mark(&mut html, 0);
        html
    }

    /// Calls `render` at one more level of nesting.
    fn nested(&mut self, render: impl FnOnce(&mut Self) -> Html) -> Html {
        if !self.budget.enter() {
            return Html::new();
        }
        let html = if self.charge(16) {
            render(self)
        } else {
            Html::new()
        };
        self.budget.leave();
        html
    }
}

fn dispatch(cx: &mut Ctx<'_>, tag: &Tag<'_>) -> Html {
    let base = tag.name.split('.').next().unwrap_or(tag.name);
    let module = Rc::clone(&cx.scope.module);
    if let Some(binding) = module.bindings.get(base) {
        return imported(cx, tag, binding);
    }
    let defined = cx
        .scope
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
        cx.frames.push(ParentContext::Plain);
        let html = components::render(cx, spec, tag);
        cx.frames.pop();
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
    let module = Rc::clone(&cx.scope.module);
    let root = tag.name.split('.').next().unwrap_or(tag.name);
    // The missing import is reported already.
    let is_missing = module.missing.iter().any(|name| name == root);
    if !is_missing && cx.out.is_first(&UNKNOWN_COMPONENT, tag.name) {
        let mut known: Vec<&str> = components::tags().collect();
        known.extend(module.bindings.keys().map(String::as_str));
        let near = did_you_mean(tag.name, known).map(str::to_owned);
        let hint = near.as_ref().map_or_else(
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
        if let Some(near) = near {
            cx.fix_tags(tag.name, &near);
        }
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

fn export(cx: &mut Ctx<'_>, tag: &Tag<'_>, path: &str, name: &str) -> Html {
    let Some(module) = load(cx, path, tag.span) else {
        return cx.children(tag.children);
    };
    match module.values.get(name).cloned() {
        Some(component) => custom(cx, tag, &component, &module),
        None => match module.bindings.get(name).cloned() {
            // A re-export of another file.
            Some(binding) if cx.frames.snippets.len() < MAX_SNIPPETS => imported(cx, tag, &binding),
            _ => cx.children(tag.children),
        },
    }
}

/// Renders a component that a file defines: a function, or a constant.
fn custom(cx: &mut Ctx<'_>, tag: &Tag<'_>, component: &Value, module: &Rc<Module>) -> Html {
    match component {
        Value::Function(function) => {
            let arguments = arguments(cx, tag);
            call(cx, tag, (component, function), arguments, module)
        }
        Value::Component(component) => islands::render(cx, tag, component),
        shown => cx.within_program(module, |cx| cx.value(shown)),
    }
}

fn call(
    cx: &mut Ctx<'_>,
    tag: &Tag<'_>,
    (component, function): (&Value, &Function),
    arguments: IndexMap<String, Value>,
    module: &Rc<Module>,
) -> Html {
    let limits = cx.budget.evaluation();
    let scope = FileScope::new(cx.scope.file.clone(), 0, Rc::clone(module));
    let props = Value::from(arguments);
    match evaluate::call(function, std::slice::from_ref(&props), &scope, limits) {
        Ok(result) => {
            if result.needs_engine
                && let Some(html) = fallback::call(cx, module, component, &props)
            {
                return html;
            }
            cx.within_program(module, |cx| cx.value(&result.value))
        }
        Err(error) => {
            let message = format!("`{}` cannot be rendered: {}", tag.name, error.message);
            let hint = "avoid browser APIs and long loops; the component is rendered on the server";
            cx.report(&BAD_EXPRESSION, tag.span, message, hint);
            Html::new()
        }
    }
}
