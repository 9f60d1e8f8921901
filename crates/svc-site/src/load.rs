//! From a folder to a site: the stages in their order.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use svc_config::{Document, IconFound, IconLibrary, SiteConfig, Surroundings};
use svc_diagnostics::{Checked, Diagnostic, SourceFile};
use svc_openapi::{ApiCatalog, ApiDocument};
use svc_render::Repositories;
use svc_source::{Contents, SourceTree};

use crate::Site;
use crate::codes::{NO_CONFIG, NO_PAGES};
use crate::hosted::HostedSource;

/// How a site is loaded.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// Limits of the repository.
    pub source: svc_source::LoadOptions,
    /// Empty, or the path before all addresses: `/docs`.
    pub base_path: String,
    /// Whether this is a preview on the author's machine.
    pub dev: bool,
    /// Whether readers must sign in, except for public pages.
    pub protected: bool,
    /// Leaves out the repository's own scripts and style sheets, and runs none of its components.
    pub without_scripts: bool,
    /// Where the site stands, `https://docs.example.com`; empty when nobody knows. A canonical
    /// address in `docs.json` wins over it.
    pub origin: String,
    /// Loads no fonts from the public catalogue of web fonts.
    pub without_web_fonts: bool,
    /// Whether a server stands behind the pages that passes requests of the playground on.
    pub relay: bool,
    /// What is known of the repositories on GitHub that pages show.
    pub repositories: Arc<Repositories>,
    /// Whether the site is written out as files. Preview pictures are then only drawn where the
    /// address of the site is known.
    pub export: bool,
    /// Brings OpenAPI documents that stand elsewhere.
    pub hosted: Option<Arc<dyn HostedSource>>,
    /// Whether addresses of pictures, styles and scripts carry the version of the file.
    pub versions: bool,
}

/// The configuration files, the first one found counts.
const CONFIGS: [&str; 2] = ["docs.json", "mint.json"];

/// What a site without a readable configuration is shown with.
const FALLBACK: &str = r##"{"theme": "svc", "name": "Documentation", "colors": {"primary": "#16a34a"}, "navigation": {"pages": []}}"##;

/// Reads a repository. The site can be used whatever the diagnostics say; with a fatal one it
/// shows little.
///
/// # Errors
/// When the folder cannot be listed.
pub fn load(root: &Path, options: &LoadOptions) -> io::Result<Checked<Site>> {
    let checked = svc_source::load(root, &options.source)?;
    let mut diagnostics = checked.diagnostics;
    let dates = || crate::dates::days(root);
    let site = assemble_at(checked.value, options, dates)?.drain_into(&mut diagnostics);
    Ok(Checked {
        value: site,
        diagnostics,
    })
}

/// The site of files that have been read.
///
/// # Errors
/// Never for well-built programs: when not even the built-in configuration can be read.
pub fn assemble(tree: SourceTree, options: &LoadOptions) -> io::Result<Checked<Site>> {
    assemble_at(tree, options, BTreeMap::new)
}

/// The site of the same files with other options. Nothing is read again.
///
/// # Errors
/// As [`assemble`].
pub fn again(site: &Site, options: &LoadOptions) -> io::Result<Checked<Site>> {
    let dates = || site.options.facts.dates.clone();
    assemble_at(site.tree.clone(), options, dates)
}

/// As [`assemble`]; `dates` are the days on which files were changed last.
fn assemble_at(
    mut tree: SourceTree,
    options: &LoadOptions,
    dates: impl FnOnce() -> BTreeMap<String, String>,
) -> io::Result<Checked<Site>> {
    let mut diagnostics = Vec::new();
    decode_config(&mut tree, &mut diagnostics);
    let config = configuration(&tree, &mut diagnostics)
        .ok_or_else(|| io::Error::other("the built-in configuration cannot be read"))?;
    let (pages, catalog) = thread::scope(|scope| {
        let catalog = scope.spawn(|| catalog(&tree));
        let pages = svc_source::pages(&tree);
        (pages, catalog.join().unwrap_or_default())
    });
    let pages = pages.drain_into(&mut diagnostics);
    let mut documents = catalog.drain_into(&mut diagnostics);
    let named = crate::hosted::named(&config, &pages);
    documents.extend(crate::hosted::documents(
        &named,
        options.hosted.as_deref(),
        &mut diagnostics,
    ));
    let mut catalog = ApiCatalog::new(documents);
    catalog.show_as_badges(&config.api.params_post);
    let map = svc_nav::resolve(&config, &pages, &catalog).drain_into(&mut diagnostics);
    if map.routes.is_empty() {
        let found = Diagnostic::new(&NO_PAGES, "the site has no page")
            .hint("add a file `index.mdx` and name it in `navigation`");
        diagnostics.push(found);
    }
    let mut gathered = crate::media::gather(&tree, &config, options);
    diagnostics.append(&mut gathered.diagnostics);
    // The history is only read where somebody wants to see it.
    let own = |page: &svc_source::Page| page.front_matter.timestamp == Some(true);
    if config.timestamp || pages.iter().any(own) {
        gathered.facts.dates = dates();
    }
    gathered.facts.repositories = Arc::clone(&options.repositories);
    if options.versions {
        gathered.facts.versions = crate::versions::versions(&tree);
    }
    let site = Site::new(tree, config, pages, catalog, map, options, gathered);
    Ok(Checked {
        value: site,
        diagnostics,
    })
}

/// The configuration file of a repository.
pub fn config_file(tree: &SourceTree) -> Option<&SourceFile> {
    CONFIGS.iter().find_map(|name| tree.text(name))
}

/// Makes a text of a configuration that is not written in UTF-8, so that the site can be shown
/// and its other problems are found in the same pass.
fn decode_config(tree: &mut SourceTree, diagnostics: &mut Vec<Diagnostic>) {
    let Some(name) = CONFIGS.into_iter().find(|name| tree.contains(name)) else {
        return;
    };
    let read = match tree.get(name) {
        Some(Contents::Bytes(bytes)) => Document::from_bytes(name, bytes),
        // UTF-16 without byte-order mark is valid UTF-8 with many zeros.
        Some(Contents::Text(file)) if file.text().bytes().take(4).any(|byte| byte == 0) => {
            Document::from_bytes(name, file.text().as_bytes())
        }
        _ => return,
    };
    // What breaks the grammar is reported when the text is read.
    let encoding = |found: &Diagnostic| found.code.id == "config-encoding";
    diagnostics.extend(read.diagnostics.into_iter().filter(encoding));
    tree.insert_text(name, read.value.text());
}

/// How many unknown icons get a suggestion; each one is compared with all names.
const SUGGESTIONS: usize = 100;

fn configuration(tree: &SourceTree, diagnostics: &mut Vec<Diagnostic>) -> Option<SiteConfig> {
    let lookup = |path: &str| tree.text(path).cloned();
    let file = config_file(tree);
    if file.is_none() {
        let found = Diagnostic::new(&NO_CONFIG, "there is no `docs.json`")
            .hint("run svc in the folder that holds `docs.json`, or create one there");
        diagnostics.push(found);
    }
    let exists = |path: &str| tree.contains(path);
    let suggestions = Cell::new(SUGGESTIONS);
    let icons = |library: IconLibrary, name: &str| {
        if svc_render::icon_exists(library, name) {
            return IconFound::Yes;
        }
        let left = suggestions.get();
        suggestions.set(left.saturating_sub(1));
        let nearest = (left > 0).then(|| svc_render::nearest_icon(library, name));
        IconFound::No {
            nearest: nearest.flatten().map(str::to_owned),
        }
    };
    let around = Surroundings::default()
        .with_texts(&lookup)
        .with_files(&exists)
        .with_icons(&icons);
    let config = file.and_then(|file| svc_config::parse_in(file, &around).drain_into(diagnostics));
    config.or_else(|| svc_config::parse(&SourceFile::new("docs.json", FALLBACK), &|_| None).value)
}

/// All OpenAPI documents of the repository, read on all processors.
fn catalog(tree: &SourceTree) -> Checked<Vec<ApiDocument>> {
    let files: Vec<&SourceFile> = tree
        .iter()
        .filter_map(|(path, contents)| match contents {
            Contents::Text(file) if is_data(path) => Some(file),
            _ => None,
        })
        .filter(|file| svc_openapi::looks_like_openapi(file.text()))
        .collect();
    let read = in_parallel(files.len(), threads(), |at| {
        files.get(at).map(|file| svc_openapi::parse(file))
    });
    let mut diagnostics = Vec::new();
    let documents: Vec<ApiDocument> = read
        .into_iter()
        .flatten()
        .filter_map(|checked| checked.drain_into(&mut diagnostics))
        .collect();
    Checked {
        value: documents,
        diagnostics,
    }
}

fn is_data(path: &str) -> bool {
    [".json", ".yaml", ".yml"]
        .iter()
        .any(|end| path.ends_with(end))
        && !CONFIGS.contains(&path)
}

pub(crate) fn threads() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// `work` for `0..count` on some threads; the results in order.
pub(crate) fn in_parallel<T: Send>(
    count: usize,
    threads: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    if count <= 1 || threads <= 1 {
        return (0..count).map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let one = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= count {
                return done;
            }
            done.push((at, work(at)));
        }
    };
    let mut all: Vec<(usize, T)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.min(count))
            .map(|_| {
                thread::Builder::new()
                    .stack_size(STACK)
                    .spawn_scoped(scope, one)
            })
            .collect();
        let workers = workers.into_iter().flatten();
        let mut all: Vec<(usize, T)> = workers
            .flat_map(|worker| worker.join().unwrap_or_default())
            .collect();
        // Only when no thread could be started at all.
        all.extend(one());
        all
    });
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, value)| value).collect()
}

/// Rendering nests as deep as the page does, within the limits of the renderer.
pub(crate) const STACK: usize = 8 << 20;
