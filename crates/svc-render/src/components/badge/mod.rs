//! `Badge`: an inline label.

use super::{Component, Element, Prop, PropKind, Spec, prop};
use crate::ctx::Ctx;
use crate::html::Html;
use crate::markdown;

const PROPS: &[Prop] = &[
    prop(
        "color",
        PropKind::Text,
        "gray, blue, green, yellow, orange, red, purple, white, surface, white-destructive, surface-destructive",
    ),
    prop("size", PropKind::Text, "xs, sm, md or lg"),
    prop("shape", PropKind::Text, "rounded or pill"),
    prop("variant", PropKind::Text, "solid or outline"),
    prop("stroke", PropKind::Flag, "With a border"),
    prop("disabled", PropKind::Flag, "Grayed out"),
    prop("href", PropKind::Text, "Link target"),
    prop("leadIcon", PropKind::Icon, "Icon before the text"),
    prop("tailIcon", PropKind::Icon, "Icon after the text"),
    prop("icon", PropKind::Icon, "Icon before the text"),
    prop("iconType", PropKind::Text, "Style of the icon"),
];

pub(super) static BADGE: Component = Component {
    name: "badge",
    tags: &[Spec {
        tag: "Badge",
        props: PROPS,
        render,
    }],
    css: include_str!("badge.css"),
    js: None,
    docs: include_str!("badge.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let lead = element.icon(cx);
    let lead = if lead.is_empty() {
        element.icon_of(cx, "leadIcon")
    } else {
        lead
    };
    let tail = element.icon_of(cx, "tailIcon");
    let body = cx.inline_children(element.children);
    let target = element
        .text("href")
        .and_then(|href| markdown::target(cx, &href, element.span_of("href")));
    let color = element.text("color").unwrap_or_else(|| "gray".to_owned());
    let size = element.text("size").unwrap_or_else(|| "md".to_owned());
    let outline =
        element.text("variant").as_deref() == Some("outline") || element.props.flag("stroke");
    let mut out = Html::new();
    out.lit(if target.is_some() { "<a" } else { "<span" });
    out.attr("class", format!("svc-badge {}", element.class()).trim_end());
    if let Some(target) = &target {
        markdown::author_attributes(target, element.props, &mut out);
    }
    out.lit(" data-badge")
        .attr("data-color", &color)
        .attr("data-size", &size);
    out.attr_if("data-shape", element.text("shape").as_deref())
        .flag("data-outline", outline);
    let disabled = element.props.flag("disabled");
    out.flag("data-disabled", disabled)
        .attr_if("aria-disabled", disabled.then_some("true"))
        .lit(">");
    out.add(&lead).add(&body).add(&tail);
    out.lit(if target.is_some() { "</a>" } else { "</span>" });
    out
}

#[cfg(test)]
mod tests {
    use crate::testing::page;

    #[test]
    fn every_color_size_and_shape_has_a_style() {
        let css = super::BADGE.css;
        for color in [
            "blue",
            "green",
            "yellow",
            "orange",
            "red",
            "purple",
            "white",
            "surface",
            "white-destructive",
            "surface-destructive",
        ] {
            let html = page(&format!("<Badge color=\"{color}\">x</Badge>")).html;
            assert!(html.contains(&format!("data-color=\"{color}\"")), "{html}");
            assert!(
                css.contains(&format!("[data-color=\"{color}\"]")),
                "{color}"
            );
        }
        for size in ["xs", "sm", "lg"] {
            assert!(css.contains(&format!("[data-size=\"{size}\"]")), "{size}");
        }
        let html = page("<Badge>x</Badge>").html;
        assert!(
            html.contains("data-color=\"gray\" data-size=\"md\""),
            "{html}"
        );
    }

    #[test]
    fn spaces_between_badges_are_preserved() {
        assert!(
            page("<Badge>a</Badge> <Badge>b</Badge>")
                .html
                .contains("</span>\n<span")
        );
        assert!(
            page("<Badge>a</Badge><Badge>b</Badge>")
                .html
                .contains("</span><span")
        );
    }

    #[test]
    fn outlines_states_icons_and_links_are_rendered() {
        let html = page("<Badge stroke disabled shape=\"pill\" icon=\"house\" tailIcon=\"star\" className=\"own\">x</Badge>").html;
        for part in [
            "svc-badge own",
            "data-shape=\"pill\" data-outline data-disabled",
            "<svg",
            "x<svg",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        let html =
            page("<Badge href=\"https://x.test\" variant=\"outline\" leadIcon=\"house\">x</Badge>")
                .html;
        assert!(
            html.contains("<a class=\"svc-badge\" href=\"https://x.test\"")
                && html.contains("data-outline"),
            "{html}"
        );
    }
}
