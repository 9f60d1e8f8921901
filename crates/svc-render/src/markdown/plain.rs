//! Markdown without MDX: texts of OpenAPI documents, captions, banners.

use comrak::options::{Extension, Options, Parse, Render};

use super::sanitize::sanitize;
use crate::html::{Html, is_phrasing};
use crate::i18n::Messages;

fn options<'a>(own: bool) -> Options<'a> {
    Options {
        extension: Extension {
            table: true,
            strikethrough: true,
            autolink: true,
            tasklist: true,
            alerts: !own,
            ..Extension::default()
        },
        parse: Parse {
            smart: own,
            ..Parse::default()
        },
        // If off, raw HTML and unsafe URLs are removed by comrak; if on, the output is sanitized.
        render: Render {
            escape: false,
            r#unsafe: !own,
            ..Render::default()
        },
    }
}

/// Maximum size of a text in bytes; longer ones are cut.
const MAX_TEXT_BYTES: usize = 200_000;

/// Renders Markdown of the site as blocks. Raw HTML is removed.
fn plain_markdown(text: &str) -> Html {
    let text = cut(text);
    if is_plain(text) {
        return paragraph(text);
    }
    let markup = comrak::markdown_to_html(text, &options(true));
    Html::trusted(markup.replace("<!-- raw HTML omitted -->", ""))
}

/// Renders Markdown of an OpenAPI document as blocks, with sanitized HTML and callouts. Quotes and
/// dashes are not converted, so that they can be copied.
pub(crate) fn document_markdown(text: &str, texts: &'static Messages) -> Html {
    let text = cut(text);
    if is_plain(text) {
        return paragraph(text);
    }
    sanitize(&comrak::markdown_to_html(text, &options(false)), texts)
}

fn paragraph(text: &str) -> Html {
    let mut out = Html::literal("<p>");
    out.esc(text).lit("</p>\n");
    out
}

/// Plain text of an OpenAPI description in one line, without Markdown and HTML.
pub fn document_text(text: &str) -> String {
    plain_text(&document_markdown(text, crate::i18n::messages(None)))
}

/// Plain text of sanitized markup in one line.
pub(crate) fn plain_text(html: &Html) -> String {
    let mut apart = String::with_capacity(html.len());
    for piece in html.as_str().split_inclusive('>') {
        let (text, tag) = piece.rsplit_once('<').unwrap_or((piece, ""));
        apart.push_str(text);
        let name = tag.trim_start_matches('/').split([' ', '>']).next();
        let name = name.filter(|_| !tag.is_empty());
        if name.is_some_and(|name| !is_phrasing(name) || name == "br") {
            apart.push(' ');
        }
    }
    let text = Html::trusted(apart).to_text().replace("&nbsp;", " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a text is one line without Markdown syntax, as most descriptions of properties are. Such
/// text need not be parsed.
fn is_plain(text: &str) -> bool {
    let mut before = ' ';
    for letter in text.chars() {
        let twice = letter == before && matches!(letter, ' ' | '.' | '-');
        let is_text = letter.is_alphanumeric()
            || matches!(
                letter,
                ' ' | ',' | '.' | '(' | ')' | '/' | ';' | '%' | '?' | '-'
            );
        // A dot can start a list at the beginning and be part of a URL in a word.
        let joined = before == '.' && letter.is_alphanumeric();
        if !is_text || twice || joined {
            return false;
        }
        before = letter;
    }
    let begins = text.chars().next();
    begins.is_some_and(char::is_alphabetic) && before != ' '
}

/// Renders one line of Markdown without a paragraph.
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
    if text.len() <= MAX_TEXT_BYTES {
        return text;
    }
    let mut end = MAX_TEXT_BYTES;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_in_descriptions_is_removed() {
        let html = plain_markdown("**a** <script>alert(1)</script> [x](javascript:alert(1))");
        assert!(html.as_str().contains("<strong>a</strong>"), "{html}");
        assert!(!html.as_str().contains("<script"), "{html}");
        assert!(!html.as_str().contains("javascript:"), "{html}");
    }

    #[test]
    fn plain_lines_render_like_parsed_ones() {
        let plain = [
            "The ID of the object.",
            "Cents (before tax), e. g. 100; at most 50% - or 5/6?",
            "Größe des Feldes",
            "a",
            "well-known",
        ];
        for text in plain {
            assert!(is_plain(text), "{text}");
            let parsed = comrak::markdown_to_html(text, &options(true));
            assert_eq!(plain_markdown(text).as_str(), parsed, "{text}");
        }
        for text in [
            "",
            " a",
            "a ",
            "1. a",
            "1) a",
            "- a",
            "a -- b",
            "a...",
            "www.a.dev",
            "a@b.dev",
            "it's",
            "a_b_",
            "a\nb",
            "a  b",
            "# a",
            "a: b",
            "=",
            "a*b*",
            "`a`",
            "<b>",
            "a&amp;",
        ] {
            assert!(!is_plain(text), "{text}");
        }
    }

    fn of_document(text: &str) -> String {
        document_markdown(text, crate::i18n::messages(None)).into_string()
    }

    #[test]
    fn texts_of_documents_retain_safe_html_and_straight_quotes() {
        for (text, expected) in [
            ("<p>To <b>charge</b></p>", "<p>To <b>charge</b></p>\n"),
            (
                "a -- \"b\"...\n**c**",
                "<p>a -- &quot;b&quot;...\n<strong>c</strong></p>\n",
            ),
            (
                "| a |\n|:-:|\n| b<br>c |",
                "<div class=\"svc-table\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>\n<thead>\n<tr>\n<th data-align=\"center\">a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td data-align=\"center\">b<br>c</td>\n</tr>\n</tbody>\n</table></div>\n",
            ),
            (
                "a\n<script>alert(1)</script>\n[x](javascript:alert(1))",
                "<p>a</p>\n\n<p><a>x</a></p>\n",
            ),
            (
                "Use <https://x.test> `<b>`",
                "<p>Use <a href=\"https://x.test\">https://x.test</a> <code>&lt;b&gt;</code></p>\n",
            ),
        ] {
            assert_eq!(of_document(text), expected, "{text}");
        }
    }

    #[test]
    fn alerts_become_callouts() {
        let html = of_document("> [!WARNING]\n> **Careful**\n\nb");
        assert!(html.contains("data-callout-type=\"warning\""), "{html}");
        assert!(html.contains("<p><strong>Careful</strong></p>"), "{html}");
        assert!(
            !html.contains("[!") && !html.contains("<p>Warning"),
            "{html}"
        );
        let html = of_document("> [!NOTE] Of *mine*\n> a");
        assert!(html.contains("<p>Of *mine*</p>"), "{html}");
    }

    #[test]
    fn plain_text_has_neither_markdown_nor_html() {
        assert_eq!(
            document_text(
                "# A\n\n<p>b <code>c</code>d</p><ul><li>e<li>f</ul>\n\n**g** &amp; <token>"
            ),
            "A b cd e f g & <token>"
        );
    }
}
