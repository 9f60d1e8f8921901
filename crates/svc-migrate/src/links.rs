//! Links between pages and to files.

use std::collections::BTreeMap;

use svc_data::percent;

use crate::Repository;
use crate::markdown::Links;
use crate::path::{join, parent, resolve, url_key};
use crate::site::{SitePlan, page_path};

/// Resolves links between pages.
pub(crate) struct SiteLinks<'a> {
    repository: &'a Repository,
    /// Slugs of pages by old path.
    by_source: BTreeMap<&'a str, usize>,
    /// Slugs of pages by the key of their old URL.
    by_url: BTreeMap<String, usize>,
    assets: BTreeMap<&'a str, &'a str>,
    pub(crate) plan: &'a SitePlan,
}

impl<'a> SiteLinks<'a> {
    pub(crate) fn new(repository: &'a Repository, plan: &'a SitePlan) -> Self {
        let mut by_url = BTreeMap::new();
        for (index, page) in plan.pages.iter().enumerate() {
            for url in &page.old_urls {
                by_url.entry(url_key(url)).or_insert(index);
            }
        }
        let sources = plan.pages.iter().enumerate();
        Self {
            repository,
            by_source: sources
                .map(|(index, page)| (page.source.as_str(), index))
                .collect(),
            by_url,
            assets: plan
                .assets
                .iter()
                .map(|(old, new)| (old.as_str(), new.as_str()))
                .collect(),
            plan,
        }
    }

    fn page(&self, index: usize) -> Option<String> {
        self.plan.pages.get(index).map(|page| page_path(&page.slug))
    }

    /// The new path of a file or of an old URL; `None` if there is neither.
    fn target(&self, from: &str, path: &str) -> Option<String> {
        let decoded = percent::decode(path);
        if let Some(rest) = decoded.strip_prefix('/') {
            return self.at_root(rest);
        }
        if let Some(file) = resolve(parent(from), &decoded)
            && let Some(target) = self.file(&file)
        {
            return Some(target);
        }
        let index = *self.by_source.get(from)?;
        let old = self
            .plan
            .pages
            .get(index)?
            .old_urls
            .first()?
            .trim_start_matches('/')
            .to_owned();
        // Relative to the URL: `a/b/` is its own directory, `a/b` is in `a`.
        let dir = if old.ends_with('/') {
            old.trim_end_matches('/')
        } else {
            parent(&old)
        };
        let url = resolve(dir, &decoded)?;
        self.at_root(&url)
    }

    fn at_root(&self, url: &str) -> Option<String> {
        let below = url
            .strip_prefix(self.plan.base.as_str())
            .filter(|_| !self.plan.base.is_empty());
        let below = below.filter(|rest| rest.is_empty() || rest.starts_with('/'));
        for url in below.into_iter().chain([url]) {
            let url = url.trim_start_matches('/');
            if let Some(index) = self.by_url.get(&url_key(url)) {
                return self.page(*index);
            }
            for root in &self.plan.roots {
                if let Some(target) = self.file(&join(root, url)) {
                    return Some(target);
                }
            }
        }
        None
    }

    fn file(&self, path: &str) -> Option<String> {
        let ends = ["", ".md", ".mdx", "/index.md", "/index.mdx", "/README.md"];
        for end in ends {
            let path = format!("{path}{end}");
            if let Some(index) = self.by_source.get(path.as_str()) {
                return self.page(*index);
            }
        }
        let asset = self.assets.get(path)?;
        self.repository.contains(path).then(|| format!("/{asset}"))
    }
}

impl Links for SiteLinks<'_> {
    fn resolve(&self, from: &str, destination: &str) -> String {
        let is_other = destination.is_empty()
            || destination.starts_with(['#', '{', '?'])
            || destination.starts_with("//")
            || svc_data::url_scheme(destination).is_some();
        if is_other {
            return destination.to_owned();
        }
        let end = destination.find(['#', '?']).unwrap_or(destination.len());
        let (path, rest) = destination.split_at(end);
        let path = without_alias(path);
        match self.target(from, &path) {
            Some(target) => format!("{}{rest}", percent::encode(&target, percent::PATH)),
            None => destination.to_owned(),
        }
    }

    fn text(&self, from: &str, path: &str) -> Option<&str> {
        let path = without_alias(path);
        let paths: Vec<String> = match path.strip_prefix('/') {
            Some(path) => self
                .plan
                .roots
                .iter()
                .map(|root| join(root, path))
                .collect(),
            None => resolve(parent(from), &path).into_iter().collect(),
        };
        let file = paths.iter().find_map(|path| self.repository.text(path))?;
        Some(file.text())
    }
}

/// A path with the names of folders that generators define: `~/`, `@/` and `@site/`.
fn without_alias(path: &str) -> String {
    if let Some(rest) = path.strip_prefix("~/").or_else(|| path.strip_prefix("@/")) {
        return format!("/src/{rest}");
    }
    match path.strip_prefix("@site/") {
        Some(path) => format!("/{}", path.trim_start_matches("static/")),
        None => path.to_owned(),
    }
}
