//! HTML tags in Markdown, and their form in MDX.

use svc_mdx::decode_references;

use super::attribute;

/// Elements without a closing tag.
const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
];

/// Elements of HTML that can appear in Markdown.
const NAMES: &[&str] = &[
    "a",
    "abbr",
    "address",
    "area",
    "article",
    "aside",
    "audio",
    "b",
    "base",
    "bdi",
    "bdo",
    "blockquote",
    "br",
    "button",
    "canvas",
    "caption",
    "center",
    "cite",
    "code",
    "col",
    "colgroup",
    "data",
    "dd",
    "del",
    "details",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "fieldset",
    "figcaption",
    "figure",
    "font",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "i",
    "iframe",
    "img",
    "input",
    "ins",
    "kbd",
    "label",
    "legend",
    "li",
    "link",
    "main",
    "mark",
    "meta",
    "nav",
    "object",
    "ol",
    "optgroup",
    "option",
    "output",
    "p",
    "param",
    "picture",
    "pre",
    "progress",
    "q",
    "rp",
    "rt",
    "ruby",
    "s",
    "samp",
    "section",
    "select",
    "small",
    "source",
    "span",
    "strike",
    "strong",
    "sub",
    "summary",
    "sup",
    "svg",
    "path",
    "g",
    "circle",
    "rect",
    "line",
    "polygon",
    "table",
    "tbody",
    "td",
    "template",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "time",
    "tr",
    "track",
    "tt",
    "u",
    "ul",
    "var",
    "video",
    "wbr",
];

/// Attributes whose names differ in JSX.
const JSX_NAMES: &[(&str, &str)] = &[
    ("class", "className"),
    ("for", "htmlFor"),
    ("tabindex", "tabIndex"),
    ("colspan", "colSpan"),
    ("rowspan", "rowSpan"),
    ("srcset", "srcSet"),
    ("allowfullscreen", "allowFullScreen"),
    ("frameborder", "frameBorder"),
    ("crossorigin", "crossOrigin"),
    ("referrerpolicy", "referrerPolicy"),
    ("autoplay", "autoPlay"),
    ("playsinline", "playsInline"),
    ("readonly", "readOnly"),
    ("maxlength", "maxLength"),
    ("cellpadding", "cellPadding"),
    ("cellspacing", "cellSpacing"),
    ("datetime", "dateTime"),
    ("fill-rule", "fillRule"),
    ("clip-rule", "clipRule"),
    ("stroke-width", "strokeWidth"),
    ("stroke-linecap", "strokeLinecap"),
    ("stroke-linejoin", "strokeLinejoin"),
    ("viewbox", "viewBox"),
];

/// A tag at the start of a text.
#[derive(Debug)]
pub(super) struct Tag {
    /// Length in bytes.
    pub(super) len: usize,
    pub(super) is_closing: bool,
    pub(super) name: String,
    pub(super) attributes: Vec<(String, Option<String>)>,
}

/// Whether a name is an element of HTML.
pub(super) fn is_element(name: &str) -> bool {
    NAMES.contains(&name.to_ascii_lowercase().as_str())
}

/// Parses the tag that the text begins with; `None` if it is not a tag of HTML.
pub(super) fn parse(text: &str) -> Option<Tag> {
    let bytes = text.as_bytes();
    let is_closing = bytes.get(1) == Some(&b'/');
    let start = if is_closing { 2 } else { 1 };
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let rest = text.get(start..)?;
    let length = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
    let name = rest[..length].to_ascii_lowercase();
    if !is_element(&name) {
        return None;
    }
    let mut at = start + length;
    let mut attributes = Vec::new();
    loop {
        at += space_len(text.get(at..)?);
        match bytes.get(at)? {
            b'>' => break,
            b'/' => at += 1,
            _ => {
                let (used, name, value) = parse_attribute(&text[at..])?;
                attributes.push((name, value));
                at += used;
            }
        }
    }
    Some(Tag {
        len: at + 1,
        is_closing,
        name,
        attributes,
    })
}

fn space_len(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

fn parse_attribute(text: &str) -> Option<(usize, String, Option<String>)> {
    let ends = |c: char| c.is_whitespace() || matches!(c, '=' | '>' | '/' | '<' | '"' | '\'');
    let length = text.find(ends)?;
    if length == 0 {
        return None;
    }
    let name = text[..length].to_owned();
    let space = space_len(&text[length..]);
    if !text[length + space..].starts_with('=') {
        return Some((length, name, None));
    }
    let mut at = length + space + 1;
    at += space_len(&text[at..]);
    let rest = &text[at..];
    let quote = rest.chars().next()?;
    if quote == '"' || quote == '\'' {
        let end = rest[1..].find(quote)?;
        return Some((at + end + 2, name, Some(rest[1..=end].to_owned())));
    }
    let end = rest.find(|c: char| c.is_whitespace() || c == '>')?;
    // A slash before `>` closes the tag.
    let value = match rest[..end].strip_suffix('/') {
        Some(value) if rest[end..].starts_with('>') && !value.is_empty() => value,
        _ => &rest[..end],
    };
    Some((at + value.len(), name, Some(value.to_owned())))
}

impl Tag {
    /// The tag in JSX.
    pub(super) fn jsx(&self) -> String {
        let name = &self.name;
        if self.is_closing {
            return match VOID.contains(&name.as_str()) {
                true => String::new(),
                false => format!("</{name}>"),
            };
        }
        let mut out = format!("<{name}");
        for (name, value) in &self.attributes {
            let name = name.to_ascii_lowercase();
            let skipped = name.starts_with("on")
                || name.starts_with("markdown")
                || name.starts_with("v-")
                || !name.starts_with(|c: char| c.is_ascii_alphabetic());
            if skipped {
                continue;
            }
            let jsx = JSX_NAMES.iter().find(|entry| entry.0 == name);
            let jsx = jsx.map_or(name.as_str(), |entry| entry.1);
            match value {
                Some(value) if name == "style" => out.push_str(&style(value)),
                Some(value) => out.push_str(&format!(" {jsx}={}", attribute(value))),
                None => out.push_str(&format!(" {jsx}")),
            }
        }
        let end = if VOID.contains(&name.as_str()) {
            " />"
        } else {
            ">"
        };
        out.push_str(end);
        out
    }
}

/// CSS declarations as a JSX attribute.
fn style(text: &str) -> String {
    let text = decode_references(text);
    let mut out = Vec::new();
    for declaration in text.split(';') {
        let Some((name, value)) = declaration.split_once(':') else {
            continue;
        };
        let name = name.trim();
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if name.is_empty() || !name.chars().all(is_name) {
            continue;
        }
        let key = match name.starts_with("--") {
            true => format!("\"{name}\""),
            false => camel_case(name),
        };
        out.push(format!("{key}: {}", serde_json::Value::from(value.trim())));
    }
    match out.is_empty() {
        true => String::new(),
        false => format!(" style={{{{ {} }}}}", out.join(", ")),
    }
}

fn camel_case(name: &str) -> String {
    let mut out = String::new();
    let mut upper = false;
    for c in name.trim_start_matches('-').chars() {
        if c == '-' {
            upper = true;
        } else if std::mem::take(&mut upper) {
            out.push(c.to_ascii_uppercase());
        } else {
            out.push(c);
        }
    }
    out
}

/// The text of HTML without its tags.
pub(crate) fn text_of(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        match parse(rest) {
            Some(tag) => rest = &rest[tag.len..],
            None => {
                out.push('<');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    decode_references(&out)
}

fn tags(line: &str, start: &str) -> usize {
    line.match_indices(start)
        .filter(|(at, _)| {
            let name = line[at + start.len()..]
                .split(|c: char| !c.is_ascii_alphanumeric())
                .next()
                .unwrap_or_default();
            is_element(name) && !VOID.contains(&name) && !name.eq_ignore_ascii_case("p")
        })
        .count()
}

/// The number of elements that a line opens.
pub(super) fn block_opens(line: &str) -> usize {
    if line.starts_with('<') {
        tags(line, "<")
    } else {
        0
    }
}

/// The number of elements that a line closes.
pub(super) fn block_closes(line: &str) -> usize {
    tags(line, "</")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_become_jsx() {
        let jsx = |text: &str| parse(text).map(|tag| tag.jsx());
        assert_eq!(jsx("<br>").as_deref(), Some("<br />"));
        assert_eq!(
            jsx("<div class=\"a\" markdown style='color: red; margin-top:1px'>").as_deref(),
            Some("<div className=\"a\" style={{ color: \"red\", marginTop: \"1px\" }}>")
        );
        assert_eq!(
            jsx("<img src=a.png/>").as_deref(),
            Some("<img src=\"a.png\" />")
        );
        assert_eq!(
            jsx("<A HREF=x onclick='y()'>").as_deref(),
            Some("<a href=\"x\">")
        );
        assert_eq!(jsx("</div>").as_deref(), Some("</div>"));
        for text in ["<T>", "<3", "<a", "<type>", "< b>"] {
            assert_eq!(jsx(text), None, "{text}");
        }
    }
}
