//! A site in the editor: its files on disk, the open documents over them, and the site of both.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use svc_diagnostics::{Checked, Diagnostic};
use svc_nav::{Route, RouteBody};
use svc_render::SiteOptions;
use svc_site::{Changes, IgnoreRules, LoadOptions, Site};
use svc_source::{SourceTree, canonical_path};

use crate::document::Document;

/// Endings of files that are read as text.
const TEXT_ENDINGS: [&str; 13] = [
    "mdx", "md", "jsx", "tsx", "ts", "js", "mjs", "json", "yaml", "yml", "css", "txt", "xml",
];
/// Maximum number of diagnostics of a file.
pub(crate) const MAX_DIAGNOSTICS: usize = 1_000;
/// Maximum number of pages that are rendered to check a snippet that they include.
const MAX_SNIPPET_PAGES: usize = 3;

/// A site with its open documents.
#[derive(Debug)]
pub(crate) struct Project {
    pub(crate) root: PathBuf,
    pub(crate) site: Site,
    options: LoadOptions,
    ignore: IgnoreRules,
    disk: Checked<SourceTree>,
    /// Diagnostics of loading the site, without those of pages.
    diagnostics: Vec<Diagnostic>,
    /// Changes of files that have not been read yet.
    pub(crate) changes: Changes,
    /// Whether documents changed since the site was built.
    pub(crate) is_stale: bool,
}

/// Open documents by path.
pub(crate) type Documents = BTreeMap<PathBuf, Document>;

impl Project {
    /// Loads the site of a directory.
    ///
    /// # Errors
    /// If the directory cannot be listed.
    pub(crate) fn load(
        root: &Path,
        options: LoadOptions,
        open: &mut Documents,
    ) -> io::Result<Self> {
        let mut options = LoadOptions {
            site: SiteOptions {
                // The author sees all pages, as in a preview.
                audience: svc_site::Audience::Trusted,
                ..options.site.clone()
            },
            ..options.without_dates()
        };
        let disk = svc_source::load(root, &options.source)?;
        let ignore = IgnoreRules::load(root);
        for (path, document) in open.iter_mut() {
            if path.starts_with(root) {
                document.is_part = is_part(root, path, &disk.value, &ignore);
            }
        }
        let (tree, diagnostics) = overlay(root, &disk, open);
        // The previous site is the same without the open documents, so that all sites are built from
        // trees of the same directory.
        let site = svc_site::assemble(tree, &options)?;
        // A reference that is being typed must not choose hosts to connect to.
        options.remote = options.remote.map(|remote| remote.cache_only());
        Ok(Self {
            root: root.to_owned(),
            site: site.value,
            options,
            ignore,
            disk,
            diagnostics: [diagnostics, site.diagnostics].concat(),
            changes: Changes::none(),
            is_stale: false,
        })
    }

    /// The site of other files, which reuses what did not change.
    ///
    /// # Errors
    /// As [`svc_site::update`].
    pub(crate) fn with_files(&self, before: &Site, tree: SourceTree) -> io::Result<Site> {
        let files = Checked {
            value: tree,
            diagnostics: Vec::new(),
        };
        Ok(svc_site::update(before, files, &self.options)?.value)
    }

    /// The path of a file relative to the root, with `/`. `None` if it is elsewhere.
    pub(crate) fn relative(&self, path: &Path) -> Option<String> {
        relative(&self.root, path)
    }

    pub(crate) fn absolute(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Decides whether a document that was opened is part of the site.
    pub(crate) fn admit(&self, path: &Path, document: &mut Document) {
        document.is_part = is_part(&self.root, path, &self.disk.value, &self.ignore);
    }

    /// Builds the site of the current files and documents, if they changed.
    ///
    /// # Errors
    /// If the directory cannot be listed. The previous site remains.
    pub(crate) fn refresh(&mut self, open: &mut Documents) -> io::Result<()> {
        if self.changes.is_empty() && !self.is_stale {
            return Ok(());
        }
        self.is_stale = false;
        if !self.changes.is_empty() {
            let changes = std::mem::replace(&mut self.changes, Changes::none());
            let before = (&self.disk.value, &self.disk.diagnostics[..]);
            self.disk = svc_source::reload(&self.root, &self.options.source, before, &changes)?;
            self.ignore = IgnoreRules::load(&self.root);
            for (path, document) in open.iter_mut() {
                if path.starts_with(&self.root) {
                    document.is_part = is_part(&self.root, path, &self.disk.value, &self.ignore);
                }
            }
        }
        let (tree, diagnostics) = overlay(&self.root, &self.disk, open);
        let files = Checked {
            value: tree,
            diagnostics,
        };
        let built = svc_site::update(&self.site, files, &self.options)?;
        let before = std::mem::replace(&mut self.site, built.value);
        // Freeing a large site takes longer than checking one page. Without a thread it is freed here.
        let _ = std::thread::Builder::new().spawn(move || drop(before));
        self.diagnostics = built.diagnostics;
        Ok(())
    }

    /// The route of a page file.
    pub(crate) fn route_of(&self, path: &str) -> Option<&Route> {
        let (slug, _) = path.rsplit_once('.')?;
        let routes = &self.site.map.routes;
        let is_own = |route: &&Route| match &route.body {
            RouteBody::Page { slug: other } => **other == *slug,
            RouteBody::Generated => false,
        };
        let direct = routes.get(&canonical_path(slug)).filter(is_own);
        direct.or_else(|| routes.values().find(is_own))
    }

    /// The page file of a route. `None` for generated pages.
    pub(crate) fn file_of(&self, route: &Route) -> Option<&str> {
        self.site.page_of(route).map(|page| &*page.path)
    }

    /// Diagnostics by file: those of loading the site, and those of the open pages. Files without
    /// diagnostics are missing.
    pub(crate) fn diagnostics(&self, open: &Documents) -> BTreeMap<String, Vec<Diagnostic>> {
        let mut all: BTreeMap<String, Vec<Diagnostic>> = BTreeMap::new();
        let config = svc_site::config_file(&self.site.tree);
        let config = config.map(|file| file.path().to_string());
        let mut add = |diagnostic: &Diagnostic| {
            let location = diagnostic.location.as_ref();
            let file = location.map(|location| location.file.to_string());
            let Some(file) = file.or_else(|| config.clone()) else {
                return;
            };
            let others = all.entry(file).or_default();
            // A snippet is rendered for each page that includes it.
            if others.len() < MAX_DIAGNOSTICS && !others.contains(diagnostic) {
                others.push(diagnostic.clone());
            }
        };
        self.diagnostics.iter().for_each(&mut add);
        for (path, document) in open {
            let Some(path) = self.relative(path).filter(|_| document.is_part) else {
                continue;
            };
            self.file_diagnostics(&path).iter().for_each(&mut add);
        }
        all
    }

    /// Diagnostics of a file that loading the site does not report.
    fn file_diagnostics(&self, path: &str) -> Vec<Diagnostic> {
        if svc_site::CONFIGS.contains(&path) {
            return self.site.config_problems();
        }
        if self.site.pages.is_snippet(path) {
            let pages = self.importers(path);
            let routes = pages.iter().filter_map(|page| self.route_of(page));
            let all = routes.take(MAX_SNIPPET_PAGES);
            let mut all: Vec<Diagnostic> = all
                .flat_map(|route| self.site.problems(&route.path))
                .collect();
            let is_own = |diagnostic: &Diagnostic| {
                let location = diagnostic.location.as_ref();
                location.is_some_and(|location| *location.file == *path)
            };
            all.retain(is_own);
            return all;
        }
        let route = self.route_of(path);
        route.map_or_else(Vec::new, |route| self.site.problems(&route.path))
    }

    /// The pages that import a file.
    pub(crate) fn importers(&self, path: &str) -> Vec<&str> {
        let pages = self.site.pages.iter();
        let importers = pages.filter(|page| {
            let mut imports = page.imports.iter();
            imports.any(|import| svc_source::resolve_import(&page.path, &import.specifier) == path)
        });
        importers.map(|page| &*page.path).collect()
    }
}

fn relative(root: &Path, path: &Path) -> Option<String> {
    let relative = path.strip_prefix(root).ok()?.to_str()?;
    Some(relative.replace('\\', "/")).filter(|relative| !relative.is_empty())
}

/// Whether a document is part of a site: its file is, or it is new and not ignored.
fn is_part(root: &Path, path: &Path, disk: &SourceTree, ignore: &IgnoreRules) -> bool {
    let Some(name) = relative(root, path) else {
        return false;
    };
    let is_text = name
        .rsplit_once('.')
        .is_some_and(|(_, ending)| TEXT_ENDINGS.contains(&ending.to_ascii_lowercase().as_str()));
    let is_new = || {
        let dir = name.rsplit_once('/').map_or("", |(dir, _)| dir);
        !path.exists() && (dir.is_empty() || !ignore.skips_dir(dir))
    };
    is_text && (disk.contains(&name) || is_new())
}

/// The files of the directory with the open documents in place of their files, and the diagnostics
/// of reading the others.
fn overlay(
    root: &Path,
    disk: &Checked<SourceTree>,
    open: &Documents,
) -> (SourceTree, Vec<Diagnostic>) {
    let mut tree = disk.value.clone();
    let mut diagnostics = disk.diagnostics.clone();
    for (path, document) in open {
        let Some(name) = relative(root, path) else {
            continue;
        };
        if !document.is_part || document.is_too_large {
            continue;
        }
        // An unchanged text shares its memory with the previous site, so that nothing is rebuilt.
        let stored = tree.text(&name);
        if stored.is_none_or(|file| **file.text() != *document.text) {
            tree.insert_text(&name, document.text.clone());
        }
        diagnostics.retain(|diagnostic| {
            let location = diagnostic.location.as_ref();
            location.is_none_or(|location| *location.file != *name)
        });
    }
    (tree, diagnostics)
}
