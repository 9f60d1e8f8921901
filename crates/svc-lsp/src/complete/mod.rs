//! Completion.

mod config;
mod fields;
mod list;
mod references;
mod tags;

use lsp_types::{CompletionItem, CompletionList, Documentation};
use serde_json::Value;

use crate::convert::markup;
use crate::cursor::Target;
use crate::features::hover::icon_preview;
use crate::view::View;
use crate::workspace::Workspace;
use list::Candidates;
pub(crate) use tags::kind_name;

/// What can be written at an offset.
pub(crate) fn completion(view: &View<'_>, offset: usize) -> CompletionList {
    let Some(cursor) = view.cursor(offset) else {
        return CompletionList::default();
    };
    let mut candidates = Candidates::new(view, &cursor, offset);
    match &cursor.target {
        Target::Key(steps) => config::keys(&mut candidates, steps),
        Target::Value(steps) => {
            references::add(&mut candidates, view.role(&cursor));
            config::values(&mut candidates, steps);
        }
        Target::Field => fields::names(&mut candidates),
        Target::FieldValue(field) => {
            fields::values(&mut candidates, field);
            references::add(&mut candidates, view.role(&cursor));
        }
        Target::Tag { closing } => tags::tags(&mut candidates, *closing),
        Target::Attribute { tag } => tags::attributes(&mut candidates, tag),
        Target::AttributeValue { tag, name } => {
            tags::values(&mut candidates, tag, name);
            references::add(&mut candidates, view.role(&cursor));
        }
        Target::Link | Target::Image | Target::Import => {
            references::add(&mut candidates, view.role(&cursor));
        }
    }
    candidates.finish()
}

/// Adds the preview of an icon, which would make lists of icons large.
pub(crate) fn resolve(workspace: &Workspace, mut item: CompletionItem) -> CompletionItem {
    let icon = item.data.as_ref().and_then(|data| data.get("icon"));
    let library = item.data.as_ref().and_then(|data| data.get("library"));
    let library = library.and_then(Value::as_str).and_then(library_named);
    if let (Some(icon), Some(library)) = (icon.and_then(Value::as_str), library)
        && let Some(preview) = icon_preview(library, icon)
    {
        let content = markup(workspace.client, preview);
        item.documentation = Some(Documentation::MarkupContent(content));
    }
    item
}

fn library_named(name: &str) -> Option<svc_config::IconLibrary> {
    let all = [
        svc_config::IconLibrary::FontAwesome,
        svc_config::IconLibrary::Lucide,
        svc_config::IconLibrary::Tabler,
    ];
    all.into_iter().find(|library| library.name() == name)
}
