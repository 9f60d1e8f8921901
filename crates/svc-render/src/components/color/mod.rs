//! `Color`, `Color.Row` and `Color.Item`: swatches.

use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::ctx::Ctx;
use crate::evaluate::Value;
use crate::html::Html;
use crate::style::safe_color;

props! { COLOR_PROPS:
    VARIANT = prop("variant", Text, "compact or table");
}

props! { COLOR_ROW_PROPS:
    TITLE = prop("title", Rich, "Name of the row");
}

pub(super) static COLOR: Component = Component {
    name: "color",
    tags: &[
        Spec {
            tag: "Color",
            props: COLOR_PROPS,
            render: color,
        },
        Spec {
            tag: "Color.Item",
            props: ITEM,
            render: item,
        },
        Spec {
            tag: "Color.Row",
            props: COLOR_ROW_PROPS,
            render: row,
        },
    ],
    css: include_str!("color.css"),
    js: Some(include_str!("color.js")),
    docs: include_str!("color.md"),
};

props! { ITEM:
    NAME = prop("name", Text, "Name of the color");
    VALUE = required("value", Any, "The color, or one for each color mode");
}

fn color(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let body = cx.children(element.children);
    let variant = element
        .text(VARIANT)
        .unwrap_or_else(|| "compact".to_owned());
    let mut out = Html::new();
    out.lit("<div class=\"svc-color color\"")
        .attr("data-variant", &variant)
        .lit(">");
    out.add(&body).lit("</div>\n");
    out
}

fn row(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let title = element.rich_text(cx, TITLE);
    let body = cx.children(element.children);
    let mut out = Html::new();
    out.lit("<div class=\"svc-color-row color-row\"><p class=\"svc-color-title\">")
        .add(&title);
    out.lit("</p><div class=\"svc-color-items\">")
        .add(&body)
        .lit("</div></div>\n");
    out
}

fn item(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let value = match element.value(VALUE) {
        Some(Value::String(text)) => (text.to_string(), None),
        Some(Value::Object(both)) => {
            let text = |key: &str| both.get(key).and_then(Value::as_str).map(str::to_owned);
            (text("light").unwrap_or_default(), text("dark"))
        }
        _ => (String::new(), None),
    };
    let name = element.text(NAME).unwrap_or_default();
    cx.out.text.push_line(&name);
    let mut style = String::new();
    if let Some(color) = safe_color(&value.0) {
        style.push_str(&format!("--svc-color-light:{color}"));
    }
    let dark = value.1.as_deref().unwrap_or(&value.0);
    if let Some(color) = safe_color(dark) {
        style.push_str(&format!(";--svc-color-dark:{color}"));
    }
    let mut out = Html::new();
    out.lit("<div class=\"svc-color-item color-item\"")
        .attr("data-light", &value.0)
        .attr("data-dark", dark)
        .lit("><button type=\"button\" class=\"svc-color-copy\" hidden");
    out.attr(
        "aria-label",
        &format!(
            "{} {}",
            cx.texts.copy,
            if name.is_empty() { &value.0 } else { &name }
        ),
    )
    .lit("></button><span class=\"svc-color-swatch\"");
    out.attr("style", &style)
        .lit("></span><span class=\"svc-color-name\">")
        .esc(&name);
    out.lit("</span><code class=\"svc-color-value\">")
        .esc(&value.0);
    if let Some(dark) = &value.1 {
        out.lit(" / ").esc(dark);
    }
    out.lit("</code></div>\n");
    out
}

#[cfg(test)]
mod tests {
    use crate::testing::page;

    #[test]
    fn a_swatch_copies_its_value_on_click() {
        let html = page("<Color variant=\"compact\">\n<Color.Item name=\"n\" value={{ light: \"#fff\", dark: \"#000\" }} />\n<Color.Item value=\"rgb(1, 2, 3)\" />\n</Color>").html;
        for part in [
            "data-variant=\"compact\"",
            "data-light=\"#fff\" data-dark=\"#000\"",
            "aria-label=\"Copy n\"",
            "data-light=\"rgb(1, 2, 3)\" data-dark=\"rgb(1, 2, 3)\"",
            "aria-label=\"Copy rgb(1, 2, 3)\"",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
    }
}
