//! Suggestions for paths that do not exist.
//!
//! Any client can request such paths, so the search must be cheap: the paths are prepared once in a
//! form that is fast to search.

use std::collections::HashMap;

use svc_diagnostics::did_you_mean;
use svc_nav::{Route, SiteMap};

/// Maximum number of routes for which edit distances are computed; larger sites use exact matches
/// only.
const MAX_COMPARED: usize = 5_000;
/// Maximum number of suggestions of each kind of match.
const MAX_PER_KIND: usize = 4;
/// Maximum number of suggestions.
const MAX_SUGGESTIONS: usize = 5;

/// Search index of the paths of a site.
#[derive(Debug)]
pub(crate) struct NearIndex {
    /// Lower-case paths, each followed by a line feed.
    paths: String,
    /// Offset of each path in `paths`, and the index of its route.
    starts: Vec<(usize, usize)>,
    /// Indices of routes by the lower-case last segment of their path.
    by_last: HashMap<Box<str>, Vec<usize>>,
}

fn last(path: &str) -> String {
    path.rsplit('/').next().unwrap_or("").to_ascii_lowercase()
}

/// The routes that can be suggested, with their indices.
fn routes(map: &SiteMap) -> impl Iterator<Item = (usize, &Route)> {
    let all = map.routes.values().enumerate();
    all.filter(|(_, route)| route.visibility.search)
}

impl NearIndex {
    /// Indexes the routes of a site.
    pub(crate) fn new(map: &SiteMap) -> Self {
        let mut index = Self {
            paths: String::new(),
            starts: Vec::new(),
            by_last: HashMap::new(),
        };
        for (at, route) in routes(map) {
            index.starts.push((index.paths.len(), at));
            index.paths.push_str(&route.path.to_ascii_lowercase());
            index.paths.push('\n');
            let same = index.by_last.entry(last(&route.path).into());
            same.or_default().push(at);
        }
        index
    }

    /// Indices of routes whose path contains `text`.
    fn containing<'a>(&'a self, text: &'a str) -> impl Iterator<Item = usize> + 'a {
        let mut before = None;
        self.paths
            .match_indices(text)
            .filter_map(move |(offset, _)| {
                let next = self.starts.partition_point(|(start, _)| *start <= offset);
                let (_, at) = self.starts.get(next.checked_sub(1)?)?;
                // A path may contain the text twice.
                (before.replace(*at) != Some(*at)).then_some(*at)
            })
    }

    /// Routes with a path similar to `path`: with the same last segment, or with a small edit
    /// distance. All are in the language of `path` or have none.
    pub(crate) fn near<'m>(&self, map: &'m SiteMap, path: &str) -> Vec<&'m Route> {
        let segment = last(path);
        let language = map.language_of(path);
        let readable = |at: &usize| {
            let route = map.routes.get_index(*at).map(|(_, route)| route);
            route.is_some_and(|route| {
                route.language.is_none() || route.language.as_deref() == language
            })
        };
        let mut near: Vec<usize> = Vec::new();
        if !segment.is_empty() && segment.len() <= 200 && !segment.contains('\n') {
            let same = self.by_last.get(&*segment).into_iter().flatten().copied();
            near.extend(same.filter(&readable).take(MAX_PER_KIND));
            if segment.len() > 3 {
                let containing = self.containing(&segment);
                near.extend(containing.filter(&readable).take(MAX_PER_KIND));
            }
        }
        if near.is_empty() && map.routes.len() <= MAX_COMPARED {
            let paths = routes(map).filter(|(at, _)| readable(at));
            let paths = paths.map(|(_, route)| &*route.path);
            let suggestion = did_you_mean(path, paths);
            near.extend(suggestion.and_then(|path| map.routes.get_index_of(path)));
        }
        let mut visited = Vec::new();
        near.retain(|at| {
            let new = !visited.contains(at);
            visited.push(*at);
            new
        });
        let near = near.into_iter().take(MAX_SUGGESTIONS);
        near.filter_map(|at| Some(map.routes.get_index(at)?.1))
            .collect()
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
            let near = site.near(path).into_iter();
            near.map(|route| route.path.clone()).collect()
        };
        assert_eq!(
            near("/old/START"),
            ["/guides/start", "/api/start", "/guides/Starting"]
        );
        assert_eq!(near("/guides/strat"), ["/guides/start"]);
        assert_eq!(near("/ides/Sta"), Vec::<String>::new());
        assert_eq!(near("/nothing/like/it"), Vec::<String>::new());
        // A match must not span two paths.
        assert_eq!(near("/start\n"), Vec::<String>::new());
    }
}
