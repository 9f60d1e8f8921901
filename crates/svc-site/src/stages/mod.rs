//! The stages of building a site, in order.
//!
//! Each stage is a function of its inputs and of [`Previous`], the previous site. If its inputs are
//! unchanged it returns the previous result, and later stages compare results by pointer. With
//! [`Previous::none`] every stage runs; both give the same site. [`Stages`] stores what the stages
//! need for the comparison the next time, and the diagnostics of results that are reused.
//!
//! | stage | inputs | invalidated by |
//! |---|---|---|
//! | [`config`](config::config) | `docs.json`, the files that it includes or refers to | a change of a recorded dependency |
//! | [`pages`] | Markdown files | a change of the file, for each file on its own |
//! | [`local_documents`] | JSON and YAML files, the paths of lists of tools in config | a change of the file, for each file on its own |
//! | [`remote_documents`] | references in config and front matter, the provider | [`Remote::Refetch`], a change of config or front matter |
//! | [`catalog`] | local and remote documents, `api.params.post` | a change of one of them |
//! | [`site_map`] | config, front matter, catalog, audience | a change of one of them; a result that is equal is replaced by the previous one |
//! | [`media::gather`](crate::media::gather) | config, files of icons, fonts and style sheets | always runs |
//! | [`last_modified`] | history of the repository | decided by the caller, see [`load`](mod@crate::load) |
//! | [`translations::outdated`] | navigation, pages, `i18n.lock.json` | always runs |
//! | [`image_variants`] | raster images | a change of the file, for each image on its own |
//! | [`fingerprints`](crate::fingerprints::fingerprints) | files that pages refer to | always runs |
//! | [`highlighter`] | config, grammars and themes | a change of config or of one of these files |
//! | [`Site::new`] | everything above | a change of what a page recorded while it was rendered, see [`reuse`](crate::reuse) |

mod config;
mod documents;
mod previous;
mod site;
pub(crate) mod state;

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::thread;

use svc_config::SiteConfig;
use svc_diagnostics::{Checked, Diagnostic};
use svc_nav::{Audience, PROTECTED_ID, SiteMap};
use svc_openapi::ApiCatalog;
use svc_render::{Highlighter, RasterImage, report_integrations};
use svc_source::{PageIndex, SourceTree};
use tracing::debug_span;

use crate::dates::LastModified;
use crate::options::LoadOptions;
use crate::site::Site;
use crate::statistics::ProblemCounts;
use crate::translations;
use crate::versions;
use documents::{catalog, local_documents, remote_documents};
use site::SiteParts;
use state::Stages;

pub use config::{CONFIGS, config_file};
pub(crate) use previous::{Previous, Remote};

/// Builds a site from files that have been read, reusing what is unchanged since `previous`. `dates`
/// returns the dates of last changes, given those of the previous site.
///
/// # Errors
/// When the built-in configuration cannot be parsed, which is a bug.
pub(crate) fn build(
    read: Checked<SourceTree>,
    options: &LoadOptions,
    dates: &dyn Fn(Option<&LastModified>) -> LastModified,
    previous: Previous<'_>,
) -> io::Result<Checked<Site>> {
    let mut tree = read.value;
    let encoding = config::convert_encoding(&mut tree);
    let previous = previous.compare(&tree);
    let (config, config_stage) =
        debug_span!("configuration").in_scope(|| config::config(&tree, encoding, &previous))?;
    let documents_span = debug_span!("OpenAPI documents");
    let (pages, (documents, local)) = thread::scope(|scope| {
        let local =
            scope.spawn(|| documents_span.in_scope(|| local_documents(&tree, &config, &previous)));
        let pages = pages(&tree, &previous);
        (pages, local.join().unwrap_or_default())
    });
    let provider = options.remote.as_deref();
    let (remote, remote_stage) = remote_documents(&config, &pages.value, provider, &previous);
    let catalog = debug_span!("API catalog")
        .in_scope(|| catalog(&config, &documents, (local, remote), &previous));
    let audience = options.site.audience();
    let (map, mut map_diagnostics) =
        site_map(&audience, &config, &pages.value, &catalog, &previous);
    if options.site.sign_in {
        map_diagnostics.retain(|diagnostic| diagnostic.code.id != PROTECTED_ID);
    }
    let mut inputs = debug_span!("styles and media")
        .in_scope(|| crate::media::gather(&tree, &config, &options.site));
    let stages = Stages {
        source: read.diagnostics,
        config: config_stage,
        pages: pages.diagnostics,
        documents,
        remote: remote_stage,
        map: map_diagnostics,
        audience,
        last_modified: last_modified(&config, &pages.value, dates, &previous),
    };
    let mut diagnostics = stages.diagnostics();
    diagnostics.append(&mut inputs.diagnostics);
    diagnostics.extend(report_integrations(&config, &options.site));
    if let Some(known) = &stages.last_modified {
        inputs.facts.dates = Arc::clone(&known.dates);
    }
    if config.i18n.outdated {
        let outdated = translations::outdated(&tree, &map, &pages.value);
        inputs.facts.outdated = Arc::new(outdated);
    }
    inputs.facts.repositories = Arc::clone(&options.repositories);
    if options.site.image_variants {
        inputs.facts.images = Some(Arc::new(image_variants(&tree, &previous)));
        inputs.media.variant_store = options.variant_store.clone();
    }
    if options.site.fingerprints {
        inputs.facts.fingerprints = crate::fingerprints::fingerprints(&tree);
    }
    if let Some(known) = highlighter(&config, &previous) {
        inputs.highlighter = known;
    }
    let parts = SiteParts {
        tree,
        config,
        pages: Arc::new(pages.value),
        catalog,
        map,
        stages,
        inputs,
    };
    let mut site = Site::new(parts, &options.site, &previous);
    diagnostics.append(&mut site.report_unknown_groups());
    let diagnostics = versions::label(&site.tree, diagnostics);
    site.load_problems = ProblemCounts::of(&diagnostics);
    Ok(Checked {
        value: site,
        diagnostics,
    })
}

/// Parses front matter and imports. The stage reads the Markdown files; a file is parsed only if its
/// text changed.
fn pages(tree: &SourceTree, previous: &Previous<'_>) -> Checked<PageIndex> {
    let _stage = debug_span!("front matter").entered();
    match previous.site() {
        Some(site) => svc_source::update_pages(tree, &site.pages),
        None => svc_source::pages(tree),
    }
}

/// Resolves routes and navigation. The stage reads the configuration, front matter and the catalog,
/// not the bodies of pages; the previous map is reused if these and the audience are the same. A new
/// map that is equal to the previous one is replaced by it, so that no page is invalid.
fn site_map(
    audience: &Audience,
    config: &Arc<SiteConfig>,
    pages: &PageIndex,
    catalog: &Arc<ApiCatalog>,
    previous: &Previous<'_>,
) -> (Arc<SiteMap>, Vec<Diagnostic>) {
    let _stage = debug_span!("navigation").entered();
    let same = previous.with_same_front_matter(config, pages);
    let same = same
        .filter(|site| Arc::ptr_eq(catalog, &site.catalog) && site.stages.audience == *audience);
    if let Some(site) = same {
        return (Arc::clone(&site.map), site.stages.map.clone());
    }
    let Checked {
        value: map,
        diagnostics,
    } = svc_nav::resolve_for(audience.clone(), config, pages, catalog);
    let equal = previous.site().filter(|site| *site.map == map);
    let map = equal.map_or_else(|| Arc::new(map), |site| Arc::clone(&site.map));
    (map, diagnostics)
}

/// Reads the dates of the last changes, only if a page shows them, because reading a history is
/// slow. `dates` decides whether the dates of the previous site are still valid. `None` when no page
/// shows dates.
fn last_modified(
    config: &SiteConfig,
    pages: &PageIndex,
    dates: &dyn Fn(Option<&LastModified>) -> LastModified,
    previous: &Previous<'_>,
) -> Option<LastModified> {
    let shows_date = |page: &svc_source::Page| page.front_matter.timestamp == Some(true);
    let is_visible = config.timestamp || pages.iter().any(shows_date);
    let known = previous
        .site()
        .and_then(|site| site.stages.last_modified.as_ref());
    is_visible.then(|| debug_span!("dates").in_scope(|| dates(known)))
}

/// Finds the raster images that have variants. The stage reads the images of the repository; an
/// image is read only if it changed.
fn image_variants(tree: &SourceTree, previous: &Previous<'_>) -> BTreeMap<String, RasterImage> {
    let images = previous
        .site()
        .and_then(|site| site.facts().images.as_deref());
    let changed = |path: &str| previous.unless_changed(|other| other == path).is_none();
    crate::variants::gather(tree, images, &changed)
}

/// The highlighter of the previous site, which has cached colors. `None` if the configuration or one
/// of the grammars or themes that it names changed.
fn highlighter(config: &Arc<SiteConfig>, previous: &Previous<'_>) -> Option<Arc<Highlighter>> {
    let grammars = &config.styling.codeblocks.custom_languages;
    let is_grammar = |path: &str| {
        let mut paths = grammars
            .iter()
            .map(|grammar| grammar.trim_start_matches('/'));
        paths.any(|grammar| grammar == path)
    };
    let same = previous.unless_changed(is_grammar);
    let same = same.filter(|site| Arc::ptr_eq(config, &site.config));
    same.map(Site::highlighter)
}
