//! Conversion of elements to nodes.

use svc_config::{Children, Directory, Element, ElementKind, OpenApiRef, PageEntry, remote_url};
use svc_data::url_scheme;
use svc_diagnostics::{Diagnostic, did_you_mean};
use svc_source::normalize;

use super::context::Context;
use super::{Builder, MAX_DEPTH};
use crate::codes::{GENERATED_PATH, MISSING_DOCUMENT, TOO_DEEP};
use crate::{GlobalLink, NavEntry, NavNode, NodeKind};

/// Result of the lookup of a document that an entry or a page refers to.
pub(super) enum DocumentLookup {
    /// The document exists, or no document is named.
    Present,
    /// The document does not exist, and the reason is reported elsewhere.
    Reported,
    /// The document does not exist, which the caller reports.
    Missing(Diagnostic),
}

impl<'a> Builder<'a> {
    /// Returns the nodes of the children of an element, in reading order.
    pub(super) fn children(&mut self, children: &'a Children, cx: &Context<'a>) -> Vec<NavNode> {
        match children {
            Children::None => Vec::new(),
            Children::Pages(entries) => entries
                .iter()
                .filter_map(|entry| match entry {
                    PageEntry::Page(page) => self.entry(page, cx),
                    PageEntry::Group(group) => self.element(group, "pages", cx, false),
                })
                .collect(),
            Children::Elements(kind, elements) => {
                // The default version or language comes first, as its pages do.
                let ordered = matches!(kind, ElementKind::Version | ElementKind::Language);
                let default = elements
                    .iter()
                    .position(|one| ordered && one.default)
                    .unwrap_or(0);
                let order = elements.get(default).into_iter().chain(
                    elements
                        .iter()
                        .enumerate()
                        .filter(|(at, _)| *at != default)
                        .map(|(_, e)| e),
                );
                order
                    .enumerate()
                    .filter_map(|(at, element)| {
                        self.element(element, kind.array_key(), cx, ordered && at == 0)
                    })
                    .collect()
            }
        }
    }

    /// Reports the documents of an element that do not exist.
    pub(super) fn check_documents(&mut self, openapi: &OpenApiRef) {
        if let Some(dir) = &openapi.directory
            && let valid_dir = svc_openapi::page_path(dir).to_lowercase()
            && valid_dir != normalize(dir).trim_end_matches('/').to_lowercase()
        {
            let message = format!("pages cannot be in `{dir}`; they are in `/{valid_dir}`");
            let problem = Diagnostic::new(&GENERATED_PATH, message)
                .at(openapi.location.clone())
                .hint("use letters, digits, `-`, `.`, `_` and `~` in `directory`");
            self.report(problem);
        }
        for (source, (location, pointer)) in openapi.sources.iter().zip(&openapi.locations) {
            // Missing remote documents are reported when they are fetched, and unreadable files
            // when they are read.
            if self.operations.document(source).is_none()
                && remote_url(source).is_none()
                && !self.catalog.is_unread(source)
            {
                self.missing.insert(source.clone());
                let problem = self
                    .missing_document(source)
                    .at(location.clone())
                    .pointer(pointer.clone());
                self.report(problem);
            }
        }
    }

    /// Returns true if one of these documents does not exist, so that its operations are unknown.
    /// The reason is reported once, where the document is named or in the file itself.
    pub(super) fn lacks_document(&mut self, openapi: Option<&OpenApiRef>) -> bool {
        match openapi {
            Some(openapi) => {
                let mut sources = openapi.sources.iter();
                sources.any(|source| self.operations.document(source).is_none())
            }
            // Without `openapi` all documents are searched.
            None => !self.catalog.unread.is_empty(),
        }
    }

    /// Looks up the document that an entry or a page names.
    pub(super) fn lookup_document(&mut self, spec: Option<&str>) -> DocumentLookup {
        let Some(spec) = spec.filter(|spec| self.operations.document(spec).is_none()) else {
            return DocumentLookup::Present;
        };
        let is_reported = remote_url(spec).is_some()
            || self.catalog.is_unread(spec)
            || !self.missing.insert(spec.to_owned());
        match is_reported {
            true => DocumentLookup::Reported,
            false => DocumentLookup::Missing(self.missing_document(spec)),
        }
    }

    /// Returns the diagnostic for a document that does not exist, without its location.
    pub(super) fn missing_document(&self, source: &str) -> Diagnostic {
        let paths = self.catalog.documents.iter().map(|one| &*one.path);
        let relative = source.trim_start_matches(['.', '/']);
        let hint = did_you_mean(relative, paths.take(200)).map_or_else(
            || "write the path of a document relative to the root of the repository".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        Diagnostic::new(&MISSING_DOCUMENT, format!("no OpenAPI document `{source}`")).hint(hint)
    }

    fn element(
        &mut self,
        element: &'a Element,
        key: &str,
        cx: &Context<'a>,
        default: bool,
    ) -> Option<NavNode> {
        if self.is_full(&element.location, || cx.pointer_to(key, element)) {
            return None;
        }
        if cx.ids.len() >= MAX_DEPTH {
            let message = format!(
                "`{}` is nested more than {MAX_DEPTH} levels deep",
                element.name
            );
            let problem = Diagnostic::new(&TOO_DEEP, message)
                .at(element.location.clone())
                .pointer(cx.pointer_to(key, element))
                .hint("use fewer levels");
            self.report(problem);
            return None;
        }
        let id = self.id();
        let inside = cx.enter(element, key, id);
        if let Some(openapi) = &element.openapi {
            self.check_documents(openapi);
        }
        let mut node = node_of(element, id, &inside);
        let sources = inside.sources.map_or(&[][..], |openapi| &openapi.sources);
        node.documents.extend(
            sources
                .iter()
                .filter_map(|one| self.operations.document(one)),
        );
        node.default = default;
        // Top-level groups cannot be collapsed.
        node.expanded |= element.kind == ElementKind::Group && !cx.in_group;
        if let Some(href) = &node.href {
            self.entries.push(NavEntry {
                trail: inside.trail,
                href: None,
                title: None,
                sidebar_title: None,
                openapi: None,
                root: false,
                link: Some(href.clone()),
            });
            node.end = self.next_id;
            return Some(node);
        }
        if let Some(root) = &element.root {
            node.route = self.root_page(root, &inside, id);
        }
        let inherits = element.kind != ElementKind::Group && element.root.is_none();
        let whole = inside.sources.is_some() && (element.openapi.is_some() || inherits);
        node.children = match &element.children {
            Children::None if whole => self.whole_documents(&inside),
            children => self.children(children, &inside),
        };
        node.end = self.next_id;
        finalize(&mut node);
        Some(node)
    }
}

/// Creates the node of an element without its children.
fn node_of(element: &Element, id: usize, inside: &Context<'_>) -> NavNode {
    NavNode {
        id,
        end: id + 1,
        kind: NodeKind::Element(element.kind),
        name: element
            .display_name
            .clone()
            .unwrap_or_else(|| element.name.clone()),
        key: element.name.clone(),
        icon: element.icon.clone(),
        tag: element.tag.clone(),
        hidden: inside.hidden,
        route: None,
        first: None,
        href: element.href.as_deref().map(link),
        expanded: element.expanded.unwrap_or(false),
        method: None,
        deprecated: false,
        description: element.description.clone(),
        color: element.color.clone(),
        align_end: element.align_end,
        default: false,
        directory: inside.listing,
        boost: inside.boost,
        public: inside.public,
        documents: Vec::new(),
        dir: String::new(),
        global: element.global.iter().filter_map(global_link).collect(),
        children: Vec::new(),
    }
}

/// Creates a node with a kind and a name.
pub(super) fn new_node(id: usize, kind: NodeKind, name: &str, hidden: bool) -> NavNode {
    NavNode {
        id,
        end: id + 1,
        kind,
        name: name.to_owned(),
        key: name.to_owned(),
        icon: None,
        tag: None,
        hidden,
        route: None,
        first: None,
        href: None,
        expanded: false,
        method: None,
        deprecated: false,
        description: None,
        color: None,
        align_end: false,
        default: false,
        directory: Directory::None,
        boost: None,
        public: None,
        documents: Vec::new(),
        dir: String::new(),
        global: Vec::new(),
        children: Vec::new(),
    }
}

/// Sets the fields that depend on the children: the first page and the common directory.
pub(super) fn finalize(node: &mut NavNode) {
    // If the node itself is hidden, its first page is the first one that nothing inside of it
    // hides.
    let around = node.hidden;
    let first_of = |child: &NavNode| match child.kind {
        NodeKind::Link => None,
        NodeKind::Page => child.route.clone(),
        NodeKind::Element(_) => child.route.clone().or_else(|| child.first.clone()),
    };
    let open = node.children.iter().filter(|child| around || !child.hidden);
    node.first = node
        .route
        .clone()
        .or_else(|| open.into_iter().find_map(first_of));
    if node.is_division() {
        // A division with only hidden pages still has a target.
        let hidden = || any_page(&node.children).map(str::to_owned);
        node.first = node.first.take().or_else(hidden);
        node.route.clone_from(&node.first);
    }
    let mut dirs = node
        .children
        .iter()
        .filter(|child| child.kind != NodeKind::Link && child.href.is_none())
        .filter(|child| child.route.is_some() || !child.children.is_empty())
        .map(|child| child.dir.as_str())
        .chain((!node.dir.is_empty()).then_some(node.dir.as_str()));
    let first = dirs.next().unwrap_or("");
    let shared = dirs.fold(first, common);
    node.dir = shared.to_owned();
}

/// Returns the first page below the nodes, hidden or not.
fn any_page(nodes: &[NavNode]) -> Option<&str> {
    nodes.iter().find_map(|node| match node.kind {
        NodeKind::Link => None,
        _ => node
            .route
            .as_deref()
            .or(node.first.as_deref())
            .or_else(|| any_page(&node.children)),
    })
}

/// Returns the common parent of both directories, with a trailing slash.
fn common<'f>(left: &'f str, right: &str) -> &'f str {
    let same = left
        .bytes()
        .zip(right.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    let shared = left.as_bytes().get(..same).unwrap_or_default();
    let end = shared
        .iter()
        .rposition(|byte| *byte == b'/')
        .map_or(0, |at| at + 1);
    left.get(..end).unwrap_or("")
}

/// Normalizes a link: a bare relative path is relative to the root.
pub(super) fn link(href: &str) -> String {
    let href = href.trim();
    let absolute = href.starts_with(['/', '#']) || url_scheme(href).is_some();
    if absolute {
        href.to_owned()
    } else {
        format!("/{}", href.trim_start_matches("./"))
    }
}

/// Converts an element to a global link; `None` if it has no target.
pub(super) fn global_link(element: &Element) -> Option<GlobalLink> {
    Some(GlobalLink {
        kind: element.kind,
        name: element
            .display_name
            .clone()
            .unwrap_or_else(|| element.name.clone()),
        href: link(element.href.as_deref()?),
        icon: element.icon.clone(),
        description: element.description.clone(),
        tag: element.tag.clone(),
        color: element.color.clone(),
        hidden: element.hidden == Some(true),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_share_whole_segments() {
        assert_eq!(common("es/guides/", "es/api/"), "es/");
        assert_eq!(common("guides/", "guide/"), "");
        assert_eq!(common("a/b/", "a/b/"), "a/b/");
    }

    #[test]
    fn bare_links_are_relative_to_the_root() {
        for (href, used) in [
            ("changelog", "/changelog"),
            ("./a/b", "/a/b"),
            ("/a", "/a"),
            ("#x", "#x"),
            ("https://x.org", "https://x.org"),
            ("mailto:a@b.c", "mailto:a@b.c"),
        ] {
            assert_eq!(link(href), used);
        }
    }
}
