//! Export of a site as static files for any web server.
//!
//! `writer` writes files atomically, `relative` makes the URLs of pages relative, `redirects`
//! writes redirects in the formats of hosts, `start_page` adds the choice of a language, `compress`
//! writes precompressed copies, `dir` checks the output directory, `manifest` lists the written
//! files and removes those of an earlier export, and `archive` packs an export into one file.

pub(crate) mod active;
mod archive;
mod compress;
mod dir;
mod error;
mod headers;
mod manifest;
pub(crate) mod names;
mod policy;
mod redirect_pages;
mod redirect_rules;
mod redirects;
mod relative;
mod search;
mod start_page;
mod writer;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

use svc_data::percent::decode_lossy;
use svc_diagnostics::{Diagnostic, Span};
use svc_render::Integrations;
use tracing::debug_span;

use crate::codes::UNUSABLE_IMAGE;
use crate::diagnostics::sort_diagnostics;
use crate::find::AssetContent;
use crate::generated::feed;
use crate::generated::file::GeneratedFile;
use crate::media::IconSet;
use crate::parallel::{in_parallel, threads};
use crate::playground::{self, CALLBACK_PATH};
use crate::versions;
use crate::{GeneratedImage, Site, VariantContent, api, links};

pub use archive::archive;
pub use compress::ContentEncoding;
pub use dir::create_export_dir;
pub use manifest::{ExportedFile, manifest_json, parse_manifest, remove_stale};
use names::file_of;
use redirect_pages::redirect_page;
pub use redirects::RedirectFormat;
pub use relative::RELATIVE_BASE;
use relative::Relative;
use writer::Writer;

/// Options of an export.
#[derive(Debug, Clone, Default)]
pub struct ExportOptions {
    /// Write `a.html` instead of `a/index.html`.
    pub flat: bool,
    /// Number of threads; 0 means one per processor.
    pub threads: usize,
    /// Origin of the site for the sitemap, such as `https://docs.example.com`; empty if unknown.
    pub origin: String,
    /// Formats of redirects. Empty means [`RedirectFormat::Html`] and
    /// [`RedirectFormat::Cloudflare`], whose file Netlify reads too.
    pub redirects: BTreeSet<RedirectFormat>,
    /// Encodings of the precompressed copies that are written next to files, where they are
    /// smaller.
    pub precompress: Vec<ContentEncoding>,
}

/// Result of an export.
#[derive(Debug, Default)]
pub struct ExportReport {
    /// Number of pages.
    pub pages: usize,
    /// Number of files, including pages and their Markdown versions.
    pub files: usize,
    /// Size of all files in bytes.
    pub bytes: u64,
    /// All files, sorted by path.
    pub manifest: Vec<ExportedFile>,
    /// Number of pages that could not be rendered.
    pub broken: usize,
    /// Diagnostics of pages, links and files.
    pub diagnostics: Vec<Diagnostic>,
}

/// Writes pages, their Markdown versions, assets, generated files, `404.html` and redirects to the
/// directory `out`. A site that was loaded with [`RELATIVE_BASE`] gets relative URLs.
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
    let rules = redirect_rules::rules(site);
    let (redirects, omitted) = match hosts.contains(&RedirectFormat::Html) {
        true => redirect_pages::pages(site, &rules),
        false => Default::default(),
    };
    let dirs = site.map.dir_redirects.iter();
    let dirs: Vec<_> = dirs
        .filter(|(path, _)| !redirects.contains_key(*path) && site.map.redirect(path).is_none())
        .collect();
    let also = dirs.iter().map(|(path, _)| path.as_str());
    let sources = redirects.keys().map(String::as_str);
    let paths = sources.chain(also).map(str::to_owned).collect();
    let relative = Relative::new(site, options.flat, paths);
    let base = match relative {
        Some(_) => "",
        None => site.base_path(),
    };
    let files = relative.is_some();
    let start_tag = start_page::tag(site);
    let has_start_script = start_tag.is_some();
    let writer = Writer::new(out, relative, &options.precompress, start_tag);
    fs::create_dir_all(out)?;
    dir::write_marker(&writer)?;
    let (pages, broken) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let modules = Mutex::new(BTreeSet::new());
    let messages = Mutex::new(BTreeSet::new());
    let parts = Mutex::new(BTreeSet::new());
    let stage = debug_span!("pages", count = site.map.routes.len()).entered();
    let results = in_parallel(site.map.routes.len(), threads, |index| {
        let Some((path, route)) = site.map.routes.get_index(index) else {
            return Ok(());
        };
        if let Some(to) = site.redirect_target(route) {
            return writer.page(&file_of(path, options.flat), redirect_page(&to).as_bytes());
        }
        let Some(page) = site.render_uncached(index) else {
            return Ok(());
        };
        let html = policy::with_policy(site, Some(route), files, &page.html.bytes);
        writer.page(&file_of(path, options.flat), &html)?;
        let markdown_path = if path == "/" {
            "index.md".to_owned()
        } else {
            format!("{path}.md")
        };
        writer.for_scripts(
            &markdown_path,
            site.markdown(route, &options.origin).as_bytes(),
        )?;
        let feed_path = feed::path(route);
        // A file of the repository replaces the generated one, as on the server.
        if feed::exists(site, route) && site.asset(&feed_path).is_none() {
            let feed = site.feed(route, &options.origin);
            writer.text(&feed_path, feed.as_bytes())?;
        }
        if site.has_endpoint(route)
            && let Some(call) = site.playground_spec(route)
        {
            writer.for_scripts(&api::playground_spec_path(path), call.as_bytes())?;
        }
        if let Some(file) = playground::messages_file(&page.html.bytes) {
            messages
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .insert(file);
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
    results.into_iter().collect::<io::Result<()>>()?;
    drop(stage);
    if !site.map.routes.contains_key("/")
        && let Some(first) = site.map.first_page()
    {
        let to = redirect_page(&site.href(first));
        writer.page("index.html", to.as_bytes())?;
    }
    if let Some(page) = site.protected_page() {
        writer.page("index.html", &policy::with_policy(site, None, files, &page))?;
    }
    let mut diagnostics = Vec::new();
    let stage = debug_span!("assets").entered();
    for (path, asset) in site.assets() {
        if let Some(diagnostic) = active::check(path, &asset) {
            diagnostics.push(diagnostic);
            continue;
        }
        match asset.content {
            AssetContent::Text(text) => writer.write(path, text.as_bytes())?,
            AssetContent::Bytes(bytes) => writer.write(path, bytes)?,
            AssetContent::Disk { path: from, .. } => writer.copy(path, from)?,
        }
    }
    let messages = messages
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let services = Integrations::new(&site.config, &site.options.site);
    let used = svc_render::program_assets().iter().filter(|asset| {
        let by_theme = asset.theme.is_none_or(|theme| theme == site.config.theme);
        // Only the playground messages in the languages of its pages.
        let is_messages = asset.name.starts_with("words.");
        let is_used = !asset.integrations || services.uses(&asset.name);
        by_theme
            && is_used
            && (!asset.playground || !messages.is_empty())
            && (!is_messages || messages.contains(&asset.name))
    });
    if has_start_script {
        let script = &svc_render::start_script().content;
        writer.write(&start_page::script_path(), script)?;
    }
    if !messages.is_empty() {
        writer.page(CALLBACK_PATH, site.callback_page().as_bytes())?;
    }
    for asset in used {
        let path = format!("_svc/assets/{}", asset.name);
        let bytes = &asset.content;
        // The other assets are referenced by HTML tags, which browsers load from `file:` URLs.
        let is_module = ["islands.", "search-"]
            .iter()
            .any(|name| asset.name.starts_with(name));
        if asset.playground || is_module {
            writer.for_scripts(&path, bytes)?;
        } else {
            writer.write(&path, bytes)?;
        }
    }
    drop(stage);
    let failed_images_count = write_images(site, &writer, threads)?;
    write_variants(site, &writer, threads)?;
    for url in modules.into_inner().unwrap_or_else(PoisonError::into_inner) {
        let path = url.strip_prefix(site.base_path()).unwrap_or(&url);
        let name = path.strip_prefix("/_svc/islands/").map(decode_lossy);
        if let Some(name) = name
            && let Some(text) = site.island_module(&name)
        {
            writer.for_scripts(&format!("_svc/islands/{name}"), text.as_bytes())?;
        }
    }
    let parts = parts.into_inner().unwrap_or_else(PoisonError::into_inner);
    write_schema_fragments(site, &writer, parts, threads)?;
    let stage = debug_span!("generated files").entered();
    for file in GeneratedFile::ALL {
        if site.offers(file) && site.asset(file.path()).is_none() {
            let packed = site.generated_file(file, &options.origin);
            match file {
                GeneratedFile::ApiSpecs => writer.write(file.path(), &packed.bytes)?,
                _ => writer.text(file.path(), &packed.bytes)?,
            }
        }
    }
    for (path, packed) in site.api_texts().files() {
        writer.text(path, &packed.bytes)?;
    }
    for file in site.section_files() {
        let packed = site.section_file(&file, &options.origin);
        writer.text(&file.path(), &packed.bytes)?;
    }
    for (path, file) in site.discovery_files(&options.origin) {
        // Static files have no MCP endpoint.
        if site.asset(&path).is_none()
            && let Some(packed) = site.discovery_file(&file, &options.origin, false)
        {
            writer.text(&path, &packed.bytes)?;
        }
    }
    diagnostics.extend(site.repository_skills().diagnostics.iter().cloned());
    drop(stage);
    debug_span!("search index").in_scope(|| search::write_index(site, &writer))?;
    // A page with the path `/404` takes precedence.
    if !(options.flat && site.map.routes.contains_key("/404")) {
        let page = site.not_found("/404");
        writer.absolute_page("404.html", &policy::with_policy(site, None, files, &page))?;
    }
    if writer.relative.is_some() {
        let (path, text) = Relative::script();
        writer.write(&path, text.as_bytes())?;
    }
    for (path, to) in &redirects {
        let page = redirect_page(to);
        writer.page(&file_of(path, options.flat), page.as_bytes())?;
    }
    for (path, first) in dirs {
        let to = redirect_page(&site.href(first));
        writer.page(&file_of(path, options.flat), to.as_bytes())?;
    }
    let stage = debug_span!("page diagnostics").entered();
    diagnostics.extend(site.page_diagnostics(threads));
    drop(stage);
    if failed_images_count > 0 {
        diagnostics.push(failed_images(site, failed_images_count));
    }
    // Other hosts get what pages cannot express.
    if hosts.len() == 1 {
        diagnostics.extend(omitted);
    }
    let headers = headers::rules(site, base);
    for file in redirects::files(
        site,
        &rules,
        &hosts,
        base,
        options.flat,
        &headers,
        &mut diagnostics,
    ) {
        // A file of the repository replaces the generated one; only the host reads it.
        let source = site.tree.text(file.path);
        let text = source.map_or(&*file.text, |source| &**source.text());
        writer.write(file.path, text.as_bytes())?;
    }
    diagnostics.extend(debug_span!("links").in_scope(|| links::check(site, threads)));
    let unwritable_pages = names::check(site);
    if unwritable_pages.is_empty() {
        diagnostics.extend(
            writer
                .skipped()
                .iter()
                .map(|path| names::skipped_path(path)),
        );
    }
    diagnostics.extend(unwritable_pages);
    let manifest = writer.finish();
    Ok(ExportReport {
        pages: pages.into_inner(),
        files: manifest.len(),
        bytes: manifest.iter().map(|entry| entry.bytes).sum(),
        manifest,
        broken: broken.into_inner(),
        diagnostics: sort_diagnostics(versions::label(&site.tree, diagnostics)),
    })
}

/// Maximum number of schema fragments in an export; the largest known documents have about a tenth
/// of that.
const MAX_SCHEMA_FRAGMENTS: usize = 100_000;
/// Writes the schema fragments that pages link to, and those nested in them.
fn write_schema_fragments(
    site: &Site,
    writer: &Writer<'_>,
    first: BTreeSet<String>,
    threads: usize,
) -> io::Result<()> {
    let _stage = debug_span!("schema fragments").entered();
    let mut visited = first.clone();
    let mut wave: Vec<String> = first.into_iter().collect();
    while !wave.is_empty() {
        let results = in_parallel(wave.len(), threads, |at| {
            let path = wave.get(at).map_or("", String::as_str);
            let Some(part) = site.render_schema_fragment_uncached(path) else {
                return Ok(Vec::new());
            };
            writer.for_scripts(path, &part.html.bytes)?;
            Ok(part.fragments)
        });
        let links: io::Result<Vec<_>> = results.into_iter().collect();
        let links = links?.into_iter().flatten().map(|link| link.path);
        let left = MAX_SCHEMA_FRAGMENTS.saturating_sub(visited.len());
        wave = links
            .filter(|path| visited.insert(path.clone()))
            .take(left)
            .collect();
    }
    Ok(())
}

/// Writes the icons and preview images. Returns the number of those that could not be rendered.
fn write_images(site: &Site, writer: &Writer<'_>, threads: usize) -> io::Result<usize> {
    let _stage = debug_span!("images").entered();
    let failed = AtomicUsize::new(0);
    let write = |path: &str, image: &GeneratedImage<'_>| match site.render_image_uncached(image) {
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
    if let Some(dir) = site.options.metadata.og_image_dir.as_deref() {
        let results = in_parallel(site.map.routes.len(), threads, |index| {
            let Some((page, _)) = site.map.routes.get_index(index) else {
                return Ok(());
            };
            let path = format!("{dir}{}", svc_render::og_image::file_name(page));
            match site.image(&path) {
                Some(image) => write(&path, &image),
                None => Ok(()),
            }
        });
        results.into_iter().collect::<io::Result<()>>()?;
    }
    Ok(failed.into_inner())
}

/// Writes the image variants that pages refer to. Pages cannot know the size of a variant in bytes,
/// so the original image is written where the variant is not smaller or cannot be rendered.
fn write_variants(site: &Site, writer: &Writer<'_>, threads: usize) -> io::Result<()> {
    let variants = site.variants();
    let _stage = debug_span!("image variants", count = variants.len()).entered();
    let results = in_parallel(variants.len(), threads, |at| {
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
    results.into_iter().collect()
}

/// The diagnostic for images that could not be rendered.
fn failed_images(site: &Site, failed: usize) -> Diagnostic {
    let images = if failed == 1 { "image" } else { "images" };
    let message = format!(
        "{failed} {images} of the site could not be rendered within the limits of time and memory"
    );
    Diagnostic::new(&UNUSABLE_IMAGE, message)
        .at(site.config.file.location(Span::default()))
        .hint("simplify `favicon`, `logo` and `thumbnails.background`, or convert them to PNG")
}

#[cfg(test)]
mod tests;
