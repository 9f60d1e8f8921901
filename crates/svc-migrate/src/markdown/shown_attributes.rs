//! Components that show their attributes: code, and lists of entries.

use serde_json::Value;
use svc_mdx::{AttributeKind, AttributeValue, Tag, parse_jsx};

use super::block::Pass;
use super::{Line, Rewriter, attribute, code_fence, indent_of};

/// Maximum number of lines of a tag.
const MAX_TAG_LINES: usize = 1_000;
/// Maximum number of cards that a list of entries becomes.
const MAX_CARDS: usize = 500;

impl Rewriter<'_> {
    /// A component at the start of a line whose tag has several lines, or that shows its
    /// attributes.
    pub(super) fn component_lines(&mut self, lines: &[Line], pass: &mut Pass) -> Option<usize> {
        let text = lines[0].text.trim_start();
        if !text
            .strip_prefix('<')?
            .starts_with(|c: char| c.is_ascii_uppercase())
        {
            return None;
        }
        let (source, tag) = whole_tag(lines)?;
        let end = tag.span.end as usize;
        let used = 1 + source[..end].matches('\n').count();
        let is_alone = source[end..]
            .split('\n')
            .next()
            .is_none_or(|rest| rest.trim().is_empty());
        if let Some(text) = self.shown(&tag, &source, true).filter(|_| is_alone) {
            self.flush(pass);
            let space = " ".repeat(indent_of(&lines[0].text));
            let out = text
                .split('\n')
                .map(|line| format!("{space}{line}").trim_end().to_owned());
            pass.out.extend(out);
            return Some(used);
        }
        if used == 1 {
            return None;
        }
        pass.paragraph.extend(lines[..used].iter().cloned());
        Some(used)
    }

    /// What replaces a component without an equivalent that shows its attributes.
    pub(super) fn shown(&self, tag: &Tag, source: &str, is_block: bool) -> Option<String> {
        let name = tag.name.as_deref()?;
        let is_code = name == "Code" && self.dialect.components.iter().any(|entry| entry.0 == name);
        let is_left_out = self.left_out.contains(name);
        if !tag.self_closing || !(is_code || is_left_out) {
            return None;
        }
        match named(tag, "code") {
            Some(code) => code_block(tag, source, code, is_block),
            None if is_left_out && is_block => self.cards(tag),
            None => None,
        }
    }

    /// A list of entries with titles: a card for each.
    fn cards(&self, tag: &Tag) -> Option<String> {
        let lists = tag.attributes.iter().filter_map(|one| match &one.kind {
            AttributeKind::Named {
                value: AttributeValue::Expression { value, .. },
                ..
            } => Some(crate::js::expression(&self.constants, value)),
            _ => None,
        });
        let cards = lists.filter_map(|list| {
            let entries = list.as_array().filter(|all| !all.is_empty())?;
            let cards: Option<Vec<String>> = entries
                .iter()
                .take(MAX_CARDS)
                .map(|entry| self.card(entry))
                .collect();
            cards
        });
        let cards: Vec<String> = cards.flatten().collect();
        let text = cards.join("\n");
        (!cards.is_empty()).then(|| format!("<Columns cols={{2}}>\n{text}\n</Columns>"))
    }

    fn card(&self, entry: &Value) -> Option<String> {
        let field = |names: &[&str]| names.iter().find_map(|name| entry.get(name)?.as_str());
        let title = attribute(field(&["title", "name", "label"])?);
        let link = field(&["href", "link", "url", "to"])
            .map(|link| self.links.resolve(self.file.path(), link))
            .map_or_else(String::new, |link| format!(" href={}", attribute(&link)));
        Some(
            match field(&["description", "text", "content", "details"]) {
                Some(text) => format!("<Card title={title}{link}>\n{}\n</Card>", plain(text)),
                None => format!("<Card title={title}{link} />"),
            },
        )
    }
}

/// The tag at the start of the lines, and their text.
fn whole_tag(lines: &[Line]) -> Option<(String, Tag)> {
    let mut text = lines[0].text.trim_start().to_owned();
    match parse_jsx(&text, 0) {
        Ok(tag) => return Some((text, tag)),
        Err(error) if !error.incomplete => return None,
        Err(_) => {}
    }
    for line in lines.iter().take(MAX_TAG_LINES).skip(1) {
        text.push('\n');
        text.push_str(&line.text);
    }
    let tag = parse_jsx(&text, 0).ok()?;
    Some((text, tag))
}

fn named<'t>(tag: &'t Tag, key: &str) -> Option<&'t AttributeValue> {
    tag.attributes.iter().find_map(|one| match &one.kind {
        AttributeKind::Named { name, value } if &**name == key => Some(value),
        _ => None,
    })
}

/// A fence if the code is literal and stands alone, or else a `CodeBlock`.
fn code_block(tag: &Tag, source: &str, code: &AttributeValue, is_block: bool) -> Option<String> {
    let literal = match code {
        AttributeValue::None => return None,
        AttributeValue::String(text) => Some(text.to_string()),
        // The value of the attribute has lost indentation.
        AttributeValue::Expression { span, .. } => literal(source.get(span.range())?),
    };
    let language = named(tag, "lang").or_else(|| named(tag, "language"));
    let title = named(tag, "title");
    let wrap = named(tag, "wrap").is_some_and(|value| *value == AttributeValue::None);
    let language_name = match language {
        Some(AttributeValue::String(text)) => Some(&**text),
        None => Some(""),
        Some(_) => None,
    };
    let title_text = match title {
        Some(AttributeValue::String(text)) => Some(&**text),
        None => Some(""),
        Some(_) => None,
    };
    if let (Some(code), Some(language), Some(title), true) =
        (&literal, language_name, title_text, is_block)
    {
        let mut info = language.to_owned();
        if !title.is_empty() || wrap {
            info = if info.is_empty() {
                "text".to_owned()
            } else {
                info
            };
        }
        if !title.is_empty() {
            info.push_str(&format!(" title=\"{}\"", title.replace('"', "'")));
        }
        if wrap {
            info.push_str(" wrap");
        }
        return Some(code_fence(&info, code.trim_start_matches('\n').trim_end()));
    }
    let written = |name: &str, value: Option<&AttributeValue>| match value {
        Some(AttributeValue::String(text)) => format!(" {name}={}", attribute(text)),
        Some(AttributeValue::Expression { value, .. }) => format!(" {name}={{{value}}}"),
        _ => String::new(),
    };
    let code = match (literal, code) {
        // Without line endings, which would lose the indentation after them.
        (Some(text), _) => Value::String(text).to_string(),
        (None, AttributeValue::Expression { value, .. }) => value.to_string(),
        (None, _) => return None,
    };
    Some(format!(
        "<CodeBlock{}{}{}>{{{code}}}</CodeBlock>",
        written("language", language),
        written("filename", title),
        if wrap { " wrap" } else { "" }
    ))
}

/// The value of a string or of a template literal without expressions.
fn literal(expression: &str) -> Option<String> {
    if !expression.trim_start().starts_with(['"', '\'', '`']) {
        return None;
    }
    match crate::js::expression("", expression) {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// A text in one line, without markup.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for c in text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
    {
        if "\\`*_{}<[]#".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
