//! Pages, their URLs and files.

use serde_json::Value;
use svc_diagnostics::Diagnostic;

use super::config::Config;
use crate::Repository;
use crate::codes::MIGRATE_SYNTAX;
use crate::path::{file_name, glob, join, markdown_stem, parent};
use crate::site::{PagePlan, SitePlan, slug_of};

/// Files that pages can show. Others are code of the site.
const ASSETS: [&str; 14] = [
    "png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "ico", "mp4", "webm", "mov", "pdf", "zip",
    "mp3",
];

/// Maximum number of parameters of a rewrite, as comparing takes time for each.
const MAX_PARAMETERS: usize = 3;

/// Adds the pages and files of the site to the plan.
pub(super) fn pages(repository: &Repository, config: &Config<'_>, plan: &mut SitePlan) {
    let rewrites = rewrites(config);
    let excluded = config.value.get("srcExclude").and_then(Value::as_array);
    let excluded: Vec<&str> = excluded
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let is_excluded = |path: &str| {
        let rooted = format!("/{path}");
        excluded
            .iter()
            .any(|it| glob(it, path) || glob(it, &rooted))
    };
    let public = join(&config.source, "public/");
    for path in repository.below(&config.source) {
        let below = path[config.source.len()..].trim_start_matches('/');
        if below.split('/').any(|part| part.starts_with('.')) || is_excluded(below) {
            continue;
        }
        if let Some(below) = path.strip_prefix(&public) {
            let is_code = [".css", ".js", ".mjs"]
                .iter()
                .any(|end| below.ends_with(end));
            if !is_code && markdown_stem(below).is_none() {
                plan.assets.push((path.to_owned(), below.to_owned()));
            }
            continue;
        }
        let Some(file) = repository.text(path).filter(|_| below.ends_with(".md")) else {
            let end = file_name(below).rsplit('.').next().unwrap_or_default();
            if ASSETS.contains(&end.to_lowercase().as_str()) {
                plan.assets.push((path.to_owned(), below.to_owned()));
            }
            continue;
        };
        if below.contains('[') {
            let message = "the page has a route with parameters and is left out";
            plan.diagnostics.push(
                Diagnostic::new(&MIGRATE_SYNTAX, message)
                    .at(file.location(crate::markdown::line_span(file, 1)))
                    .hint("write a page for each value, or generate the pages before a build"),
            );
            continue;
        }
        let stem = below.strip_suffix(".md").unwrap_or(below);
        let stem = rewritten(&rewrites, below).unwrap_or_else(|| stem.to_owned());
        let has_index = repository.contains(&join(parent(path), "index.md"));
        let slug = if file_name(&stem) == "README" && has_index {
            stem.clone()
        } else {
            slug_of(&stem)
        };
        let old_urls = match stem
            .strip_suffix("index")
            .filter(|dir| dir.is_empty() || dir.ends_with('/'))
        {
            Some(dir) => vec![dir.to_owned(), format!("{dir}index.html")],
            None => vec![stem.clone(), format!("{stem}.html")],
        };
        plan.pages.push(PagePlan {
            source: path.to_owned(),
            slug,
            old_urls,
            sidebar_title: None,
        });
    }
}

/// The pairs of `rewrites`.
fn rewrites(config: &Config<'_>) -> Vec<(String, String)> {
    let all = config.value.get("rewrites").and_then(Value::as_object);
    let pairs = all.into_iter().flatten();
    let pairs = pairs.filter_map(|(from, to)| Some((from.clone(), to.as_str()?.to_owned())));
    let is_small = |pair: &(String, String)| pair.0.matches(':').count() <= MAX_PARAMETERS;
    pairs.filter(is_small).collect()
}

/// The path of a page after the first rewrite that matches, without its extension.
fn rewritten(rewrites: &[(String, String)], path: &str) -> Option<String> {
    let new = rewrites.iter().find_map(|(from, to)| {
        let mut values: Vec<(String, String)> = Vec::new();
        bind(from, path, &mut values).then(|| {
            let mut new = to.clone();
            // Longer names first, as one can begin with another.
            values.sort_by_key(|value| std::cmp::Reverse(value.0.len()));
            for (name, value) in &values {
                for mark in [format!(":{name}*"), format!(":{name}+"), format!(":{name}")] {
                    new = new.replace(&mark, value);
                }
            }
            new
        })
    })?;
    Some(
        new.strip_suffix(".md")
            .unwrap_or(&new)
            .trim_matches('/')
            .to_owned(),
    )
}

/// Compares a path with a pattern and collects its parameters: `:name`, `:name*`, `:name(.*)`.
fn bind(pattern: &str, path: &str, values: &mut Vec<(String, String)>) -> bool {
    let Some(at) = pattern.find(':') else {
        return pattern == path;
    };
    let Some(path) = path.strip_prefix(&pattern[..at]) else {
        return false;
    };
    let rest = &pattern[at + 1..];
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
    let (name, rest) = rest.split_at(end);
    let (is_many, rest) = match rest.strip_prefix(['*', '+']) {
        Some(rest) => (true, rest),
        None => match rest.strip_prefix("(.*)") {
            Some(rest) => (true, rest),
            None => (false, rest),
        },
    };
    // The longest value first.
    let mut end = path.len();
    loop {
        let value = &path[..end];
        if is_many || !(value.is_empty() || value.contains('/')) {
            let count = values.len();
            values.push((name.to_owned(), value.to_owned()));
            if bind(rest, &path[end..], values) {
                return true;
            }
            values.truncate(count);
        }
        let Some((at, _)) = path[..end].char_indices().next_back() else {
            return false;
        };
        end = at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewrites_have_parameters() {
        let pairs = |from: &str, to: &str| vec![(from.to_owned(), to.to_owned())];
        for (from, to, path, new) in [
            ("en/:rest*", ":rest*", "en/guide/a.md", Some("guide/a")),
            (
                "packages/:pkg/src/:slug*",
                ":pkg/:slug*",
                "packages/a/src/b/c.md",
                Some("a/b/c"),
            ),
            ("a/b.md", "c.md", "a/b.md", Some("c")),
            (":a/b.md", "x/:a.md", "q/b.md", Some("x/q")),
            ("en/:rest*", ":rest*", "zh/a.md", None),
        ] {
            assert_eq!(rewritten(&pairs(from, to), path).as_deref(), new, "{from}");
        }
    }
}
