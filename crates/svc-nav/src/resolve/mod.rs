//! Resolution of the configuration, pages and documents into the site map.

mod audience;
mod context;
mod elements;
mod generated_pages;
mod neighbors;
mod nodes;
mod operations;
mod pages;
mod protection;
mod redirects;
mod tools;
mod untagged_group;
mod visibility;

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;
use svc_config::{Children, Directory, ElementKind, SiteConfig};
use svc_diagnostics::{Checked, Diagnostic, Location, Span};
use svc_openapi::ApiCatalog;
use svc_source::PageIndex;

pub use self::audience::{Audience, WithheldPages};
use self::context::Context;
use self::operations::Operations;
use crate::codes::{EMPTY_SITE, ENTRY_LIMIT, TRUNCATED};
use crate::{NavEntry, Route, SiteMap};

/// Maximum nesting depth of elements. The configuration is limited too, but `$ref` can add levels.
const MAX_DEPTH: usize = 48;

/// Maximum number of nodes, because a few lines of configuration can repeat a whole document many
/// times. Lower in tests.
const MAX_NODES: usize = if cfg!(test) { 3_000 } else { 300_000 };

/// Maximum number of listed diagnostics, because a hostile file could produce millions.
const MAX_DIAGNOSTICS: usize = 5_000;

/// Computes all routes of a site that every reader may access. Invalid entries are dropped from the
/// navigation with a diagnostic; the map is always usable.
///
/// Example: [crate documentation](crate).
pub fn resolve(config: &SiteConfig, pages: &PageIndex, catalog: &ApiCatalog) -> Checked<SiteMap> {
    resolve_for(Audience::Everyone, config, pages, catalog)
}

/// Same as [`resolve`], for an audience.
///
/// Example: [`SiteMap`](crate::SiteMap#example).
pub fn resolve_for(
    audience: Audience,
    config: &SiteConfig,
    pages: &PageIndex,
    catalog: &ApiCatalog,
) -> Checked<SiteMap> {
    let mut builder = Builder {
        audience,
        config,
        pages,
        catalog,
        operations: Operations::new(catalog, pages.mounts()),
        routes: IndexMap::with_capacity(pages.len()),
        entries: Vec::with_capacity(pages.len()),
        divisions: Vec::with_capacity(pages.len()),
        repeated_routes: HashSet::new(),
        generated: HashMap::new(),
        suffixes: HashMap::new(),
        by_leaf: None,
        missing: HashSet::new(),
        suggestions: 200,
        next_id: 0,
        limit_reported: false,
        diagnostic_count: 0,
        diagnostics: Vec::new(),
    };
    let navigation = &config.navigation;
    let root_kind = match &navigation.children {
        Children::Elements(kind, _) if *kind != ElementKind::Group => Some(*kind),
        _ => None,
    };
    let openapi = navigation.openapi.as_ref().or(config.api.openapi.as_ref());
    let cx = Context {
        sources: openapi,
        listing: navigation.directory.unwrap_or(Directory::None),
        ..Context::default()
    };
    for openapi in navigation.openapi.iter().chain(&config.api.openapi) {
        builder.check_documents(openapi);
    }
    let tree = match (&navigation.children, &navigation.openapi) {
        (Children::None, Some(_)) => builder.whole_documents(&cx),
        (children, _) => builder.children(children, &cx),
    };
    builder.hidden_pages();
    let global = navigation
        .global
        .iter()
        .filter_map(nodes::global_link)
        .collect();
    builder.finish(tree, root_kind, global)
}

/// Directory of the version, directory, document, method (empty for webhooks and tools) and path or
/// name.
type PageKey<'a> = (&'a str, &'a str, usize, &'a str, &'a str);

struct Builder<'a> {
    audience: Audience,
    config: &'a SiteConfig,
    pages: &'a PageIndex,
    catalog: &'a ApiCatalog,
    operations: Operations<'a>,
    routes: IndexMap<String, Route>,
    entries: Vec<NavEntry>,
    /// Innermost division of the first node of every route.
    divisions: Vec<Option<usize>>,
    /// Route and innermost division of further nodes.
    repeated_routes: HashSet<(usize, Option<usize>)>,
    /// Slugs of generated pages by directory, document and operation.
    generated: HashMap<PageKey<'a>, String>,
    /// Next number to append to a slug that is in use.
    suffixes: HashMap<String, usize>,
    /// Slugs by last segment, for suggestions; built when the first page is missing.
    by_leaf: Option<HashMap<&'a str, Vec<&'a str>>>,
    /// Missing documents that were reported.
    missing: HashSet<String>,
    /// Remaining number of typos that are compared with similar names.
    suggestions: usize,
    next_id: usize,
    /// Whether the node limit was exceeded and reported.
    limit_reported: bool,
    /// Number of diagnostics, listed or not.
    diagnostic_count: usize,
    diagnostics: Vec<Diagnostic>,
}

impl Builder<'_> {
    const fn id(&mut self) -> usize {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    fn report(&mut self, problem: Diagnostic) {
        self.diagnostic_count += 1;
        if self.diagnostic_count <= MAX_DIAGNOSTICS {
            self.diagnostics.push(problem);
        }
    }

    /// Returns true if the node limit is reached. The first node over the limit is reported.
    fn is_full(&mut self, location: &Location, pointer: impl FnOnce() -> String) -> bool {
        if self.next_id < MAX_NODES {
            return false;
        }
        if !self.limit_reported {
            self.limit_reported = true;
            let message = format!("the navigation has more than {MAX_NODES} entries");
            let problem = Diagnostic::new(&ENTRY_LIMIT, message)
                .at(location.clone())
                .pointer(pointer())
                .hint("split the site; this entry and the following ones are dropped");
            self.diagnostics.push(problem);
        }
        true
    }

    fn finish(
        mut self,
        mut tree: Vec<crate::NavNode>,
        root_kind: Option<ElementKind>,
        global: Vec<crate::GlobalLink>,
    ) -> Checked<SiteMap> {
        let documents = self.open_documents(&tree);
        let withheld = self.withhold(&mut tree);
        let redirects = self.redirects(&withheld);
        neighbors::link_neighbors(&tree, &mut self.routes, self.next_id);
        let dir_redirects = neighbors::dir_redirects(&self.routes);
        let value = SiteMap {
            routes: self.routes,
            tree,
            root_kind,
            global: match self.audience {
                Audience::Outsiders => Vec::new(),
                _ => global,
            },
            drilldown: self.config.interaction.drilldown,
            redirects,
            dir_redirects,
            withheld,
            documents,
            entries: self.entries,
        };
        let mut diagnostics = self.diagnostics;
        let location = || self.config.file.location(Span::default());
        if value.is_empty() {
            let problem = Diagnostic::new(&EMPTY_SITE, "the site has no pages")
                .at(location())
                .pointer("/navigation")
                .hint("add an `index.mdx` and name it in `navigation`");
            diagnostics.push(problem);
        }
        if self.diagnostic_count > MAX_DIAGNOSTICS {
            let message = format!("only the first {MAX_DIAGNOSTICS} problems are listed");
            let note = Diagnostic::new(&TRUNCATED, message)
                .at(location())
                .hint("fix these first");
            diagnostics.push(note);
        }
        Checked { value, diagnostics }
    }
}

#[cfg(test)]
mod tests;
