//! `Note`, `Warning`, `Info`, `Tip`, `Check`, `Danger` and `Callout`: boxes that stand out.

use super::{Component, Element, Prop, PropKind, Spec, prop};
use crate::ctx::Ctx;
use crate::html::Html;
use crate::language::Texts;

const PROPS: &[Prop] = &[
    prop("title", PropKind::Rich, "A line above the text"),
    prop("icon", PropKind::Icon, "Another icon"),
    prop("iconType", PropKind::Text, "Style of the icon"),
    prop(
        "color",
        PropKind::Text,
        "Colour of icon, border and background",
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

/// Kind and icon.
const KINDS: &[(&str, &str)] = &[
    ("check", "circle-check"),
    ("danger", "octagon-alert"),
    ("info", "info"),
    ("note", "circle-alert"),
    ("tip", "lightbulb"),
    ("warning", "triangle-alert"),
];

/// What a kind is called, for screen readers.
fn label(kind: &str, texts: &'static Texts) -> &'static str {
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
    let wanted = if named == "callout" {
        element
            .text("type")
            .unwrap_or_else(|| "info".to_owned())
            .to_ascii_lowercase()
    } else {
        named
    };
    let known = KINDS.iter().find(|(kind, _)| *kind == wanted);
    let (kind, icon_name) = known.copied().unwrap_or(("info", "info"));
    cx.pause();
    let own = element.icon(cx);
    let plain = element.tag == "Callout" && element.props.get("type").is_none();
    let icon = if !own.is_empty() {
        own
    } else if plain {
        Html::new()
    } else {
        crate::icons::drawn(icon_name, None, svc_config::IconLibrary::Lucide).unwrap_or_default()
    };
    let title = element.rich(cx, "title");
    let body = cx.children(element.children);
    cx.pause();
    let mut out = Html::new();
    out.lit("<aside").attr(
        "class",
        format!("svc-callout callout {}", element.class()).trim_end(),
    );
    out.attr("data-callout-type", kind)
        .attr("aria-label", label(kind, cx.texts));
    if let Some(color) = element.props.color("color") {
        out.lit(" data-tinted")
            .attr("style", &format!("--svc-callout:{color}"));
    }
    out.lit(">");
    if !icon.is_empty() {
        out.lit("<div class=\"svc-callout-icon\">")
            .add(&icon)
            .lit("</div>");
    }
    out.lit("<div class=\"svc-callout-body\">");
    if !title.is_blank() {
        out.lit("<p class=\"svc-callout-title\">")
            .add(&title)
            .lit("</p>");
    }
    out.add(&body).lit("</div></aside>\n");
    out
}
