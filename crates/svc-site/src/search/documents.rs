//! The pages of a site as documents of the search index.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use svc_config::ElementKind;
use svc_nav::{OperationRef, Route};
use svc_search::{Document, Section};

use crate::Site;
use crate::summary::Summary;

/// Factor for deprecated pages.
const DEPRECATED: f64 = 0.5;
/// Factor for pages of versions that are not the default.
const OTHER_VERSION: f64 = 0.6;
/// Factor for pages of languages that are not the default. Words of other languages are rarely in
/// pages of the default one, so that this matters for names only.
const OTHER_LANGUAGE: f64 = 0.4;
/// Factor for changelogs, which mention everything.
const CHANGELOG: f64 = 0.6;
/// Least and greatest factor that a page can have.
const BOOSTS: std::ops::RangeInclusive<f64> = 0.01..=100.0;
/// Maximum bytes of text and of code that are indexed of each page.
const MAX_PAGE_BYTES: usize = 256 << 10;

impl Site {
    /// The pages that search finds, in the order of routes, as documents of the index.
    ///
    /// Facets are `language`, `version`, `product`, `tag`, `method`, and `group` with the elements
    /// of the navigation around the page. Pages without a language or version belong to all.
    pub fn search_documents(&self) -> Vec<Arc<Document>> {
        let aliases = self.aliases();
        let versions = self.names_of(|route| route.version.as_deref());
        let languages = self.names_of(|route| route.language.as_deref());
        let routes = self.map.routes.values().enumerate();
        let visible = routes.filter(|(_, route)| route.visibility.search);
        let documents = visible.filter_map(|(index, route)| {
            let summary = self.summary(index)?;
            let mut facets = Vec::new();
            push_all(
                &mut facets,
                "language",
                route.language.as_deref(),
                &languages,
            );
            push_all(&mut facets, "version", route.version.as_deref(), &versions);
            facets.extend(self.own_facets(route));
            let path = svc_render::printed_path(&self.config, &route.path).into_owned();
            Some(Arc::new(Document {
                path,
                title: route.title.clone(),
                keywords: self.keywords(route, aliases.get(route.path.as_str())),
                language: self.language(route).map(str::to_owned),
                facets,
                audience: 0,
                boost: self.boost(route, summary),
                sections: sections(route, summary),
            }))
        });
        documents.collect()
    }

    fn language<'s>(&'s self, route: &'s Route) -> Option<&'s str> {
        let own = route.language.as_deref();
        own.or_else(|| self.map.default_language())
    }

    fn names_of(&self, name: impl Fn(&Route) -> Option<&str>) -> BTreeSet<&str> {
        self.map.routes.values().filter_map(name).collect()
    }

    /// The last segments of the paths that redirect to each page.
    fn aliases(&self) -> HashMap<&str, BTreeSet<&str>> {
        let mut out: HashMap<&str, BTreeSet<&str>> = HashMap::new();
        for redirect in &self.config.redirects {
            let (from, to) = (&redirect.source, &redirect.destination);
            let to = to.split(['?', '#']).next().unwrap_or_default();
            let name = from.trim_end_matches('/').rsplit('/').next();
            let is_pattern = from.contains([':', '*']);
            if let (Some(name), false, Some(route)) = (name, is_pattern, self.map.route(to)) {
                out.entry(route.path.as_str()).or_default().insert(name);
            }
        }
        out
    }

    fn keywords(&self, route: &Route, aliases: Option<&BTreeSet<&str>>) -> Vec<String> {
        let page = self.page_of(route);
        let matter = page
            .map(|page| &page.front_matter)
            .or(route.metadata.as_deref());
        let own = matter
            .into_iter()
            .flat_map(|matter| &matter.keywords)
            .cloned();
        let mut out: Vec<String> = own.collect();
        out.extend(
            route
                .sidebar_title
                .clone()
                .filter(|title| *title != route.title),
        );
        let last = route.path.rsplit('/').next().unwrap_or_default();
        out.push(last.replace(['-', '_'], " "));
        let aliases = aliases.into_iter().flatten();
        out.extend(aliases.map(|alias| alias.replace(['-', '_'], " ")));
        out
    }

    fn own_facets(&self, route: &Route) -> Vec<(String, String)> {
        let mut out = Vec::new();
        let mut push = |name: &str, value: &str| out.push((name.to_owned(), value.to_owned()));
        let nodes = self.map.nodes_on_trail(&route.path);
        let is_product = |kind| matches!(kind, Some(ElementKind::Product | ElementKind::Dropdown));
        let products = nodes.iter().filter(|node| is_product(node.element()));
        products.for_each(|node| push("product", &node.name));
        if let Some(tag) = &route.tag {
            push("tag", tag);
        }
        if let Some(OperationRef::Operation {
            document,
            method,
            path,
        }) = &route.operation
        {
            let document = self.catalog.documents.get(*document);
            let operation = document.and_then(|document| document.operation(method, path));
            let tags = operation.into_iter().flat_map(|operation| &operation.tags);
            tags.for_each(|tag| push("tag", tag));
        }
        if let Some(method) = &route.method {
            push("method", method);
        }
        let crumbs = self.map.breadcrumbs(&route.path);
        if !crumbs.is_empty() {
            let mut names: Vec<&str> = crumbs.iter().map(|crumb| crumb.name.as_str()).collect();
            names.dedup();
            push("group", &names.join(" › "));
        }
        out
    }

    fn boost(&self, route: &Route, summary: &Summary) -> f32 {
        let mut boost = route.boost.unwrap_or(1.0);
        if route.deprecated {
            boost *= DEPRECATED;
        }
        let default = self.map.default_version();
        if route.version.is_some() && route.version.as_deref() != default {
            boost *= OTHER_VERSION;
        }
        let default = self.map.default_language();
        if route.language.is_some() && route.language.as_deref() != default {
            boost *= OTHER_LANGUAGE;
        }
        if summary.is_changelog {
            boost *= CHANGELOG;
        }
        #[expect(clippy::cast_possible_truncation, reason = "the range is small")]
        let boost = boost.clamp(*BOOSTS.start(), *BOOSTS.end()) as f32;
        boost
    }
}

/// Adds the value of a facet, or all values if the page has none.
fn push_all(
    facets: &mut Vec<(String, String)>,
    name: &str,
    value: Option<&str>,
    all: &BTreeSet<&str>,
) {
    let values = value.map_or_else(|| all.iter().copied().collect(), |value| vec![value]);
    facets.extend(
        values
            .into_iter()
            .map(|value| (name.to_owned(), value.to_owned())),
    );
}

/// The sections of a page, after its description.
fn sections(route: &Route, summary: &Summary) -> Arc<[Section]> {
    let bytes = |section: &Section| section.text.len() + section.code.len();
    let all: usize = summary.sections.iter().map(bytes).sum();
    // The article of an operation contains the description.
    let description = route
        .description
        .as_deref()
        .filter(|_| route.operation.is_none());
    if description.is_none() && all <= MAX_PAGE_BYTES {
        return Arc::clone(&summary.sections);
    }
    let mut sections: Vec<Section> = summary.sections.to_vec();
    if let (Some(first), Some(description)) = (sections.first_mut(), description) {
        let separator = if first.text.is_empty() { "" } else { "\n" };
        first.text = format!("{description}{separator}{}", first.text);
    }
    let mut rest = MAX_PAGE_BYTES;
    for section in &mut sections {
        for text in [&mut section.text, &mut section.code] {
            text.truncate(text.floor_char_boundary(rest));
            rest -= text.len();
        }
    }
    sections.into()
}
