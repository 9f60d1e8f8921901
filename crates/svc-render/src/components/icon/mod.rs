//! `Icon`: an inline icon.

use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::ctx::Ctx;
use crate::html::Html;
use crate::icons;

props! { PROPS:
    ICON = prop("icon", Icon, "Name, URL, path or JSX");
    SRC = prop("src", Icon, "Name, URL or path");
    NAME = prop("name", Icon, "Name");
    ICON_TYPE = prop("iconType", Text, "Style: solid, regular or brands");
    ICON_LIBRARY = prop("iconLibrary", Text, "fontawesome, lucide or tabler");
    COLOR = prop("color", Text, "Color");
    SIZE = prop("size", Number, "Size in pixels; default: 16");
    STYLE = prop("style", Text, "Style of the icon, or CSS declarations");
}

pub(super) static ICON_COMPONENT: Component = Component {
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
    let name = element
        .text(ICON)
        .or_else(|| element.text(SRC))
        .or_else(|| element.text(NAME));
    let svg = match &name {
        Some(name) => {
            let style = element.text(STYLE).filter(|style| !style.contains(':'));
            let style = element.text(ICON_TYPE).or(style);
            let library = element.text(ICON_LIBRARY);
            let span = element.span_of(ICON);
            icons::named_in(cx, name, style.as_deref(), library.as_deref(), span)
        }
        None => element.icon(cx, ICON),
    };
    if svg.is_empty() {
        return svg;
    }
    let mut style = String::new();
    if let Some(color) = element.color(COLOR) {
        style.push_str(&format!("color:{color};"));
    }
    if let Some(size) = element
        .number(SIZE)
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
