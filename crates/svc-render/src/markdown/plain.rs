//! Plain Markdown without MDX: descriptions of OpenAPI documents, captions, banners.

use comrak::options::{Extension, Options, Parse, Render};

use crate::html::Html;

fn options<'a>() -> Options<'a> {
    Options {
        extension: Extension {
            table: true,
            strikethrough: true,
            autolink: true,
            tasklist: true,
            ..Extension::default()
        },
        parse: Parse {
            smart: true,
            ..Parse::default()
        },
        // `unsafe` stays off: raw HTML and dangerous addresses are left out.
        render: Render {
            escape: false,
            ..Render::default()
        },
    }
}

/// Longer texts are cut.
const MAX_TEXT: usize = 200_000;

/// Markdown as blocks. Raw HTML in it is left out.
pub(crate) fn plain_markdown(text: &str) -> Html {
    let text = cut(text);
    // Line breaks as HTML are common in generated descriptions and harmless.
    let text = text
        .replace("<br>", "  \n")
        .replace("<br/>", "  \n")
        .replace("<br />", "  \n");
    let markup = comrak::markdown_to_html(&text, &options());
    Html::trusted(markup.replace("<!-- raw HTML omitted -->", ""))
}

/// Markdown of one line, without its paragraph.
pub(crate) fn plain_inline(text: &str) -> Html {
    let html = plain_markdown(text).into_string();
    let trimmed = html.trim();
    let inner = trimmed
        .strip_prefix("<p>")
        .and_then(|rest| rest.strip_suffix("</p>"));
    match inner {
        Some(inner) if !inner.contains("<p>") => Html::trusted(inner.to_owned()),
        _ => Html::trusted(trimmed.to_owned()),
    }
}

fn cut(text: &str) -> &str {
    if text.len() <= MAX_TEXT {
        return text;
    }
    let mut end = MAX_TEXT;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or("")
}

/// `text` without tags, and without the content of tags that never show any.
pub(crate) fn strip_tags(text: &str) -> String {
    const SILENT: &[&str] = &["script", "style", "iframe", "object", "embed", "form"];
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once('<') {
        out.push_str(before);
        let begins = tag.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!');
        let Some((inside, behind)) = tag.split_once('>').filter(|_| begins) else {
            out.push('<');
            rest = tag;
            continue;
        };
        let end = inside
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(inside.len());
        let name = inside.get(..end).unwrap_or("").to_ascii_lowercase();
        rest = behind;
        if SILENT.contains(&name.as_str()) {
            let close = format!("</{name}");
            let at = behind
                .to_ascii_lowercase()
                .find(&close)
                .unwrap_or(behind.len());
            rest = behind.get(at..).unwrap_or("");
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_in_descriptions_is_left_out() {
        let html = plain_markdown("**a** <script>alert(1)</script> [x](javascript:alert(1))");
        assert!(html.as_str().contains("<strong>a</strong>"), "{html}");
        assert!(!html.as_str().contains("<script"), "{html}");
        assert!(!html.as_str().contains("javascript:"), "{html}");
    }

    #[test]
    fn tags_are_stripped() {
        assert_eq!(
            strip_tags("a <b>b</b> <script>x</script>c < d"),
            "a b c < d"
        );
    }
}
