//! Tags of MDX.

use super::{Rewriter, attribute};
use crate::codes::MIGRATE_SYNTAX;

impl Rewriter<'_> {
    /// A tag that is not HTML, in Markdown: a component with an equivalent, or one that is left
    /// out. `None` if it is text.
    pub(super) fn component(&mut self, rest: &str, out: &mut String) -> Option<usize> {
        let name = rest[1..].trim_start_matches('/');
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_' || c == '.';
        let name = &name[..name.find(|c| !is_name(c)).unwrap_or(name.len())];
        let starts = |test: fn(&char) -> bool| name.chars().next().filter(test).is_some();
        let is_known = self.dialect.components.iter().any(|entry| entry.0 == name);
        if is_known || self.own_components.iter().any(|own| own == name) {
            return Some(self.jsx_tag(rest, out)).filter(|used| *used > 0);
        }
        // HTML with attributes that are expressions: `<td style={{ … }}>`.
        if self.dialect.custom_tags && super::html::is_element(name) {
            let end = tag_end(rest).filter(|end| rest[..*end].contains("={"))?;
            out.push_str(&rest[..end]);
            return Some(end);
        }
        let is_component = starts(char::is_ascii_uppercase)
            || starts(char::is_ascii_lowercase) && name.contains('-');
        if !self.dialect.custom_tags || !is_component {
            return None;
        }
        let end = tag_end(rest)?;
        if !rest.starts_with("</") {
            self.report(
                &MIGRATE_SYNTAX,
                format!("the component `<{name}>` is left out, its content stays"),
                "write the component as a `.jsx` file below `snippets`, or replace it with Markdown",
            );
        }
        Some(end)
    }

    /// A tag in MDX: components get their new names, links are resolved.
    pub(super) fn jsx_tag(&mut self, rest: &str, out: &mut String) -> usize {
        let start = if rest.starts_with("</") { 2 } else { 1 };
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_' || c == '-';
        let length = rest[start..]
            .find(|c| !is_name(c))
            .unwrap_or(rest.len() - start);
        let name = &rest[start..start + length];
        if name.is_empty() {
            return 0;
        }
        let entry = self.dialect.components.iter().find(|entry| entry.0 == name);
        let new = entry.map_or(name, |entry| entry.1);
        // A component without an equivalent vanishes, its content stays.
        let parsed = svc_mdx::parse_jsx(rest, 0).ok();
        if let Some(parsed) = &parsed
            && let Some(text) = self.shown(parsed, rest, false)
        {
            out.push_str(&text);
            return parsed.span.end as usize;
        }
        let end = parsed.map(|tag| tag.span.end as usize);
        let Some(end) = end.or_else(|| tag_end(rest)) else {
            return 0;
        };
        if new.is_empty() {
            return end;
        }
        let tag = &rest[..end];
        if let Some(text) = badge_text(name, tag) {
            out.push_str(&format!("<Badge>{text}</Badge>"));
            return end;
        }
        out.push_str(&rest[..start]);
        if let Some((new, _)) = new.split_once(' ').filter(|_| start == 2) {
            out.push_str(&format!("{new}>"));
        } else if new.contains(' ') {
            out.push_str(&format!(
                "{new}{}",
                if tag.ends_with("/>") { " />" } else { ">" }
            ));
        } else {
            out.push_str(new);
            let attributes = self.jsx_attributes(new, &rest[start + length..end]);
            out.push_str(&attributes);
        }
        end
    }

    /// The attributes of a tag and its end, with link destinations resolved.
    fn jsx_attributes(&mut self, name: &str, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let has_label = text.contains("label=");
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            let rest = &text[at..];
            let starts_name = text[..at].ends_with(char::is_whitespace);
            if starts_name && let Some(used) = without_equivalent(name, rest, has_label) {
                at += used;
                continue;
            }
            let link = ["href=", "src=", "img=", "to=", "poster="]
                .into_iter()
                .find(|key| starts_name && rest.starts_with(key));
            if let Some(key) = link
                && let Some(quote) = rest[key.len()..].chars().next()
                && matches!(quote, '"' | '\'')
                && let Some(end) = rest[key.len() + 1..].find(quote)
            {
                let start = key.len() + 1;
                let target = self
                    .links
                    .resolve(self.file.path(), &rest[start..start + end]);
                let key = if key == "to=" { "href=" } else { key };
                out.push_str(&format!("{key}\"{target}\""));
                at += start + end + 1;
            } else if starts_name && name == "Tab" && rest.starts_with("label=") {
                out.push_str("title=");
                at += "label=".len();
            } else if starts_name && name == "Tab" && !has_label && rest.starts_with("value=") {
                out.push_str("title=");
                at += "value=".len();
            } else if starts_name && name == "Callout" && rest.starts_with("type=\"caution\"") {
                out.push_str("type=\"warning\"");
                at += "type=\"caution\"".len();
            } else if starts_name && name == "Icon" && rest.starts_with("name=") {
                out.push_str("icon=");
                at += "name=".len();
            } else if starts_name && let Some((used, path)) = self.imported_image(rest) {
                out.push_str(&format!("src={}", attribute(&path)));
                at += used;
            } else if starts_name && let Some((used, path)) = required_image(rest) {
                let target = self.links.resolve(self.file.path(), path);
                out.push_str(&format!("src={}", attribute(&target)));
                at += used;
            } else {
                out.push(c);
                at += c.len_utf8();
            }
        }
        out
    }

    /// The length and the path of `src={name}` with an imported image.
    fn imported_image(&self, text: &str) -> Option<(usize, String)> {
        let inner = text.strip_prefix("src={")?;
        let end = inner.find('}')?;
        let name = inner[..end].trim();
        let name = name.strip_suffix(".src").unwrap_or(name);
        let image = self.images.iter().find(|image| image.0 == name)?;
        Some(("src={".len() + end + 1, image.1.clone()))
    }
}

/// The length of an attribute of a component that has no effect here, with the space after it.
fn without_equivalent(name: &str, rest: &str, has_label: bool) -> Option<usize> {
    let keys: &[&str] = match name {
        "Tab" if has_label => &["value", "default", "attributes"],
        "Tab" => &["default", "attributes"],
        "Tabs" => &["defaultValue", "syncKey"],
        // Sizes are numbers of pixels here.
        "Icon" if rest.starts_with("size=\"") => &["size"],
        "Icon" => &["label"],
        _ => return None,
    };
    let key = keys.iter().find_map(|key| {
        let after = rest.strip_prefix(key)?;
        after
            .starts_with(|c: char| "=/>".contains(c) || c.is_whitespace())
            .then_some(key)
    })?;
    let mut used = key.len();
    if rest[used..].starts_with('=') {
        let value = &rest[used + 1..];
        used += 1 + match value.chars().next()? {
            quote @ ('"' | '\'') => 2 + value[1..].find(quote)?,
            '{' => 1 + svc_mdx::js::matching_brace(value, 0)?,
            _ => return None,
        };
    }
    let space = rest[used..].len() - rest[used..].trim_start().len();
    Some(used + space)
}

/// The text of `<Badge text="…" />`.
fn badge_text<'t>(name: &str, tag: &'t str) -> Option<&'t str> {
    let rest = tag
        .split_once("text=\"")
        .filter(|_| name == "Badge" && tag.ends_with("/>"))?
        .1;
    Some(rest.split('"').next().unwrap_or_default())
}

/// The length and the path of `src={require('path').default}` and `src={useBaseUrl('path')}`.
fn required_image(text: &str) -> Option<(usize, &str)> {
    let inner = text.strip_prefix("src={")?;
    let end = inner.find('}')?;
    let call = inner[..end].trim();
    let arguments = call
        .strip_prefix("require(")
        .or_else(|| call.strip_prefix("useBaseUrl("))?;
    let path = arguments.split(')').next()?.trim_matches(['\'', '"']);
    Some(("src={".len() + end + 1, path))
}

/// The length of a JSX tag.
fn tag_end(rest: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    for (at, c) in rest.char_indices().skip(1) {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') => depth = depth.saturating_sub(1),
            (None, '>') if depth == 0 => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// An expression of MDX, with its braces.
pub(super) fn expression(rest: &str, out: &mut String) -> usize {
    let mut depth = 0_usize;
    for (at, c) in rest.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    out.push_str(&rest[..=at]);
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    0
}
