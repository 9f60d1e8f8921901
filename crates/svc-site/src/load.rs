//! Loading a site from a directory.

use std::io;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use svc_diagnostics::Checked;
use svc_render::Repositories;
use svc_source::{Changes, SourceTree};
use tracing::debug_span;

use crate::dates::{LastModified, last_modified};
use crate::remote::RemoteDocuments;
use crate::stages::build;
use crate::variants::VariantStore;
use crate::{LastModifiedSource, Site};

/// Options for loading a site.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// Limits on the files of the repository.
    pub source: svc_source::LoadOptions,
    /// URL path prefix of the site, such as `/docs`; empty for a site at the root.
    pub base_path: String,
    /// Whether this is a local preview with live reload.
    pub dev: bool,
    /// Whether protected pages are served to everyone.
    pub serve_protected: bool,
    /// Ignores the scripts and style sheets of the repository and does not run its components.
    pub without_scripts: bool,
    /// Origin of the site, such as `https://docs.example.com`; empty if unknown. The canonical URL
    /// in `docs.json` takes precedence.
    pub origin: String,
    /// Does not use the public catalog of web fonts.
    pub without_web_fonts: bool,
    /// Whether the server relays the requests of the playground.
    pub relay: bool,
    /// Source of the dates on which pages were last changed.
    pub last_modified: LastModifiedSource,
    /// Data about the GitHub repositories that pages show.
    pub repositories: Arc<Repositories>,
    /// Whether the site is exported as files. Preview images are then rendered only if the origin
    /// of the site is known.
    pub export: bool,
    /// Source of remote OpenAPI documents; without one they are reported as missing.
    pub remote: Option<Arc<dyn RemoteDocuments>>,
    /// Whether URLs of images, styles and scripts contain the version of the file.
    pub fingerprints: bool,
    /// Whether pages offer narrower variants of raster images.
    pub image_variants: bool,
    /// Store of rendered image variants; without one each request renders the variant.
    pub variant_store: Option<Arc<dyn VariantStore>>,
}

impl LoadOptions {
    /// The same options without dates, for callers that do not show them: reading a long history
    /// takes seconds.
    #[must_use]
    pub fn without_dates(&self) -> Self {
        Self {
            last_modified: LastModifiedSource::Fixed(Arc::default()),
            ..self.clone()
        }
    }
}

/// Reads a repository and builds its site. The site is usable regardless of the diagnostics; after
/// a fatal one it has few pages.
///
/// # Errors
/// When the directory cannot be listed.
pub fn load(root: &Path, options: &LoadOptions) -> io::Result<Checked<Site>> {
    let read = debug_span!("files").in_scope(|| svc_source::load(root, &options.source))?;
    build(
        read,
        options,
        &|_| last_modified(root, &options.last_modified, None),
        None,
        true,
    )
}

/// Reads another revision of the repository of a site, in any directory. Returns the same site as
/// [`load`] and reuses the parts of `before` that are unchanged. A file that is a hard link to the
/// same file of `before` is assumed to be unchanged; this holds for snapshots, which are never
/// modified.
///
/// # Errors
/// As [`load`].
pub fn load_incremental(
    before: &Site,
    root: &Path,
    options: &LoadOptions,
) -> io::Result<Checked<Site>> {
    let read = || svc_source::load_reusing_hardlinks(root, &options.source, &before.tree);
    let read = debug_span!("files").in_scope(read)?;
    build(
        read,
        options,
        &|known| last_modified(root, &options.last_modified, known),
        Some(before),
        true,
    )
}

/// Builds a site from files that have been read. Dates of last changes are not read.
///
/// # Errors
/// Only when the built-in configuration cannot be parsed, which is a bug.
pub fn assemble(tree: SourceTree, options: &LoadOptions) -> io::Result<Checked<Site>> {
    build(
        Checked::clean(tree),
        options,
        &|_| LastModified::default(),
        None,
        true,
    )
}

/// Builds a site from the same files with other options, without reading them again.
///
/// # Errors
/// As [`assemble`].
pub fn rebuild(site: &Site, options: &LoadOptions) -> io::Result<Checked<Site>> {
    let known = |known: Option<&LastModified>| known.cloned().unwrap_or_default();
    build(same_files(site), options, &known, Some(site), true)
}

/// Builds a site from the same files after the history changed, with new dates of last changes.
/// `None` when no page shows dates or no date changed.
///
/// # Errors
/// As [`assemble`].
pub fn rebuild_with_dates(
    site: &Site,
    root: &Path,
    options: &LoadOptions,
) -> io::Result<Option<Checked<Site>>> {
    let Some(known) = &site.stages.last_modified else {
        return Ok(None);
    };
    let dated = last_modified(root, &options.last_modified, Some(known));
    if dated.dates == known.dates {
        return Ok(None);
    }
    let known = |_: Option<&LastModified>| dated.clone();
    build(same_files(site), options, &known, Some(site), false).map(Some)
}

/// The files and read diagnostics of a site.
fn same_files(site: &Site) -> Checked<SourceTree> {
    Checked {
        value: site.tree.clone(),
        diagnostics: site.stages.source.clone(),
    }
}

/// Reads a repository after some of its files changed. Returns the same site as [`load`], but runs
/// only the steps that depend on a change: rendered pages are reused if none of their dependencies
/// changed, and the dates of last changes are not read again.
///
/// # Errors
/// As [`load`].
pub fn reload(
    before: &Site,
    root: &Path,
    changes: &Changes,
    options: &LoadOptions,
) -> io::Result<Checked<Site>> {
    let previous = (&before.tree, &before.stages.source[..]);
    let read = || svc_source::reload(root, &options.source, previous, changes);
    let read = debug_span!("files").in_scope(read)?;
    let known = |known: Option<&LastModified>| {
        let read_dates = || last_modified(root, &options.last_modified, None);
        known.cloned().unwrap_or_else(read_dates)
    };
    build(read, options, &known, Some(before), false)
}

pub(crate) fn threads() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Calls `work` for `0..count` on several threads; the results are in order.
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
                    .stack_size(STACK_SIZE)
                    .spawn_scoped(scope, one)
            })
            .collect();
        let workers = workers.into_iter().flatten();
        let mut all: Vec<(usize, T)> = workers
            .flat_map(|worker| worker.join().unwrap_or_default())
            .collect();
        // Runs on this thread only if no thread could be started.
        all.extend(one());
        all
    });
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, value)| value).collect()
}

/// Stack size of render threads: rendering recurses as deep as the page is nested, within the
/// limits of the renderer.
pub(crate) const STACK_SIZE: usize = 8 << 20;
