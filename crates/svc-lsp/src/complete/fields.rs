//! Fields of front matter.

use lsp_types::CompletionItemKind;
use svc_source::FRONT_MATTER_FIELDS;

use super::list::{Candidate, Candidates};

/// Adds the fields that the page does not have.
pub(crate) fn names(candidates: &mut Candidates<'_>) {
    let lines: Vec<&str> = candidates.view.text.lines().collect();
    let current = candidates.text;
    let is_present = |name: &str| {
        let mut fields = lines.iter().filter_map(|line| line.split_once(':'));
        fields.any(|(field, _)| field == name)
    };
    let has_colon = candidates.after.starts_with(':');
    for field in FRONT_MATTER_FIELDS {
        if field.name != current && is_present(field.name) {
            continue;
        }
        let colon = if has_colon { "" } else { ": " };
        candidates.add(Candidate {
            detail: Some(field.kind.to_owned()),
            about: Some(field.description.to_owned()),
            snippet: Some(format!("{}{colon}", field.name)),
            ..Candidate::new(field.name, CompletionItemKind::FIELD)
        });
    }
}

/// Adds the declared values of a field.
pub(crate) fn values(candidates: &mut Candidates<'_>, name: &str) {
    let field = FRONT_MATTER_FIELDS.iter().find(|field| field.name == name);
    for value in field.map_or(&[][..], |field| field.values) {
        candidates.add(Candidate::new(value, CompletionItemKind::ENUM_MEMBER));
    }
}
