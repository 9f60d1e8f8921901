//! `Icon`: an inline icon.

use super::{Component, Element, Prop, PropKind, Spec, prop};
use crate::ctx::Ctx;
use crate::html::Html;
use crate::icons;

const PROPS: &[Prop] = &[
    prop("icon", PropKind::Icon, "Name, URL, path or JSX"),
    prop("src", PropKind::Icon, "Name, URL or path"),
    prop("name", PropKind::Icon, "Name"),
    prop(
        "iconType",
        PropKind::Text,
        "Style: solid, regular or brands",
    ),
    prop(
        "iconLibrary",
        PropKind::Text,
        "fontawesome, lucide or tabler",
    ),
    prop("color", PropKind::Text, "Color"),
    prop("size", PropKind::Number, "Size in pixels; default: 16"),
    prop(
        "style",
        PropKind::Text,
        "Style of the icon, or CSS declarations",
    ),
];

pub(super) static ICON: Component = Component {
    name: "icon",
    tags: &[Spec {
        tag: "Icon",
        props: PROPS,
        render,
    }],
    css: include_str!("icon.css"),
    js: None,
    docs: include_str!("icon.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let props = element.props;
    let name = element
        .text("icon")
        .or_else(|| element.text("src"))
        .or_else(|| element.text("name"));
    let svg = match &name {
        Some(name) => {
            let style = element.text("style").filter(|style| !style.contains(':'));
            let style = element.text("iconType").or(style);
            let library = element.text("iconLibrary");
            let span = element.span_of("icon");
            icons::named_in(cx, name, style.as_deref(), library.as_deref(), span)
        }
        None => element.icon(cx),
    };
    if svg.is_empty() {
        return svg;
    }
    let mut style = String::new();
    if let Some(color) = props.color("color") {
        style.push_str(&format!("color:{color};"));
    }
    if let Some(size) = props
        .number("size")
        .filter(|size| (1.0..=512.0).contains(size))
    {
        style.push_str(&format!("font-size:{size}px"));
    }
    let mut out = Html::new();
    out.lit("<span").attr(
        "class",
        format!("svc-icon-inline {}", element.class()).trim_end(),
    );
    if !style.is_empty() {
        out.attr("style", style.trim_end_matches(';'));
    }
    out.lit(">").add(&svg).lit("</span>");
    cx.out.text.last_char = 'x';
    out
}

#[cfg(test)]
mod tests {
    use crate::testing::page;

    #[test]
    fn an_unknown_icon_is_reported_with_a_suggestion() {
        let page = page(
            "---\nicon: rockett\n---\n<Icon icon=\"huose\" /> <Icon icon=\"huose\" /> <Icon icon=\"acorn\" />",
        );
        assert_eq!(page.codes(), ["icon-unknown", "icon-unknown", "icon-paid"]);
        assert!(
            page.problems[0].contains("`rockett`") && page.problems[0].contains("`rocket`"),
            "{:?}",
            page.problems
        );
        assert!(
            page.problems[1].contains("did you mean `house`"),
            "{:?}",
            page.problems
        );
        assert!(
            page.problems[2].contains("paid version"),
            "{:?}",
            page.problems
        );
    }

    #[test]
    fn the_library_attribute_selects_the_library() {
        let render_house = |library: &str| {
            page(&format!(
                "<Icon icon=\"rocket\" iconLibrary=\"{library}\" />"
            ))
            .html
        };
        assert_ne!(render_house("tabler"), render_house("lucide"));
        assert_ne!(render_house("lucide"), render_house("fontawesome"));
    }
}
