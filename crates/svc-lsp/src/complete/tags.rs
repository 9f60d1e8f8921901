//! Components: their names, attributes and values.

use lsp_types::CompletionItemKind;
use svc_render::components::{ALL, Prop, PropKind};

use super::list::{Candidate, Candidates};
use crate::features::hover::{about_component, values_in};
use crate::role::{imports, prop_of, spec_of};

/// Adds the names of tags: those that are open for a closing tag, otherwise all components and the
/// names that the page imports.
pub(crate) fn tags(candidates: &mut Candidates<'_>, closing: bool) {
    let offset = candidates.view.text.len() - candidates.after.len() - candidates.text.len();
    let before = candidates.view.text.get(..offset).unwrap_or_default();
    if closing {
        let end = if candidates.after.starts_with('>') {
            ""
        } else {
            ">"
        };
        for name in open_tags(before).into_iter().rev().take(1) {
            candidates.add(Candidate {
                snippet: Some(format!("{name}{end}")),
                ..Candidate::new(name, CompletionItemKind::CLASS)
            });
        }
        return;
    }
    // An existing tag is only renamed.
    let is_new = candidates
        .after
        .chars()
        .next()
        .is_none_or(|next| matches!(next, '\r' | '\n'));
    for component in ALL {
        for spec in component.tags {
            let required = spec.props.iter().filter(|prop| prop.required);
            let attributes: String = required
                .enumerate()
                .map(|(at, prop)| format!(" {}=\"${}\"", prop.name, at + 1))
                .collect();
            candidates.add(Candidate {
                detail: Some("component".to_owned()),
                about: about_component(spec.tag),
                snippet: is_new.then(|| format!("{}{attributes}$0", spec.tag)),
                ..Candidate::new(spec.tag, CompletionItemKind::CLASS)
            });
        }
    }
    for (clause, specifier) in imports(candidates.view.text) {
        let names = clause.split(|c: char| !(c.is_alphanumeric() || "_$".contains(c)));
        for name in names.filter(|name| name.starts_with(char::is_uppercase)) {
            candidates.add(Candidate {
                detail: Some(specifier.to_owned()),
                ..Candidate::new(name, CompletionItemKind::CLASS)
            });
        }
    }
}

/// The components that are open at the end of a text, outermost first.
fn open_tags(text: &str) -> Vec<&str> {
    let mut open: Vec<&str> = Vec::new();
    for (at, _) in text.match_indices('<') {
        let rest = text.get(at + 1..).unwrap_or_default();
        let (closing, rest) = match rest.strip_prefix('/') {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let end = rest.find(|c: char| !(c.is_alphanumeric() || "._-".contains(c)));
        let Some(name) = rest.get(..end.unwrap_or(rest.len())) else {
            continue;
        };
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            continue;
        }
        let tag_end = rest.find('>');
        let self_closing =
            tag_end.is_some_and(|end| rest.get(..end).unwrap_or_default().ends_with('/'));
        if closing {
            if let Some(at) = open.iter().rposition(|other| *other == name) {
                open.truncate(at);
            }
        } else if tag_end.is_some() && !self_closing {
            open.push(name);
        }
    }
    open
}

/// Adds the attributes of a tag.
pub(crate) fn attributes(candidates: &mut Candidates<'_>, tag: &str) {
    let Some(spec) = spec_of(tag) else {
        return;
    };
    let has_value = candidates.after.starts_with('=');
    for prop in spec.props.iter().filter(|prop| prop.name != "*") {
        let snippet = (!has_value).then(|| format!("{}{}", prop.name, start_of_value(prop)));
        let required = if prop.required { ", required" } else { "" };
        candidates.add(Candidate {
            detail: Some(format!("{}{required}", kind_name(prop.kind))),
            about: Some(prop.doc.to_owned()),
            snippet,
            ..Candidate::new(prop.name, CompletionItemKind::PROPERTY)
        });
    }
}

const fn start_of_value(prop: &Prop) -> &'static str {
    match prop.kind {
        PropKind::Flag => "",
        PropKind::Number | PropKind::List | PropKind::Any => "={$1\\}",
        PropKind::Text | PropKind::Rich | PropKind::Icon => "=\"$1\"",
    }
}

/// Name of the type of an attribute.
pub(crate) const fn kind_name(kind: PropKind) -> &'static str {
    match kind {
        PropKind::Text => "text",
        PropKind::Rich => "text or JSX",
        PropKind::Flag => "true or false",
        PropKind::Number => "number",
        PropKind::List => "list",
        PropKind::Icon => "icon",
        PropKind::Any => "any value",
    }
}

/// Adds the values that the description of an attribute lists.
pub(crate) fn values(candidates: &mut Candidates<'_>, tag: &str, name: &str) {
    let Some(prop) = prop_of(tag, name) else {
        return;
    };
    let values = match prop.kind {
        PropKind::Flag => vec!["true", "false"],
        _ => values_in(prop.doc),
    };
    for value in values {
        candidates.add(Candidate::new(value, CompletionItemKind::ENUM_MEMBER));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_tags_are_those_without_end() {
        let text = "<A>\n<B c=\"d\" />\n<C.D>\n<E>x</E>\n a < b\n";
        assert_eq!(open_tags(text), ["A", "C.D"]);
        assert!(open_tags("</A><B").is_empty());
    }
}
