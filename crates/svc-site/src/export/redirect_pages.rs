//! HTML pages that redirect, for hosts without redirects.

use std::collections::{BTreeMap, BTreeSet};

use svc_data::percent::decode_lossy;
use svc_diagnostics::Diagnostic;
use svc_nav::{PatternSegment, RedirectPattern};

use super::redirect_rules::RedirectRule;
use super::redirects::RedirectFormat;
use crate::Site;
use crate::find::Resource;

/// Maximum number of pairs of pattern and page that are compared.
const MAX_COMPARISONS: usize = 2_000_000;

/// The pages of redirects: their paths, and where they lead to, with the base path of the site if
/// that is internal. The pattern of a redirect has one page for each page, or path of another redirect,
/// that it leads to. Redirects without a page are reported.
pub(super) fn pages(
    site: &Site,
    rules: &[RedirectRule<'_>],
) -> (BTreeMap<String, String>, Vec<Diagnostic>) {
    let mut pages: BTreeMap<String, String> = BTreeMap::new();
    let mut diagnostics = Vec::new();
    let mut left = MAX_COMPARISONS;
    let sources = rules.iter().filter(|rule| !is_pattern(rule));
    let sources = sources.map(|rule| rule.source.trim_end_matches('/'));
    let targets: BTreeSet<&str> = site
        .map
        .routes
        .keys()
        .map(String::as_str)
        .chain(sources)
        .collect();
    for rule in rules {
        if !is_pattern(rule) {
            let path = rule.source.trim_end_matches('/');
            if can_be_page(site, path) {
                let to = rule.target(site.base_path());
                pages.entry(path.to_owned()).or_insert(to);
            }
            continue;
        }
        let found = expanded(site, rule, &targets, &mut left);
        if found.is_empty() {
            diagnostics.push(rule.omission(
                RedirectFormat::Html.name(),
                "they are written for the pages that a pattern leads to, and there is none",
                "use a host with redirects, or replace it with redirects without a pattern",
            ));
        }
        for (path, to) in found {
            pages.entry(path).or_insert(to);
        }
    }
    (pages, diagnostics)
}

/// Whether a redirect has more than one source. The URL may contain the colon of a scheme; an internal
/// path with a colon is a pattern.
fn is_pattern(rule: &RedirectRule<'_>) -> bool {
    rule.pattern.has_wildcards() || (rule.is_internal && rule.to.contains([':', '*']))
}

/// The paths that a pattern redirects to `targets`, and their destinations. Empty if the destination
/// does not determine the source.
fn expanded(
    site: &Site,
    rule: &RedirectRule<'_>,
    targets: &BTreeSet<&str>,
    left: &mut usize,
) -> Vec<(String, String)> {
    let end = rule.to.find(['?', '#']).unwrap_or(rule.to.len());
    let destination = RedirectPattern::new(rule.to.get(..end).unwrap_or_default());
    let is_determined = rule.is_internal && names(&rule.pattern).is_subset(&names(&destination));
    let Some(rest) = left.checked_sub(targets.len()) else {
        return Vec::new();
    };
    if !is_determined {
        return Vec::new();
    }
    *left = rest;
    let mut pages = Vec::new();
    for page in targets {
        let Some(path) = destination.rewrite(page, rule.source) else {
            continue;
        };
        let path = decode_lossy(&path).into_owned();
        // An earlier redirect may lead to another page.
        let Some((to, _)) = site.map.redirect(&path) else {
            continue;
        };
        let leads_to = to.split(['?', '#']).next().unwrap_or_default();
        if decode_lossy(leads_to).trim_end_matches('/') == page.trim_end_matches('/')
            && can_be_page(site, &path)
        {
            pages.push((path, format!("{}{to}", site.base_path())));
        }
    }
    pages
}

/// The names of the parameters of a pattern.
fn names(pattern: &RedirectPattern) -> BTreeSet<&str> {
    let names = pattern.segments().filter_map(|segment| match segment {
        PatternSegment::Literal(_) => None,
        PatternSegment::Param { name, .. } | PatternSegment::Wildcard { name, .. } => Some(name),
    });
    names.collect()
}

/// Whether a redirect can be written as an HTML page: no other file has its path, and its segments
/// are valid file names.
fn can_be_page(site: &Site, source: &str) -> bool {
    let name = |part: &str| !matches!(part, "" | "." | "..") && part.len() < 200;
    let safe = |part: &str| name(part) && !part.contains(['\\', '\0']);
    let path = source.trim_end_matches('/');
    let Some(relative) = path.strip_prefix('/').filter(|path| path.len() < 1_000) else {
        return false;
    };
    let is_file = |path: &str| {
        matches!(
            site.find(path),
            Resource::Asset(_)
                | Resource::SchemaFragment(_)
                | Resource::Image(_)
                | Resource::Variant(_)
                | Resource::Feed(_)
                | Resource::Generated(_)
                | Resource::Discovery(_)
                | Resource::Markdown(_)
                | Resource::ApiText(_)
        )
    };
    let below_file = path
        .match_indices('/')
        .skip(1)
        .filter_map(|(at, _)| path.get(..at))
        .any(is_file);
    relative.split('/').all(safe) && !is_file(path) && !below_file
}

/// HTML of a page that redirects the browser to `to`.
pub(super) fn redirect_page(to: &str) -> String {
    let to = to
        .replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;");
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Moved</title><meta name=\"robots\" content=\"noindex\"><meta http-equiv=\"refresh\" content=\"0; url={to}\"><link rel=\"canonical\" href=\"{to}\"><p>This page has <a href=\"{to}\">moved</a>.</p></html>\n"
    )
}
