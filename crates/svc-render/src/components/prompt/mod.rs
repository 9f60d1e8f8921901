//! `Prompt`: a prompt to copy.

use svc_data::percent;
use svc_mdx::{Kind, Node};

use super::component::{Component, Element, Spec};
use super::prop::props;
use crate::article::children::Children;
use crate::ctx::Ctx;
use crate::html::Html;
use crate::i18n::split_placeholder;
use crate::markdown;

props! { PROPS:
    DESCRIPTION = required("description", Rich, "Description of the prompt, in Markdown");
    ACTIONS = prop("actions", List, "copy, cursor; default: copy");
    ICON = prop("icon", Icon, "Icon before the description");
    ICON_TYPE = prop("iconType", Text, "Style of the icon");
}

pub(super) static PROMPT: Component = Component {
    name: "prompt",
    tags: &[Spec {
        tag: "Prompt",
        props: PROPS,
        render,
    }],
    css: include_str!("prompt.css"),
    js: None,
    docs: include_str!("prompt.md"),
};

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let icon = element.icon(cx, ICON);
    let description = match element.text(DESCRIPTION) {
        Some(text) => {
            cx.out.text.push_line(&text);
            markdown::plain_inline(&text)
        }
        None => element.rich_text(cx, DESCRIPTION),
    };
    let body = cx.outside_toc(|cx| cx.children(element.children));
    let text = source(cx, element.children).unwrap_or_else(|| body.to_text());
    let text = text.trim();
    let actions = element.texts(ACTIONS);
    let wants = |name: &str| actions.iter().any(|action| action == name);
    let mut out = Html::new();
    out.lit("<div class=\"svc-prompt prompt\" data-svc-code><div class=\"svc-prompt-head\">");
    if !icon.is_empty() {
        out.lit("<span class=\"svc-prompt-icon\">")
            .add(&icon)
            .lit("</span>");
    }
    out.lit("<div class=\"svc-prompt-description\">")
        .add(&description)
        .lit("</div><div class=\"svc-prompt-actions\">");
    if actions.is_empty() || wants("copy") {
        out.lit("<button type=\"button\" class=\"svc-prompt-action\" data-svc-copy hidden>")
            .esc(cx.texts.copy_prompt)
            .lit("</button>");
    }
    if wants("cursor") && text.len() <= MAX_LINK_BYTES {
        let (before, behind) = split_placeholder(cx.texts.open_in);
        let url = format!("{CURSOR}{}", percent::encode(text, percent::COMPONENT));
        out.lit("<a class=\"svc-prompt-action\"")
            .attr("href", &url)
            .lit(">")
            .esc(before)
            .lit("Cursor")
            .esc(behind)
            .lit("</a>");
    }
    // Before the body, because code blocks inside it have texts to copy too.
    out.lit("</div></div><span hidden data-svc-copy-text>")
        .esc(text)
        .lit("</span>");
    out.lit("<details class=\"svc-prompt-more\"><summary>")
        .esc(cx.texts.show_prompt)
        .lit("</summary>");
    out.lit("<div class=\"svc-prompt-body\">")
        .add(&body)
        .lit("</div></details>");
    out.lit("</div>\n");
    out
}

/// URL of the editor Cursor that opens a prompt.
const CURSOR: &str = "cursor://anysphere.cursor-deeplink/prompt?text=";
/// Maximum length of a prompt in a URL, in bytes.
const MAX_LINK_BYTES: usize = 6_000;

/// The source of the children, without the indentation of the tag. `None` if they contain
/// expressions, because then only the rendered text is meaningful.
fn source(cx: &Ctx<'_>, children: Children<'_>) -> Option<String> {
    let Children::Nodes(nodes) = children else {
        return None;
    };
    let (first, last) = nodes.first().zip(nodes.last())?;
    let mut stack: Vec<&Node> = nodes.iter().collect();
    while let Some(node) = stack.pop() {
        if matches!(node.kind, Kind::Expression { .. }) {
            return None;
        }
        stack.extend(node.children());
    }
    let shift = cx.scope.shift;
    let (start, end) = (
        first.span.shifted(shift).range().start,
        last.span.shifted(shift).range().end,
    );
    let text = cx.scope.file.text();
    let before = text.get(..start)?;
    let line = before.rsplit('\n').next().unwrap_or("");
    let indent = if line.trim().is_empty() {
        line.len()
    } else {
        0
    };
    let mut out = String::new();
    for (at, line) in text.get(start..end)?.lines().enumerate() {
        let blank = line.len() - line.trim_start().len();
        let line = if at == 0 {
            line
        } else {
            line.get(blank.min(indent)..).unwrap_or("")
        };
        out.push_str(line.trim_end());
        out.push('\n');
    }
    Some(cx.variables.expand(&out).into_owned())
}

#[cfg(test)]
mod tests {
    use crate::testing::{page, site};

    #[test]
    fn the_source_is_copied() {
        let html = page("<Prompt description=\"d\">\n  You are **kind**.\n\n  - one\n    - two\n\n  ```js\n  x\n  ```\n</Prompt>").html;
        let copied = html
            .split("data-svc-copy-text>")
            .nth(1)
            .and_then(|rest| rest.split("</span>").next());
        assert_eq!(
            copied,
            Some("You are **kind**.\n\n- one\n  - two\n\n```js\nx\n```")
        );
        // Scripts use the first text; the code block inside comes later.
        assert!(
            html.find("data-svc-copy-text") < html.find("<pre"),
            "{html}"
        );
    }

    #[test]
    fn expressions_are_copied_as_their_values() {
        let page = site(
            "//- /a.mdx\nimport P from \"/snippets/p.mdx\"\n\n<P name=\"World\" />\n//- /snippets/p.mdx\n<Prompt description=\"d\">Hello {name}</Prompt>\n",
            "/a",
        );
        assert!(
            page.html.contains("data-svc-copy-text>Hello World<"),
            "{}",
            page.html
        );
    }

    #[test]
    fn only_selected_actions_are_offered() {
        let html =
            page("<Prompt description=\"d\" actions={[\"copy\", \"cursor\"]}>a & b</Prompt>").html;
        assert!(html.contains("data-svc-copy hidden"), "{html}");
        assert!(
            html.contains("href=\"cursor://anysphere.cursor-deeplink/prompt?text=a%20%26%20b\""),
            "{html}"
        );
        let html = page("<Prompt description=\"d\" actions={[\"cursor\"]}>a</Prompt>").html;
        assert!(!html.contains("data-svc-copy hidden"), "{html}");
        let html = page("<Prompt description=\"d\">a</Prompt>").html;
        assert!(
            html.contains("data-svc-copy hidden") && !html.contains("cursor:"),
            "{html}"
        );
    }

    #[test]
    fn a_text_too_long_for_a_url_can_only_be_copied() {
        let long = "word ".repeat(2_000);
        let html = page(&format!(
            "<Prompt description=\"d\" actions={{[\"copy\", \"cursor\"]}}>{long}</Prompt>"
        ))
        .html;
        assert!(!html.contains("cursor:") && html.contains("data-svc-copy hidden"));
    }
}
