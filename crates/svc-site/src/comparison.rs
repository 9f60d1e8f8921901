//! The difference between two revisions of a site, for those who review the newer one.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;

use svc_diagnostics::Diagnostic;
use svc_nav::{Audience, Route};
use svc_openapi::{Change, Effect};
use svc_render::SiteOptions;

use crate::diagnostics::new_diagnostics;
use crate::generated::markdown;
use crate::load::with_site_options;
use crate::parallel::in_parallel;
use crate::{Site, validate};

/// What a revision of a site changes.
#[derive(Debug, Default)]
pub struct SiteComparison {
    /// Pages that differ, in the order of their paths.
    pub pages: Vec<PageChange>,
    /// Problems that only the newer revision has, sorted by file and location.
    pub problems: Vec<Diagnostic>,
    /// Number of problems that only the older revision has.
    pub fixed: usize,
    /// Changes of OpenAPI documents that break clients.
    pub breaking: Vec<Change>,
}

/// A page that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageChange {
    /// How it differs.
    pub kind: PageChangeKind,
    /// Its canonical path; the former one if it was removed.
    pub path: String,
    /// Its title.
    pub title: String,
}

/// How a page differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageChangeKind {
    /// It is new.
    Added,
    /// Its source or what readers see is another.
    Changed,
    /// It is not there anymore.
    Removed,
    /// Only its path is another.
    Moved {
        /// The former path.
        from: String,
    },
}

/// Compares two revisions of a site. Both are seen as their authors see them, with the options of the
/// newer one, so that only the files make a difference. Renders all pages on `threads` threads.
///
/// # Errors
/// As [`assemble`](crate::assemble).
pub fn compare(old: &Site, new: &Site, threads: usize) -> io::Result<SiteComparison> {
    let options = SiteOptions {
        audience: Audience::Trusted,
        origin: String::new(),
        ..new.options.site.clone()
    };
    let old = with_site_options(old, options.clone())?;
    let new = with_site_options(new, options)?;
    let pages = page_changes(&old.value, &new.value, threads);
    let breaking = breaking_changes(&old.value, &new.value);
    let before = validate::complete(&old.value, old.diagnostics, threads);
    let after = validate::complete(&new.value, new.diagnostics, threads);
    let (problems, fixed) =
        new_problems(&before, after, &moved_files(&old.value, &new.value, &pages));
    Ok(SiteComparison {
        pages,
        problems,
        fixed,
        breaking,
    })
}

fn page_changes(old: &Site, new: &Site, threads: usize) -> Vec<PageChange> {
    let change = |kind, route: &Route| PageChange {
        kind,
        path: route.path.clone(),
        title: route.title.clone(),
    };
    let moves = moved_pages(old, new);
    let routes: Vec<&Route> = new.map.routes.values().collect();
    let changes = in_parallel(routes.len(), threads, |index| {
        let route = *routes.get(index)?;
        match (old.map.routes.get(&route.path), moves.get(&*route.path)) {
            (None, None) => Some(change(PageChangeKind::Added, route)),
            (None, Some(from)) => {
                let from = (*from).to_owned();
                Some(change(PageChangeKind::Moved { from }, route))
            }
            (Some(before), _) if is_changed((old, before), (new, route)) => {
                Some(change(PageChangeKind::Changed, route))
            }
            (Some(_), _) => None,
        }
    });
    let mut changes: Vec<PageChange> = changes.into_iter().flatten().collect();
    let former: HashSet<&str> = moves.into_values().collect();
    let removed = only_in(old, new).filter(|route| !former.contains(&*route.path));
    changes.extend(removed.map(|route| change(PageChangeKind::Removed, route)));
    changes.sort_by(|left, right| left.path.cmp(&right.path));
    changes
}

/// The routes of a site that another one does not have.
fn only_in<'s>(site: &'s Site, other: &'s Site) -> impl DoubleEndedIterator<Item = &'s Route> {
    let routes = site.map.routes.values();
    routes.filter(|route| !other.map.routes.contains_key(&route.path))
}

/// The former paths of pages of which only the path is another, by their new paths.
pub(crate) fn moved_pages<'s>(old: &'s Site, new: &'s Site) -> HashMap<&'s str, &'s str> {
    // Added pages by their text, which a moved page keeps.
    let mut added: HashMap<&str, Vec<&str>> = HashMap::new();
    for route in only_in(new, old).rev() {
        if let Some(text) = text(new, route) {
            added.entry(text).or_default().push(&route.path);
        }
    }
    let moves = only_in(old, new).filter_map(|route| {
        let target = added.get_mut(text(old, route)?)?.pop()?;
        Some((target, &*route.path))
    });
    moves.collect()
}

fn is_changed((old, before): (&Site, &Route), (new, after): (&Site, &Route)) -> bool {
    text(old, before) != text(new, after)
        || markdown::page(old, before, "") != markdown::page(new, after, "")
}

/// Text of the page file of a route.
fn text<'s>(site: &'s Site, route: &Route) -> Option<&'s str> {
    site.page_of(route).map(|page| &**page.file.text())
}

/// New names of the files of moved pages.
fn moved_files(old: &Site, new: &Site, pages: &[PageChange]) -> BTreeMap<String, String> {
    let moves = pages.iter().filter_map(|page| match &page.kind {
        PageChangeKind::Moved { from } => {
            let before = old.page_of(old.map.routes.get(from)?)?;
            let after = new.page_of(new.map.routes.get(&page.path)?)?;
            Some((before.path.to_string(), after.path.to_string()))
        }
        _ => None,
    });
    moves.collect()
}

/// The problems after a change without as many as there were before, and the number of those that
/// are gone. Lines are not compared, because a change above moves them.
fn new_problems(
    before: &[Diagnostic],
    after: Vec<Diagnostic>,
    moved: &BTreeMap<String, String>,
) -> (Vec<Diagnostic>, usize) {
    let key = |diagnostic: &Diagnostic| {
        let location = diagnostic.location.as_ref();
        let file = location.map(|location| location.file.to_string());
        (
            diagnostic.code.id,
            file.unwrap_or_default(),
            diagnostic.message.clone(),
        )
    };
    let known = before.iter().map(|diagnostic| {
        let (code, file, message) = key(diagnostic);
        let file = moved.get(&file).cloned().unwrap_or(file);
        (code, file, message)
    });
    new_diagnostics(known, after, key)
}

fn breaking_changes(old: &Site, new: &Site) -> Vec<Change> {
    let mut breaking = Vec::new();
    for before in &old.catalog.documents {
        let mut documents = new.catalog.documents.iter();
        let Some(after) = documents.find(|after| after.path == before.path) else {
            let has_text = |text: &str| {
                let mut documents = new.catalog.documents.iter();
                documents.any(|document| &**document.file.text() == text)
            };
            if !has_text(before.file.text()) {
                breaking.push(Change {
                    rule: "document-removed",
                    effect: Effect::Breaking,
                    operation: String::new(),
                    message: format!("the document `{}` was removed", before.path),
                    old: None,
                    new: None,
                });
            }
            continue;
        };
        if before.file.text() != after.file.text() {
            let changes = svc_openapi::diff(before, after).into_iter();
            breaking.extend(changes.filter(|change| change.effect == Effect::Breaking));
        }
    }
    breaking
}

#[cfg(test)]
mod tests {
    use svc_source::SourceTree;

    use super::*;
    use crate::{LoadOptions, assemble};

    const CONFIG: &str = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#070"}, "navigation": {"pages": PAGES}}"##;

    fn site(pages: &[(&str, &str)], more: &[(&str, &str)]) -> Site {
        let names: Vec<&str> = pages.iter().map(|(name, _)| *name).collect();
        let config = CONFIG.replace("PAGES", &format!("{names:?}"));
        let mut files = vec![("docs.json".to_owned(), config)];
        let pages = pages
            .iter()
            .map(|(name, text)| (format!("{name}.mdx"), (*text).to_owned()));
        files.extend(pages);
        files.extend(
            more.iter()
                .map(|(name, text)| ((*name).to_owned(), (*text).to_owned())),
        );
        let tree = SourceTree::from_files(files.iter().map(|(name, text)| (&**name, &**text)));
        assemble(tree, &LoadOptions::default()).unwrap().value
    }

    fn kinds(comparison: &SiteComparison) -> Vec<String> {
        let pages = comparison.pages.iter();
        pages
            .map(|page| match &page.kind {
                PageChangeKind::Added => format!("+{}", page.path),
                PageChangeKind::Changed => format!("~{}", page.path),
                PageChangeKind::Removed => format!("-{}", page.path),
                PageChangeKind::Moved { from } => format!("{from}>{}", page.path),
            })
            .collect()
    }

    #[test]
    fn pages_are_added_changed_removed_and_moved() {
        let old = site(
            &[
                ("index", "One."),
                ("a", "Same."),
                ("b", "Moved."),
                ("c", "Gone."),
                ("d", "<S />"),
            ],
            &[],
        );
        let new = site(
            &[
                ("index", "Two."),
                ("a", "Same."),
                ("x/b", "Moved."),
                ("e", "New."),
                ("d", "<S />"),
            ],
            &[],
        );
        let comparison = compare(&old, &new, 2).unwrap();
        assert_eq!(kinds(&comparison), ["~/", "-/c", "+/e", "/b>/x/b"]);
        let same = compare(&old, &old, 1).unwrap();
        assert_eq!(
            (same.pages.len(), same.problems.len(), same.fixed),
            (0, 0, 0)
        );
    }

    #[test]
    fn a_snippet_changes_the_pages_that_include_it() {
        let page = "import S from '/snippets/s.mdx';\n\n<S />\n";
        let pages = [("index", page), ("a", "Same.")];
        let old = site(&pages, &[("snippets/s.mdx", "One.")]);
        let new = site(&pages, &[("snippets/s.mdx", "Two.")]);
        assert_eq!(kinds(&compare(&old, &new, 1).unwrap()), ["~/"]);
    }

    #[test]
    fn problems_are_compared_without_their_lines_and_follow_moved_pages() {
        let broken = "[Broken](/nowhere)";
        let old = site(
            &[("index", broken), ("a", "[Gone](/gone)"), ("b", broken)],
            &[],
        );
        let index = format!("A line.\n\n{broken}\n\n[New](/new)");
        let new = site(
            &[("index", &index), ("a", "Repaired."), ("x/b", broken)],
            &[],
        );
        let comparison = compare(&old, &new, 1).unwrap();
        let problems: Vec<String> = comparison
            .problems
            .iter()
            .map(|problem| format!("{} {}", problem.location_string(), problem.code.id))
            .collect();
        assert_eq!(problems, ["index.mdx:5:1 link-broken"]);
        assert_eq!(comparison.fixed, 1);
    }

    #[test]
    fn breaking_changes_of_documents_are_found() {
        let document = |paths: &str| {
            format!(
                r#"{{"openapi": "3.1.0", "info": {{"title": "A", "version": "1"}}, "paths": {paths}}}"#
            )
        };
        let (before, after) = (
            document(
                r#"{"/pets": {"get": {"responses": {}}}, "/cats": {"get": {"responses": {}}}}"#,
            ),
            document(
                r#"{"/cats": {"get": {"responses": {}}}, "/dogs": {"get": {"responses": {}}}}"#,
            ),
        );
        let old = site(
            &[("index", "A")],
            &[("api.json", &before), ("old.json", &document("{}"))],
        );
        let new = site(&[("index", "A")], &[("api.json", &after)]);
        let breaking = compare(&old, &new, 1).unwrap().breaking;
        let breaking: Vec<(&str, &str)> = breaking
            .iter()
            .map(|change| (&*change.operation, change.rule))
            .collect();
        assert_eq!(breaking.len(), 2, "{breaking:?}");
        assert_eq!(breaking.first().map(|change| change.0), Some("GET /pets"));
        assert_eq!(
            breaking.last().map(|change| change.1),
            Some("document-removed")
        );
    }
}
