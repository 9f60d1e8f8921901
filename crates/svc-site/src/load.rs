//! From a folder to a site.

use std::io;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use svc_diagnostics::Checked;
use svc_render::Repositories;
use svc_source::{Changes, SourceTree};

use crate::dates::{LastModified, last_modified};
use crate::remote::RemoteDocuments;
use crate::stages::build;
use crate::variants::VariantStore;
use crate::{LastModifiedSource, Site};

/// How a site is loaded.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// Limits of the repository.
    pub source: svc_source::LoadOptions,
    /// Empty, or the path before all addresses: `/docs`.
    pub base_path: String,
    /// Whether this is a preview on the author's machine.
    pub dev: bool,
    /// Whether pages that ask for protection are shown all the same, to everybody.
    pub serve_protected: bool,
    /// Leaves out the repository's own scripts and style sheets, and runs none of its components.
    pub without_scripts: bool,
    /// Where the site stands, `https://docs.example.com`; empty when nobody knows. A canonical
    /// address in `docs.json` wins over it.
    pub origin: String,
    /// Loads no fonts from the public catalogue of web fonts.
    pub without_web_fonts: bool,
    /// Whether a server stands behind the pages that passes requests of the playground on.
    pub relay: bool,
    /// Whose history tells when pages were changed.
    pub last_modified: LastModifiedSource,
    /// What is known of the repositories on GitHub that pages show.
    pub repositories: Arc<Repositories>,
    /// Whether the site is written out as files. Preview pictures are then only drawn where the
    /// address of the site is known.
    pub export: bool,
    /// Brings OpenAPI documents that stand elsewhere.
    pub remote: Option<Arc<dyn RemoteDocuments>>,
    /// Whether addresses of pictures, styles and scripts carry the version of the file.
    pub fingerprints: bool,
    /// Whether narrower variants of raster images are offered to browsers.
    pub image_variants: bool,
    /// Keeps the variants that were made; without it each request makes one.
    pub variant_store: Option<Arc<dyn VariantStore>>,
}

impl LoadOptions {
    /// The same, for a site whose pages show no days: a long history takes seconds to read.
    #[must_use]
    pub fn without_dates(&self) -> Self {
        Self {
            last_modified: LastModifiedSource::Fixed(Arc::default()),
            ..self.clone()
        }
    }
}

/// Reads a repository. The site can be used whatever the diagnostics say; with a fatal one it
/// shows little.
///
/// # Errors
/// When the folder cannot be listed.
pub fn load(root: &Path, options: &LoadOptions) -> io::Result<Checked<Site>> {
    let read = svc_source::load(root, &options.source)?;
    build(
        read,
        options,
        &|_| last_modified(root, &options.last_modified, None),
        None,
        true,
    )
}

/// Reads another state of the repository of a site, wherever it stands: gives what [`load`] gives,
/// and takes over from `before` what both have in common. Files that both have on the disk together,
/// by hard links, are taken for what they were: of snapshots they are, as nobody writes to those.
///
/// # Errors
/// As [`load`].
pub fn load_incremental(
    before: &Site,
    root: &Path,
    options: &LoadOptions,
) -> io::Result<Checked<Site>> {
    let read = svc_source::load_reusing_hardlinks(root, &options.source, &before.tree)?;
    build(
        read,
        options,
        &|known| last_modified(root, &options.last_modified, known),
        Some(before),
        true,
    )
}

/// The site of files that have been read.
///
/// # Errors
/// Never for well-built programs: when not even the built-in configuration can be read.
pub fn assemble(tree: SourceTree, options: &LoadOptions) -> io::Result<Checked<Site>> {
    build(
        Checked::clean(tree),
        options,
        &|_| LastModified::default(),
        None,
        true,
    )
}

/// The site of the same files with other options. Nothing is read again.
///
/// # Errors
/// As [`assemble`].
pub fn rebuild(site: &Site, options: &LoadOptions) -> io::Result<Checked<Site>> {
    let known = |known: Option<&LastModified>| known.cloned().unwrap_or_default();
    build(same_files(site), options, &known, Some(site), true)
}

/// The site of the same files after the history grew: with the days on which they were changed last
/// asked for again. Nothing where no page tells days, and where all are as they were.
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

/// What was read of a site.
fn same_files(site: &Site) -> Checked<SourceTree> {
    Checked {
        value: site.tree.clone(),
        diagnostics: site.stages.source.clone(),
    }
}

/// Reads a repository after some of its files changed: gives what [`load`] gives, and does only
/// what depends on a change. Drawn pages are kept where nothing they depend on changed; the days of
/// the last changes are not asked for again.
///
/// # Errors
/// As [`load`].
pub fn reload(
    before: &Site,
    root: &Path,
    changes: &Changes,
    options: &LoadOptions,
) -> io::Result<Checked<Site>> {
    let told = (&before.tree, &before.stages.source[..]);
    let read = svc_source::reload(root, &options.source, told, changes)?;
    let known = |known: Option<&LastModified>| {
        let anew = || last_modified(root, &options.last_modified, None);
        known.cloned().unwrap_or_else(anew)
    };
    build(read, options, &known, Some(before), false)
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
                    .stack_size(STACK_SIZE)
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
pub(crate) const STACK_SIZE: usize = 8 << 20;
