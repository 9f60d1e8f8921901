//! `Snippet`: the contents of a file in the directory of snippets.

use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::article::snippet::snippet;
use crate::article::tag::{Props, Tag};
use crate::ctx::Ctx;
use crate::html::Html;
use crate::modules::MISSING_IMPORT;

props! { PROPS:
    FILE = required("file", Text, "File in `snippets/`");
    REST = prop("*", Any, "Other attributes are variables of the snippet");
}

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
    let file = element.text(FILE).unwrap_or_default();
    let from = cx.scope.file.path().to_string();
    let Some(path) = cx.modules.snippet(&from, &file) else {
        let message = format!("there is no snippet `{file}`");
        let mut names = cx.input.tree.names();
        let is_legacy = names.any(|path| path.starts_with("_snippets/"));
        let dir = if is_legacy { "_snippets" } else { "snippets" };
        cx.report(
            &MISSING_IMPORT,
            element.span_of(FILE),
            message,
            format!("create it in `{dir}/`"),
        );
        return Html::new();
    };
    let mut props = Props::default();
    for (name, value, span) in element
        .props
        .iter()
        .filter(|(name, _, _)| *name != FILE.name)
    {
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
