//! Pages, anchors, files, icons and operations.

use lsp_types::CompletionItemKind;
use serde_json::json;
use svc_nav::RouteBody;
use svc_openapi::Operation;
use svc_source::Contents;

use super::list::{Candidate, Candidates};
use crate::role::Role;

/// Endings of images.
const IMAGE_ENDINGS: [&str; 8] = [
    ".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".ico",
];

/// Adds what a reference of a kind can lead to.
pub(crate) fn add(candidates: &mut Candidates<'_>, role: Option<Role>) {
    match role {
        Some(Role::Page) => {
            pages(candidates);
            operations(candidates);
        }
        Some(Role::Link) => links(candidates),
        Some(Role::Image) => images(candidates),
        Some(Role::Icon) => icons(candidates),
        Some(Role::Operation) => operations(candidates),
        Some(Role::Import) => snippets(candidates, "/"),
        Some(Role::Snippet) => snippets(candidates, ""),
        Some(Role::Include) => includes(candidates),
        Some(Role::Document) => documents(candidates),
        Some(Role::Reference | Role::Component) | None => {}
    }
}

fn pages(candidates: &mut Candidates<'_>) {
    let site = &candidates.view.project.site;
    for page in site.pages.iter() {
        candidates.add(Candidate {
            detail: Some(page.title()),
            about: page.front_matter.description.clone(),
            ..Candidate::new(&page.slug, CompletionItemKind::FILE)
        });
    }
}

fn operations(candidates: &mut Candidates<'_>) {
    let documents = &candidates.view.project.site.catalog.documents;
    let name = |operation: &Operation| match operation.kind {
        svc_openapi::OperationKind::Path => {
            format!("{} {}", operation.method.to_uppercase(), operation.path)
        }
        svc_openapi::OperationKind::Webhook => format!("webhook {}", operation.path),
    };
    for document in documents {
        for operation in document.operations.iter().chain(&document.webhooks) {
            let short = name(operation);
            let others = documents.iter().filter(|other| {
                let all = match operation.kind {
                    svc_openapi::OperationKind::Path => {
                        other.operation(&operation.method, &operation.path)
                    }
                    svc_openapi::OperationKind::Webhook => other.webhook(&operation.path),
                };
                all.is_some()
            });
            // An operation of several documents needs the name of its document.
            let label = match others.take(2).count() {
                2 => format!("{} {short}", document.path),
                _ => short,
            };
            candidates.add(Candidate {
                detail: operation.summary.clone(),
                about: operation.description.clone(),
                deprecated: operation.deprecated,
                ..Candidate::new(&label, CompletionItemKind::METHOD)
            });
        }
    }
}

fn links(candidates: &mut Candidates<'_>) {
    let view = candidates.view;
    if let Some(path) = candidates.after_first('#') {
        let route = view.linked_route(path);
        let anchors = route.map(|route| view.project.site.anchors(&route.path));
        for anchor in anchors.into_iter().flatten() {
            candidates.add(Candidate::new(anchor, CompletionItemKind::REFERENCE));
        }
        return;
    }
    for route in view.project.site.map.routes.values() {
        let kind = match route.body {
            RouteBody::Page { .. } => CompletionItemKind::FILE,
            RouteBody::Generated => CompletionItemKind::METHOD,
        };
        candidates.add(Candidate {
            detail: Some(route.title.clone()),
            about: route.description.clone(),
            ..Candidate::new(&route.path, kind)
        });
    }
}

fn images(candidates: &mut Candidates<'_>) {
    for (path, contents) in candidates.view.project.site.tree.iter() {
        let lower = path.to_ascii_lowercase();
        if !IMAGE_ENDINGS.iter().any(|ending| lower.ends_with(ending)) {
            continue;
        }
        let size = match contents {
            Contents::Disk {
                dimensions: Some((width, height)),
                ..
            } => Some(format!("{width} × {height}")),
            _ => None,
        };
        candidates.add(Candidate {
            detail: size,
            ..Candidate::new(&format!("/{path}"), CompletionItemKind::FILE)
        });
    }
}

fn icons(candidates: &mut Candidates<'_>) {
    let library = candidates.view.project.site.config.icons;
    for name in svc_render::icon_names(library) {
        candidates.add(Candidate {
            data: Some(json!({ "icon": name, "library": library.name() })),
            ..Candidate::new(name, CompletionItemKind::CONSTANT)
        });
    }
}

fn snippets(candidates: &mut Candidates<'_>, root: &str) {
    for path in candidates.view.project.site.pages.snippets() {
        // `file` of `Snippet` is relative to the directory of snippets.
        let name = match root {
            "" => path.strip_prefix("snippets/").unwrap_or(path),
            _ => path,
        };
        candidates.add(Candidate::new(
            &format!("{root}{name}"),
            CompletionItemKind::FILE,
        ));
    }
}

fn includes(candidates: &mut Candidates<'_>) {
    let view = candidates.view;
    let dir = view.path.rfind('/').map_or("", |at| &view.path[..=at]);
    for (path, _) in view.project.site.tree.iter() {
        let name = path
            .strip_prefix(dir)
            .filter(|name| name.ends_with(".json"));
        let is_document = || view.project.site.catalog.find(path).is_some();
        if let Some(name) = name
            && *path != *view.path
            && !is_document()
        {
            candidates.add(Candidate::new(
                &format!("./{name}"),
                CompletionItemKind::FILE,
            ));
        }
    }
}

fn documents(candidates: &mut Candidates<'_>) {
    for document in &candidates.view.project.site.catalog.documents {
        if !document.is_tool_list() {
            candidates.add(Candidate {
                detail: Some(document.title.clone()),
                ..Candidate::new(&document.path, CompletionItemKind::FILE)
            });
        }
    }
}
