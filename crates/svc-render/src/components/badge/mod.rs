//! `Badge`: an inline label.

use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::ctx::Ctx;
use crate::html::Html;
use crate::markdown;

props! { PROPS:
    COLOR = prop("color", Text, "gray, blue, green, yellow, orange, red, purple, white, surface, white-destructive, surface-destructive");
    SIZE = prop("size", Text, "xs, sm, md or lg");
    SHAPE = prop("shape", Text, "rounded or pill");
    VARIANT = prop("variant", Text, "solid or outline");
    STROKE = prop("stroke", Flag, "With a border");
    DISABLED = prop("disabled", Flag, "Grayed out");
    HREF = prop("href", Text, "Link target");
    LEAD_ICON = prop("leadIcon", Icon, "Icon before the text");
    TAIL_ICON = prop("tailIcon", Icon, "Icon after the text");
    ICON = prop("icon", Icon, "Icon before the text");
    ICON_TYPE = prop("iconType", Text, "Style of the icon");
}

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
    let lead = element.icon(cx, ICON);
    let lead = if lead.is_empty() {
        element.icon(cx, LEAD_ICON)
    } else {
        lead
    };
    let tail = element.icon(cx, TAIL_ICON);
    let body = cx.inline_children(element.children);
    let target = element
        .text(HREF)
        .and_then(|href| markdown::target(cx, &href, element.span_of(HREF)));
    let color = element.text(COLOR).unwrap_or_else(|| "gray".to_owned());
    let size = element.text(SIZE).unwrap_or_else(|| "md".to_owned());
    let outline = element.text(VARIANT).as_deref() == Some("outline") || element.flag(STROKE);
    let mut out = Html::new();
    out.lit(if target.is_some() { "<a" } else { "<span" });
    out.attr("class", format!("svc-badge {}", element.class()).trim_end());
    if let Some(target) = &target {
        markdown::author_attributes(target, element.props, &mut out);
    }
    out.lit(" data-badge")
        .attr("data-color", &color)
        .attr("data-size", &size);
    out.attr_if("data-shape", element.text(SHAPE).as_deref())
        .flag("data-outline", outline);
    let disabled = element.flag(DISABLED);
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
