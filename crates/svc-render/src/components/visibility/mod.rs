//! `Visibility`: content for people or for machines only.

use svc_diagnostics::Code;

use super::{Component, Element, Prop, PropKind, Spec, required};
use crate::ctx::Ctx;
use crate::html::Html;

/// A reader that nobody is.
pub(crate) static UNKNOWN_READER: Code =
    Code::warning("visibility-unknown", "`for` names no kind of reader");

const PROPS: &[Prop] = &[required("for", PropKind::Text, "humans or agents")];

pub(super) static VISIBILITY: Component = Component {
    name: "visibility",
    tags: &[Spec {
        tag: "Visibility",
        props: PROPS,
        render,
    }],
    css: "",
    js: None,
    docs: include_str!("visibility.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    match element.text("for").as_deref() {
        Some("humans" | "signed-out") => cx.children(element.children),
        Some("agents" | "signed-in") => Html::new(),
        other => {
            let message = match other {
                Some(other) => {
                    format!("`for=\"{other}\"` names no kind of reader; nothing is shown")
                }
                None => "`Visibility` without `for` shows nothing".to_owned(),
            };
            cx.report(
                &UNKNOWN_READER,
                element.span,
                message,
                "write `humans` or `agents`",
            );
            Html::new()
        }
    }
}
