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
    if is_plain(text) {
        let mut out = Html::literal("<p>");
        out.esc(text).lit("</p>\n");
        return out;
    }
    rich(text)
}

fn rich(text: &str) -> Html {
    if !text.contains('<') {
        return Html::trusted(comrak::markdown_to_html(text, &options()));
    }
    // Line breaks as HTML are common in generated descriptions and harmless.
    let text = text
        .replace("<br>", "  \n")
        .replace("<br/>", "  \n")
        .replace("<br />", "  \n");
    let markup = comrak::markdown_to_html(&text, &options());
    Html::trusted(markup.replace("<!-- raw HTML omitted -->", ""))
}

/// Whether a text is one line of words that means nothing to Markdown, as most descriptions of
/// properties are: then nobody has to parse it.
fn is_plain(text: &str) -> bool {
    let mut before = ' ';
    for letter in text.chars() {
        let twice = letter == before && matches!(letter, ' ' | '.' | '-');
        let word = letter.is_alphanumeric()
            || matches!(
                letter,
                ' ' | ',' | '.' | '(' | ')' | '/' | ';' | '%' | '?' | '-'
            );
        // A dot may make a list at the beginning and an address inside of a word.
        let joined = before == '.' && letter.is_alphanumeric();
        if !word || twice || joined {
            return false;
        }
        before = letter;
    }
    let begins = text.chars().next();
    begins.is_some_and(char::is_alphabetic) && before != ' '
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
    fn plain_lines_look_as_if_they_were_parsed() {
        let plain = [
            "The ID of the object.",
            "Cents (before tax), e. g. 100; at most 50% - or 5/6?",
            "Größe des Feldes",
            "a",
            "well-known",
        ];
        for text in plain {
            assert!(is_plain(text), "{text}");
            assert_eq!(plain_markdown(text), rich(text), "{text}");
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

    #[test]
    fn tags_are_stripped() {
        assert_eq!(
            strip_tags("a <b>b</b> <script>x</script>c < d"),
            "a b c < d"
        );
    }
}
