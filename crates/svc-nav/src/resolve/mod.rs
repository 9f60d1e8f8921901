//! Building the map.

mod context;
mod elements;
mod generated_pages;
mod neighbors;
mod operations;
mod pages;
mod protection;
mod redirects;
mod untagged_group;
mod visibility;

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;
use svc_config::{Children, Directory, ElementKind, SiteConfig};
use svc_diagnostics::{Checked, Diagnostic, Location, Span};
use svc_openapi::ApiCatalog;
use svc_source::PageIndex;

use self::context::Context;
use self::operations::Operations;
pub use self::protection::{Audience, WithheldPages};
use crate::codes::{EMPTY_SITE, ENTRY_LIMIT, TRUNCATED};
use crate::{NavEntry, Route, SiteMap};

/// How deep elements may be nested. Configurations are limited too, but `$ref` can add levels.
const MAX_DEPTH: usize = 48;

/// How many nodes there may be. A few lines of configuration can repeat a whole document often.
/// Tests reach the limit with less.
const MAX_NODES: usize = if cfg!(test) { 3_000 } else { 300_000 };

/// How many problems are listed at most; a hostile file could hold millions.
const MAX_DIAGNOSTICS: usize = 5_000;

/// Computes every address of a site that everyone may read. Entries that name nothing are left out
/// of the navigation with a diagnostic; the map is always usable.
pub fn resolve(config: &SiteConfig, pages: &PageIndex, catalog: &ApiCatalog) -> Checked<SiteMap> {
    resolve_for(Audience::Everyone, config, pages, catalog)
}

/// As [`resolve`], for some readers.
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
        operations: Operations::new(catalog),
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
    for own in navigation.openapi.iter().chain(&config.api.openapi) {
        builder.check_documents(own);
    }
    let tree = match (&navigation.children, &navigation.openapi) {
        (Children::None, Some(_)) => builder.whole_documents(&cx),
        (children, _) => builder.children(children, &cx),
    };
    builder.hidden_pages();
    let global = navigation
        .global
        .iter()
        .filter_map(elements::global_link)
        .collect();
    builder.finish(tree, root_kind, global)
}

struct Builder<'a> {
    audience: Audience,
    config: &'a SiteConfig,
    pages: &'a PageIndex,
    catalog: &'a ApiCatalog,
    operations: Operations<'a>,
    routes: IndexMap<String, Route>,
    entries: Vec<NavEntry>,
    /// The innermost division of the first place of every route so far.
    divisions: Vec<Option<usize>>,
    /// Route and innermost division of further places.
    repeated_routes: HashSet<(usize, Option<usize>)>,
    /// Slugs of generated pages by folder, document and operation.
    generated: HashMap<generated_pages::PageKey<'a>, String>,
    /// The next number to try for a slug that is taken.
    suffixes: HashMap<String, usize>,
    /// Slugs by last segment, for suggestions; made when the first page is missing.
    by_leaf: Option<HashMap<&'a str, Vec<&'a str>>>,
    /// Documents that are not there, of which that is reported.
    missing: HashSet<String>,
    /// How many more slips are compared with similar names.
    suggestions: usize,
    next_id: usize,
    /// Whether the limit of nodes was hit and reported.
    limit_reported: bool,
    /// How many problems there were, listed or not.
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

    /// Whether there is no room for another node; the first one that is left out is reported.
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
                .hint("split the site; this entry and those behind it are left out");
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
        neighbors::link_neighbors(&tree, &mut self.routes);
        let redirects = self.redirects(&withheld);
        let folders = neighbors::dir_redirects(&self.routes);
        let value = SiteMap {
            routes: self.routes,
            tree,
            root_kind,
            global,
            drilldown: self.config.interaction.drilldown,
            redirects,
            dir_redirects: folders,
            withheld,
            documents,
            entries: self.entries,
        };
        let mut diagnostics = self.diagnostics;
        let location = || self.config.file.location(Span::default());
        if value.is_empty() {
            let problem = Diagnostic::new(&EMPTY_SITE, "the site has no page")
                .at(location())
                .pointer("/navigation")
                .hint("add an `index.mdx` and name it in `navigation`");
            diagnostics.push(problem);
        }
        if self.diagnostic_count > MAX_DIAGNOSTICS {
            let message = format!("only the first {MAX_DIAGNOSTICS} problems are listed");
            let note = Diagnostic::new(&TRUNCATED, message)
                .at(location())
                .hint("correct these first");
            diagnostics.push(note);
        }
        Checked { value, diagnostics }
    }
}

#[cfg(test)]
mod tests;
