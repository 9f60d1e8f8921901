//! Text that is valid HTML.
//!
//! [`Html`] is created only by escaping, from literal markup of this crate, or with `Html::trusted`
//! from markup that another module guarantees to be safe. Text of a user therefore cannot reach a
//! page unescaped by accident.

use std::fmt;

/// Markup whose text and attribute values are escaped. Markup of this crate is well formed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Html(String);

impl Html {
    /// Empty markup.
    pub const fn new() -> Self {
        Self(String::new())
    }

    /// Escapes plain text for content and for quoted attribute values.
    pub fn text(text: &str) -> Self {
        let mut out = Self::new();
        out.esc(text);
        out
    }

    /// Wraps markup of a module that is known to produce safe HTML: the highlighter, icon sets,
    /// comrak.
    pub(crate) const fn trusted(markup: String) -> Self {
        Self(markup)
    }

    /// Wraps literal markup of this crate.
    pub(crate) fn literal(markup: &'static str) -> Self {
        Self(markup.to_owned())
    }

    /// Appends literal markup.
    pub(crate) fn lit(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Appends escaped text.
    pub(crate) fn esc(&mut self, text: &str) -> &mut Self {
        escape_into(text, &mut self.0);
        self
    }

    /// Appends other markup.
    pub(crate) fn add(&mut self, other: &Self) -> &mut Self {
        self.0.push_str(&other.0);
        self
    }

    /// Appends a comment. `text` is a constant of this crate without `-` and `>`.
    pub(crate) fn comment(&mut self, text: &str) -> &mut Self {
        self.0.push_str("<!--");
        self.0
            .extend(text.chars().filter(|c| !matches!(c, '-' | '<' | '>')));
        self.0.push_str("-->");
        self
    }

    /// Appends ` name="value"` with the value escaped.
    pub(crate) fn attr(&mut self, name: &'static str, value: &str) -> &mut Self {
        self.0.push(' ');
        self.0.push_str(name);
        self.0.push_str("=\"");
        escape_into(value, &mut self.0);
        self.0.push('"');
        self
    }

    /// Appends ` name="value"` if there is a value.
    pub(crate) fn attr_if(&mut self, name: &'static str, value: Option<&str>) -> &mut Self {
        if let Some(value) = value {
            self.attr(name, value);
        }
        self
    }

    /// Appends ` name` if `set` is true.
    pub(crate) fn flag(&mut self, name: &'static str, set: bool) -> &mut Self {
        if set {
            self.0.push(' ');
            self.0.push_str(name);
        }
        self
    }

    /// Adds an attribute with a number to the element that begins at a byte, after white space, unless
    /// it has the attribute.
    pub(crate) fn mark_element(&mut self, from: usize, name: &str, number: usize) {
        let rest = self.0.get(from..).unwrap_or_default();
        let Some(tag) = rest.trim_start().strip_prefix('<') else {
            return;
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let end = tag.find(|c| !is_name(c)).unwrap_or(0);
        let attributes = tag.split('>').next().unwrap_or_default();
        if end > 0 && !attributes.contains(name) {
            let at = self.0.len() - tag.len() + end;
            self.0.insert_str(at, &format!(" {name}=\"{number}\""));
        }
    }

    /// Appends a number.
    pub(crate) fn num(&mut self, number: impl Into<u64>) -> &mut Self {
        self.0.push_str(&number.into().to_string());
        self
    }

    /// The markup as a string slice.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Converts to the markup as a string.
    pub fn into_string(self) -> String {
        self.0
    }

    /// Length of the markup in bytes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the markup is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the markup is empty or only white space.
    pub(crate) fn is_blank(&self) -> bool {
        self.0.bytes().all(|byte| byte.is_ascii_whitespace())
    }

    /// Text content of the markup: without tags, with the character references of this crate
    /// decoded.
    pub fn to_text(&self) -> String {
        let mut out = String::with_capacity(self.0.len() / 2);
        let mut rest = self.0.as_str();
        while let Some(at) = rest.find('<') {
            let (before, tag) = rest.split_at(at);
            out.push_str(before);
            // A `>` in attribute values is written as `&gt;`, so the first `>` ends the tag.
            rest = tag
                .find('>')
                .and_then(|end| tag.get(end + 1..))
                .unwrap_or("");
        }
        out.push_str(rest);
        decode(&out)
    }
}

impl fmt::Display for Html {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl askama::filters::HtmlSafe for Html {}

/// Escapes all formatted text: `write!(html, "{name}")`.
impl fmt::Write for Html {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.esc(text);
        Ok(())
    }
}

/// Appends escaped `text`. Control characters that HTML forbids are dropped.
pub(crate) fn escape_into(text: &str, out: &mut String) {
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let with = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            b'\'' => "&#39;",
            0..=8 | 11 | 12 | 14..=31 | 127 => "",
            _ => continue,
        };
        out.push_str(text.get(from..at).unwrap_or(""));
        out.push_str(with);
        from = at + 1;
    }
    out.push_str(text.get(from..).unwrap_or(""));
}

fn decode(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
}

/// Removes tags from `text`, and the content of elements that are not rendered.
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

/// Whether an element is phrasing content.
pub(crate) fn is_phrasing(name: &str) -> bool {
    matches!(
        name,
        "b" | "i"
            | "em"
            | "strong"
            | "span"
            | "a"
            | "code"
            | "kbd"
            | "sub"
            | "sup"
            | "small"
            | "u"
            | "s"
            | "abbr"
            | "mark"
            | "br"
            | "wbr"
            | "q"
            | "cite"
            | "var"
            | "samp"
            | "time"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    #[test]
    fn hostile_text_is_escaped() {
        assert_eq!(
            Html::text("<script>alert('x' & \"y\")</script>\0").as_str(),
            "&lt;script&gt;alert(&#39;x&#39; &amp; &quot;y&quot;)&lt;/script&gt;"
        );
    }

    #[test]
    fn hostile_attribute_values_are_escaped() {
        let mut out = Html::new();
        out.attr("title", "\" onload=\"x");
        assert_eq!(out.as_str(), " title=\"&quot; onload=&quot;x\"");
    }

    #[test]
    fn formatted_text_is_escaped() {
        let mut out = Html::new();
        assert!(write!(out, "<{}>", 1).is_ok());
        assert_eq!(out.as_str(), "&lt;1&gt;");
    }

    #[test]
    fn to_text_reverses_escaping() {
        let mut out = Html::literal("<p title=\"a\">");
        out.esc("a < b & c").lit("</p>");
        assert_eq!(out.to_text(), "a < b & c");
    }

    #[test]
    fn tags_are_stripped() {
        assert_eq!(
            strip_tags("a <b>b</b> <script>x</script>c < d"),
            "a b c < d"
        );
    }
}
