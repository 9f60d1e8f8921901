//! Posts of the plugin `blog`, whose URLs contain their date.

use serde_json::Value;
use svc_data::Node;

use super::config::Config;
use crate::codes::MIGRATE_SETTING;
use crate::front_matter;
use crate::path::{join, resolve};
use crate::site::SitePlan;
use crate::{Repository, site};

/// Adds the old URLs of posts.
pub(super) fn old_urls(repository: &Repository, config: &Config, plan: &mut SitePlan) {
    let Some(options) = config.plugin("blog") else {
        return;
    };
    let dir = options
        .get("blog_dir")
        .and_then(Value::as_str)
        .unwrap_or("blog");
    let dir = resolve("", dir).unwrap_or_default();
    let posts = join(&join(&config.docs_dir, &dir), "posts/");
    let mut count = 0;
    for page in plan
        .pages
        .iter_mut()
        .filter(|page| page.source.starts_with(&posts))
    {
        let Some(file) = repository.text(&page.source) else {
            continue;
        };
        count += 1;
        let data = front_matter::split(file).data;
        let date = data.get("date").and_then(|date| {
            date.to_text()
                .or_else(|| date.get("created").and_then(Node::to_text))
        });
        let title = site::title_of_page(repository, &page.source);
        let slug =
            front_matter::field(&data, "slug").or_else(|| title.map(|title| slugify(&title)));
        if let (Some(date), Some(slug)) = (date, slug) {
            let date: String = date.chars().take(10).collect();
            let url = format!("{}/{slug}/", date.replace('-', "/"));
            page.old_urls.insert(0, join(&dir, &url));
        }
    }
    if count > 0 {
        let message = format!("{count} posts of the blog become pages");
        let hint =
            "lists by date, category and author are not generated; list the posts in docs.json";
        plan.diagnostics.push(
            config
                .diagnostic(&MIGRATE_SETTING, "blog", message)
                .hint(hint),
        );
    }
}

/// The slug of a title, as Python-Markdown makes it.
fn slugify(title: &str) -> String {
    let lower = title.to_lowercase();
    let plain: String = lower
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
        .collect();
    let words = plain.split([' ', '-']).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}
