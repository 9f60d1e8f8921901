//! `Snippet`: the contents of a file in the directory of snippets.

use super::{Component, Element, Prop, PropKind, Spec, prop, required};
use crate::article::{MISSING_IMPORT, Props, Tag, snippet};
use crate::ctx::Ctx;
use crate::html::Html;

const PROPS: &[Prop] = &[
    required("file", PropKind::Text, "File in `snippets/`"),
    prop(
        "*",
        PropKind::Any,
        "Other attributes are variables of the snippet",
    ),
];

pub(super) static SNIPPET: Component = Component {
    name: "snippet",
    tags: &[Spec {
        tag: "Snippet",
        props: PROPS,
        render,
    }],
    css: "",
    js: None,
    docs: include_str!("snippet.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let file = element.text("file").unwrap_or_default();
    let from = cx.source.file.path().to_string();
    let Some(path) = cx.modules.snippet(&from, &file) else {
        let message = format!("there is no snippet `{file}`");
        let old = cx
            .site
            .tree
            .names()
            .any(|path| path.starts_with("_snippets/"));
        let dir = if old { "_snippets" } else { "snippets" };
        cx.report(
            &MISSING_IMPORT,
            element.span_of("file"),
            message,
            format!("create it in `{dir}/`"),
        );
        return Html::new();
    };
    let mut props = Props::default();
    for (name, value, span) in element.props.iter().filter(|(name, _, _)| *name != "file") {
        props.push(name, value.clone(), span);
    }
    let children = element.children;
    snippet(
        cx,
        &Tag {
            name: "Snippet",
            span: element.span,
            props,
            children,
        },
        &path,
    )
}
