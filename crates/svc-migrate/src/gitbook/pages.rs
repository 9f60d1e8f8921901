//! Pages of the table of contents, and files.

use std::collections::BTreeMap;

use svc_diagnostics::Diagnostic;

use super::config::Config;
use crate::Repository;
use crate::codes::MIGRATE_MISSING;
use crate::include::report;
use crate::navigation::{NavNode, by_dir};
use crate::path::{markdown_stem, resolve};
use crate::site::{self, PagePlan, SitePlan, slug_of};
use crate::summary::{Entry, parse};

/// Adds pages, files and the navigation to the plan and returns the titles of pages by path.
pub(super) fn pages(
    repository: &Repository,
    config: &Config,
    plan: &mut SitePlan,
) -> BTreeMap<String, String> {
    let mut titles = BTreeMap::new();
    let nodes = match repository.text(&config.summary) {
        Some(file) => {
            let mut page = |entry: &Entry| {
                let Entry::Item {
                    title,
                    link,
                    short,
                    line,
                    ..
                } = entry
                else {
                    return None;
                };
                if svc_data::url_scheme(link).is_some() {
                    return Some(NavNode::Link {
                        title: title.clone(),
                        url: link.clone(),
                    });
                }
                let path = link.split('#').next().unwrap_or(link);
                let path = resolve(&config.root, path)?;
                if repository.text(&path).is_none() || markdown_stem(&path).is_none() {
                    let message =
                        format!("the page `{link}` of the table of contents does not exist");
                    let hint = "remove it, or add the file";
                    report(
                        file,
                        *line,
                        &MIGRATE_MISSING,
                        message,
                        hint,
                        &mut plan.diagnostics,
                    );
                    return None;
                }
                titles.entry(path.clone()).or_insert_with(|| title.clone());
                let name = short.as_ref().unwrap_or(title);
                Some(NavNode::Page(add(
                    config,
                    &path,
                    Some(name),
                    &mut plan.pages,
                )))
            };
            crate::summary::nodes(&parse(file.text()), &mut page)
        }
        None => {
            plan.diagnostics.push(
                Diagnostic::new(
                    &MIGRATE_MISSING,
                    format!("there is no `{}`", config.summary),
                )
                .hint("all pages are listed by folder"),
            );
            let paths = repository.below(&config.root);
            let paths = paths.filter(|path| markdown_stem(path).is_some() && !path.contains("/."));
            let mut slugs: Vec<String> = Vec::new();
            for path in paths.filter(|path| !path.starts_with('.')) {
                slugs.push(add(config, path, None, &mut plan.pages));
            }
            let slugs: Vec<&str> = slugs.iter().map(String::as_str).collect();
            by_dir(&slugs, "")
        }
    };
    plan.navigation = site::navigation(&nodes, false, plan).into();
    files(repository, config, plan);
    // The first page is also the start of the site.
    let has_index = plan.pages.iter().any(|page| page.slug == "index");
    if let Some(first) = plan.pages.first_mut().filter(|_| !has_index) {
        first.old_urls.push(String::new());
    }
    titles
}

/// Adds a page and returns its slug.
fn add(config: &Config, path: &str, title: Option<&String>, pages: &mut Vec<PagePlan>) -> String {
    let below = path[config.root.len()..].trim_start_matches('/');
    let slug = match path == config.readme {
        true => "index".to_owned(),
        false => slug_of(below),
    };
    if !pages.iter().any(|page| page.slug == slug) {
        let url = match slug_of(below).strip_suffix("index") {
            Some(dir) if dir.is_empty() || dir.ends_with('/') => dir.to_owned(),
            _ => markdown_stem(below).unwrap_or(below).to_owned(),
        };
        pages.push(PagePlan {
            source: path.to_owned(),
            old_urls: vec![if slug == "index" { String::new() } else { url }],
            slug: slug.clone(),
            sidebar_title: title.cloned(),
        });
    }
    slug
}

/// Files that pages show: those of `.gitbook` move, because hidden folders are not served.
fn files(repository: &Repository, config: &Config, plan: &mut SitePlan) {
    for path in repository.below(&config.root) {
        let below = path[config.root.len()..].trim_start_matches('/');
        let output = match below.strip_prefix(".gitbook/assets/") {
            Some(rest) => format!("assets/{rest}"),
            None => below.to_owned(),
        };
        let is_hidden = output.split('/').any(|part| part.starts_with('.'));
        let is_code = [".css", ".js", ".lock"]
            .iter()
            .any(|end| output.ends_with(end));
        let is_page = markdown_stem(below).is_some();
        // Files at the root belong to the repository: licenses, package.json.
        if !is_hidden && !is_code && !is_page && output.contains('/') {
            plan.assets.push((path.to_owned(), output));
        }
    }
}
