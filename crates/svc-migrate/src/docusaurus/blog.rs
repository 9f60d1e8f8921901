//! Posts of the blog.

use serde_json::Value;

use super::Config;
use crate::Repository;
use crate::codes::MIGRATE_SETTING;
use crate::front_matter;
use crate::navigation::NavNode;
use crate::path::{join, markdown_stem};
use crate::site::{PagePlan, SitePlan};

/// Adds the posts to the plan and returns their navigation, the newest first.
pub(super) fn pages(
    repository: &Repository,
    config: &Config<'_>,
    plan: &mut SitePlan,
) -> Vec<NavNode> {
    let presets = config.modules("presets");
    let options = presets.iter().find_map(|(_, options)| options.get("blog"));
    if options == Some(&Value::Bool(false)) {
        return Vec::new();
    }
    let text = |key: &str| options.and_then(|it| it.get(key)).and_then(Value::as_str);
    let dir = join(
        &config.dir,
        text("path").unwrap_or("blog").trim_start_matches("./"),
    );
    let route = text("routeBasePath")
        .unwrap_or("blog")
        .trim_matches('/')
        .to_owned();
    let mut posts: Vec<(String, String)> = Vec::new();
    for path in repository.below(&dir) {
        let below = path[dir.len()..].trim_start_matches('/');
        let Some(stem) = markdown_stem(below) else {
            if !below.ends_with(".yml") && !below.ends_with(".js") {
                plan.assets.push((path.to_owned(), join(&route, below)));
            }
            continue;
        };
        let Some(file) = repository.text(path) else {
            continue;
        };
        let data = front_matter::split(file).data;
        if front_matter::is_draft(&data) {
            continue;
        }
        let stem = stem.strip_suffix("/index").unwrap_or(stem);
        let digits = stem.get(..10).filter(|date| {
            date.chars()
                .all(|c| c.is_ascii_digit() || c == '-' || c == '/')
        });
        let date = front_matter::field(&data, "date").or_else(|| digits.map(str::to_owned));
        let date: String = date.unwrap_or_default().chars().take(10).collect();
        let date = date.replace('-', "/");
        let name = digits.map_or(stem, |_| stem[10..].trim_start_matches(['-', '/']));
        let url = match front_matter::field(&data, "slug") {
            Some(slug) => slug.trim_matches('/').to_owned(),
            None => join(&date, name),
        };
        let slug = join(&route, &url);
        posts.push((date, slug.clone()));
        plan.pages.push(PagePlan {
            source: path.to_owned(),
            old_urls: vec![slug.clone()],
            slug,
            sidebar_title: None,
        });
    }
    if posts.is_empty() {
        return Vec::new();
    }
    posts.sort_by(|a, b| b.cmp(a));
    let message = format!("{} posts of the blog become pages", posts.len());
    let hint = "lists of posts by date, tag and author are not generated";
    plan.diagnostics.push(
        config
            .diagnostic(&MIGRATE_SETTING, "blog", message)
            .hint(hint),
    );
    if let Some((_, newest)) = posts.first() {
        plan.redirects.push((route, crate::site::page_path(newest)));
    }
    posts
        .into_iter()
        .map(|(_, slug)| NavNode::Page(slug))
        .collect()
}
