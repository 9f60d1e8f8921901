//! Suggestions for paths that do not exist.

use std::collections::BTreeMap;

use svc_diagnostics::{did_you_mean, is_shortened_path};
use svc_nav::{Route, SiteMap};
use svc_search::Query;

use crate::Site;

/// Maximum number of routes of sites whose search index is built for a suggestion. On larger sites
/// the search is used once the background pass has built its index.
const MAX_INDEXED: usize = 5_000;
/// Minimum share of the words of a path that a suggested page contains.
const MIN_COVERAGE: f64 = 0.7;
/// Minimum length of the last segment of a path that is searched for.
const MIN_SEARCHED_BYTES: usize = 3;
/// Maximum number of suggestions with the same last segment.
const MAX_SAME_LAST: usize = 4;
/// Maximum number of suggestions.
const MAX_SUGGESTIONS: usize = 5;

/// Indices of routes by the lower-case last segment of their path.
#[derive(Debug)]
pub(crate) struct NearIndex(BTreeMap<Box<str>, Vec<usize>>);

fn last(path: &str) -> String {
    path.rsplit('/').next().unwrap_or("").to_ascii_lowercase()
}

impl NearIndex {
    /// Indexes the routes of a site.
    fn new(map: &SiteMap) -> Self {
        let mut by_last: BTreeMap<Box<str>, Vec<usize>> = BTreeMap::new();
        for (at, route) in map.routes.values().enumerate() {
            if route.visibility.search {
                by_last
                    .entry(last(&route.path).into())
                    .or_default()
                    .push(at);
            }
        }
        Self(by_last)
    }
}

impl Site {
    /// Routes that a reader of `path`, which does not exist, may look for: those with the same last
    /// segment, then what the search finds for its words. All are in the language of `path` or have
    /// none.
    pub fn similar_routes(&self, path: &str) -> Vec<&Route> {
        let is_readable = self.is_readable_from(path);
        let segment = last(path);
        let same = self.routes_with_last(&segment).filter(&is_readable);
        let mut out: Vec<&Route> = same.take(MAX_SAME_LAST).collect();
        let is_large = self.map.routes.len() > MAX_INDEXED && self.search.get().is_none();
        if is_large || segment.len() < MIN_SEARCHED_BYTES {
            return out;
        }
        let index = self.search_index();
        let results = index.search(&Query {
            limit: MAX_SUGGESTIONS * 2,
            ..Query::new(&segment.replace(['-', '_', '.'], " "))
        });
        let hits = results
            .hits
            .iter()
            .filter(|hit| hit.coverage >= MIN_COVERAGE);
        let paths = hits.map(|hit| &index.page(hit.page).path);
        let routes = paths.filter_map(|path| self.map.route(&svc_data::percent::decode(path)));
        for route in routes.filter(is_readable) {
            if out.len() < MAX_SUGGESTIONS && !out.iter().any(|other| other.path == route.path) {
                out.push(route);
            }
        }
        out
    }

    /// The route that is meant by `path`, which does not exist: the path is misspelled, or a part of
    /// that of the route. Unlike [`similar_routes`](Self::similar_routes) it does not search.
    pub(crate) fn misspelled_route(&self, path: &str) -> Option<&Route> {
        let is_meant = |route: &&Route| {
            is_shortened_path(path, &route.path)
                || did_you_mean(path, [route.path.as_str()]).is_some()
        };
        let is_readable = self.is_readable_from(path);
        let segment = last(path);
        let same = self.routes_with_last(&segment).filter(&is_readable);
        if let Some(route) = same.take(MAX_SAME_LAST).find(is_meant) {
            return Some(route);
        }
        let known = self.near_index().0.keys().map(|known| &**known);
        let near = did_you_mean(&segment, known)?;
        self.routes_with_last(near)
            .filter(is_readable)
            .find(is_meant)
    }

    fn near_index(&self) -> &NearIndex {
        self.near.get_or_init(|| NearIndex::new(&self.map))
    }

    /// The number of routes of which `path`, which does not exist, is the last part.
    pub(crate) fn count_of_longer_routes(&self, path: &str) -> usize {
        let segment = last(path);
        let same = self.routes_with_last(&segment);
        same.filter(self.is_readable_from(path))
            .filter(|route| is_shortened_path(path, &route.path))
            .count()
    }

    /// The routes whose path has this last segment.
    fn routes_with_last<'a>(&'a self, segment: &str) -> impl Iterator<Item = &'a Route> + use<'a> {
        let found = self.near_index().0.get(segment).into_iter().flatten();
        found.filter_map(|at| self.map.routes.get_index(*at).map(|(_, route)| route))
    }

    /// Returns whether readers of `path` read the language of a route.
    fn is_readable_from(&self, path: &str) -> impl Fn(&&Route) -> bool {
        let language = self.map.language_of(path);
        move |route| route.language.is_none() || route.language.as_deref() == language
    }
}

#[cfg(test)]
mod tests {
    use svc_source::SourceTree;

    use crate::{LoadOptions, Site, assemble};

    fn site() -> Site {
        let pages = [
            "index",
            "guides/start",
            "api/start",
            "guides/Starting",
            "hidden",
        ];
        let config = format!(
            r##"{{"theme": "svc", "name": "A", "colors": {{"primary": "#000000"}}, "navigation": {{"pages": {:?}}}}}"##,
            &pages[..4]
        );
        let files = pages.map(|page| (format!("{page}.mdx"), "Words.".to_owned()));
        let files = files.into_iter().chain([("docs.json".to_owned(), config)]);
        let files: Vec<(String, String)> = files.collect();
        let files = files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()));
        let tree = SourceTree::from_files(files);
        assemble(tree, &LoadOptions::default()).unwrap().value
    }

    #[test]
    fn similar_routes_are_suggested() {
        let site = site();
        let near = |path: &str| -> Vec<String> {
            let near = site.similar_routes(path).into_iter();
            near.map(|route| route.path.clone()).collect()
        };
        assert_eq!(
            near("/old/START"),
            ["/guides/start", "/api/start", "/guides/Starting"]
        );
        let all = ["/guides/start", "/api/start", "/guides/Starting"];
        assert_eq!(near("/guides/strat").len(), 3, "a typing error");
        assert_eq!(near("/guides/star"), all, "the beginning of a word");
        assert_eq!(near("/nothing/like/it"), Vec::<String>::new());
        assert_eq!(near("/hidden2"), Vec::<String>::new());
    }
}
