//! `Link`: a link as an element.

use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::ctx::Ctx;
use crate::html::Html;
use crate::markdown;

props! { PROPS:
    HREF = required("href", Text, "Link target");
    TARGET = prop("target", Text, "`target` of the link");
    REL = prop("rel", Text, "`rel` of the link");
}

pub(super) static LINK: Component = Component {
    name: "link",
    tags: &[Spec {
        tag: "Link",
        props: PROPS,
        render,
    }],
    css: "",
    js: None,
    docs: include_str!("link.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let href = element.text(HREF).unwrap_or_default();
    let target = markdown::target(cx, &href, element.span_of(HREF));
    let body = cx.inline_children(element.children);
    let mut out = Html::new();
    out.lit("<a")
        .attr("class", format!("link {}", element.class()).trim_end());
    if let Some(target) = &target {
        markdown::author_attributes(target, element.props, &mut out);
    }
    out.lit(">").add(&body).lit("</a>");
    out
}

#[cfg(test)]
mod tests {
    use crate::testing::page;

    #[test]
    fn target_and_rel_are_those_of_the_author() {
        let html = page("<Link href=\"https://x.test\" target=\"_top\" rel=\"nofollow\" className=\"own\">a</Link>").html;
        assert!(
            html.contains(
                "class=\"link own\" href=\"https://x.test\" target=\"_top\" rel=\"nofollow\""
            ),
            "{html}"
        );
        let html = page("<Link href=\"https://x.test\">a</Link>").html;
        assert!(
            html.contains("target=\"_blank\" rel=\"noopener noreferrer\""),
            "{html}"
        );
    }
}
