//! A site as files, for any web server.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

use svc_diagnostics::Diagnostic;

use crate::find::{AssetContent, Found};
use crate::links::decoded;
use crate::load::{in_parallel, threads};
use crate::machine::{Machine, feed};
use crate::media::IconSet;
use crate::playground::{self, CALLBACK_PATH};
use crate::validate::in_order;
use crate::{Drawing, Site, api, links};

/// How a site is written.
#[derive(Debug, Clone, Default)]
pub struct ExportOptions {
    /// `a.html` instead of `a/index.html`.
    pub flat: bool,
    /// Threads; 0 means one per processor.
    pub threads: usize,
    /// Where the site will stand, `https://docs.example.com`; for the sitemap.
    pub origin: String,
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
    /// Pages that could not be drawn.
    pub broken: usize,
    /// What is wrong with the pages and their links.
    pub diagnostics: Vec<Diagnostic>,
}

/// Writes pages, their Markdown twins, assets, files for machines, `404.html` and redirects.
///
/// # Errors
/// When a file cannot be written or read.
pub fn export(site: &Site, out: &Path, options: &ExportOptions) -> io::Result<ExportReport> {
    let threads = if options.threads == 0 {
        threads()
    } else {
        options.threads
    };
    let writer = Writer {
        root: out,
        files: AtomicUsize::new(0),
        bytes: AtomicUsize::new(0),
        folders: Mutex::default(),
    };
    fs::create_dir_all(out)?;
    let (pages, broken) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let modules = Mutex::new(BTreeSet::new());
    let words = Mutex::new(BTreeSet::new());
    let parts = Mutex::new(BTreeSet::new());
    let written = in_parallel(site.map.routes.len(), threads, |index| {
        let Some((path, route)) = site.map.routes.get_index(index) else {
            return Ok(());
        };
        let Some(page) = site.draw_once(index) else {
            return Ok(());
        };
        writer.write(&file_of(path, options.flat), &page.html.bytes)?;
        let twin = if path == "/" {
            "index.md".to_owned()
        } else {
            format!("{path}.md")
        };
        writer.write(&twin, site.twin(route).as_bytes())?;
        if feed::exists(site, route) {
            let feed = site.feed(route, &options.origin);
            writer.write(&feed::path(route), feed.as_bytes())?;
        }
        if site.has_endpoint(route)
            && let Some(call) = site.call(route)
        {
            writer.write(&api::call_address(path), call.as_bytes())?;
        }
        if let Some(own) = playground::words_of(&page.html.bytes) {
            words
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .insert(own);
        }
        if !page.modules.is_empty() {
            let mut modules = modules.lock().unwrap_or_else(PoisonError::into_inner);
            modules.extend(page.modules.iter().cloned());
        }
        if !page.parts.is_empty() {
            let mut parts = parts.lock().unwrap_or_else(PoisonError::into_inner);
            parts.extend(page.parts.iter().cloned());
        }
        pages.fetch_add(1, Ordering::Relaxed);
        broken.fetch_add(usize::from(page.broken), Ordering::Relaxed);
        Ok(())
    });
    written.into_iter().collect::<io::Result<()>>()?;
    if !site.map.routes.contains_key("/")
        && let Some(first) = site.map.first_page()
    {
        writer.write("index.html", moved(&site.href(first)).as_bytes())?;
    }
    for (path, asset) in site.assets() {
        match asset.content {
            AssetContent::Text(text) => writer.write(path, text.as_bytes())?,
            AssetContent::Bytes(bytes) => writer.write(path, bytes)?,
            AssetContent::Disk { path: from, .. } => writer.copy(path, from)?,
        }
    }
    let words = words.into_inner().unwrap_or_else(PoisonError::into_inner);
    let used = svc_render::assets().iter().filter(|asset| {
        let by_theme = asset.theme.is_none_or(|theme| theme == site.config.theme);
        // Of the words of the playground only the languages of its pages.
        let is_words = asset.name.starts_with("words.");
        by_theme
            && (!asset.playground || !words.is_empty())
            && (!is_words || words.contains(&asset.name))
    });
    if !words.is_empty() {
        writer.write(CALLBACK_PATH, site.callback_page().as_bytes())?;
    }
    for asset in used {
        writer.write(
            &format!("_svc/assets/{}", asset.name),
            asset.text.as_bytes(),
        )?;
    }
    drawings(site, &writer, threads)?;
    for address in modules.into_inner().unwrap_or_else(PoisonError::into_inner) {
        let path = address.strip_prefix(site.base_path()).unwrap_or(&address);
        let name = path.strip_prefix("/_svc/islands/").map(decoded);
        if let Some(name) = name
            && let Some(text) = site.island_module(&name)
        {
            writer.write(&format!("_svc/islands/{name}"), text.as_bytes())?;
        }
    }
    let parts = parts.into_inner().unwrap_or_else(PoisonError::into_inner);
    write_parts(site, &writer, parts, threads)?;
    for machine in Machine::ALL {
        if site.offers(machine) && site.asset(machine.path()).is_none() {
            writer.write(
                machine.path(),
                &site.machine(machine, &options.origin).bytes,
            )?;
        }
    }
    writer.write("404.html", &site.not_found("/404"))?;
    redirects(site, &writer, options)?;
    let mut diagnostics = site.page_diagnostics(threads);
    diagnostics.extend(links::check(site, threads));
    Ok(ExportReport {
        pages: pages.into_inner(),
        files: writer.files.into_inner(),
        bytes: writer.bytes.into_inner() as u64,
        broken: broken.into_inner(),
        diagnostics: in_order(diagnostics),
    })
}

/// Parts of schemas that are written at most: those of the largest documents are about a tenth.
const PARTS: usize = 100_000;
/// Bytes that the name of a file or folder may have.
const NAME: usize = 255;

/// The parts of schemas that pages lead to, and those that these lead to.
fn write_parts(
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
            let Some(part) = site.draw_schema_part_once(path) else {
                return Ok(Vec::new());
            };
            if path.split('/').all(|name| name.len() <= NAME) {
                writer.write(path, &part.html.bytes)?;
            }
            Ok(part.parts)
        });
        let found: io::Result<Vec<_>> = written.into_iter().collect();
        let found = found?.into_iter().flatten().map(|link| link.path);
        let left = PARTS.saturating_sub(seen.len());
        wave = found
            .filter(|path| seen.insert(path.clone()))
            .take(left)
            .collect();
    }
    Ok(())
}

/// The icons, and the pictures that stand for pages.
fn drawings(site: &Site, writer: &Writer<'_>, threads: usize) -> io::Result<()> {
    let write = |path: &str, drawing: &Drawing<'_>| match site.draw_once_more(drawing) {
        Some(bytes) => writer.write(path, &bytes),
        None => Ok(()),
    };
    for icon in site.media.icons.iter().flat_map(IconSet::all) {
        write(&icon.path(), &Drawing::Icon(icon))?;
    }
    if let Some(set) = site.media.icons.first()
        && site.asset("/favicon.ico").is_none()
    {
        write("favicon.ico", &Drawing::Icon(set.usual()))?;
    }
    let Some(folder) = site.options.facts.cards.as_deref() else {
        return Ok(());
    };
    let written = in_parallel(site.map.routes.len(), threads, |index| {
        let Some((path, _)) = site.map.routes.get_index(index) else {
            return Ok(());
        };
        let address = format!("{folder}{}", svc_render::card::file_name(path));
        match site.drawing(&address) {
            Some(drawing) => write(&address, &drawing),
            None => Ok(()),
        }
    });
    written.into_iter().collect()
}

/// Redirects as `_redirects`, which several hosts read, and as pages for the others.
fn redirects(site: &Site, writer: &Writer<'_>, options: &ExportOptions) -> io::Result<()> {
    let mut list = String::new();
    for redirect in &site.config.redirects {
        let (source, to) = (redirect.source.trim(), redirect.destination.trim());
        let one_line = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
        if !one_line(source)
            || !one_line(to)
            || site.map.route(source).is_some()
            || site.map.redirects.is_circular(redirect.index)
        {
            continue;
        }
        let to = &*own_address(site, to);
        let status = if redirect.permanent { 308 } else { 307 };
        list.push_str(&format!("{source} {to} {status}\n"));
        // The address may contain a colon, `https:`; a path with one is a pattern.
        let own = to.starts_with('/') && !to.starts_with("//");
        let pattern = source.contains([':', '*']) || (own && to.contains([':', '*']));
        if !pattern && can_be_page(site, source) {
            let to = if own {
                format!("{}{to}", site.base_path())
            } else {
                to.to_owned()
            };
            writer.write(&file_of(source, options.flat), moved(&to).as_bytes())?;
        }
    }
    if list.is_empty() {
        Ok(())
    } else {
        writer.write("_redirects", list.as_bytes())
    }
}

/// The address of the page that a destination names by its file: `/x` for `/x/index`.
fn own_address<'a>(site: &Site, to: &'a str) -> Cow<'a, str> {
    let (path, rest) = to.split_at(to.find(['?', '#']).unwrap_or(to.len()));
    let stem = path.trim_end_matches('/').strip_suffix("/index");
    match stem.map(|stem| if stem.is_empty() { "/" } else { stem }) {
        Some(stem) if site.map.route(path).is_none() && site.map.route(stem).is_some() => {
            Cow::Owned(format!("{stem}{rest}"))
        }
        _ => Cow::Borrowed(to),
    }
}

/// Whether a redirect can be a page of its own: nothing else is written at its place, and all its
/// parts can be names of files.
fn can_be_page(site: &Site, source: &str) -> bool {
    let name = |part: &str| !matches!(part, "" | "." | "..") && part.len() < 200;
    let safe = |part: &str| name(part) && !part.contains(['\\', '\0']);
    let path = source.trim_end_matches('/');
    let Some(inside) = path.strip_prefix('/').filter(|path| path.len() < 1_000) else {
        return false;
    };
    let is_file = |path: &str| {
        matches!(
            site.find(path),
            Found::Asset(_)
                | Found::SchemaPart(_)
                | Found::Drawing(_)
                | Found::Feed(_)
                | Found::Machine(_)
                | Found::Twin(_)
        )
    };
    let below_file = path
        .match_indices('/')
        .skip(1)
        .filter_map(|(at, _)| path.get(..at))
        .any(is_file);
    inside.split('/').all(safe) && !is_file(path) && !below_file
}

fn moved(to: &str) -> String {
    let to = to
        .replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;");
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Moved</title><meta name=\"robots\" content=\"noindex\"><meta http-equiv=\"refresh\" content=\"0; url={to}\"><link rel=\"canonical\" href=\"{to}\"><p>This page has <a href=\"{to}\">moved</a>.</p></html>\n"
    )
}

fn file_of(path: &str, flat: bool) -> String {
    let path = path.trim_matches('/');
    match (path, flat) {
        ("", _) => "index.html".to_owned(),
        (path, true) => format!("{path}.html"),
        (path, false) => format!("{path}/index.html"),
    }
}

/// Writes files below one folder, and nowhere else.
struct Writer<'a> {
    root: &'a Path,
    files: AtomicUsize,
    bytes: AtomicUsize,
    folders: Mutex<BTreeSet<PathBuf>>,
}

impl Writer<'_> {
    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let target = self.target(path)?;
        fs::write(&target, bytes).map_err(|error| named(&target, &error))?;
        self.count(bytes.len());
        Ok(())
    }

    fn copy(&self, path: &str, from: &Path) -> io::Result<()> {
        let target = self.target(path)?;
        let bytes = fs::copy(from, &target).map_err(|error| named(&target, &error))?;
        self.count(usize::try_from(bytes).unwrap_or(usize::MAX));
        Ok(())
    }

    fn count(&self, bytes: usize) {
        self.files.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// The file for a path of the site; its folder is there afterwards.
    fn target(&self, path: &str) -> io::Result<PathBuf> {
        let path = path.trim_start_matches('/');
        let odd = |part: &str| matches!(part, "" | "." | "..") || part.contains(['\\', '\0']);
        if path.split('/').any(odd) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("`{path}` is not a path"),
            ));
        }
        let target = self.root.join(path);
        if let Some(folder) = target.parent() {
            let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
            if !folders.contains(folder) {
                fs::create_dir_all(folder).map_err(|error| named(folder, &error))?;
                folders.insert(folder.to_owned());
            }
        }
        Ok(target)
    }
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
