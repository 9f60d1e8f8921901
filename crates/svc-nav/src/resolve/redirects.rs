//! Redirects and pages at the same path: a page in the navigation takes precedence, another page
//! does not.

use std::collections::BTreeSet;

use svc_config::Redirect;
use svc_diagnostics::{Diagnostic, Span};

use super::Builder;
use super::audience::WithheldPages;
use crate::codes::REDIRECT_OVER_PAGE;
use crate::{Redirects, Route, RouteBody};

impl Builder<'_> {
    /// Compiles the redirects of the configuration and of `/x/index` to `/x`. Pages outside of the
    /// navigation whose path is redirected are removed from the map.
    pub(super) fn redirects(&mut self, withheld: &WithheldPages) -> Redirects {
        let mut problems = Vec::new();
        let overruled = self.overruled_pages(withheld);
        for redirect in &self.config.redirects {
            let source = trim_slash(&redirect.source);
            if let Some(route) = self.routes.get(source) {
                problems.push(self.conflict(redirect, route, overruled.contains(source)));
            }
        }
        // Patterns are not compared with every page above, so the conflict is reported here.
        for path in &overruled {
            let exact = |redirect: &&Redirect| trim_slash(&redirect.source) == path.as_str();
            if !self.config.redirects.iter().any(|item| exact(&item))
                && let Some(route) = self.routes.get(path)
            {
                let message = format!(
                    "`{path}` is outside of the navigation and redirected; the redirect is followed"
                );
                let diagnostic = Diagnostic::new(&REDIRECT_OVER_PAGE, message);
                problems.push(
                    match self.file_of(route) {
                        Some(location) => diagnostic.at(location),
                        None => diagnostic,
                    }
                    .hint("remove the page, or name it in `navigation` to show it"),
                );
            }
        }
        if !overruled.is_empty() {
            self.routes.retain(|path, _| !overruled.contains(path));
        }
        let compiled = self.compile().drain_into(&mut problems);
        for problem in problems {
            self.report(problem);
        }
        compiled
    }

    /// Returns the pages outside of the navigation that are redirected to an existing target.
    fn overruled_pages(&self, withheld: &WithheldPages) -> BTreeSet<String> {
        let outside = |route: &&Route| !route.in_navigation;
        if self.config.redirects.is_empty() || !self.routes.values().any(|route| outside(&route)) {
            return BTreeSet::new();
        }
        let redirects = self.compile().value;
        let routes = self.routes.values().filter(outside);
        let moved = routes.filter_map(|route| {
            let (to, _) = redirects.find(&route.path)?;
            (!withheld.has_page(&to)).then(|| (route.path.clone(), to))
        });
        let moved: Vec<(String, String)> = moved.collect();
        let moved_paths: BTreeSet<&str> = moved.iter().map(|(path, _)| path.as_str()).collect();
        let stays = |path: &str| {
            self.routes.contains_key(trim_slash(path)) && !moved_paths.contains(trim_slash(path))
        };
        let below = |dir: &str| {
            let dir = format!("{}/", dir.trim_end_matches('/'));
            self.routes
                .values()
                .any(|route| route.in_navigation && route.path.starts_with(&dir))
        };
        let leads = |to: &str| {
            let path = to.split(['#', '?']).next().unwrap_or(to);
            !path.starts_with('/') || stays(path) || below(path) || redirects.find(path).is_some()
        };
        let arrives = |(_, to): &&(String, String)| leads(to) && redirects.resolves(to, stays);
        moved
            .iter()
            .filter(arrives)
            .map(|(path, _)| path.clone())
            .collect()
    }

    fn compile(&self) -> svc_diagnostics::Checked<Redirects> {
        let aliases = self.routes.values().filter_map(|route| {
            let RouteBody::Page { slug } = &route.body else {
                return None;
            };
            if route.path.strip_prefix('/') == Some(&**slug) {
                return None;
            }
            let alias = format!("/{slug}");
            (!self.routes.contains_key(&alias)).then(|| (alias, route.path.clone()))
        });
        let aliases: Vec<_> = aliases.collect();
        let is_page = |path: &str| self.routes.contains_key(trim_slash(path));
        Redirects::compile(&self.config.redirects, aliases, is_page)
    }

    fn conflict(&self, redirect: &Redirect, route: &Route, is_followed: bool) -> Diagnostic {
        let source = &route.path;
        let (message, hint) = if is_followed {
            (
                format!(
                    "the redirect source `{source}` is a page outside of the navigation; the redirect is followed"
                ),
                "remove the page, or name it in `navigation` to show it",
            )
        } else {
            (
                format!("the redirect source `{source}` is a page; the page is shown"),
                "remove the redirect or the page",
            )
        };
        let diagnostic = Diagnostic::new(&REDIRECT_OVER_PAGE, message)
            .at(redirect.location.clone())
            .pointer(format!("/redirects/{}/source", redirect.index))
            .hint(hint);
        match self.file_of(route) {
            Some(location) => diagnostic.label(location, "the page"),
            None => diagnostic,
        }
    }

    fn file_of(&self, route: &Route) -> Option<svc_diagnostics::Location> {
        let RouteBody::Page { slug } = &route.body else {
            return None;
        };
        let page = self.pages.get_exact(slug)?;
        Some(page.file.location(Span::default()))
    }
}

fn trim_slash(path: &str) -> &str {
    match path.trim_end_matches('/') {
        "" => "/",
        path => path,
    }
}
