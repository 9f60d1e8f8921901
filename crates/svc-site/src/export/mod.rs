//! A site as files, for any web server.
//!
//! `writer` writes them, whole or not at all; `relative` makes the addresses of pages relative where
//! that is wanted, `redirects` knows how hosts are told of moved addresses, `compress` makes the
//! copies that some servers send, `folder` says where an export may be written, `list` removes what an earlier export has left, and `archive` packs
//! all of it into one file.

mod active;
mod archive;
mod compress;
mod dir;
mod manifest;
pub(crate) mod names;
mod policy;
mod redirects;
mod relative;
mod writer;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

use svc_diagnostics::{Diagnostic, Span};

use crate::codes::UNUSABLE_IMAGE;
use crate::find::AssetContent;
use crate::generated::{GeneratedFile, feed};
use crate::links::decoded;
use crate::load::{in_parallel, threads};
use crate::media::IconSet;
use crate::playground::{self, CALLBACK_PATH};
use crate::validate::sort_diagnostics;
use crate::{GeneratedImage, Site, VariantContent, api, links};

pub use archive::archive;
pub use compress::ContentEncoding;
pub use dir::create_export_dir;
pub use manifest::{ExportedFile, manifest_json, parse_manifest, remove_stale};
pub use redirects::RedirectFormat;
pub use relative::RELATIVE_BASE;
use relative::Relative;
use writer::Writer;

/// How a site is written.
#[derive(Debug, Clone, Default)]
pub struct ExportOptions {
    /// `a.html` instead of `a/index.html`.
    pub flat: bool,
    /// Threads; 0 means one per processor.
    pub threads: usize,
    /// Where the site will stand, `https://docs.example.com`; for the sitemap.
    pub origin: String,
    /// For whom redirects are written; nobody in particular means [`RedirectFormat::Html`] and
    /// [`RedirectFormat::Cloudflare`], whose file Netlify reads too.
    pub redirects: BTreeSet<RedirectFormat>,
    /// Which compressed copies are written beside files, where they are smaller.
    pub precompress: Vec<ContentEncoding>,
}

/// What was written.
#[derive(Debug, Default)]
pub struct ExportReport {
    /// Pages.
    pub pages: usize,
    /// Files, pages and their twins too.
    pub files: usize,
    /// Bytes of all files.
    pub bytes: u64,
    /// All files, by path.
    pub manifest: Vec<ExportedFile>,
    /// Pages that could not be drawn.
    pub broken: usize,
    /// What is wrong with the pages and their links.
    pub diagnostics: Vec<Diagnostic>,
}

/// Writes pages, their Markdown twins, assets, files for machines, `404.html` and redirects. A site
/// that was loaded with [`RELATIVE_BASE`] gets relative addresses.
///
/// # Errors
/// When a file cannot be written or read.
pub fn export(site: &Site, out: &Path, options: &ExportOptions) -> io::Result<ExportReport> {
    let threads = if options.threads == 0 {
        threads()
    } else {
        options.threads
    };
    let hosts = match options.redirects.is_empty() {
        true => BTreeSet::from([RedirectFormat::Html, RedirectFormat::Cloudflare]),
        false => options.redirects.clone(),
    };
    let rules = redirects::rules(site);
    let moved: Vec<(&str, &redirects::RedirectRule<'_>)> = rules
        .iter()
        .filter(|_| hosts.contains(&RedirectFormat::Html))
        .filter_map(|rule| Some((rule.page(site)?, rule)))
        .collect();
    let taken: BTreeSet<&str> = moved.iter().map(|(path, _)| *path).collect();
    let folders = site.map.dir_redirects.iter();
    let folders: Vec<_> = folders
        .filter(|(path, _)| !taken.contains(path.as_str()) && site.map.redirect(path).is_none())
        .collect();
    let also = folders.iter().map(|(path, _)| path.as_str());
    let paths = taken
        .iter()
        .copied()
        .chain(also)
        .map(str::to_owned)
        .collect();
    let relative = Relative::new(site, options.flat, paths);
    let base = match relative {
        Some(_) => "",
        None => site.base_path(),
    };
    let files = relative.is_some();
    let writer = Writer::new(out, relative, &options.precompress);
    fs::create_dir_all(out)?;
    dir::write_marker(&writer)?;
    let (pages, broken) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let modules = Mutex::new(BTreeSet::new());
    let words = Mutex::new(BTreeSet::new());
    let parts = Mutex::new(BTreeSet::new());
    let written = in_parallel(site.map.routes.len(), threads, |index| {
        let Some((path, route)) = site.map.routes.get_index(index) else {
            return Ok(());
        };
        if let Some(to) = site.redirect_target(route) {
            return writer.page(
                &file_of(path, options.flat),
                redirects::redirect_page(&to).as_bytes(),
            );
        }
        let Some(page) = site.render_uncached(index) else {
            return Ok(());
        };
        let html = policy::with_policy(site, Some(route), files, &page.html.bytes);
        writer.page(&file_of(path, options.flat), &html)?;
        let twin = if path == "/" {
            "index.md".to_owned()
        } else {
            format!("{path}.md")
        };
        writer.for_scripts(&twin, site.markdown(route).as_bytes())?;
        let at = feed::path(route);
        // A file of the repository replaces ours, as on the server.
        if feed::exists(site, route) && site.asset(&at).is_none() {
            let feed = site.feed(route, &options.origin);
            writer.text(&at, feed.as_bytes())?;
        }
        if site.has_endpoint(route)
            && let Some(call) = site.playground_spec(route)
        {
            writer.for_scripts(&api::playground_spec_path(path), call.as_bytes())?;
        }
        if let Some(own) = playground::messages_file(&page.html.bytes) {
            words
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .insert(own);
        }
        if !page.modules.is_empty() {
            let mut modules = modules.lock().unwrap_or_else(PoisonError::into_inner);
            modules.extend(page.modules.iter().cloned());
        }
        if !page.fragments.is_empty() {
            let mut parts = parts.lock().unwrap_or_else(PoisonError::into_inner);
            parts.extend(page.fragments.iter().cloned());
        }
        pages.fetch_add(1, Ordering::Relaxed);
        broken.fetch_add(usize::from(page.broken), Ordering::Relaxed);
        Ok(())
    });
    written.into_iter().collect::<io::Result<()>>()?;
    if !site.map.routes.contains_key("/")
        && let Some(first) = site.map.first_page()
    {
        let to = redirects::redirect_page(&site.href(first));
        writer.page("index.html", to.as_bytes())?;
    }
    if let Some(page) = site.protected_page() {
        writer.page("index.html", &policy::with_policy(site, None, files, &page))?;
    }
    let mut diagnostics = Vec::new();
    for (path, asset) in site.assets() {
        if let Some(found) = active::check(path, &asset) {
            diagnostics.push(found);
            continue;
        }
        match asset.content {
            AssetContent::Text(text) => writer.write(path, text.as_bytes())?,
            AssetContent::Bytes(bytes) => writer.write(path, bytes)?,
            AssetContent::Disk { path: from, .. } => writer.copy(path, from)?,
        }
    }
    let words = words.into_inner().unwrap_or_else(PoisonError::into_inner);
    let used = svc_render::program_assets().iter().filter(|asset| {
        let by_theme = asset.theme.is_none_or(|theme| theme == site.config.theme);
        // Of the words of the playground only the languages of its pages.
        let is_words = asset.name.starts_with("words.");
        by_theme
            && (!asset.playground || !words.is_empty())
            && (!is_words || words.contains(&asset.name))
    });
    if !words.is_empty() {
        writer.page(CALLBACK_PATH, site.callback_page().as_bytes())?;
    }
    for asset in used {
        let path = format!("_svc/assets/{}", asset.name);
        let bytes = &asset.content;
        // The others are named by pages, where every browser finds them.
        if asset.playground || asset.name.starts_with("islands.") {
            writer.for_scripts(&path, bytes)?;
        } else {
            writer.write(&path, bytes)?;
        }
    }
    let undrawn = write_images(site, &writer, threads)?;
    write_variants(site, &writer, threads)?;
    for address in modules.into_inner().unwrap_or_else(PoisonError::into_inner) {
        let path = address.strip_prefix(site.base_path()).unwrap_or(&address);
        let name = path.strip_prefix("/_svc/islands/").map(decoded);
        if let Some(name) = name
            && let Some(text) = site.island_module(&name)
        {
            writer.for_scripts(&format!("_svc/islands/{name}"), text.as_bytes())?;
        }
    }
    let parts = parts.into_inner().unwrap_or_else(PoisonError::into_inner);
    write_schema_fragments(site, &writer, parts, threads)?;
    for machine in GeneratedFile::ALL {
        if site.offers(machine) && site.asset(machine.path()).is_none() {
            let packed = site.generated_file(machine, &options.origin);
            match machine {
                GeneratedFile::SearchIndex => writer.for_scripts(machine.path(), &packed.bytes)?,
                GeneratedFile::ApiSpecs => writer.write(machine.path(), &packed.bytes)?,
                _ => writer.text(machine.path(), &packed.bytes)?,
            }
        }
    }
    // A page of that name is the site's own answer there.
    if !(options.flat && site.map.routes.contains_key("/404")) {
        let page = site.not_found("/404");
        writer.absolute_page("404.html", &policy::with_policy(site, None, files, &page))?;
    }
    if writer.relative.is_some() {
        let (path, text) = Relative::script();
        writer.write(&path, text.as_bytes())?;
    }
    for (path, rule) in moved {
        let to = redirects::redirect_page(&rule.target(site.base_path()));
        writer.page(&file_of(path, options.flat), to.as_bytes())?;
    }
    for (path, first) in folders {
        let to = redirects::redirect_page(&site.href(first));
        writer.page(&file_of(path, options.flat), to.as_bytes())?;
    }
    diagnostics.extend(site.page_diagnostics(threads));
    if undrawn > 0 {
        diagnostics.push(failed_images(site, undrawn));
    }
    for file in redirects::files(site, &rules, &hosts, base, options.flat, &mut diagnostics) {
        // A file of the repository replaces ours; the host reads it, readers do not.
        let own = site.tree.text(file.path);
        let text = own.map_or(&*file.text, |own| &**own.text());
        writer.write(file.path, text.as_bytes())?;
    }
    diagnostics.extend(links::check(site, threads));
    let pages_left_out = names::check(site);
    if pages_left_out.is_empty() {
        diagnostics.extend(
            writer
                .skipped()
                .iter()
                .map(|path| names::skipped_path(path)),
        );
    }
    diagnostics.extend(pages_left_out);
    let written = writer.finish();
    Ok(ExportReport {
        pages: pages.into_inner(),
        files: written.len(),
        bytes: written.iter().map(|one| one.bytes).sum(),
        manifest: written,
        broken: broken.into_inner(),
        diagnostics: sort_diagnostics(diagnostics),
    })
}

/// Parts of schemas that are written at most: those of the largest documents are about a tenth.
const MAX_SCHEMA_FRAGMENTS: usize = 100_000;
/// The parts of schemas that pages lead to, and those that these lead to.
fn write_schema_fragments(
    site: &Site,
    writer: &Writer<'_>,
    first: BTreeSet<String>,
    threads: usize,
) -> io::Result<()> {
    let mut seen = first.clone();
    let mut wave: Vec<String> = first.into_iter().collect();
    while !wave.is_empty() {
        let written = in_parallel(wave.len(), threads, |at| {
            let path = wave.get(at).map_or("", String::as_str);
            let Some(part) = site.render_schema_fragment_uncached(path) else {
                return Ok(Vec::new());
            };
            writer.for_scripts(path, &part.html.bytes)?;
            Ok(part.fragments)
        });
        let found: io::Result<Vec<_>> = written.into_iter().collect();
        let found = found?.into_iter().flatten().map(|link| link.path);
        let left = MAX_SCHEMA_FRAGMENTS.saturating_sub(seen.len());
        wave = found
            .filter(|path| seen.insert(path.clone()))
            .take(left)
            .collect();
    }
    Ok(())
}

/// The icons, and the pictures that stand for pages. Gives how many cannot be drawn.
fn write_images(site: &Site, writer: &Writer<'_>, threads: usize) -> io::Result<usize> {
    let failed = AtomicUsize::new(0);
    let write = |path: &str, drawing: &GeneratedImage<'_>| match site.render_image_uncached(drawing)
    {
        Ok(bytes) => writer.write(path, &bytes),
        Err(_) => {
            failed.fetch_add(1, Ordering::Relaxed);
            Ok(())
        }
    };
    for icon in site.media.icons.iter().flat_map(IconSet::all) {
        write(&icon.path(), &GeneratedImage::Icon(icon))?;
    }
    if let Some(set) = site.media.icons.first()
        && site.asset("/favicon.ico").is_none()
    {
        write("favicon.ico", &GeneratedImage::Icon(set.default_icon()))?;
    }
    if let Some(folder) = site.options.metadata.og_image_dir.as_deref() {
        let written = in_parallel(site.map.routes.len(), threads, |index| {
            let Some((path, _)) = site.map.routes.get_index(index) else {
                return Ok(());
            };
            let address = format!("{folder}{}", svc_render::og_image::file_name(path));
            match site.image(&address) {
                Some(drawing) => write(&address, &drawing),
                None => Ok(()),
            }
        });
        written.into_iter().collect::<io::Result<()>>()?;
    }
    Ok(failed.into_inner())
}

/// The narrower variants of images, where pages name them. Pages cannot know how large one is, so
/// where a variant is no smaller or cannot be made, the image itself has its name.
fn write_variants(site: &Site, writer: &Writer<'_>, threads: usize) -> io::Result<()> {
    let variants = site.variants();
    let written = in_parallel(variants.len(), threads, |at| {
        let Some(variant) = variants.get(at) else {
            return Ok(());
        };
        let path = variant.path();
        if let Ok(VariantContent::Smaller(bytes)) = site.make_variant(variant) {
            return writer.write(&path, &bytes);
        }
        match site.asset(&variant.original()).map(|asset| asset.content) {
            Some(AssetContent::Disk { path: from, .. }) => writer.copy(&path, from),
            Some(AssetContent::Bytes(bytes)) => writer.write(&path, bytes),
            Some(AssetContent::Text(_)) | None => Ok(()),
        }
    });
    written.into_iter().collect()
}

/// What is wrong when some images cannot be drawn.
fn failed_images(site: &Site, failed: usize) -> Diagnostic {
    let images = if failed == 1 { "image" } else { "images" };
    let message = format!(
        "{failed} {images} of the site cannot be drawn within the limits of time and memory"
    );
    Diagnostic::new(&UNUSABLE_IMAGE, message)
        .at(site.config.file.location(Span::default()))
        .hint("make `favicon`, `logo` and `thumbnails.background` simpler, or export them as PNG")
}

fn file_of(path: &str, flat: bool) -> String {
    let path = path.trim_matches('/');
    match (path, flat) {
        ("", _) => "index.html".to_owned(),
        (path, true) => format!("{path}.html"),
        (path, false) => format!("{path}/index.html"),
    }
}

#[cfg(test)]
mod tests;
