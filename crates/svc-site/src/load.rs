//! Loading a site from a directory.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use svc_diagnostics::Checked;
use svc_nav::Audience;
use svc_render::SiteOptions;
use svc_source::{Changes, SourceTree};
use tracing::debug_span;

use crate::dates::{LastModified, last_modified};
use crate::options::LoadOptions;
use crate::site::Site;
use crate::stages::{Previous, Remote, build};
use crate::versions;

/// Reads a repository and builds its site. The site is usable regardless of the diagnostics; after
/// a fatal one it has few pages.
///
/// # Errors
/// When the directory cannot be listed.
pub fn load(root: &Path, options: &LoadOptions) -> io::Result<Checked<Site>> {
    let mut read = debug_span!("files").in_scope(|| svc_source::load(root, &options.source))?;
    versions::mount(&mut read, root, options, None);
    build(
        read,
        options,
        &|_| last_modified(root, &options.last_modified, None),
        Previous::none(),
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
    let mut read = debug_span!("files").in_scope(read)?;
    versions::mount(
        &mut read,
        root,
        options,
        Some((&before.tree, &before.stages.source)),
    );
    build(
        read,
        options,
        &|known| last_modified(root, &options.last_modified, known),
        Previous::of(before, Remote::Refetch),
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
        Previous::none(),
    )
}

/// Builds a site from the same files with other options, without reading them again.
///
/// # Errors
/// As [`assemble`].
pub fn rebuild(site: &Site, options: &LoadOptions) -> io::Result<Checked<Site>> {
    let cloned = |cloned: Option<&LastModified>| cloned.cloned().unwrap_or_default();
    build(
        same_files(site),
        options,
        &cloned,
        Previous::of(site, Remote::Refetch),
    )
}

/// Builds the site that other readers see, without reading or fetching anything. Pages that look
/// the same to both share their memory.
///
/// # Errors
/// As [`assemble`].
pub fn for_audience(site: &Site, audience: Audience) -> io::Result<Site> {
    let options = SiteOptions {
        audience,
        ..site.options.site.clone()
    };
    with_site_options(site, options).map(|built| built.value)
}

/// Builds the site with other options, without reading or fetching anything.
pub(crate) fn with_site_options(site: &Site, options: SiteOptions) -> io::Result<Checked<Site>> {
    let options = LoadOptions {
        repositories: Arc::clone(&site.facts().repositories),
        variant_store: site.media.variant_store.clone(),
        ..LoadOptions::from(options)
    };
    let cloned = |cloned: Option<&LastModified>| cloned.cloned().unwrap_or_default();
    let previous = Previous::of(site, Remote::UseCached);
    build(same_files(site), &options, &cloned, previous)
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
    let Some(dates) = &site.stages.last_modified else {
        return Ok(None);
    };
    let dated = last_modified(root, &options.last_modified, Some(dates));
    if dated.dates == dates.dates {
        return Ok(None);
    }
    let dates = |_: Option<&LastModified>| dated.clone();
    build(
        same_files(site),
        options,
        &dates,
        Previous::of(site, Remote::UseCached),
    )
    .map(Some)
}

/// Builds the site that its repository would be with other texts of some files, without reading
/// anything. Dates of last changes are not read.
///
/// # Errors
/// As [`assemble`].
pub(crate) fn with_texts(
    site: &Site,
    texts: &BTreeMap<Arc<str>, String>,
    options: &LoadOptions,
) -> io::Result<Checked<Site>> {
    let mut files = same_files(site);
    for (path, text) in texts {
        files.value.insert_text(path, text.as_str());
    }
    build(
        files,
        options,
        &|_| LastModified::default(),
        Previous::of(site, Remote::UseCached),
    )
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
    let own = versions::without_versions(&before.tree, &before.stages.source);
    let own_tree = before.tree.unmounted();
    let read = || svc_source::reload(root, &options.source, (&own_tree, &own), changes);
    let mut read = debug_span!("files").in_scope(read)?;
    versions::mount(
        &mut read,
        root,
        options,
        Some((&before.tree, &before.stages.source)),
    );
    let cloned = |cloned: Option<&LastModified>| {
        let read_dates = || last_modified(root, &options.last_modified, None);
        cloned.cloned().unwrap_or_else(read_dates)
    };
    build(
        read,
        options,
        &cloned,
        Previous::of(before, Remote::UseCached),
    )
}

/// Builds the site of other files, which share the texts that did not change with those of
/// `before`: the files of an editor, for example, whose open documents are not stored yet. Returns
/// the same site as [`assemble`] and reuses the parts of `before` that are unchanged, as [`reload`]
/// does. The diagnostics of reading the files are passed through.
///
/// # Errors
/// As [`assemble`].
pub fn update(
    before: &Site,
    files: Checked<SourceTree>,
    options: &LoadOptions,
) -> io::Result<Checked<Site>> {
    let cloned = |cloned: Option<&LastModified>| cloned.cloned().unwrap_or_default();
    build(
        files,
        options,
        &cloned,
        Previous::of(before, Remote::UseCached),
    )
}
