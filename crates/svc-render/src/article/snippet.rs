//! Snippets: the content of an MDX file, rendered in the scope of that file.

use std::rc::Rc;

use indexmap::IndexMap;
use svc_diagnostics::Span;

use super::tag::Tag;
use crate::ctx::{Ctx, MAX_SNIPPETS};
use crate::evaluate::Value;
use crate::html::Html;
use crate::modules::{IMPORT_CYCLE, Module};

/// Renders the content of an MDX file with the attributes as its variables.
pub(crate) fn snippet(cx: &mut Ctx<'_>, tag: &Tag<'_>, path: &str) -> Html {
    let cycle = cx.frames.snippets.iter().any(|open| **open == *path);
    if cycle || cx.frames.snippets.len() >= MAX_SNIPPETS {
        if cx.out.is_first(&IMPORT_CYCLE, path) {
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
    cx.frames.snippets.push(path.into());
    let html = cx.within(&module, locals, |cx| cx.nodes(&module.document.children));
    cx.frames.snippets.pop();
    html
}

/// Loads an imported file; a failure is reported.
pub(super) fn load(cx: &mut Ctx<'_>, path: &str, span: Span) -> Option<Rc<Module>> {
    let file = cx.scope.file.clone();
    let span = span.shifted(cx.scope.shift);
    cx.modules.load(path, &file, span, &mut cx.out.diagnostics)
}

/// The props object that is passed to a component: attributes and children.
pub(super) fn arguments(cx: &mut Ctx<'_>, tag: &Tag<'_>) -> IndexMap<String, Value> {
    let mut all: IndexMap<String, Value> = tag
        .props
        .iter()
        .map(|(name, value, _)| (name.to_owned(), value.clone()))
        .collect();
    if !tag.children.is_empty() {
        let html = cx.children(tag.children);
        let children = cx.html_value(html);
        all.insert("children".to_owned(), children);
    }
    all
}
