//! `Note`, `Warning`, `Info`, `Tip`, `Check`, `Danger` and `Callout`: highlighted boxes.

use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::ctx::Ctx;
use crate::html::Html;
use crate::markdown;
use crate::ui::{CALLOUT_KINDS, callout_content, callout_label};

props! { PROPS:
    TITLE = prop("title", Rich, "A line above the text");
    ICON = prop("icon", Icon, "Custom icon");
    ICON_TYPE = prop("iconType", Text, "Style of the icon");
    COLOR = prop("color", Text, "Color of icon, border and background");
    TYPE = prop("type", Text, "note, warning, info, tip, check or danger");
}

pub(super) static CALLOUT: Component = Component {
    name: "callout",
    tags: &[
        Spec {
            tag: "Callout",
            props: PROPS,
            render,
        },
        Spec {
            tag: "Check",
            props: PROPS,
            render,
        },
        Spec {
            tag: "Danger",
            props: PROPS,
            render,
        },
        Spec {
            tag: "Info",
            props: PROPS,
            render,
        },
        Spec {
            tag: "Note",
            props: PROPS,
            render,
        },
        Spec {
            tag: "Tip",
            props: PROPS,
            render,
        },
        Spec {
            tag: "Warning",
            props: PROPS,
            render,
        },
    ],
    css: include_str!("callout.css"),
    js: None,
    docs: include_str!("callout.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let named = element.tag.to_ascii_lowercase();
    let kind_name = if named == "callout" {
        element
            .text(TYPE)
            .unwrap_or_else(|| "info".to_owned())
            .to_ascii_lowercase()
    } else {
        named
    };
    let known = CALLOUT_KINDS.iter().find(|(kind, _)| *kind == kind_name);
    let (kind, icon_name) = known.copied().unwrap_or(("info", "info"));
    cx.out.text.break_line();
    let own = element.icon(cx, ICON);
    let plain = element.tag == "Callout" && element.value(TYPE).is_none();
    let icon = if !own.is_empty() {
        own
    } else if plain {
        Html::new()
    } else {
        crate::icons::render_icon(icon_name, None, svc_config::IconLibrary::Lucide)
            .unwrap_or_default()
    };
    let title = element.rich_text(cx, TITLE);
    let body = cx.children(element.children);
    cx.out.text.break_line();
    let id = markdown::html_attributes(cx, element.props, &["id"]);
    let mut out = Html::new();
    out.lit("<div role=\"note\"").attr(
        "class",
        format!("svc-callout callout {}", element.class()).trim_end(),
    );
    out.add(&id)
        .attr("data-callout-type", kind)
        .attr("aria-label", callout_label(kind, cx.texts));
    if let Some(color) = element.color(COLOR) {
        out.lit(" data-tinted")
            .attr("style", &format!("--svc-callout:{color}"));
    }
    out.lit(">");
    callout_content(&icon, &title, &body, &mut out);
    out.lit("</div>\n");
    out
}

#[cfg(test)]
mod tests {
    use crate::testing::page;

    #[test]
    fn block_quotes_with_a_kind_are_callouts() {
        for (mark, kind) in [
            ("NOTE", "note"),
            ("tip", "tip"),
            ("IMPORTANT", "info"),
            ("WARNING", "warning"),
            ("CAUTION", "danger"),
        ] {
            let page = page(&format!("> [!{mark}]\n> Some *text*.\n>\n> - more\n"));
            let html = &page.html;
            assert!(
                html.contains(&format!("data-callout-type=\"{kind}\"")),
                "{html}"
            );
            assert!(
                html.contains("<p>Some <em>text</em>.</p>") && html.contains("<li>more</li>"),
                "{html}"
            );
            assert!(
                !html.contains("[!") && !html.contains("blockquote"),
                "{html}"
            );
        }
    }

    #[test]
    fn other_block_quotes_are_unchanged() {
        for text in [
            "> [!NOTE] in a line",
            "> [!NOPE]\n> x",
            "> plain",
            "> **[!NOTE]**\n> x",
        ] {
            let html = page(text).html;
            assert!(
                html.contains("<blockquote>") && !html.contains("callout"),
                "{text}: {html}"
            );
        }
    }
}
