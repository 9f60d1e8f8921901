//! Protected pages, and site maps without them.
//!
//! A page that an audience may not access is removed when its map is resolved, so that no code that
//! lists or serves pages can expose it.

use std::collections::BTreeSet;

use svc_diagnostics::{Diagnostic, Location, Span};
use svc_openapi::{ApiDocument, has_protection};
use svc_source::FrontMatter;

use super::Builder;
use super::audience::{Audience, WithheldPages};
use super::context::Context;
use super::nodes::finalize;
use crate::codes::PROTECTED;
use crate::{NavNode, Route, RouteBody};

/// Maximum number of pages that a diagnostic lists.
const MAX_LISTED_PAGES: usize = 5;

/// Returns true if a page requires protection: by its groups, its own `public`, the `public` of the
/// nearest element, or that of the site.
pub(super) fn is_protected(fields: &FrontMatter, parent: Option<&Context<'_>>, site: bool) -> bool {
    let inherited = || parent.and_then(|cx| cx.public);
    let open = fields.public.or_else(inherited).unwrap_or(!site);
    fields.groups.is_some() || !open
}

impl Builder<'_> {
    /// Reports protected pages and removes those that the audience may not access.
    pub(super) fn withhold(&mut self, tree: &mut Vec<NavNode>) -> WithheldPages {
        self.report_protected();
        let mut withheld = WithheldPages::default();
        let routes = self.routes.values();
        let groups = routes.clone().flat_map(|route| &route.required_groups);
        withheld.groups = groups.flatten().cloned().collect();
        let closed = routes.filter(|route| !self.audience.may_access(route));
        withheld.pages = closed.map(|route| route.path.clone()).collect();
        if self.audience == Audience::Outsiders {
            // Also links to other sites tell something about a private one.
            tree.clear();
        }
        if !withheld.pages.is_empty() {
            prune(tree, &withheld);
            self.routes
                .retain(|_, route| self.audience.may_access(route));
            self.entries.retain(|entry| {
                !entry
                    .href
                    .as_deref()
                    .is_some_and(|href| withheld.has_page(href))
            });
        }
        withheld
    }

    /// Returns the OpenAPI documents of the site that readers may download completely: unless they
    /// may access every page, those without parts that are protected from them. `tree` and the routes must still contain all pages.
    pub(super) fn open_documents(&mut self, tree: &[NavNode]) -> BTreeSet<usize> {
        let mut documents = BTreeSet::new();
        let root = [&self.config.navigation.openapi, &self.config.api.openapi];
        for source in root
            .into_iter()
            .flatten()
            .flat_map(|openapi| &openapi.sources)
        {
            documents.extend(self.operations.document(source));
        }
        collect(tree, &mut documents);
        let operations = self
            .routes
            .values()
            .map(|route| (!self.audience.may_access(route), &route.operation));
        let mut protected = BTreeSet::new();
        for (closed, operation) in operations {
            let document = operation.as_ref().map(crate::OperationRef::document);
            documents.extend(document);
            protected.extend(document.filter(|_| closed));
        }
        if self.audience != Audience::Trusted {
            let is_closed = match self.audience {
                Audience::Outsiders => true,
                Audience::Everyone => self.config.is_protected(),
                _ => false,
            };
            let catalog = &self.catalog.documents;
            let is_protected = |at: &usize| catalog.get(*at).is_some_and(has_protected_part);
            documents.retain(|at| !is_closed && !protected.contains(at) && !is_protected(at));
        }
        documents
    }

    fn report_protected(&mut self) {
        let routes = self.routes.values().filter(|route| route.protected);
        let count = routes.clone().count();
        let Some(first) = routes.clone().next() else {
            return;
        };
        let names = routes
            .take(MAX_LISTED_PAGES)
            .map(|route| format!("`{}`", route.path));
        let mut names = names.collect::<Vec<_>>().join(", ");
        if count > MAX_LISTED_PAGES {
            names.push_str(&format!(" and {} more", count - MAX_LISTED_PAGES));
        }
        let message = match count {
            1 => format!("1 page is only for readers who sign in: {names}"),
            count => format!("{count} pages are only for readers who sign in: {names}"),
        };
        let (location, pointer) = self.location_of(first);
        let problem = Diagnostic::new(&PROTECTED, message)
            .at(location)
            .pointer(pointer)
            .hint("they are not served unless the project's settings say how readers sign in (`[projects.readers]`); `--serve-protected` and `serve_protected = true` serve them to all readers");
        self.report(problem);
    }

    /// Returns the location of the setting that protects a page.
    fn location_of(&self, route: &Route) -> (Location, String) {
        if let RouteBody::Page { slug } = &route.body
            && let Some(page) = self.pages.get_exact(slug)
        {
            let key = ["groups", "public", "isPublic"]
                .into_iter()
                .find_map(|key| Some((key, page.front_matter.span_of(key)?)));
            if let Some((key, span)) = key {
                return (page.file.location(span), format!("/{key}"));
            }
        }
        let pointer = match (self.config.is_protected(), self.config.public) {
            (true, Some(_)) => "/public",
            (true, None) => "",
            (false, _) => "/navigation",
        };
        (
            self.config.file.location(Span::default()),
            pointer.to_owned(),
        )
    }
}

fn collect(nodes: &[NavNode], documents: &mut BTreeSet<usize>) {
    for node in nodes {
        documents.extend(&node.documents);
        collect(&node.children, documents);
    }
}

/// Returns true if a part of a document is restricted to some readers.
fn has_protected_part(document: &ApiDocument) -> bool {
    let text = document.file.text();
    let mentioned = (text.contains("x-svc") || text.contains("x-mint"))
        && (text.contains("groups") || text.contains("public"));
    mentioned && has_protection(&document.root)
}

/// Removes the nodes of withheld pages, and elements that contain nothing else.
fn prune(nodes: &mut Vec<NavNode>, withheld: &WithheldPages) {
    nodes.retain_mut(|node| {
        let is_withheld =
            |path: &Option<String>| path.as_deref().is_some_and(|path| withheld.has_page(path));
        if node.element().is_none() {
            return !is_withheld(&node.route);
        }
        if node.href.is_some() {
            return true;
        }
        let held = node.route.is_some() || !node.children.is_empty();
        prune(&mut node.children, withheld);
        for path in [&mut node.route, &mut node.first] {
            if is_withheld(path) {
                *path = None;
            }
        }
        finalize(node);
        !held || node.route.is_some() || !node.children.is_empty()
    });
}
