//! Chapters of `SUMMARY.md`.

use serde_json::Value;
use svc_diagnostics::Diagnostic;

use super::config::{Config, theme_files};
use crate::Repository;
use crate::codes::{MIGRATE_MISSING, MIGRATE_SYNTAX};
use crate::include::report;
use crate::navigation::NavNode;
use crate::path::{join, markdown_stem};
use crate::site::{self, PagePlan, SitePlan, slug_of};
use crate::summary::{Entry, parse};

/// Adds the chapters and files of the book to the plan and returns `navigation` of docs.json.
pub(super) fn navigation(
    repository: &Repository,
    config: &Config<'_>,
    plan: &mut SitePlan,
) -> Value {
    let path = config.summary_path();
    let Some(file) = repository.text(&path) else {
        let message = format!("there is no `{path}`");
        plan.diagnostics.push(
            Diagnostic::new(&MIGRATE_MISSING, message)
                .hint("name the folder of the chapters in `book.src`"),
        );
        return Value::Object(site::navigation(&[], false, plan));
    };
    let mut builder = Builder {
        repository,
        config,
        plan,
        missing: Vec::new(),
    };
    let nodes = crate::summary::nodes(&parse(file.text()), &mut |entry| builder.entry(entry));
    for (line, message, is_draft) in std::mem::take(&mut builder.missing) {
        let (code, hint) = match is_draft {
            true => (&MIGRATE_SYNTAX, "add the page when it is written"),
            false => (&MIGRATE_MISSING, "remove it, or add the file"),
        };
        report(file, line, code, message, hint, &mut plan.diagnostics);
    }
    files(repository, config, plan);
    theme_files(repository, config, plan);
    // mdBook writes the first chapter to `index.html` too, and all chapters to `print.html`.
    if let Some(first) = plan.pages.first_mut() {
        let is_index = first.slug == "index";
        if !is_index {
            first
                .old_urls
                .extend([String::new(), "index.html".to_owned()]);
        }
        first.old_urls.push("print.html".to_owned());
    }
    Value::Object(site::navigation(&nodes, false, plan))
}

/// Other files of the folder, which mdBook copies.
fn files(repository: &Repository, config: &Config<'_>, plan: &mut SitePlan) {
    for path in repository.below(&config.source) {
        let below = path[config.source.len()..].trim_start_matches('/');
        let is_hidden = below.split('/').any(|part| part.starts_with('.'));
        let is_code = [".css", ".js"].iter().any(|end| below.ends_with(end));
        if markdown_stem(below).is_none() && !is_hidden && !is_code {
            plan.assets.push((path.to_owned(), below.to_owned()));
        }
    }
}

struct Builder<'a, 'p> {
    repository: &'a Repository,
    config: &'a Config<'a>,
    plan: &'p mut SitePlan,
    /// Lines of the table of contents, messages, and whether the entry is a draft.
    missing: Vec<(u32, String, bool)>,
}

impl Builder<'_, '_> {
    fn entry(&mut self, entry: &Entry) -> Option<NavNode> {
        let Entry::Item {
            title, link, line, ..
        } = entry
        else {
            return None;
        };
        self.page(title, link, *line).map(NavNode::Page)
    }

    fn page(&mut self, title: &str, link: &str, line: u32) -> Option<String> {
        if link.is_empty() {
            let message = format!("the draft `{title}` has no page and is left out");
            self.missing.push((line, message, true));
            return None;
        }
        let path = self.config.path(link)?;
        let below = path
            .strip_prefix(&self.config.source)
            .unwrap_or(&path)
            .trim_start_matches('/');
        if self.repository.text(&path).is_none() {
            let message = format!("the chapter `{below}` does not exist");
            self.missing.push((line, message, false));
            return None;
        }
        let slug = slug_of(below);
        if !self.plan.pages.iter().any(|page| page.slug == slug) {
            let stem = markdown_stem(below).unwrap_or(below);
            let old = match stem.rsplit_once('/') {
                Some((dir, "README")) => join(dir, "index"),
                None if stem == "README" => "index".to_owned(),
                _ => stem.to_owned(),
            };
            let mut old_urls = vec![format!("{old}.html")];
            if let Some(dir) = old
                .strip_suffix("index")
                .filter(|dir| dir.is_empty() || dir.ends_with('/'))
            {
                old_urls.push(dir.to_owned());
            }
            self.plan.pages.push(PagePlan {
                source: path,
                slug: slug.clone(),
                old_urls,
                sidebar_title: Some(title.to_owned()),
            });
        }
        Some(slug)
    }
}
