//! `Card`: a box with a title, optionally a link.

use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::ctx::Ctx;
use crate::html::Html;
use crate::markdown::{self, Image};
use crate::ui::CALLOUT_KINDS;

props! { PROPS:
    TITLE = prop("title", Rich, "Heading of the card");
    DESCRIPTION = prop("description", Rich, "Text below the heading");
    ICON = prop("icon", Icon, "Icon above the heading");
    ICON_TYPE = prop("iconType", Text, "Style of the icon");
    COLOR = prop("color", Text, "Color of the icon");
    HREF = prop("href", Text, "Link target");
    HORIZONTAL = prop("horizontal", Flag, "Icon next to the text");
    IMG = prop("img", Text, "Image at the top");
    CTA = prop("cta", Rich, "Text of a link at the bottom");
    ARROW = prop("arrow", Flag, "Arrow in the corner; default: only on links to other sites");
    TYPE = prop("type", Text, "Colors and icon of a callout: note, warning, info, tip, check or danger");
    DISABLED = prop("disabled", Flag, "Grayed out, without link");
    TARGET = prop("target", Text, "`target` of the link");
    AS = prop("as", Text, "Accepted for compatibility; has no effect");
}

pub(super) static CARD: Component = Component {
    name: "card",
    tags: &[Spec {
        tag: "Card",
        props: PROPS,
        render,
    }],
    css: include_str!("card.css"),
    js: None,
    docs: include_str!("card.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let props = element.props;
    cx.out.text.break_line();
    let mut icon = element.icon(cx, ICON);
    let kind = element.text(TYPE);
    let known = CALLOUT_KINDS
        .iter()
        .find(|(known, _)| kind.as_deref() == Some(*known));
    if let (true, Some((_, name))) = (icon.is_empty(), known) {
        icon = crate::icons::render_icon(name, None, svc_config::IconLibrary::Lucide)
            .unwrap_or_default();
    }
    let title = element.rich_text(cx, TITLE);
    let description = element.rich_text(cx, DESCRIPTION);
    let image = element.text(IMG).map(|src| {
        let image = Image {
            src: &src,
            alt: Some(""),
            no_zoom: true,
            span: element.span_of(IMG),
            ..Image::default()
        };
        markdown::image_html(cx, &image)
    });
    let body = cx.children(element.children);
    let cta = element.rich_text(cx, CTA);
    cx.out.text.break_line();
    let attributes = markdown::html_attributes(cx, props, &["id", "style"]);
    let disabled = element.flag(DISABLED);
    let target = element.text(HREF).filter(|_| !disabled);
    let target = target.and_then(|href| markdown::target(cx, &href, element.span_of(HREF)));
    // Links cannot be nested: if the card contains a link, only the title is the link, and it
    // covers the card.
    let nested = body.as_str().contains("<a ") || body.as_str().contains("<button");
    let whole = target.is_some() && !nested;
    let external = target.as_ref().is_some_and(|target| target.external);
    let mut out = Html::new();
    out.lit(if whole { "<a" } else { "<div" });
    out.attr(
        "class",
        format!("svc-card card {}", element.class()).trim_end(),
    );
    out.add(&attributes)
        .attr_if("data-type", known.map(|(kind, _)| *kind));
    out.flag("data-horizontal", element.flag(HORIZONTAL))
        .flag("data-disabled", disabled)
        .attr_if("aria-disabled", disabled.then_some("true"));
    out.flag("data-link", target.is_some());
    if let Some(target) = target.as_ref().filter(|_| whole) {
        markdown::author_attributes(target, element.props, &mut out);
    }
    out.lit(">");
    if let Some(image) = &image {
        out.lit("<span class=\"svc-card-image\">")
            .add(image)
            .lit("</span>");
    }
    out.lit("<div class=\"svc-card-inner\">");
    if !icon.is_empty() {
        out.lit("<div class=\"svc-card-icon\"");
        if let Some(color) = element.color(COLOR) {
            out.attr("style", &format!("color:{color}"));
        }
        out.lit(">").add(&icon).lit("</div>");
    }
    out.lit("<div class=\"svc-card-text\">");
    if !title.is_blank() {
        out.lit("<p class=\"svc-card-title\">");
        match target.as_ref().filter(|_| !whole) {
            Some(target) => {
                out.lit("<a class=\"svc-card-cover\"");
                markdown::author_attributes(target, element.props, &mut out);
                out.lit(">").add(&title).lit("</a>");
            }
            None => {
                out.add(&title);
            }
        }
        out.lit("</p>");
    }
    if !description.is_blank() || !body.is_blank() {
        out.lit("<div class=\"svc-card-body\">")
            .add(&description)
            .add(&body)
            .lit("</div>");
    }
    if !cta.is_blank() {
        out.lit("<p class=\"svc-card-cta\">")
            .add(&cta)
            .lit(" <span aria-hidden=\"true\">→</span></p>");
    }
    out.lit("</div>");
    if element.flag_or(ARROW, external) && target.is_some() {
        out.lit("<span class=\"svc-card-arrow\" aria-hidden=\"true\">↗</span>");
    }
    out.lit("</div>")
        .lit(if whole { "</a>\n" } else { "</div>\n" });
    out
}

#[cfg(test)]
mod tests {
    use crate::testing::page;

    #[test]
    fn a_type_sets_colors_and_a_replaceable_icon() {
        let html = page("<Card type=\"warning\" title=\"T\" />").html;
        assert!(
            html.contains("data-type=\"warning\"") && html.contains("svc-card-icon"),
            "{html}"
        );
        let own = page("<Card type=\"warning\" icon=\"house\" title=\"T\" />").html;
        assert_ne!(html, own);
        let unknown = page("<Card type=\"loud\" title=\"T\" />").html;
        assert!(
            !unknown.contains("data-type") && !unknown.contains("svc-card-icon"),
            "{unknown}"
        );
    }

    #[test]
    fn arrows_mark_links_to_other_sites() {
        let arrow = |attributes: &str| {
            page(&format!("<Card title=\"T\" {attributes} />"))
                .html
                .contains("svc-card-arrow")
        };
        assert!(arrow("href=\"https://x.test\""));
        assert!(!arrow("href=\"https://x.test\" arrow={false}"));
        assert!(!arrow("href=\"/a\""));
        assert!(arrow("href=\"/a\" arrow"));
        assert!(!arrow("arrow"));
    }

    #[test]
    fn layout_image_and_state_are_rendered() {
        let html = page("<Card title=\"T\" img=\"https://x.test/a.png\" horizontal cta=\"Go\" href=\"/a\" color=\"#ff0000\" icon=\"house\" />").html;
        for part in [
            "data-horizontal",
            "svc-card-image\"><img",
            "svc-card-cta\">Go",
            "style=\"color:#ff0000\"",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        let html = page("<Card title=\"T\" href=\"/a\" target=\"_blank\" id=\"own\" />").html;
        assert!(
            html.contains("target=\"_blank\" rel=\"noopener noreferrer\""),
            "{html}"
        );
        assert!(html.contains(" id=\"own\""), "{html}");
        let html = page("<Card title=\"T\" href=\"https://x.test\" target=\"_self\" />").html;
        assert!(
            html.contains("target=\"_self\"") && !html.contains("rel="),
            "{html}"
        );
        let html = page("<Card title=\"T\" href=\"/a\" disabled />").html;
        assert!(
            html.contains("data-disabled") && !html.contains("href"),
            "{html}"
        );
    }
}
