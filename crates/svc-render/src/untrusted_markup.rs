//! Strict tokenizer for markup of untrusted programs.
//!
//! The engines for formulas and diagrams return markup as text, which is not trusted. The callers
//! of [`tokenize`] write new markup from its tokens and keep only elements and attributes of an
//! allowlist. Markup that is not well formed is rejected as a whole.

/// Maximum number of tokens; more than any formula or diagram within its limits needs.
const MAX_TOKENS: usize = 400_000;

/// A token of the markup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MarkupToken<'m> {
    /// A start tag: name, and attributes sorted by name.
    Open(&'m str, Vec<(&'m str, String)>),
    /// The end tag of the innermost open element.
    Close,
    /// Text with its character references decoded.
    Text(String),
}

/// The value of an attribute; `None` if it is missing.
pub(crate) fn value<'a>(attributes: &'a [(&str, String)], name: &str) -> Option<&'a str> {
    let attribute = attributes.iter().find(|(key, _)| *key == name)?;
    Some(&attribute.1)
}

/// Splits `markup` into tokens. Returns `None` if it is not well formed: all elements must be
/// closed in order, attributes must be quoted and unique, character references must be known.
/// Comments, declarations and processing instructions are rejected.
pub(crate) fn tokenize(markup: &str) -> Option<Vec<MarkupToken<'_>>> {
    let mut out = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    let mut rest = markup;
    while !rest.is_empty() {
        if out.len() > MAX_TOKENS {
            return None;
        }
        let Some(tag) = rest.strip_prefix('<') else {
            let end = rest.find('<').unwrap_or(rest.len());
            let (text, behind) = rest.split_at(end);
            out.push(MarkupToken::Text(decode(text)?));
            rest = behind;
            continue;
        };
        if let Some(tag) = tag.strip_prefix('/') {
            let (name, behind) = tag.split_once('>')?;
            if open.pop() != Some(name.trim_end()) {
                return None;
            }
            out.push(MarkupToken::Close);
            rest = behind;
            continue;
        }
        let (name, after) = split_name(tag)?;
        let (attributes, empty, behind) = attributes(after)?;
        out.push(MarkupToken::Open(name, attributes));
        if empty {
            out.push(MarkupToken::Close);
        } else {
            open.push(name);
        }
        rest = behind;
    }
    open.is_empty().then_some(out)
}

/// Attributes, whether the element is self-closing, and the rest of the text.
type TagHead<'m> = (Vec<(&'m str, String)>, bool, &'m str);

fn attributes(text: &str) -> Option<TagHead<'_>> {
    let mut list: Vec<(&str, String)> = Vec::new();
    let mut rest = text;
    loop {
        let trimmed = rest.trim_ascii_start();
        if let Some(behind) = trimmed.strip_prefix("/>") {
            return sort_attributes(list, true, behind);
        }
        if let Some(behind) = trimmed.strip_prefix('>') {
            return sort_attributes(list, false, behind);
        }
        if trimmed.len() == rest.len() || list.len() >= 64 {
            return None;
        }
        let (name, after) = split_name(trimmed)?;
        let (text, behind) = after.strip_prefix("=\"")?.split_once('"')?;
        if text.contains('<') {
            return None;
        }
        list.push((name, decode(text)?));
        rest = behind;
    }
}

fn sort_attributes<'m>(
    mut attributes: Vec<(&'m str, String)>,
    empty: bool,
    behind: &'m str,
) -> Option<TagHead<'m>> {
    attributes.sort();
    let twice = attributes
        .windows(2)
        .any(|pair| matches!(pair, [a, b] if a.0 == b.0));
    (!twice).then_some((attributes, empty, behind))
}

/// Splits a name from the rest of the text.
fn split_name(text: &str) -> Option<(&str, &str)> {
    let end = text
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':')))
        .unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

fn decode(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let (name, behind) = after.split_once(';')?;
        out.push(match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            "nbsp" => '\u{a0}',
            _ => {
                let digits = name.strip_prefix('#')?;
                let code = match digits.strip_prefix(['x', 'X']) {
                    Some(hex) => u32::from_str_radix(hex, 16),
                    None => digits.parse(),
                };
                char::from_u32(code.ok()?)?
            }
        });
        rest = behind;
    }
    out.push_str(rest);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_sorted_and_decoded() {
        let tokens = tokenize("<a z=\"1\" b=\"&lt;&#x27;\">x&amp;y<br/></a>").expect("well formed");
        let expected = [
            MarkupToken::Open("a", vec![("b", "<'".to_owned()), ("z", "1".to_owned())]),
            MarkupToken::Text("x&y".to_owned()),
            MarkupToken::Open("br", Vec::new()),
            MarkupToken::Close,
            MarkupToken::Close,
        ];
        assert_eq!(tokens, expected);
    }

    #[test]
    fn malformed_markup_is_rejected() {
        for markup in [
            "<a>",
            "</a>",
            "<a></b>",
            "<a x=1></a>",
            "<a x=\"1\" x=\"2\"></a>",
            "<a x=\"1\"y=\"2\"></a>",
            "<a x=\"<\"></a>",
            "<!-- -->",
            "<!DOCTYPE a>",
            "<?xml?>",
            "<![CDATA[x]]>",
            "&unknown;",
            "a & b",
            "&#xffffffff;",
            "< a></a>",
        ] {
            assert_eq!(tokenize(markup), None, "{markup}");
        }
    }
}
