//! `Steps` and `Step`: numbered steps.

use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::ctx::{Ctx, ParentContext, TitleSize};
use crate::html::Html;
use crate::markdown::{Heading, heading_with};

props! { STEP:
    TITLE = prop("title", Rich, "Heading of the step");
    ICON = prop("icon", Icon, "Icon in place of the number");
    ICON_TYPE = prop("iconType", Text, "Style of the icon");
    STEP_NUMBER = prop("stepNumber", Number, "Number; default: counted");
    TITLE_SIZE = prop("titleSize", Text, "p, h2, h3 or h4");
    ID = prop("id", Text, "Anchor; default: derived from the title");
    NO_ANCHOR = prop("noAnchor", Flag, "Without a link to itself");
}

props! { STEPS_PROPS:
    STEPS_TITLE_SIZE = prop("titleSize", Text, "p, h2, h3 or h4 for all steps");
}

pub(super) static STEPS: Component = Component {
    name: "steps",
    tags: &[
        Spec {
            tag: "Steps",
            props: STEPS_PROPS,
            render: steps,
        },
        Spec {
            tag: "Step",
            props: STEP,
            render: step,
        },
    ],
    css: include_str!("steps.css"),
    js: None,
    docs: include_str!("steps.md"),
};

fn size(text: Option<&str>) -> Option<TitleSize> {
    match text? {
        "p" => Some(TitleSize::P),
        "h2" => Some(TitleSize::H2),
        "h3" => Some(TitleSize::H3),
        "h4" => Some(TitleSize::H4),
        _ => None,
    }
}

fn steps(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let size = size(element.text(TITLE_SIZE).as_deref()).unwrap_or_default();
    cx.frames.swap(ParentContext::Steps { count: 0, size });
    let body = cx.children(element.children);
    let mut out = Html::new();
    out.lit("<div class=\"svc-steps steps\" role=\"list\">")
        .add(&body)
        .lit("</div>\n");
    out
}

fn step(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let mut number = 1;
    let mut inherited = TitleSize::P;
    if let Some(ParentContext::Steps { count, size }) = cx.frames.outer() {
        *count += 1;
        number = *count;
        inherited = *size;
    }
    let chosen = element
        .text(STEP_NUMBER)
        .unwrap_or_else(|| number.to_string());
    let icon = element.icon(cx, ICON);
    let from = cx.out.text.len();
    let title = element.rich_text(cx, TITLE);
    let text = cx.out.text.since(from).to_owned();
    let size = size(element.text(TITLE_SIZE).as_deref()).unwrap_or(inherited);
    let depth = match size {
        TitleSize::P => None,
        TitleSize::H2 => Some(2),
        TitleSize::H3 => Some(3),
        TitleSize::H4 => Some(4),
    };
    let id = element.text(ID);
    let mut head = Html::new();
    match depth {
        Some(depth) => {
            head = heading_with(
                cx,
                &Heading {
                    depth,
                    id: id.as_deref(),
                    text: &text,
                    html: title,
                    no_anchor: element.flag(NO_ANCHOR) || depth == 4,
                    class: Some("svc-step-title"),
                },
            );
        }
        None if !title.is_blank() => {
            let base = id.unwrap_or_else(|| svc_source::heading_id(&text));
            let id = cx.ids.unique(&base);
            head.lit("<p class=\"svc-step-title\"")
                .attr("id", &id)
                .lit(">")
                .add(&title)
                .lit("</p>");
        }
        None => {}
    }
    let body = cx.children(element.children);
    let mut out = Html::new();
    out.lit("<div class=\"svc-step step\" role=\"listitem\"><div class=\"svc-step-number\">");
    if icon.is_empty() {
        out.esc(&chosen);
    } else {
        out.add(&icon);
    }
    out.lit("</div><div class=\"svc-step-body\">")
        .add(&head)
        .add(&body)
        .lit("</div></div>\n");
    out
}

#[cfg(test)]
mod tests {
    use crate::testing::page;

    #[test]
    fn attributes_of_steps_set_number_icon_size_and_anchor() {
        let page = page(
            "<Steps titleSize=\"h2\">\n<Step title=\"A\" stepNumber={7} id=\"own\">\na\n</Step>\n<Step title=\"B\" icon=\"key\" titleSize=\"h4\">\nb\n</Step>\n<Step title=\"C\" titleSize=\"h3\" noAnchor>\nc\n</Step>\n</Steps>",
        );
        let html = &page.html;
        assert!(
            html.contains("svc-step-number\">7<")
                && html.contains("<h2 class=\"svc-step-title\" id=\"own\" data-svc-heading"),
            "{html}"
        );
        assert!(
            html.contains("svc-step-number\"><svg")
                && html.contains("<h4 class=\"svc-step-title\" id=\"b\">B</h4>"),
            "{html}"
        );
        assert!(
            html.contains("<h3 class=\"svc-step-title\" id=\"c\">C</h3>"),
            "{html}"
        );
        assert_eq!(page.toc(), ["2 own A", "4 b B", "3 c C"]);
    }
}
