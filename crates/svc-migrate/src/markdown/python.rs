//! Inline syntax of Python-Markdown extensions.

use super::{Rewriter, attribute};
use crate::codes::MIGRATE_STYLE;

impl Rewriter<'_> {
    /// `{ .class #id name=value }` after an element.
    pub(super) fn attribute_list(&mut self, rest: &str, out: &mut String) -> Option<usize> {
        let end = rest.find('}').filter(|end| !rest[..*end].contains('\n'))?;
        let list = rest[1..end].trim_start_matches(':').trim();
        let is_attribute =
            |item: &str| item.starts_with(['.', '#']) && item.len() > 1 || item.contains('=');
        let all = !list.is_empty() && list.split_whitespace().next().is_some_and(is_attribute);
        let after = out.trim_end_matches(' ');
        let attached = rest.starts_with("{:")
            || after.ends_with([')', ']', '*', '_', '`', '>', '"', '~', '=', '^'])
            || after.is_empty()
            || after.ends_with('\n');
        if !all || !attached {
            return None;
        }
        if list
            .split_whitespace()
            .any(|item| item.starts_with('.') || item.contains('='))
        {
            self.report(
                &MIGRATE_STYLE,
                "attribute lists for styling, such as `{ .class }`, are left out",
                "use a component, or JSX with `className`",
            );
        }
        out.truncate(after.len());
        // A link without text and URL only carries the anchor.
        let anchor = list
            .split_whitespace()
            .find_map(|item| item.strip_prefix('#'));
        if let Some(id) = anchor {
            if let Some(rest) = out.strip_suffix("[]()") {
                out.truncate(rest.len());
            }
            out.push_str(&format!("<span id={}></span>", attribute(id)));
        }
        Some(end + 1)
    }

    pub(super) fn mark(&mut self, text: &str, at: usize, out: &mut String) -> usize {
        let rest = &text[at..];
        let Some((mark, element)) = MARKS.iter().find(|entry| rest.starts_with(entry.0)) else {
            return 0;
        };
        let run = rest.len() - rest.trim_start_matches(&mark[..1]).len();
        if run != mark.len() {
            // `~~`, `===` and so on keep their meaning.
            out.push_str(&rest[..run]);
            return run;
        }
        let inner = &rest[run..];
        let end = inner.find(mark);
        let valid = end.filter(|end| {
            let content = &inner[..*end];
            let is_trimmed = content.trim().len() == content.len() && !content.is_empty();
            // Marks of one character enclose one word.
            let is_word = mark.len() > 1 || !content.contains(char::is_whitespace);
            is_trimmed && is_word && !content.contains('`')
        });
        let Some(end) = valid else {
            return 0;
        };
        let content = self.inline(&inner[..end]);
        out.push_str(&format!("<{element}>{content}</{element}>"));
        run + end + mark.len()
    }

    pub(super) fn abbreviation(&mut self, text: &str, at: usize, out: &mut String) -> usize {
        let before = text[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_') || self.is_in_link(out) {
            return 0;
        }
        let rest = &text[at..];
        let entry = self.abbreviations.iter().find(|(name, _)| {
            rest.strip_prefix(name.as_str())
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        });
        let Some((name, tip)) = entry else {
            return 0;
        };
        out.push_str(&format!("<Tooltip tip={}>{name}</Tooltip>", attribute(tip)));
        name.len()
    }

    /// Whether the text so far ends inside of `[…]`.
    fn is_in_link(&self, out: &str) -> bool {
        out.rfind('[')
            .is_some_and(|open| !out[open..].contains(']'))
    }
}

/// Marks of Python-Markdown extensions, longest first, and the elements for them.
const MARKS: &[(&str, &str)] = &[("^^", "ins"), ("==", "mark"), ("^", "sup"), ("~", "sub")];

/// `++ctrl+alt+del++`.
pub(super) fn keys(rest: &str, out: &mut String) -> usize {
    let Some(inner) = rest.strip_prefix("++") else {
        return 0;
    };
    let Some(end) = inner.find("++") else {
        return 0;
    };
    let names = &inner[..end];
    let is_key = |name: &str| {
        !name.is_empty()
            && (name.starts_with('"')
                || name
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_'))
    };
    if !names.split('+').all(is_key) {
        return 0;
    }
    let keys: Vec<String> = names
        .split('+')
        .map(|name| {
            let name = name.trim_matches('"');
            let label = match name {
                "ctrl" | "control" => "Ctrl".to_owned(),
                "cmd" | "command" => "⌘".to_owned(),
                "del" => "Del".to_owned(),
                "esc" => "Esc".to_owned(),
                name if name.chars().count() == 1 => name.to_uppercase(),
                name => crate::path::title_of(name),
            };
            format!("<kbd>{label}</kbd>")
        })
        .collect();
    out.push_str(&keys.join("+"));
    end + 4
}
