//! `Accordion` and `AccordionGroup`: collapsible sections.

use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::ctx::Ctx;
use crate::html::Html;

props! { PROPS:
    TITLE = required("title", Rich, "The visible title");
    DESCRIPTION = prop("description", Rich, "A line below the title");
    DEFAULT_OPEN = prop("defaultOpen", Flag, "Expanded initially");
    ID = prop("id", Text, "Anchor; default: derived from the title");
    ICON = prop("icon", Icon, "Icon before the title");
    ICON_TYPE = prop("iconType", Text, "Style of the icon");
}

pub(super) static ACCORDION: Component = Component {
    name: "accordion",
    tags: &[
        Spec {
            tag: "Accordion",
            props: PROPS,
            render: accordion,
        },
        Spec {
            tag: "AccordionGroup",
            props: &[],
            render: group,
        },
    ],
    css: include_str!("accordion.css"),
    js: Some(include_str!("accordion.js")),
    docs: include_str!("accordion.md"),
};

fn accordion(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let title = element.rich_text(cx, TITLE);
    let description = element.rich_text(cx, DESCRIPTION);
    let icon = element.icon(cx, ICON);
    let base = element
        .text(ID)
        .unwrap_or_else(|| anchor(&element.text(TITLE).unwrap_or_default()));
    let id = cx.ids.unique_field(&base);
    let body = cx.outside_toc(|cx| cx.children(element.children));
    let mut out = Html::new();
    out.lit("<details class=\"svc-accordion accordion\"")
        .attr("id", &id);
    out.flag("open", element.flag(DEFAULT_OPEN)).lit(">");
    out.lit("<summary class=\"svc-accordion-summary\">");
    if !icon.is_empty() {
        out.lit("<span class=\"svc-accordion-icon\">")
            .add(&icon)
            .lit("</span>");
    }
    out.lit("<span class=\"svc-accordion-text\"><span class=\"svc-accordion-title\">")
        .add(&title);
    out.lit("</span>");
    if !description.is_blank() {
        out.lit("<span class=\"svc-accordion-description\">")
            .add(&description)
            .lit("</span>");
    }
    out.lit("</span></summary><div class=\"svc-accordion-body\">")
        .add(&body)
        .lit("</div></details>\n");
    out
}

/// The id of an accordion, compatible with existing links: the title in ASCII letters and digits,
/// with `-` between words. A title in a script without ASCII transliteration has the id of a
/// heading.
fn anchor(title: &str) -> String {
    let title = title.replace('&', " and ").replace(['\'', '\u{2019}'], "");
    let mut out = String::new();
    for c in title.chars() {
        // Ideographs have no unique transliteration.
        let letters = if c.is_alphanumeric() && !is_ideograph(c) {
            deunicode::deunicode_char(c).unwrap_or_default()
        } else {
            ""
        };
        if letters.is_empty() && !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
        out.extend(letters.chars().map(|letter| letter.to_ascii_lowercase()));
    }
    let id = out.trim_end_matches('-');
    if id.is_empty() {
        svc_source::heading_id(&title.replacen(':', "-", 1))
    } else {
        id.to_owned()
    }
}

/// Chinese characters, Japanese kana and Korean syllables.
fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

fn group(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let body = cx.outside_toc(|cx| cx.children(element.children));
    let mut out = Html::new();
    out.lit("<div class=\"svc-accordion-group accordion-group\">")
        .add(&body)
        .lit("</div>\n");
    out
}

#[cfg(test)]
mod tests {
    use crate::testing::page;

    #[test]
    fn anchors_are_unique_and_hold_no_colon() {
        let html = page("<Accordion title=\"a:b\">x</Accordion>\n\n<Accordion title=\"a:b\">y</Accordion>\n\n<Accordion title=\"Why?\" id=\"Own_1\">z</Accordion>").html;
        for id in ["id=\"a-b\"", "id=\"a-b-1\"", "id=\"Own_1\""] {
            assert!(html.contains(id), "{id}: {html}");
        }
    }

    #[test]
    fn anchors_are_compatible_with_existing_links() {
        for (title, id) in [
            ("@upstash/redis", "upstash-redis"),
            ("Descuentos académicos", "descuentos-academicos"),
            ("Why can't I log in?", "why-cant-i-log-in"),
            ("Fees & billing", "fees-and-billing"),
            ("snake_case", "snake-case"),
            ("常见问题", "常见问题"),
        ] {
            assert_eq!(super::anchor(title), id, "{title}");
        }
    }

    #[test]
    fn icon_and_description_are_next_to_the_title() {
        let html = page("<AccordionGroup>\n<Accordion title=\"T\" icon=\"house\" description=\"more\">x</Accordion>\n</AccordionGroup>").html;
        assert!(
            html.starts_with("<div class=\"svc-accordion-group accordion-group\">"),
            "{html}"
        );
        assert!(
            html.contains("svc-accordion-icon\"><svg")
                && html.contains("svc-accordion-description\">more"),
            "{html}"
        );
        assert!(!html.contains(" open"), "{html}");
    }
}
