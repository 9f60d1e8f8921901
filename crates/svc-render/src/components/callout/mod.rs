//! `Note`, `Warning`, `Info`, `Tip`, `Check`, `Danger` and `Callout`: highlighted boxes.

use super::{Component, Element, Prop, PropKind, Spec, prop};
use crate::ctx::Ctx;
use crate::html::Html;
use crate::i18n::Messages;
use crate::markdown;

const PROPS: &[Prop] = &[
    prop("title", PropKind::Rich, "A line above the text"),
    prop("icon", PropKind::Icon, "Custom icon"),
    prop("iconType", PropKind::Text, "Style of the icon"),
    prop(
        "color",
        PropKind::Text,
        "Color of icon, border and background",
    ),
    prop(
        "type",
        PropKind::Text,
        "note, warning, info, tip, check or danger",
    ),
];

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

/// Kinds of callouts and their icons.
pub(super) const KINDS: &[(&str, &str)] = &[
    ("check", "circle-check"),
    ("danger", "octagon-alert"),
    ("info", "info"),
    ("note", "circle-alert"),
    ("tip", "lightbulb"),
    ("warning", "triangle-alert"),
];

/// The accessible name of a kind.
fn label(kind: &str, texts: &'static Messages) -> &'static str {
    match kind {
        "check" => texts.check,
        "danger" => texts.danger,
        "note" => texts.note,
        "tip" => texts.tip,
        "warning" => texts.warning,
        _ => texts.info,
    }
}

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let named = element.tag.to_ascii_lowercase();
    let kind_name = if named == "callout" {
        element
            .text("type")
            .unwrap_or_else(|| "info".to_owned())
            .to_ascii_lowercase()
    } else {
        named
    };
    let known = KINDS.iter().find(|(kind, _)| *kind == kind_name);
    let (kind, icon_name) = known.copied().unwrap_or(("info", "info"));
    cx.break_search_text();
    let own = element.icon(cx);
    let plain = element.tag == "Callout" && element.props.get("type").is_none();
    let icon = if !own.is_empty() {
        own
    } else if plain {
        Html::new()
    } else {
        crate::icons::render_icon(icon_name, None, svc_config::IconLibrary::Lucide)
            .unwrap_or_default()
    };
    let title = element.rich_text(cx, "title");
    let body = cx.children(element.children);
    cx.break_search_text();
    let id = markdown::html_attributes(cx, element.props, &["id"]);
    let mut out = Html::new();
    out.lit("<div role=\"note\"").attr(
        "class",
        format!("svc-callout callout {}", element.class()).trim_end(),
    );
    out.add(&id)
        .attr("data-callout-type", kind)
        .attr("aria-label", label(kind, cx.texts));
    if let Some(color) = element.props.color("color") {
        out.lit(" data-tinted")
            .attr("style", &format!("--svc-callout:{color}"));
    }
    out.lit(">");
    inside(&icon, &title, &body, &mut out);
    out.lit("</div>\n");
    out
}

/// The kinds of callouts that a block quote can declare, as in `> [!NOTE]`.
const ALERTS: &[(&str, &str)] = &[
    ("CAUTION", "danger"),
    ("IMPORTANT", "info"),
    ("NOTE", "note"),
    ("TIP", "tip"),
    ("WARNING", "warning"),
];

/// The kind that the first line of a block quote declares. `None` for other lines.
pub(crate) fn alert(line: &str) -> Option<&'static str> {
    let name = line.trim().strip_prefix("[!")?.strip_suffix(']')?;
    ALERTS
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(name))
        .map(|(_, kind)| *kind)
}

/// A callout around rendered content.
pub(crate) fn ready_callout(texts: &'static Messages, kind: &'static str, body: &Html) -> Html {
    let known = KINDS.iter().find(|(known, _)| *known == kind);
    let icon = known.and_then(|(_, icon)| {
        crate::icons::render_icon(icon, None, svc_config::IconLibrary::Lucide)
    });
    let mut out = Html::literal("<div class=\"svc-callout callout\" role=\"note\"");
    out.attr("data-callout-type", kind)
        .attr("aria-label", label(kind, texts))
        .lit(">");
    inside(&icon.unwrap_or_default(), &Html::new(), body, &mut out);
    out.lit("</div>\n");
    out
}

fn inside(icon: &Html, title: &Html, body: &Html, out: &mut Html) {
    if !icon.is_empty() {
        out.lit("<div class=\"svc-callout-icon\">")
            .add(icon)
            .lit("</div>");
    }
    out.lit("<div class=\"svc-callout-body\">");
    if !title.is_blank() {
        out.lit("<p class=\"svc-callout-title\">")
            .add(title)
            .lit("</p>");
    }
    out.add(body).lit("</div>");
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
