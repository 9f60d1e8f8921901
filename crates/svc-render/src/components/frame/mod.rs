//! `Frame` and `Example`: a border around an image.

use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::ctx::{Ctx, ParentContext};
use crate::html::Html;
use crate::markdown;

props! { PROPS:
    CAPTION = prop("caption", Rich, "Text below, in Markdown");
    HINT = prop("hint", Rich, "Text above");
}

pub(super) static FRAME: Component = Component {
    name: "frame",
    tags: &[
        Spec {
            tag: "Frame",
            props: PROPS,
            render,
        },
        Spec {
            tag: "Example",
            props: PROPS,
            render,
        },
    ],
    css: include_str!("frame.css"),
    js: None,
    docs: include_str!("frame.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    cx.out.text.break_line();
    cx.frames.swap(ParentContext::Frame);
    let hint = element.rich_text(cx, HINT);
    let body = cx.children(element.children);
    let caption = match element.text(CAPTION) {
        Some(text) => {
            cx.out.text.push_line(&text);
            markdown::plain_inline(&text)
        }
        None => element.rich_text(cx, CAPTION),
    };
    let attributes = markdown::html_attributes(cx, element.props, &["style", "id"]);
    let mut out = Html::new();
    if !hint.is_blank() {
        out.lit("<p class=\"svc-frame-hint\">")
            .add(&hint)
            .lit("</p>");
    }
    out.lit("<figure").attr(
        "class",
        format!("svc-frame frame {}", element.class()).trim_end(),
    );
    out.add(&attributes)
        .lit("><div class=\"svc-frame-body\">")
        .add(&body)
        .lit("</div>");
    if !caption.is_blank() {
        out.lit("<figcaption class=\"svc-frame-caption\">")
            .add(&caption)
            .lit("</figcaption>");
    }
    out.lit("</figure>\n");
    out
}

#[cfg(test)]
mod tests {
    use crate::testing::page;

    #[test]
    fn hint_and_caption_are_around_the_image() {
        let html = page(
            "<Frame hint=\"Above\" caption=\"[Below](/a)\">\n![x](https://x.test/a.png)\n</Frame>",
        )
        .html;
        let order = [
            html.find("Above"),
            html.find("<img"),
            html.find("<figcaption"),
            html.find("Below</a>"),
        ];
        assert!(
            order.iter().all(Option::is_some) && order.is_sorted(),
            "{html}"
        );
    }
}
