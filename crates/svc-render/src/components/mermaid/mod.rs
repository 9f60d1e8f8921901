//! `Mermaid` and `mermaid` code blocks: diagrams, rendered on the server.

use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::article::children::Children;
use crate::ctx::Ctx;
use crate::html::Html;
use crate::ui::{DiagramOptions, diagram};

props! { PROPS:
    CHART = prop("chart", Text, "Source of the diagram");
    PLACEMENT = prop("placement", Text, "Corner of the controls");
    ACTIONS = prop("actions", Flag, "Whether there are controls");
}

pub(super) static MERMAID: Component = Component {
    name: "mermaid",
    tags: &[Spec {
        tag: "Mermaid",
        props: PROPS,
        render,
    }],
    css: include_str!("mermaid.css"),
    js: Some(include_str!("mermaid.js")),
    docs: include_str!("mermaid.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let Some(source) = element.text(CHART) else {
        // A fence inside is rendered on its own.
        return match element.children {
            Children::None => Html::new(),
            children => cx.children(children),
        };
    };
    let placement = element.text(PLACEMENT);
    let has_actions = element.value(ACTIONS).is_some();
    let options = DiagramOptions {
        placement: placement.as_deref(),
        actions: has_actions.then(|| element.flag(ACTIONS)),
    };
    diagram(cx, source.trim(), options, element.span)
}
