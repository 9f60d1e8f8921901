//! Pages of the content collection `docs`.

use svc_data::Node;
use svc_diagnostics::{Diagnostic, SourceFile};

use super::{Config, Locale};
use crate::Repository;
use crate::codes::MIGRATE_SYNTAX;
use crate::front_matter;
use crate::markdown::Line;
use crate::path::{file_name, join, markdown_stem};
use crate::site::{PagePlan, SitePlan};

/// A page in the navigation.
pub(super) struct Doc {
    /// Folder of the language.
    pub(super) locale: String,
    /// Path without the language.
    pub(super) id: String,
    pub(super) slug: String,
    pub(super) order: Option<f64>,
    pub(super) is_hidden: bool,
}

/// Adds the pages and files of the site to the plan.
pub(super) fn pages(
    repository: &Repository,
    config: &Config<'_>,
    locales: &[Locale],
    plan: &mut SitePlan,
) -> Vec<Doc> {
    let dir = join(&config.dir, "src/content/docs");
    let mut docs = Vec::new();
    for path in repository.below(&dir) {
        let below = path[dir.len()..].trim_start_matches('/');
        let is_partial = below.split('/').any(|part| part.starts_with('_'));
        match (markdown_stem(below), repository.text(path)) {
            (Some(stem), Some(_)) if is_partial => {
                plan.pages.push(PagePlan::snippet(path, stem));
            }
            (Some(stem), Some(file)) => {
                let data = front_matter::split(file).data;
                if front_matter::is_draft(&data) {
                    continue;
                }
                let id = front_matter::field(&data, "slug").unwrap_or_else(|| slugs(stem));
                let id = crate::path::url_key(&id);
                let doc = doc(&id, locales, &data);
                let mut old_urls = vec![format!("{id}/"), join(&id, "index.html")];
                if id.is_empty() {
                    old_urls = vec![String::new(), "index.html".to_owned()];
                }
                plan.pages.push(PagePlan {
                    source: path.to_owned(),
                    slug: doc.slug.clone(),
                    old_urls,
                    sidebar_title: None,
                });
                docs.push(doc);
            }
            (None, Some(file)) if below.ends_with(".mdoc") => {
                let span = crate::markdown::line_span(file, 1);
                plan.diagnostics.push(
                    Diagnostic::new(&MIGRATE_SYNTAX, "pages in Markdoc are not converted")
                        .at(file.location(span))
                        .hint("convert the page to Markdown"),
                );
            }
            _ => plan.assets.push((path.to_owned(), below.to_owned())),
        }
    }
    partials(repository, config, plan);
    for (from, to) in [("public", ""), ("src/assets", "assets")] {
        let dir = join(&config.dir, from);
        for path in repository.below(&dir) {
            let below = path[dir.len()..].trim_start_matches('/');
            let is_code = [".css", ".js", ".mjs", ".astro"]
                .iter()
                .any(|end| below.ends_with(end));
            if !is_code && !file_name(below).starts_with('.') {
                plan.assets.push((path.to_owned(), join(to, below)));
            }
        }
    }
    fallbacks(locales, &docs, plan);
    docs
}

/// Markdown outside of the collection, which pages can import.
fn partials(repository: &Repository, config: &Config<'_>, plan: &mut SitePlan) {
    let source = join(&config.dir, "src");
    let content = join(&config.dir, "src/content/");
    for path in repository.below(&source) {
        let below = path[source.len()..].trim_start_matches('/');
        if let Some(stem) = markdown_stem(below).filter(|_| !path.starts_with(&content)) {
            plan.pages.push(PagePlan::snippet(path, stem));
        }
    }
}

fn doc(id: &str, locales: &[Locale], data: &Node) -> Doc {
    let locale = locales.iter().find(|locale| {
        let rest = id.strip_prefix(locale.dir.as_str());
        !locale.dir.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    let dir = locale.map_or("", |locale| locale.dir.as_str());
    let own = id[dir.len()..].trim_start_matches('/');
    let sidebar = data.get("sidebar");
    let order = sidebar.and_then(|it| front_matter::field(it, "order"));
    let hidden = sidebar
        .and_then(|it| it.get("hidden"))
        .and_then(Node::as_bool);
    Doc {
        locale: dir.to_owned(),
        id: own.to_owned(),
        slug: match (own, dir) {
            ("", "") => "index".to_owned(),
            ("", dir) => format!("{dir}/index"),
            _ => id.to_owned(),
        },
        order: order.and_then(|text| text.parse().ok()),
        is_hidden: hidden == Some(true) || own == "404",
    }
}

/// The path of a page, as `github-slugger` makes it.
fn slugs(stem: &str) -> String {
    let segment = |part: &str| {
        let lower = part.to_lowercase().replace(' ', "-");
        lower
            .chars()
            .filter(|c| c.is_alphanumeric() || "-_".contains(*c))
            .collect::<String>()
    };
    stem.split('/').map(segment).collect::<Vec<_>>().join("/")
}

/// Translations that do not exist show the page of the default language.
fn fallbacks(locales: &[Locale], docs: &[Doc], plan: &mut SitePlan) {
    let Some(default) = locales.first() else {
        return;
    };
    for doc in docs
        .iter()
        .filter(|doc| doc.locale == default.dir && doc.id != "404")
    {
        for locale in locales.iter().skip(1) {
            let exists = docs
                .iter()
                .any(|other| other.locale == locale.dir && other.id == doc.id);
            if !exists && let Some(page) = plan.pages.iter_mut().find(|page| page.slug == doc.slug)
            {
                page.old_urls
                    .push(format!("{}/", join(&locale.dir, &doc.id)));
            }
        }
    }
}

/// Puts the text of `hero` before the page.
pub(super) fn with_hero(file: &SourceFile, lines: Vec<Line>) -> Vec<Line> {
    let data = front_matter::split(file).data;
    let Some(hero) = data.get("hero") else {
        return lines;
    };
    let mut out = Vec::new();
    let mut push = |text: String| out.push(Line::new(1, text));
    let imports = lines
        .iter()
        .take_while(|line| line.text.trim().is_empty() || line.text.starts_with("import "));
    let imports: Vec<Line> = imports.cloned().collect();
    if let Some(tagline) = front_matter::field(hero, "tagline") {
        push(tagline);
        push(String::new());
    }
    for action in hero
        .get("actions")
        .and_then(Node::as_array)
        .into_iter()
        .flatten()
    {
        let text = front_matter::field(action, "text");
        if let (Some(text), Some(link)) = (text, front_matter::field(action, "link")) {
            push(format!("- [{text}]({link})"));
        }
    }
    push(String::new());
    let rest = lines[imports.len()..].to_vec();
    imports.into_iter().chain(out).chain(rest).collect()
}
