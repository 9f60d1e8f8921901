//! `CodeGroup`: code blocks in tabs.

use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::ctx::{Ctx, Panel, ParentContext};
use crate::html::Html;
use crate::ui::{PanelOptions, panels};

props! { PROPS:
    DROPDOWN = prop("dropdown", Flag, "A dropdown instead of tabs");
    IS_RUNNABLE = prop("isRunnable", Flag, "Accepted for compatibility; has no effect");
    IS_FILE_NAME = prop("isFileName", Flag, "Accepted for compatibility; has no effect");
}

pub(super) static CODE_GROUP: Component = Component {
    name: "code_group",
    tags: &[
        Spec {
            tag: "CodeGroup",
            props: PROPS,
            render,
        },
        Spec {
            tag: "SnippetGroup",
            props: PROPS,
            render,
        },
    ],
    css: include_str!("code_group.css"),
    js: None,
    docs: include_str!("code_group.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let texts = cx.texts;
    let (code_blocks, rest) = collect(cx, element);
    let mut out = group(cx, code_blocks, texts.code, element.flag(DROPDOWN));
    out.add(&rest);
    out
}

/// The code blocks among the children, and the other children as HTML.
pub(super) fn collect(cx: &mut Ctx<'_>, element: &Element<'_>) -> (Vec<Panel>, Html) {
    cx.out.text.break_line();
    cx.frames.swap(ParentContext::Panels {
        code: true,
        panels: Vec::new(),
    });
    let rest = cx.children(element.children);
    let panels = cx.frames.take_panels();
    (panels, if rest.is_blank() { Html::new() } else { rest })
}

/// Code blocks with tabs; blocks without a title are named after their language.
pub(crate) fn group(
    cx: &mut Ctx<'_>,
    mut code_blocks: Vec<Panel>,
    label: &'static str,
    dropdown: bool,
) -> Html {
    let count = code_blocks.len();
    for (at, panel) in code_blocks.iter_mut().enumerate() {
        if panel.title.is_empty() {
            let number = at + 1;
            panel.title = if label == cx.texts.code && !panel.language.is_empty() {
                panel.language.clone()
            } else if count == 1 {
                label.to_owned()
            } else {
                format!("{label} {number}")
            };
        }
    }
    let look = PanelOptions {
        class: "svc-code-group code-group",
        label,
        sync: true,
        code: true,
        dropdown,
        ..PanelOptions::default()
    };
    panels(cx, &code_blocks, look)
}

#[cfg(test)]
mod tests {
    use crate::testing::page;

    #[test]
    fn dropdown_replaces_the_tabs() {
        let blocks = "```bash npm\nx\n```\n```bash pnpm\ny\n```\n";
        assert!(
            page(&format!("<CodeGroup dropdown>\n{blocks}</CodeGroup>"))
                .html
                .contains(" data-dropdown>")
        );
        assert!(
            page(&format!(
                "<RequestExample dropdown>\n{blocks}</RequestExample>"
            ))
            .html
            .contains(" data-dropdown>")
        );
        assert!(
            !page(&format!("<CodeGroup>\n{blocks}</CodeGroup>"))
                .html
                .contains("data-dropdown")
        );
        // A single block needs no selection.
        let one = page("<CodeGroup dropdown>\n```bash npm\nx\n```\n</CodeGroup>").html;
        assert!(!one.contains("data-dropdown"), "{one}");
    }
}
